"""The command line, through its process: what goes in, what comes out, and what is refused."""

import io
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import fuzzyrand as fr

from .cli_process import refused, run, shell, start, stop_server

ROOT = Path(__file__).parents[1]
LABELS = ["a", "a", "b", "b", "b", "a"]
SOFT = np.array([[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.1, 0.9], [0.4, 0.6], [0.7, 0.3]])
ADJUSTED = fr.adjusted_similarity(LABELS, SOFT, fixed="first")

GOOD_LABELS = "label\na\na\nb\nb\nb\na\n"
GOOD_SOFT = "p,q\n" + "".join(f"{u},{v}\n" for u, v in SOFT)


@pytest.fixture(scope="module", autouse=True)
def _server():
    yield
    stop_server()


@pytest.fixture
def here(tmp_path):
    """A directory with two good files."""
    (tmp_path / "truth.csv").write_text(GOOD_LABELS)
    (tmp_path / "soft.csv").write_text(GOOD_SOFT)
    return tmp_path


def npy(array, **options):
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


def npz(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def arrow(kind, **columns):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet

    file, table = io.BytesIO(), pa.table(columns)
    if kind == "parquet":
        parquet.write_table(table, file)
    else:
        feather.write_feather(table, file)
    return file.getvalue()


# --- files that are read -------------------------------------------------------------------------

SOFT_ROWS = SOFT.tolist()
GOOD_FILES = {
    "tab.tsv": "p\tq\n" + "".join(f"{u}\t{v}\n" for u, v in SOFT_ROWS),
    "bom.csv": b"\xef\xbb\xbf" + GOOD_SOFT.replace("\n", "\r\n").encode(),
    "spaces.txt": "".join(f"  {u}   {v} \n" for u, v in SOFT_ROWS),
    "savetxt.txt": "# p q\n" + "".join(f"{u:.18e} {v:.18e}\n" for u, v in SOFT_ROWS),
    "pandas.csv": ",p,q\n" + "".join(f"{i},{u},{v}\n" for i, (u, v) in enumerate(SOFT_ROWS)),
    "soft.npy": npy(SOFT),
    "soft.npz": npz(whatever=SOFT),
    "soft.parquet": lambda: arrow("parquet", p=SOFT[:, 0], q=SOFT[:, 1]),
    "soft.feather": lambda: arrow("feather", p=SOFT[:, 0], q=SOFT[:, 1]),
}


def write(path, content):
    content = content() if callable(content) else content
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def test_every_format_says_the_same(here):
    """Each file against the labels, with the value of the library."""
    for name, content in GOOD_FILES.items():
        write(here / name, content)
    ended = run("pairwise", *GOOD_FILES, "--reference", "truth.csv", "--fixed", "first", "--json",
                "--labels", "label", cwd=here)  # fmt: skip
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["adjusted"] == [pytest.approx([ADJUSTED] * len(GOOD_FILES))]
    said = ended.err.splitlines()
    assert said[0] == (
        "tab.tsv: 6 points, fuzzy, 2 clusters; memberships in columns p, q "
        "(tab-separated, with a header)"
    )
    assert said[2].endswith("memberships in columns 1, 2 (space-separated, no header)")
    assert said[3].endswith("columns p, q (space-separated, with a header)")
    assert "first column left out" in said[4]
    assert said[-1].startswith("truth.csv: 6 points, hard, 2 clusters; labels in column label")


def test_labels_of_every_kind(here):
    files = {
        "quoted.csv": 'n,"the, label"\n1,"x, y"\n2,"x, y"\n3,"z ""w"""\n4,"z ""w"""\n'
        '5,"z ""w"""\n6,"x, y"\n',
        "mixed.csv": "n,the label\n" + "".join(f"{i},{x}\n" for i, x in enumerate("114441")),
    }
    (here / "ints.npy").write_bytes(npy(np.array([7, 7, -1, -1, -1, 7])))
    (here / "words.npy").write_bytes(npy(np.array(["on", "on", "off", "off", "off", "on"])))
    (here / "words.txt").write_text("New York\nNew York\nBonn\nBonn\nBonn\nNew York\n")
    large = 2**60
    numbers = [large, large, large + 1, large + 1, large + 1, large]
    (here / "large.csv").write_text("".join(f"{number}\n" for number in numbers))
    for name, text in files.items():
        (here / name).write_text(text)
    ended = run("pairwise", "truth.csv", "ints.npy", "words.npy", "words.txt", "large.csv",
                "quoted.csv", "mixed.csv", "--csv", "--labels", "label", "--labels", "",
                "--labels", "", "--labels", "", "--labels", "", "--labels", "the, label",
                "--labels", "2", cwd=here)  # fmt: skip
    assert ended.code == 0, ended.err
    header, *rows = ended.out.splitlines()
    assert header == ",truth.csv,ints.npy,words.npy,words.txt,large.csv,quoted.csv,mixed.csv"
    assert [row.split(",", 1)[1] for row in rows] == [",".join(["1.0"] * 7)] * 7


def test_million_rows(tmp_path):
    """Quick enough for a terminal; the budget is loose because machines are busy."""
    rows = np.random.default_rng(0).dirichlet([1, 1, 1], 1000)
    lines = "".join(f"{u:.9f},{v:.9f},{w:.9f}\n" for u, v, w in rows) * 1000
    (tmp_path / "large.csv").write_text("a,b,c\n" + lines)
    started = time.monotonic()
    ended = run("compare", "large.csv", "large.csv", "--index", "jousselme", "--model", "flat",
                "--json", cwd=tmp_path)  # fmt: skip
    assert ended.code == 0, ended.err
    found = json.loads(ended.out)
    assert (found["n"], found["adjusted"]) == (1_000_000, pytest.approx(1.0))
    assert time.monotonic() - started < 40


# --- compare -------------------------------------------------------------------------------------


def test_compare(here):
    ended = run("compare", "truth.csv", "soft.csv", "--fixed", "first", cwd=here)
    assert ended.out == f"{fr.compare(LABELS, SOFT, fixed='first')}\n"
    assert ended.err.count("\n") == 2
    quiet = run("compare", "truth.csv", "soft.csv", "--fixed", "first", "--quiet", cwd=here)
    assert quiet == (0, ended.out, "")


def test_compare_as_data(here):
    asked = ("truth.csv", "soft.csv", "--model", "perm", "--model", "fit", "--resolution", "1e-3")
    found = json.loads(run("compare", *asked, "--json", cwd=here).out)
    assert [c["model"] for c in found["comparisons"]] == ["perm", "fit(resolution=0.001)"]
    assert found["files"][1] == {
        "file": "soft.csv", "n": 6, "k": 2, "kind": "fuzzy", "columns": ["p", "q"]
    }  # fmt: skip
    header, first, second = run("compare", *asked, "--csv", cwd=here).out.splitlines()
    row = dict(zip(header.split(","), first.split(","), strict=True))
    assert float(row["adjusted"]) == found["comparisons"][0]["adjusted"]
    assert second.startswith("ndc,fit(resolution=0.001),")


def test_every_model(here):
    ended = run("compare", "truth.csv", "soft.csv", "--model", "every", cwd=here)
    assert "misfit" in ended.out
    assert "See fuzzyrand check." in ended.out.replace("\n", " ")
    asked = ("--model", "every", "--resolution", "1e-3", "--index", "brouwer", "--maximum", "self",
             "--tol", "0.01", "--seed", "3", "--json")  # fmt: skip
    found = json.loads(run("compare", "truth.csv", "soft.csv", *asked, cwd=here).out)
    direct = fr.compare(LABELS, SOFT, model=fr.Fit(resolution=1e-3), index="brouwer",
                        maximum="self", tol=0.01, random_state=3)  # fmt: skip
    by_model = {c["model"]: c for c in found["comparisons"]}
    assert by_model["fit(resolution=0.001)"]["adjusted"] == direct.adjusted


def test_ids_and_standard_input(here):
    order = [3, 0, 5, 1, 4, 2]
    shuffled = "p;key;q\n" + "".join(f"{SOFT[i, 0]};x{i};{SOFT[i, 1]}\n" for i in order)
    (here / "shuffled.csv").write_text(shuffled)
    labelled = "key\tlabel\n" + "".join(f"x{i}\t{label}\n" for i, label in enumerate(LABELS))
    ended = run("compare", "-", "shuffled.csv", "--id", "key", "--fixed", "first", "--json",
                cwd=here, stdin=labelled.encode())  # fmt: skip
    assert json.loads(ended.out)["adjusted"] == pytest.approx(ADJUSTED, abs=1e-12)
    assert ended.err.startswith("standard input: 6 points, hard")
    assert "matched by column 'key'" in ended.err


def test_two_columns_of_one_file(here):
    runs = "one,two\n" + "".join(f"{i // 3},{i % 2}\n" for i in range(6))
    (here / "runs.csv").write_text(runs)
    ended = run("compare", "runs.csv", "runs.csv", "--labels", "one", "--labels", "two",
                "--model", "perm", "--json", cwd=here)  # fmt: skip
    direct = fr.adjusted_similarity([0, 0, 0, 1, 1, 1], [0, 1] * 3, model="perm")
    assert json.loads(ended.out)["adjusted"] == direct


def test_rows_that_do_not_sum_to_one(here):
    (here / "counts.csv").write_text("9,1\n8,2\n2,8\n1,9\n4,6\n7,3\n")
    asked = ("compare", "truth.csv", "counts.csv", "--fixed", "first", "--json")
    found = json.loads(run(*asked, "--normalize", cwd=here).out)
    assert found["adjusted"] == pytest.approx(ADJUSTED, abs=1e-12)
    (here / "counts.csv").write_text("0.9,0.9\n0.8,0.2\n0.2,0.8\n0.1,0.9\n0.4,0.6\n0.7,0.3\n")
    found = json.loads(run(*asked, "--possibilistic", "--model", "perm", cwd=here).out)
    assert found["files"][1]["kind"] == "possibilistic"


def test_reports(here):
    ended = run("compare", "truth.csv", "soft.csv", "--html", "r.html", cwd=here)
    assert ended.code == 0
    page = (here / "r.html").read_text(encoding="utf-8")
    assert "fuzzyrand compare truth.csv soft.csv" in page
    ended = run("pairwise", "truth.csv", "soft.csv", "--html", "p.html", cwd=here)
    assert ended.code == 0
    assert (here / "p.html").read_text(encoding="utf-8").rstrip().endswith("</html>")
    assert sorted(p.name for p in here.iterdir()) == ["p.html", "r.html", "soft.csv", "truth.csv"]


# --- the other commands --------------------------------------------------------------------------


def test_pairwise(here):
    (here / "third.csv").write_text("1\n2\n1\n2\n1\n2\n")
    ended = run("pairwise", "truth.csv", "soft.csv", "third.csv", "--model", "sym", cwd=here)
    runs = {"truth": LABELS, "soft": SOFT, "third": [1, 2] * 3}
    assert ended.out == f"{fr.pairwise(runs, model='sym')}\n"
    ended = run("pairwise", "soft.csv", "--reference", "truth.csv", "--fixed", "first", "--csv",
                cwd=here)  # fmt: skip
    assert ended.out == f",soft\ntruth,{ADJUSTED!r}\n"


def test_check(here):
    pytest.importorskip("matplotlib")
    ended = run("check", "soft.csv", "--model", "fit", "--plot", "fit.png", cwd=here)
    assert ended.out == f"{fr.check_model(SOFT, 'fit')}\n"
    assert (here / "fit.png").read_bytes().startswith(b"\x89PNG")
    ended = run("check", "soft.csv", "--model", "perm", "--json", "--quiet", cwd=here)
    assert [c["model"] for c in json.loads(ended.out)["checks"]] == ["perm"]
    assert ended.err == ""
    ended = run("check", "truth.csv", "--model", "every", "--plot", "all.svg", cwd=here)
    assert ended.out.startswith("7 models for a clustering of 6 points: hard, 2 clusters\n")
    assert "\n  num " in ended.out
    assert (here / "all.svg").read_text().rstrip().endswith("</svg>")


def test_catalogues():
    for command, names in (("models", fr.models.MODELS), ("indices", fr.indices.INDICES)):
        ended = run(command)
        assert ended.code == 0
        assert ended.err == ""
        assert [line.split()[0] for line in ended.out.splitlines() if line[0].islower()][
            : len(names)
        ] == list(names)
    found = json.loads(run("indices", "--json").out)
    assert {each["name"]: each["accuracy"] for each in found}["ndc"] == "exact / sampled"


def test_help_has_examples():
    commands = [[], ["compare"], ["pairwise"], ["check"], ["models"], ["indices"], ["demo"],
                ["study"], ["study", "toy"], ["completion"]]  # fmt: skip
    for command in commands:
        ended = run(*command, "--help")
        assert (ended.code, ended.err) == (0, "")
        assert (
            "examples:\n  fuzzyrand" in ended.out or 'examples:\n  eval "$(fuzzyrand' in ended.out
        )


def test_completion(here):
    script = run("completion", "bash").out
    (here / "complete.sh").write_text(script)
    assert shell("bash -n complete.sh", here) == (0, "", "")
    ask = (
        'source complete.sh; ask() { COMP_WORDS=(fuzzyrand "$@"); COMP_CWORD=$#; COMPREPLY=(); '
        "_fuzzyrand; echo ${COMPREPLY[@]}; }; ask com; ask comp; ask study ''; ask check --mod; "
        "ask compare a b --model e; ask pairwise --model e; ask compare --index b; "
        "ask compare --html r; ask compare --fixed ''; ask completion z; ask study toy --o"
    )
    assert shell(ask, here).out.splitlines() == [
        "compare completion",
        "compare completion",
        "toy error factorial",
        "--model",
        "empirical every",
        "empirical",
        "brouwer belief",
        "",
        "first second",
        "zsh",
        "--out",
    ]  # fmt: skip
    assert run("completion", "zsh").out == (
        "autoload -U +X bashcompinit && bashcompinit\n" + script
    )
    fish = run("completion", "fish").out
    assert "-a compare -d 'How alike are two clusterings" in fish
    assert "-n '__fish_seen_subcommand_from check' -l model -x -a 'perm " in fish


# --- files that are refused ----------------------------------------------------------------------

#: name of the file, its content, what is said of it.
BAD_FILES = [
    ("empty.csv", "", "bad is empty; expected labels or memberships."),
    ("blank.csv", "\n\n \n", "bad has only empty lines"),
    ("header.csv", "p,q\n", "bad has a header and no rows; expected one row a point."),
    ("binary.csv", bytes(range(256)) * 4, "bad is no text file: line 1 holds a zero byte."),
    ("utf16.csv", GOOD_SOFT.encode("utf-16"), "bad is written in UTF-16; expected UTF-8. Save"),
    ("latin.csv", "name\nk\xf6ln\n".encode("latin-1"), "line 2 of bad is not UTF-8 text (byte 0x"),
    ("zipped.csv.gz", b"\x1f\x8b\x08\x00abc", "bad is compressed (gzip); unpack it first"),
    ("ragged.csv", "p,q\n0.5,0.5\n0.5\n0.5,0.5\n", "line 3 of bad has 1 field where line 1 has 2"),
    ("quote.csv", 'p,q\n0.5,"0.5\n0.5,0.5\n', "bad cannot be taken apart from line 2 on:"),
    ("mixed.csv", "p,q\n0.5,0.5\n0.5,half\n", "line 3, column 'q' of bad is 'half', not a number."),
    ("decimal.csv", "p;q\n0,5;0,5\n0,1;0,9\n", "of bad is '0,5', not a number: a decimal comma."),
    ("hole.csv", "p,q\n0.5,0.5\n,0.5\n", "line 3, column 'p' of bad is empty. Drop such points"),
    ("nan.csv", "p,q\n0.5,0.5\n0.5,NaN\nnan,1\n", "line 4, column 'p' of bad is empty."),
    ("inf.csv", "p,q\n0.5,0.5\n0.5,inf\n", "line 3, column 'q' of bad is inf, which is not a fin"),
    ("unlabelled.csv", "a\n\nb\nb\n", "line 2, column 1 of bad has no label. Drop such points"),
    ("negative.csv", "p,q\n0.5,0.5\n-0.5,1.5\n", "line 3, column 'p' of bad is -0.5, which is neg"),
    ("sums.csv", "p,q\n0.5,0.5\n0.5,0.6\n", "line 3 of bad sums to 1.1, off from 1 by 0.1 (1 of 2"),
    ("numbers.csv", "0,1\n0.5,0.5\n1.5,0.5\n", "line 3, column 1 of bad is 1.5, which is above 1."),
    ("runs.csv", "a,b\n1,2\n2,1\n", "If each column is a clustering of its own, choose one with"),
    ("trailing.csv", "0.5,0.5,\n0.1,0.9,\n", "line 1, column 3 of bad is empty (2 such rows in"),
    ("ids.csv", "id,p,q\n1,1,0\n2,0,1\n3,0,1\n", "column 'id' of bad counts the rows, and is no"),
    ("one.csv", "p\n0.5\n0.25\n", "line 2, column 'p' of bad is 0.5, which is no label: it looks"),
    ("single.csv", "p,q\n0.5,0.5\n", "bad has 1 point; at least 2 are needed to have a pair."),
    ("endless.csv", "x" * 300_000, "bad cannot be taken apart from line 1 on: field larger than"),
    ("pickle.npy", pickle.dumps([1, 2]), "bad holds Python objects (a pickle), which are never"),
    ("pickle.csv", pickle.dumps([1, 2]), "bad holds Python objects (a pickle), which are never"),
    ("object.npy", npy(np.array([1, "a"], object), allow_pickle=True), "(a pickle), which are nev"),
    ("text.npy", GOOD_SOFT, "bad is no NPY file, whatever its name says: it begins with b'p,q"),
    ("short.npy", npy(SOFT)[:-8], "bad is damaged or cut short:"),
    ("cube.npy", npy(np.zeros((2, 2, 2))), "bad is an array of 3 dimensions; expected 1 (one lab"),
    ("complex.npy", npy(SOFT * 1j), "bad has entries of type complex128; expected numbers or"),
    ("many.npz", npz(u=SOFT, y=SOFT[:, 0]), "bad holds 2 arrays: 'u', 'y'. Choose one with --lab"),
    ("object.npz", npz(y=np.array([1, None], object)), "array 'y' of bad holds Python objects"),
    ("damaged.npz", npz(u=SOFT)[:60], "bad is no NPZ file, or damaged: File is not a zip file."),
    ("damaged.parquet", b"PAR1 and nothing else", "bad is no Parquet file, or damaged:"),
    ("damaged.feather", b"ARROW1\0\0nothing else", "bad is no Feather file, or damaged:"),
    ("list.parquet", lambda: arrow("parquet", p=[[0.5, 0.5]] * 6), "column 'p' of bad holds list<"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "said"), BAD_FILES, ids=[bad[0] for bad in BAD_FILES])
def test_bad_file(name, content, said, tmp_path):
    if "parquet" in name or "feather" in name:
        pytest.importorskip("pyarrow")
    write(tmp_path / name, content)
    message = refused("check", name, cwd=tmp_path)
    assert said.replace("bad", name) in message
    assert "True" not in message, "options go by their names on the command line"


def test_not_a_file(here):
    assert refused("compare", "turth.csv", "soft.csv", cwd=here) == (
        "there is no file turth.csv. Did you mean truth.csv?"
    )
    (here / "folder").mkdir()
    assert refused("compare", "folder", "soft.csv", cwd=here) == (
        "folder is a directory; name a file in it."
    )


def test_pipes_as_files(here):
    line = (
        "fuzzyrand compare <(cat truth.csv) <(cat soft.csv) --csv --quiet | cut -d, -f4 | tail -n 1"
    )
    assert shell(line, here).out == "6\n"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_no_permission(here):
    (here / "truth.csv").chmod(0)
    assert refused("check", "truth.csv", cwd=here) == (
        "truth.csv cannot be read: permission denied."
    )


def test_different_numbers_of_rows(here):
    (here / "short.csv").write_text("a\na\nb\n")
    message = refused("compare", "short.csv", "soft.csv", cwd=here)
    assert "short.csv has 3 points and soft.csv has 6" in message
    assert "--id COLUMN" in message
    (here / "words.csv").write_text("species\nrosa\nrosa\nvera\nvera\nvera\nrosa\n")
    message = refused("compare", "words.csv", "soft.csv", cwd=here)
    assert message.endswith("words.csv was read without a header: --header if it has one.")
    assert run("compare", "words.csv", "soft.csv", "--header", cwd=here).code == 0


def test_wrong_ids(here):
    ids = {"twice.csv": [1, 2, 3, 3, 4, 5], "odd.csv": [1, 2, 3, 4, 9, 8], "six.csv": range(1, 7)}
    for name, numbers in ids.items():
        lines = [f"{i},{label}\n" for i, label in zip(numbers, LABELS, strict=True)]
        (here / name).write_text("id,label\n" + "".join(lines))
    message = refused("compare", "twice.csv", "six.csv", "--id", "id", cwd=here)
    assert message.startswith("line 5, column 'id' of twice.csv has the id 3, as has line 4")
    message = refused("compare", "six.csv", "odd.csv", "--id", "id", cwd=here)
    assert message == (
        "2 ids of six.csv not in odd.csv: 5, 6; 2 ids of odd.csv not in six.csv: 9, 8. "
        "Both files must hold the same points; drop those that one lacks."
    )
    message = refused("compare", "six.csv", "soft.csv", "--id", "id", cwd=here)
    assert message == "soft.csv has no column 'id'. It has 'p', 'q'."


def test_wrong_columns(here):
    (here / "both.csv").write_text("label,p,q\n" + "a,0.5,0.5\nb,0.1,0.9\n")
    assert refused("check", "both.csv", "--labels", "lable", cwd=here) == (
        "both.csv has no column 'lable'. Did you mean 'label'? It has 'label', 'p', 'q'."
    )
    message = refused("compare", "both.csv", "both.csv", "--labels", "lable", cwd=here)
    assert message.startswith("no file has the column --labels lable. Did you mean 'label'?")
    message = refused("compare", "both.csv", "both.csv", "--labels", "label", "--columns", "2-3",
                      cwd=here)  # fmt: skip
    assert message.startswith("both.csv has both the labels (label) and the memberships (2-3)")
    message = refused("check", "both.csv", "--columns", "2-4", cwd=here)
    assert message == "both.csv has 3 columns, counted from 1; there is no column 4."


def test_wrong_delimiter(here):
    message = refused("check", "soft.csv", "--delimiter", "semicolon", cwd=here)
    assert message.startswith("line 7 of soft.csv was read as one label, '0.7,0.3', and looks like")
    assert "--delimiter comma" in message
    assert run("check", "soft.csv", "--delimiter", "none", "--model", "perm", cwd=here).code == 0


def test_without_pyarrow(here):
    (here / "none" / "pyarrow").mkdir(parents=True)
    (here / "none" / "pyarrow" / "__init__.py").write_text("raise ImportError")
    (here / "soft.parquet").write_bytes(b"PAR1")
    message = refused("check", "soft.parquet", cwd=here, path=here / "none")
    assert 'pip install "fuzzyrand[files]"' in message


# --- wrong usage ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["compare", "truth.csv", "soft.csv", "--model", "fti"], "Did you mean 'fit' or 'flat'?"),
        (["compare", "truth.csv", "soft.csv", "--tol", "-1"], "tol"),
        (["compare", "-", "-"], "standard input (-) can be read only once"),
        (
            ["compare", "truth.csv", "soft.csv", "--model", "perm", "--resolution", "0.1"],
            "perm doe",
        ),
        (["pairwise", "truth.csv"], "at least two files"),
        (["check", "soft.csv", "--plot", "fit.doc"], "must end in .png, .svg or .pdf"),
    ],
)
def test_wrong_value(arguments, said, here):
    assert said in refused(*arguments, code=2, cwd=here)


def test_wrong_usage():
    ended = run("compare", "a.csv")
    assert ended.code == 2
    assert ended.err.startswith("usage: fuzzyrand compare")
    assert run("compare", "a.csv", "b.csv", "--fixed", "third").code == 2


def test_model_that_does_not_apply(here):
    message = refused("compare", "truth.csv", "soft.csv", "--model", "cat", cwd=here)
    assert "the model 'cat' draws hard clusterings" in message


def test_output_is_refused_before_the_work(here):
    assert refused("compare", "truth.csv", "soft.csv", "--html", "no/r.html", cwd=here) == (
        "no/r.html cannot be written: there is no directory no."
    )
    message = refused("compare", "truth.csv", "soft.csv", "--html", "./soft.csv", cwd=here)
    assert message.startswith("./soft.csv is one of the files to read")
    assert (here / "soft.csv").read_text() == GOOD_SOFT


# --- processes -----------------------------------------------------------------------------------


def test_debug_shows_where():
    ended = run("check", "nothing.csv", "--debug")
    assert ended.code == 1
    assert "Traceback" in ended.err


@pytest.mark.parametrize("arguments", [["completion", "bash"], ["compare", "--help"]])
def test_closed_pipe_is_quiet(arguments):
    with start(*arguments) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    # Of help, argparse itself may pass over the failure.
    assert process.returncode in ((141,) if "--help" not in arguments else (0, 141))


def test_interrupt_leaves_no_half_written_file(tmp_path):
    np.save(tmp_path / "soft.npy", np.random.default_rng(0).dirichlet(np.ones(5), 30_000))
    (tmp_path / "plot.svg").write_text("old")
    asked = ("check", "soft.npy", "--model", "every", "--plot", "plot.svg")
    with start(*asked, cwd=tmp_path) as process:
        assert process.stderr.readline().startswith(b"soft.npy: 30,000 points, fuzzy, 5 clusters")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"fuzzyrand: stopped.\n")
    assert (tmp_path / "plot.svg").read_text() == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["plot.svg", "soft.npy"]


def test_parser_needs_no_numpy():
    """``--help`` waits for nothing but what the package itself imports."""
    script = (
        "import sys, types; package = types.ModuleType('fuzzyrand'); "
        f"package.__path__ = [{str(ROOT / 'src' / 'fuzzyrand')!r}]; package.__version__ = '0'; "
        "sys.modules['fuzzyrand'] = package; from fuzzyrand.cli import make_parser; "
        "make_parser(); print('numpy' in sys.modules)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, text=True
    )
    assert ended.stdout == "False\n"


# --- what the README shows -----------------------------------------------------------------------


def test_readme_shows_the_truth(tmp_path):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```console\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 3
    for block in blocks:
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, shown = step.partition("\n")
            ended = shell(line, tmp_path)
            assert ended.out.rstrip() == shown.rstrip(), line
