"""The files that the command line reads, and those that it refuses, each with its message."""

import gzip
import json
import os
import pickle
import time

import numpy as np
import pytest
from scipy.sparse import coo_array

import fuzzyrand as fr

from ..cli_process import refused, run, shell
from ..clustering_files import (
    ADJUSTED,
    GOOD_SOFT,
    LABELS,
    SOFT,
    arrow,
    npy,
    npz,
    sparse,
    torn_npz,
    write,
    zipped,
)

SOFT_ROWS = SOFT.tolist()
GOOD_FILES = {
    "tab.tsv": "p\tq\n" + "".join(f"{u}\t{v}\n" for u, v in SOFT_ROWS),
    "bom.csv": b"\xef\xbb\xbf" + GOOD_SOFT.replace("\n", "\r\n").encode(),
    "spaces.txt": "".join(f"  {u}   {v} \n" for u, v in SOFT_ROWS),
    "savetxt.txt": "# p q\n" + "".join(f"{u:.18e} {v:.18e}\n" for u, v in SOFT_ROWS),
    "pandas.csv": ",p,q\n" + "".join(f"{i},{u},{v}\n" for i, (u, v) in enumerate(SOFT_ROWS)),
    "filtered.csv": ",p,q\n" + "".join(f"{7 * i},{u},{v}\n" for i, (u, v) in enumerate(SOFT_ROWS)),
    "unnamed.csv": ",0,1\n" + "".join(f"{i},{u},{v}\n" for i, (u, v) in enumerate(SOFT_ROWS)),
    "rows in R.txt": '"p" "q"\n' + "".join(f'"{u:.1f} of p" {u} {v}\n' for u, v in SOFT_ROWS),
    "plain in R.txt": "p q\n" + "".join(f"{i} {u} {v}\n" for i, (u, v) in enumerate(SOFT_ROWS)),
    "ends.csv": "p,q,\n" + "".join(f"{u},{v},\n" for u, v in SOFT_ROWS),
    "ends below.csv": "p,q\n" + "".join(f"{u},{v},\n" for u, v in SOFT_ROWS),
    "ends only.csv": "".join(f"{u},{v},\n" for u, v in SOFT_ROWS),
    "excel.csv": "p;q\n" + "".join(f"{u};{v}\n" for u, v in SOFT_ROWS).replace(".", ","),
    "soft.npy": npy(SOFT),
    "soft.npz": npz(whatever=SOFT),
    "sparse.npz": sparse(SOFT),
    "soft.csv.gz": gzip.compress(GOOD_SOFT.encode()),
    "soft.npy.gz": gzip.compress(npy(SOFT)),
    "soft.parquet": lambda: arrow("parquet", p=SOFT[:, 0], q=SOFT[:, 1]),
    "soft.feather": lambda: arrow("feather", p=SOFT[:, 0], q=SOFT[:, 1]),
}


def test_every_format_says_the_same(here):
    """Each file against the labels, with the value of the library."""
    for name, content in GOOD_FILES.items():
        write(here / name, content)
    ended = run("pairwise", *GOOD_FILES, "--reference", "truth.csv", "--fixed", "first", "--json",
                "--labels", "label", "--id=", cwd=here)  # fmt: skip
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


def test_sparse_files_are_never_made_full(tmp_path):
    n, k = 4_000, 500_000  # 16 GB each, if they were
    rng = np.random.default_rng(0)
    points = np.tile(np.arange(n), 2)
    columns = np.concatenate([rng.integers(k, size=n), rng.integers(20, size=n)])
    values = np.repeat([0.25, 0.75], n)
    first = coo_array((values, (points, columns)), shape=(n, k))
    moved = np.where(np.arange(2 * n) % 4 == 3, rng.integers(20, size=2 * n), columns)
    second = coo_array((values, (points, moved)), shape=(n, k))
    for name, matrix in (("a.npz", first), ("b.npz", second)):
        (tmp_path / name).write_bytes(sparse(matrix))
    ended = run("compare", "a.npz", "b.npz", "--model", "perm", "--json", cwd=tmp_path)
    assert ended.code == 0, ended.err
    assert "a.npz: 4,000 points, fuzzy, 500000 clusters" in ended.err
    found = json.loads(ended.out)
    assert found["computed"]["observed"] == "pairs that share a cluster"
    assert found["adjusted"] == pytest.approx(fr.compare(first, second, model="perm").adjusted)


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


def test_large_numbers_stay_apart(tmp_path):
    """Beyond 2^53 a double would make labels of the same two out of different ones."""
    large = 2**60
    lines = [f"{large + i},{large + i % 2}\n" for i in range(6)]
    (tmp_path / "large.csv").write_text("id,label\n" + "".join(lines))
    ended = run("check", "large.csv", "--labels", "label", "--model", "perm", cwd=tmp_path)
    assert "6 points, hard, 2 clusters" in ended.err


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


# --- files that are refused ----------------------------------------------------------------------

#: name of the file, its content, what is said of it.
BAD_FILES = [
    ("empty.csv", "", "bad is empty; expected one row per point."),
    ("blank.csv", "\n\n \n", "bad has only empty lines"),
    ("header.csv", "p,q\n", "bad has a header and no rows; expected one row per point."),
    ("binary.csv", bytes(range(256)) * 4, "bad is not a text file: line 1 holds a zero byte."),
    ("utf16.csv", GOOD_SOFT.encode("utf-16"), "bad is written in UTF-16; expected UTF-8. Save"),
    ("latin.csv", "name\nk\xf6ln\n".encode("latin-1"), "line 2 of bad is not UTF-8 text (byte 0x"),
    ("zipped.csv.gz", gzip.compress(GOOD_SOFT.encode())[:-9], "bad is compressed (gzip), and dama"),
    ("book.xlsx", zipped("xl/workbook.xml"), "bad is an Excel workbook; save the sheet as CSV"),
    ("text.zip", zipped("soft.csv"), "bad is a zip file without arrays; expected numpy.savez's."),
    ("ragged.csv", "p,q\n0.5,0.5\n0.5\n0.5,0.5\n", "line 3 of bad has 1 field where line 2 has 2"),
    ("narrow.csv", "p,q,r\n0.5,0.5\n0.1,0.9\n", "line 2 of bad has 2 fields where line 1 has 3"),
    ("quote.csv", 'p,q\n0.5,"0.5\n0.5,0.5\n', "bad cannot be split into fields from line 2 on:"),
    ("mixed.csv", "p,q\n0.5,0.5\n0.5,half\n", "line 3, column 'q' of bad is 'half', not a number."),
    ("decimal.csv", "p;q\n0,5;0,5\nx;0,9\n", "line 3, column 'p' of bad is 'x', not a number."),
    ("comma.csv", "p;q\n0,5;.5\n0,1;.9\n", "of bad is '0,5', not a number: a decimal comma."),
    ("large.csv", "p,q\n0,1\n1,9007199254740993\n", "is '9007199254740993', too large a number."),
    ("hole.csv", "p,q\n0.5,0.5\n,0.5\n", "line 3, column 'p' of bad is missing. Drop such points"),
    ("nan.csv", "p,q\n0.5,0.5\n0.5,NaN\nnan,1\n", "line 4, column 'p' of bad is missing."),
    ("inf.csv", "p,q\n0.5,0.5\n0.5,inf\n", "line 3, column 'q' of bad is inf, which is not a fin"),
    ("unlabelled.csv", "b\n\na\nb\n", "line 2, column 1 of bad has no label. Drop such points"),
    ("negative.csv", "p,q\n0.5,0.5\n-0.5,1.5\n", "line 3, column 'p' of bad is -0.5, which is neg"),
    ("sums.csv", "p,q\n0.5,0.5\n0.5,0.6\n", "line 3 of bad sums to 1.1, off from 1 by 0.1 (1 of 2"),
    ("numbers.csv", "1,0\n0.5,0.5\n1.5,0.5\n", "line 3, column 1 of bad is 1.5, which is above 1."),
    ("runs.csv", "a,b\n1,2\n2,1\n", "If each column is a clustering of its own, choose one with"),
    ("docs.csv", "doc,p,q\n9,.3,.7\n4,.5,.5\n", "column 'doc' of bad holds whole numbers beside"),
    ("docs2.csv", "0,p,q\n9,.3,.7\n4,.5,.4\n", "an id, --id 0 says so; if not, --columns 2-3"),
    ("main.csv", "p,q,main\n.3,.7,1\n.6,.4,0\n", "--columns 1-2 takes the memberships, --labels"),
    ("names.csv", "main,0,1\n2,.3,.7\n1,.6,.4\n", "--columns 0-1 takes the memberships"),
    ("grower.csv", "grower\nx\ny\nx\ny\n", "Is line 1 of bad ('grower') a header or data? Add"),
    ("plots.csv", "plot,grower\na,x\nb,x\n", "Is line 1 of bad ('grower') a header or data? Add"),
    ("series.csv", "0\n1\n2\n2\n1\n", "Is line 1 of bad ('0') a header or data? Add --header or"),
    ("zero.csv", "0,1\n.5,.5\n.3,.7\n", "Is line 1 of bad ('0, 1') a header or data? Add --header"),
    ("sample.csv", "x,0,1\ny,.5,.5\nz,.3,.7\n", "Is line 1 of bad ('0, 1') a header or data? Add"),
    ("noise.csv", "noise\n" + "1\n2\n" * 120 + "noise\n", "Is line 1 of bad ('noise') a header or"),
    ("letter.csv", "0.5,O.5\n.3,.7\n", "line 1, column 2 of bad is 'O.5', not a number. Several"),
    ("bit.csv", "1,O\n0,1\n1,0\n", "If the first line holds names of columns: --header."),
    ("taxa.csv", "label\n" + "B;a\nA;b\n" * 2, "line 2 of bad has 2 fields where line 1 has 1"),
    ("void.csv", ",\n5,2\n6,3\n7,2\n", "line 1, column 1 of bad is missing."),
    ("na.csv", ".1,.9,nan\n.3,.7,nan\n", "line 1, column 3 of bad is missing (2 such rows in all)"),
    ("remark.txt", ".5 .5\n# .2 .8\n.3 .7\n", "line 2 of bad has 3 fields where line 1 has 2"),
    ("counts.csv", "id,a,b\n9,60,40\n4,30,70\n", "column 'id' of bad holds whole numbers and is"),
    ("counted.csv", "1,60,40\n2,30,70\n3,50,50\n", "column 1 of bad counts the rows, and does"),
    ("part.csv", "a,b,c\n.25,.25,.43\n.1,.2,.69\n", "line 2 of bad sums to 0.93, off from 1 by"),
    ("below.csv", "p,q,r\n.5,.5,\n.1,.9\n", "line 3 of bad has 2 fields where line 2 has 3"),
    ("ids.csv", "id,p,q\n1,1,0\n2,0,1\n3,0,1\n", "column 'id' of bad counts the rows, and does"),
    ("one.csv", "p\n0.5\n0.25\n", "line 2, column 'p' of bad is 0.5, which is not a label: it"),
    ("single.csv", "p,q\n0.5,0.5\n", "bad has 1 point; at least 2 are needed to have a pair."),
    ("endless.csv", "x" * 300_000, "bad cannot be split into fields from line 1 on: field larger"),
    ("pickle.npy", pickle.dumps([1, 2]), "bad holds Python objects (a pickle), which are never"),
    ("pickle.csv", pickle.dumps([1, 2]), "bad holds Python objects (a pickle), which are never"),
    ("object.npy", npy(np.array([1, "a"], object), allow_pickle=True), "(a pickle), which are nev"),
    ("text.npy", GOOD_SOFT, "bad is not an NPY file, despite its name: it begins with b'p,q"),
    ("short.npy", npy(SOFT)[:-8], "bad is damaged or cut short:"),
    ("cube.npy", npy(np.zeros((2, 2, 2))), "bad is an array of 3 dimensions; expected 1 (one lab"),
    ("latin.npy", npy(np.array([b"k\xf6ln", b"bonn"])), "bad holds text that is not UTF-8"),
    ("complex.npy", npy(SOFT * 1j), "bad has entries of type complex128; expected numbers or"),
    ("many.npz", npz(u=SOFT, y=SOFT[:, 0]), "bad holds 2 arrays: 'u', 'y'. Choose one with --lab"),
    ("object.npz", npz(y=np.array([1, None], object)), "array 'y' of bad holds Python objects"),
    ("sparse.npz", npz(format=b"csr", shape=[2, 2], data=[1]), "bad is not a sparse matrix"),
    ("empty.npz", sparse(coo_array((2**16, 2**20))), "sums to 0, off from 1 by 1 (65536 of 65536"),
    ("torn.npz", torn_npz(SOFT), "bad is not an NPZ file, or is damaged:"),
    ("damaged.npz", npz(u=SOFT)[:60], "bad is not an NPZ file, or is damaged: File is not a zip"),
    ("damaged.parquet", b"PAR1 and nothing else", "bad is not a Parquet file, or is damaged:"),
    ("damaged.feather", b"ARROW1\0\0nothing else", "bad is not a Feather file, or is damaged:"),
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


def test_two_columns_of_one_name(tmp_path):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parquet.write_table(pa.table([SOFT[:, 0], SOFT[:, 1]], ["p", "p"]), tmp_path / "twins.parquet")
    assert run("check", "twins.parquet", "--model", "perm", cwd=tmp_path).code == 0
    message = refused("check", "twins.parquet", "--columns", "p", cwd=tmp_path)
    assert message == "twins.parquet has 2 columns named 'p'; take them by number: 1 and 2."


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
    (here / "words.csv").write_text("vera\nrosa\nrosa\nvera\nvera\nvera\nrosa\n")
    message = refused("compare", "soft.csv", "words.csv", cwd=here)
    assert message.endswith("words.csv was read without a header; if it has one: --header.")
    (here / "bare.txt").write_text("a\na\nb\nb\nb\na\n")
    message = refused("compare", "words.csv", "bare.txt", cwd=here)
    assert message.endswith("if it has one: --header --no-header.")
    ended = run("compare", "words.csv", "bare.txt", "--header", "--no-header", "--quiet", cwd=here)
    assert ended.out.startswith("Two clusterings of 6 points")
    files = ("bare.txt", "words.csv", "soft.csv")
    message = refused("pairwise", *files, "--header", "--header", code=2, cwd=here)
    assert message.startswith("--header is given 2 times for 3 files")


def test_rounded_memberships_are_rescaled_and_said_to_be(here):
    rows = np.array([[0.333, 0.333, 0.333], [0.1, 0.2, 0.7], [0.001, 0.0, 0.998]])
    write(here / "rounded.csv", "a,b,c\n" + "".join(f"{u},{v},{w}\n" for u, v, w in rows))
    write(here / "labels.txt", "1\n2\n2\n")
    ended = run("compare", "labels.txt", "rounded.csv", "--json", cwd=here)
    assert "with a header, rounded to 3 decimals and rescaled)" in ended.err
    expected = fr.adjusted_similarity([1, 2, 2], rows, normalize=True)
    assert json.loads(ended.out)["adjusted"] == pytest.approx(expected, abs=1e-12)
    # The same sums are no rounding where there are more decimals, or values that cannot be.
    for spoilt in (0.3331, -0.001):
        rows[0, 2] = spoilt
        write(here / "spoilt.csv", "a,b,c\n" + "".join(f"{u},{v},{w}\n" for u, v, w in rows))
        assert refused("check", "spoilt.csv", cwd=here).startswith("line ")


def test_wrong_ids(here):
    ids = {"twice.csv": [1, 2, 3, 3, 4, 5], "odd.csv": [1, 2, 3, 4, 9, 8], "six.csv": range(1, 7)}
    for name, numbers in ids.items():
        lines = [f"{i},{label}\n" for i, label in zip(numbers, LABELS, strict=True)]
        (here / name).write_text("id,label\n" + "".join(lines))
    message = refused("compare", "twice.csv", "six.csv", "--id", "id", cwd=here)
    assert message.startswith("line 5, column 'id' of twice.csv has the same id as line 4, 3")
    message = refused("compare", "six.csv", "odd.csv", "--id", "id", cwd=here)
    assert message == (
        "2 ids of six.csv not in odd.csv: 5, 6; 2 ids of odd.csv not in six.csv: 9, 8. "
        "4 are in both; --common compares these alone."
    )
    message = refused("compare", "six.csv", "soft.csv", "--id", "id", cwd=here)
    assert message == (
        "soft.csv has no column 'id'. It has 'p', 'q'. If ids have another name there, give --id "
        "once for each file."
    )
    (here / "samples.csv").write_text("sample,species\ns1,rosa\ns2,vera\n")
    message = refused("compare", "samples.csv", "six.csv", "--id", "smaple", cwd=here)
    assert message.startswith("samples.csv has no column 'smaple'. Did you mean 'sample'?")
    (here / "samples.csv").write_text("flower,rosa\ns1,rosa\ns2,vera\n")
    message = refused("compare", "samples.csv", "six.csv", "--id", "flwer", cwd=here)
    assert message.startswith("samples.csv has no column 'flwer'. Its columns (2) have no names")
    assert "--header if the first line holds names. Did you mean 'flower'?" in message


def test_ids_of_different_points(here):
    """Only what helps is recommended: points in common, or as many rows."""
    ids = {"six": "pqrstu", "five": "qtsrp", "other": "abcdef", "none": "vwxyz"}
    for name, letters in ids.items():
        lines = [f"{i},{label}\n" for i, label in zip(letters, LABELS, strict=False)]
        (here / f"{name}.csv").write_text("id,label\n" + "".join(lines))
    five = refused("compare", "six.csv", "five.csv", cwd=here)
    assert five.endswith("only the first has 'u'. --common compares the points that both have.")
    assert run("compare", "six.csv", "five.csv", "--common", cwd=here).code == 0
    other = refused("compare", "six.csv", "other.csv", cwd=here)
    assert other.endswith("and 1 more. --id= matches rows by their order instead.")
    assert run("compare", "six.csv", "other.csv", "--id=", cwd=here).code == 0
    assert refused("compare", "six.csv", "none.csv", cwd=here).startswith("six.csv has 6 points")
    none = refused("compare", "six.csv", "none.csv", "--id", "id", cwd=here)
    assert none.endswith("None is in both: is this the column of ids in every file?")


def test_row_numbers_and_some_of_them(here):
    """A data frame and some of its rows, as pandas writes both."""
    (here / "all.csv").write_text(",label\n0,a\n1,a\n2,b\n3,b\n4,a\n")
    (here / "some.csv").write_text(",label\n4,u\n2,v\n3,v\n")
    message = refused("compare", "all.csv", "some.csv", cwd=here)
    assert message.endswith("only the first has 0, 1. --common compares the points that both have.")
    ended = run("compare", "all.csv", "some.csv", "--common", "--json", cwd=here)
    assert (json.loads(ended.out)["n"], json.loads(ended.out)["adjusted"]) == (3, 1.0)
    (here / "other.csv").write_text(",label\n1,u\n3,v\n2,v\n8,u\n7,u\n")
    assert "--common" not in refused("compare", "all.csv", "other.csv", cwd=here)
    message = refused("compare", "all.csv", "other.csv", "--common", cwd=here)
    assert message.startswith("--common matches points by their ids, and all.csv has none.")
    (here / "first.csv").write_text(",label\n0,u\n1,v\n2,v\n")
    message = refused("compare", "all.csv", "first.csv", "--common", cwd=here)
    assert message.startswith("--common matches points by their ids, and all.csv has none.")


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ("p,p,q", "--columns p,p,q names column 'p' of soft.csv twice."),
        ("q-p", "--columns q-p: the range runs backwards in soft.csv."),
        ("2-1", "--columns 2-1: the range runs backwards in soft.csv."),
        ("1-99", "soft.csv has 2 columns, counted from 1; there is no column 99."),
        ("p,r", "soft.csv has no column 'r'. It has 'p', 'q'."),
        ("r", "no file has the column --columns r. bare.txt has 1 column without names; "
         "soft.csv has 'p', 'q'."),
    ],
)  # fmt: skip
def test_wrong_lists_of_columns(here, columns, said):
    (here / "bare.txt").write_text("".join(f"{label}\n" for label in LABELS))
    assert refused("compare", "bare.txt", "soft.csv", "--columns", columns, cwd=here) == said


def test_advice_on_columns_that_hold_no_memberships(here):
    (here / "data.csv").write_text("x,y,group\n1.2,.3,1\n.4,-.3,2\n.4,.3,1\n1.2,.3,2\n")
    assert refused("check", "data.csv", cwd=here).endswith(
        "--columns chooses columns of memberships, --labels a column of labels."
    )
    (here / "data.csv").write_text("row,x,y,k\n1,.2,.3,1\n2,.4,-.3,2\n3,.4,.3,1\n")
    assert refused("check", "data.csv", cwd=here).endswith("--columns and --labels choose others.")
    rows = [f"{100 + i},{p:.2f},{1 - p:.2f}\n" for i, p in enumerate([0.2, 0.9, 0.4, 0.5])]
    (here / "ids.csv").write_text("".join(["Sample ID,p,q\n", *reversed(rows)]))
    message = refused("compare", "ids.csv", "ids.csv", cwd=here)
    assert "--id 'Sample ID' matches files by it; if not, --columns 2-3 takes" in message
    assert message.endswith(" Options for this file alone are given once for each file.")


def test_a_number_for_all_files_is_no_column_of_ids(here):
    (here / "one.csv").write_text("".join(f"{i % 3},{i + 100}\n" for i in range(24)))
    (here / "two.csv").write_text("who,x\n" + "".join(f"{i + 100},{i % 2}\n" for i in range(24)))
    message = refused("compare", "one.csv", "two.csv", "--labels", "1", cwd=here)
    assert message.startswith("24 of the 24 labels in column 'who' of two.csv occur only once")
    each = ["--labels", "1", "--labels", "2"]
    assert run("compare", "one.csv", "two.csv", *each, cwd=here).code == 0


def test_two_columns_of_whole_numbers(here):
    (here / "two.csv").write_text("4,1\n9,2\n7,1\n")
    message = refused("check", "two.csv", cwd=here)
    assert message.endswith("If each column is a clustering of its own, choose one with --labels.")
    (here / "two.csv").write_text("0,1\n1,2\n2,1\n3,2\n")
    assert refused("check", "two.csv", cwd=here).endswith("; if not, --labels 2 takes the labels.")
    (here / "two.csv").write_text("code,found\n14,-1\n22,2\n35,-1\n13,2\n")
    message = refused("check", "two.csv", cwd=here)
    assert message.startswith("column 'code' of two.csv holds another whole number in each row")
    assert message.endswith(
        "If it is an id, --id code says so; if not, --labels found takes the labels."
    )
    assert run("check", "two.csv", "--id", "code", "--model", "perm", cwd=here).code == 0
    (here / "named.csv").write_text(",x\n22,a\n13,a\n14,b\n35,b\n")
    told = run("compare", "two.csv", "named.csv", "--id", "1", "--json", cwd=here)
    assert json.loads(told.out)["adjusted"] == 1.0
    (here / "bare.csv").write_text("-1,14\n2,22\n-1,35\n2,13\n")
    told = run("compare", "bare.csv", "named.csv", "--labels", "1", "--id=", cwd=here)
    assert "labels in column x " in told.err  # and not the names of the rows
    (here / "two.csv").write_text("label,probability\n3,.5\n3,.9\n4,1\n3,.2\n")
    assert "if not, --labels label takes the labels." in refused("check", "two.csv", cwd=here)
    (here / "two.csv").write_text("x,y\n1,0\ninf,0\n")
    assert "--labels" not in refused("check", "two.csv", cwd=here)


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
    assert message.startswith("line 7 of soft.csv was read as one label, '0.7,0.3', but looks like")
    assert "--delimiter comma" in message
    assert run("check", "soft.csv", "--delimiter", "none", "--model", "perm", cwd=here).code == 0


def test_without_pyarrow(here):
    (here / "none" / "pyarrow").mkdir(parents=True)
    (here / "none" / "pyarrow" / "__init__.py").write_text("raise ImportError")
    (here / "soft.parquet").write_bytes(b"PAR1")
    message = refused("check", "soft.parquet", cwd=here, path=here / "none")
    assert 'pip install "fuzzyrand[files]"' in message


@pytest.mark.parametrize("columns", ["2-4", "2,3-4", "1-3"])
def test_numbers_of_columns_and_names_that_are_numbers_are_not_mixed(tmp_path, columns):
    text = "id,1,2,3\ns1,2,1,1\ns2,1,5,2\ns3,1,1,7\n"
    (tmp_path / "counts.csv").write_text(text, encoding="utf-8")
    ended = run(
        "check", "counts.csv", "--header", "--normalize", "--columns", columns, cwd=tmp_path
    )
    assert ended.code == 0, ended.err
    assert "memberships in columns 1, 2, 3, named by column 'id' " in ended.err


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("id,age,grp\n{a},31,a\n{b},42,a\n{c},31,b\n{d},57,b\n", ["--labels", "grp"]),
        ("cell,site,grp\n{a},u,a\n{b},v,a\n{c},v,b\n{d},u,b\n", ["--labels", "grp"]),
        ("id,x,y,age\n{a},1,0,31\n{b},1,0,42\n{c},0,1,31\n{d},0,1,57\n", ["--columns", "x,y"]),
    ],
)
@pytest.mark.parametrize("ids", ["pqrs", "7519"])
def test_ids_beside_chosen_columns_match_points(tmp_path, text, option, ids):
    if ids.isdigit() and not text.startswith("id"):
        pytest.skip("numbers are ids only in a column that is called so")
    named = dict(zip("abcd", ids, strict=True))
    (tmp_path / "wide.csv").write_text(text.format(**named))
    (tmp_path / "soft.csv").write_text("id,label\n{d},v\n{a},u\n{c},v\n{b},u\n".format(**named))
    told = run("compare", "wide.csv", "soft.csv", *option, "--json", cwd=tmp_path)
    assert json.loads(told.out)["adjusted"] == 1.0
    told = run("compare", "wide.csv", "soft.csv", *option, "--id=", "--json", cwd=tmp_path)
    assert json.loads(told.out)["adjusted"] < 0.5


@pytest.mark.parametrize("option", [[], ["--labels", "lab"]])
def test_row_numbers_of_pandas_do_not_hide_ids(tmp_path, option):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"id": list("pqrs"), "lab": list("uuvv")})
    frame.to_parquet(tmp_path / "a.parquet")
    frame.iloc[[3, 0, 2, 1]].reset_index(drop=True).to_parquet(tmp_path / "b.parquet")
    told = run("compare", "a.parquet", "b.parquet", *option, "--json", cwd=tmp_path)
    assert told.code == 0, told.err
    assert json.loads(told.out)["adjusted"] == 1.0


@pytest.mark.parametrize("option", [[], ["--labels", "lab"]])
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_ids_come_before_the_row_numbers_of_sorted_frames(tmp_path, option, ending):
    """Each frame has its own row numbers, which are those of the other only by chance."""
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    first = pd.DataFrame({"id": list("pqrstu"), "lab": list("uuvvwu")})
    second = first.iloc[[3, 0, 5, 2, 1, 4]].reset_index(drop=True)
    for name, frame in (("a", first.iloc[::-1]), ("b", second.iloc[[1, 0, 2, 5, 4, 3]])):
        getattr(frame, f"to_{ending}")(tmp_path / f"{name}.{ending}")
    told = run("compare", f"a.{ending}", f"b.{ending}", *option, "--json", cwd=tmp_path)
    assert told.code == 0, told.err
    assert json.loads(told.out)["adjusted"] == 1.0
    # A part of a frame without its ids has nothing else.
    first[["lab"]].iloc[[2, 0, 1, 5, 4, 3]].to_csv(tmp_path / "c.csv")
    told = run("compare", f"a.{ending}", "c.csv", *option, "--json", cwd=tmp_path)
    assert told.code == 0, told.err
    assert json.loads(told.out)["adjusted"] == 1.0


def test_ids_of_one_file_are_the_index_of_another(tmp_path):
    """Row numbers that pandas stores beside ids do not hide them."""
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    for ids in (list("pqrs"), [3, 1, 0, 2]):
        frame = pd.DataFrame({"id": ids, "lab": list("uuvv")})
        frame.to_parquet(tmp_path / "a.parquet")
        frame.iloc[[3, 0, 2, 1]].set_index("id").rename_axis(None).to_csv(tmp_path / "b.csv")
        for files in (("a.parquet", "b.csv"), ("b.csv", "a.parquet")):
            told = run("compare", *files, "--json", cwd=tmp_path)
            assert told.code == 0, told.err
            assert json.loads(told.out)["adjusted"] == 1.0
