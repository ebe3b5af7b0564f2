"""The command line, through its process: what it is asked, and what it answers."""

import json
import re

import pytest

import fuzzyrand as fr
from fuzzyrand._cli.voice import VOICE

from ..cli_process import ROOT, refused, run, shell
from ..clustering_files import ADJUSTED, GOOD_SOFT, LABELS, SOFT

# --- compare -------------------------------------------------------------------------------------


def test_compare(here):
    ended = run("compare", "truth.csv", "soft.csv", "--fixed", "first", cwd=here)
    assert ended.out == f"{fr.compare(LABELS, SOFT, fixed='first').text(voice=VOICE)}\n"
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


def test_options_of_models(here):
    asked = ("compare", "truth.csv", "soft.csv", "--quiet", "--json")
    found = json.loads(run(*asked, "--model", "fit", "--bias", "corrected", cwd=here).out)
    direct = fr.compare(LABELS, SOFT, model=fr.Fit(bias="corrected"))
    assert (found["model"], found["adjusted"]) == (direct.model, direct.adjusted)
    ended = run("pairwise", "truth.csv", "soft.csv", "--model", "fit", "--resolution", "1e-3",
                "--json", cwd=here)  # fmt: skip
    expected = fr.adjusted_similarity(LABELS, SOFT, model=fr.Fit(resolution=1e-3))
    assert json.loads(ended.out)["adjusted"][0][1] == expected
    ended = run("check", "soft.csv", "--model", "fit", "--model", "perm", "--resolution", "1e-3",
                "--json", cwd=here)  # fmt: skip
    checks = json.loads(ended.out)["checks"]
    assert [check["model"] for check in checks] == ["fit(resolution=0.001)", "perm"]
    message = refused("pairwise", "truth.csv", "soft.csv", "--model", "perm", "--bias", "plugin",
                      code=2, cwd=here)  # fmt: skip
    assert message.startswith("--bias is an option of")


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
    assert {each["name"]: each["accuracy"] for each in found}["ndc"] == "exact"


def test_help_has_examples():
    commands = [[], ["compare"], ["pairwise"], ["check"], ["models"], ["indices"], ["demo"],
                ["study"], ["completion"]]  # fmt: skip
    for command in commands:
        ended = run(*command, "--help")
        assert (ended.code, ended.err) == (0, "")
        assert (
            "examples:\n  fuzzyrand" in ended.out or 'examples:\n  eval "$(fuzzyrand' in ended.out
        )


def test_check_has_a_verdict_on_every_model(here):
    said = run("check", "truth.csv", "--model", "every", "--quiet", cwd=here).out
    verdicts = {line.split()[0]: line.split()[-1] for line in said.splitlines()[3:10]}
    assert set(verdicts) == {"perm", "cat", "num", "all", "fit", "sym", "flat"}
    assert set(verdicts.values()) <= {"yes", "no"}
    assert verdicts["perm"] == "yes"


COMPARE = ("compare", "truth.csv", "soft.csv", "--index", "brouwer", "--model", "perm")


def test_notes_go_to_standard_error_beside_plain_numbers(here):
    ended = run(*COMPARE, "--csv", "--quiet", cwd=here)
    header, row = ended.out.splitlines()
    assert header.startswith("index,model,")
    assert row.startswith("brouwer,perm,")
    assert ended.err.startswith(
        "note: the Brouwer index of a fuzzy clustering with itself is below 1"
    )
    assert "--maximum self" in ended.err
    everything = json.loads(run(*COMPARE, "--json", cwd=here).out)
    assert "with itself is below 1" in everything["notes"][0]


# --- wrong usage ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["compare", "truth.csv", "soft.csv", "--model", "fti"], "Did you mean 'fit' or 'flat'?"),
        (["compare", "truth.csv", "soft.csv", "--tol", "-1"], "tol"),
        (["compare", "-", "-"], "standard input (-) can be read only once"),
        (
            ["compare", "truth.csv", "soft.csv", "--model", "perm", "--resolution", "0.1"],
            "perm has no such option",
        ),
        (["pairwise", "truth.csv"], "at least two files"),
        (["pairwise", "truth.csv", "soft.csv", "--model", "fit", "--model", "sym"], "one --model"),
        (["pairwise", "truth.csv", "soft.csv", "--model", "every"], "compare takes several, or ev"),
        (["check", "soft.csv", "--plot", "fit.doc"], "must end in .png, .svg or .pdf"),
    ],
)
def test_wrong_value(arguments, said, here):
    assert said in refused(*arguments, code=2, cwd=here)


def test_unknown_commands():
    assert refused("comapre", "a.csv", "b.csv", code=2).startswith(
        "there is no command 'comapre'. Did you mean compare? Commands: compare, pairwise, "
    )
    assert refused("a.csv", "b c.csv", code=2).startswith(
        "there is no command 'a.csv'. Did you mean fuzzyrand compare a.csv 'b c.csv'? Commands:"
    )
    assert refused("xyzzy", code=2).startswith("there is no command 'xyzzy'. Commands: compare,")


def test_check_leaves_out_a_column_of_ids(here):
    (here / "ids.csv").write_text("key,p,q\n" + "".join(
        f"{7 * i},{u},{v}\n" for i, (u, v) in enumerate(SOFT)))  # fmt: skip
    assert "If it is an id, --id key says so;" in refused("check", "ids.csv", cwd=here)
    ended = run("check", "ids.csv", "--id", "key", "--model", "perm", cwd=here)
    assert "memberships in columns p, q, named by column 'key'" in ended.err
    assert ended.out.startswith("The model perm for a clustering of 6 points: fuzzy, 2 clusters")


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
    for command, option in (
        ("compare", "--html"),
        ("pairwise", "--html"),
        ("explain", "--html"),
        ("check", "--plot"),
    ):
        files = ["soft.csv"] if command == "check" else ["truth.csv", "soft.csv"]
        message = refused(command, *files, option, "-", code=2, cwd=here)
        assert message.startswith(f"{option} - is standard output, where the results go")
    assert not (here / "-").exists()
    ended = shell("fuzzyrand compare truth.csv soft.csv --quiet --html same > same", here)
    assert (ended.code, (here / "same").read_text()) == (2, "")


# --- what the README shows -----------------------------------------------------------------------


def _readable(text):
    """The last digits of a number written in full depend on the versions of NumPy and SciPy."""
    return re.sub(r"\d+\.\d{13,}", lambda number: f"{float(number[0]):.12f}", text).rstrip()


def test_readme_shows_the_truth(tmp_path):
    text = (ROOT / "docs" / "guide" / "command-line.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```console\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 3
    for block in blocks:
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, shown = step.partition("\n")
            ended = shell(line, tmp_path)
            assert _readable(ended.out) == _readable(shown), line
