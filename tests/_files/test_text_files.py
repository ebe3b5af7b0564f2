"""Text in the dialects of the programs that write it: what is read is what was written."""

import time

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand._files.column_choice import ReadingOptions
from fuzzyrand._files.readings import read_clusterings
from fuzzyrand._files.spreadsheets import are_escaped, escape, is_formula, unescape

from ..strategies import fuzzy, hard

WORDS = st.text("abcdexyz _é'", min_size=1, max_size=6).map(str.strip).filter(bool)


@st.composite
def dialects(draw):
    """How a table may be written: the frame of ``to_csv``, ``write.table`` and ``savetxt``."""
    return {
        "delimiter": draw(st.sampled_from([",", ";", "\t", "|", " "])),
        "header": draw(st.sampled_from(["none", "words", "numbers"])),
        "index": draw(st.sampled_from(["none", "counted", "gaps", "words", "R"])),
        "quoted": draw(st.booleans()),
        "ends": draw(st.booleans()),
        "line_end": draw(st.sampled_from(["\n", "\r\n"])),
        "mark": draw(st.booleans()),
        "commas": draw(st.booleans()),
        "last": draw(st.booleans()),
    }


def cells_of(values, decimals):
    return [[f"{v:.{decimals}f}" if decimals else repr(float(v)) for v in row] for row in values]


def written(rows, dialect, names):
    """Text, as bytes; names of columns where the dialect has a header."""
    delimiter = dialect["delimiter"]
    n = len(rows)
    index = {
        "none": None,
        "counted": [str(i) for i in range(n)],
        "gaps": [str(7 * i + 3) for i in range(n)],
        "words": [f"row{i}" for i in range(n)],
        "R": [f"row{i}" for i in range(n)],
    }[dialect["index"]]
    head = {"none": None, "words": names, "numbers": [str(j) for j in range(len(names))]}
    header = head[dialect["header"]]

    def quote(cell):
        return f'"{cell}"' if dialect["quoted"] or delimiter in cell else cell

    lines = []
    if header is not None:
        corner = [""] if index is not None and dialect["index"] != "R" else []
        lines.append([quote(cell) if cell else '""' for cell in (*corner, *header)])
    for i, row in enumerate(rows):
        lines.append(([] if index is None else [quote(index[i])]) + list(row))
    ends = delimiter if dialect["ends"] and delimiter not in " \t" else ""
    text = dialect["line_end"].join(delimiter.join(line) + ends for line in lines)
    text += dialect["line_end"] * dialect["last"]
    return b"\xef\xbb\xbf" * dialect["mark"] + text.encode()


def read(path, **options):
    (reading,) = read_clusterings([str(path)], ReadingOptions(**options))
    return reading.partition


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("text") / "table.txt"


def rows_of(partition):
    if partition.memberships is not None:
        return partition.memberships
    return np.eye(partition.k)[partition.codes]


@given(
    rows=st.integers(2, 12).flatmap(fuzzy),
    dialect=dialects(),
    decimals=st.sampled_from([0, 3, 6, 12]),
    names=st.lists(WORDS, min_size=6, max_size=6, unique=True),
)
def test_memberships_in_every_dialect(path, rows, dialect, decimals, names):
    # An index that is not under a header might be anything.
    assume(dialect["index"] == "none" or dialect["header"] != "none")
    cells = cells_of(rows, decimals)
    if dialect["commas"] and dialect["delimiter"] not in ", ":
        cells = [[cell.replace(".", ",") for cell in row] for row in cells]
    path.write_bytes(written(cells, dialect, names[: rows.shape[1]]))
    expected = fr.as_partition(np.round(rows, decimals or 20), normalize=True)
    # 0 and 1 may be the numbers of two columns, or a point.
    told = dialect["header"] == "numbers" and dialect["index"] == "none" and rows.shape[1] == 2
    assert rows_of(read(path, header=(True,) if told else ())) == pytest.approx(
        rows_of(expected), abs=1e-12
    )


def test_names_with_spaces_in_a_table_of_r_with_tabs(path):
    path.write_bytes(b"a\tb c\nrow0\t0.9\t0.1\nrow1\t0.2\t0.8\n")
    assert rows_of(read(path)).tolist() == [[0.9, 0.1], [0.2, 0.8]]


@given(
    labels=st.integers(2, 12).flatmap(hard),
    dialect=dialects(),
    words=st.lists(WORDS, min_size=6, max_size=6, unique=True),
    text=st.booleans(),
)
def test_labels_in_every_dialect(path, labels, dialect, words, text):
    """Under a usual name, or none; where the first label stands apart, told that it is no name."""
    assume(dialect["header"] != "numbers")  # one 0 above numbers may be a label
    assume(dialect["index"] == "none" or dialect["header"] == "words")
    cells = [[f'"{words[label]}"' if text else str(label)] for label in labels]
    path.write_bytes(written(cells, {**dialect, "ends": False}, ["cluster"]))
    lonely = dialect["header"] == "none" and (labels == labels[0]).sum() == 1
    found = read(path, header=(False,) if lonely else ())
    together = labels[:, None] == labels[None, :]
    assert np.array_equal(found.codes[:, None] == found.codes[None, :], together)


# --- what a cell says ----------------------------------------------------------------------------


def labels_in(path, *cells, **options):
    path.write_text("label\n" + "".join(f"{cell}\n" for cell in cells), encoding="utf-8")
    found = read(path, **options)
    return [found.names[code] for code in found.codes]


@pytest.mark.parametrize("cells", [("01", "1", "01", "2"), ("+1", "1", "+1"), ("1E5", "10E4"),
                                   ("-0", "0", "1"), ("007", "7", "07"),
                                   ("1", "\u0661", "2"), ("1\u0662", "12")])  # fmt: skip
def test_labels_that_are_not_plain_integers_stay_text(path, cells):
    """They did once there was a word among them."""
    assert labels_in(path, *cells) == list(cells)
    assert labels_in(path, *cells, "word") == [*cells, "word"]
    assert labels_in(path, *[f'"{cell}"' for cell in cells]) == list(cells)


@pytest.mark.parametrize(
    ("cells", "labels"),
    [
        (("2", "-1", "0", "2"), ["2", "-1", "0", "2"]),
        (("2.0", "1.0", "2.0"), ["2", "1", "2"]),
        (("2", "2.0", "1e+00", "1.000e+00"), ["2", "2", "1", "1"]),
    ],
)
def test_labels_that_are_whole_numbers_are_numbers(path, cells, labels):
    assert labels_in(path, *cells) == labels


@given(st.lists(st.text("'=+-@1ab", max_size=4), min_size=1, max_size=5))
def test_what_is_escaped_for_spreadsheets_is_read_as_it_was(cells):
    """Whatever it begins with; ``'=x`` and ``=x`` were one id."""
    there = [escape(cell) for cell in cells]
    assert not any(map(is_formula, there))
    assert len(set(there)) == len(set(cells))
    back = [unescape(cell) for cell in there] if are_escaped(there) else there
    assert back == cells


def test_apostrophes_stay_where_nothing_was_escaped(path):
    assert labels_in(path, "'=x", "=x", "y") == ["'=x", "=x", "y"]
    assert labels_in(path, "''=x", "'=x", "y", "-1") == ["'=x", "=x", "y", "-1"]
    assert labels_in(path, "'quoted'", "y") == ["'quoted'", "y"]


def test_several_columns_of_one_name_are_not_missing(tmp_path):
    """The message was: no file has the column p. Did you mean 'p'?"""
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("p,p,q\n0.5,0.5,0\n0.2,0.3,0.5\n0.1,0.1,0.8\n")
    paths = [str(tmp_path / name) for name in ("a.csv", "b.csv")]
    with pytest.raises(fr.InputError, match="2 columns named 'p'; take them by number: 1 and 2"):
        read_clusterings(paths, ReadingOptions(columns=("p",)))


def test_ids_that_are_not_plain_integers_stay_text(tmp_path):
    first, second, third = (tmp_path / f"{name}.csv" for name in "abc")
    first.write_text("id,label\n01,x\n1,y\n2,x\n3,y\n")
    second.write_text("id,label\n3,y\n2,x\n1,y\n01,x\n")
    third.write_text("id,label\n1,x\n10,y\n2,x\n3,y\n")
    a, b = read_clusterings([str(first), str(second)], ReadingOptions(id=("id",)))
    assert a.partition.ids == b.partition.ids == ["01", "1", "2", "3"]
    assert fr.adjusted_similarity(a.partition.codes, b.partition.codes, model="perm") == 1.0
    with pytest.raises(fr.InputError, match=r"1 id of .*a\.csv not in .*c\.csv: 01"):
        read_clusterings([str(first), str(third)], ReadingOptions(id=("id",)))


def test_numerals_of_memberships_may_be_written_in_any_way(path):
    path.write_text("p,q\n+0.5,00.5\n1,00\n.25,+0.75\n")
    assert rows_of(read(path)).tolist() == [[0.5, 0.5], [1, 0], [0.25, 0.75]]


PERCENTAGES = {
    "percent": "p,q\n85%,15%\n20%,80%\n",
    "no header": "85%,15%\n20%,80%\n",
    "spaces": "p;q\n85 %;15 %\n20 %;80 %\n",
    "decimal commas": "p;q\n85,0%;15%\n20,0%;80,0%\n",
    "Fortran": "  8.5D-01  1.5D-01\n  2.0D-01  8.0D-01\n",
    "Fortran in part": "p,q\n.85d0,0.15\n0.2,8.0D-1\n",
}


@pytest.mark.parametrize("text", PERCENTAGES.values(), ids=PERCENTAGES)
def test_percentages_and_exponents_of_fortran(path, text):
    path.write_text(text)
    assert rows_of(read(path)) == pytest.approx(np.array([[0.85, 0.15], [0.2, 0.8]]), abs=1e-15)


def test_percentages_that_were_rounded(path):
    path.write_text("33.3%,33.3%,33.3%\n20%,80%,0%\n")
    assert rows_of(read(path))[0] == pytest.approx([1 / 3, 1 / 3, 1 / 3], abs=1e-12)


def test_percentages_are_labels_only_where_they_are_said_to_be(path):
    assert labels_in(path, "10%", "50%", "10%", labels=("label",)) == ["10%", "50%", "10%"]
    with pytest.raises(fr.InputError, match=r"line 2, column 'label' .* is '10%', .* not a label"):
        labels_in(path, "10%", "50%", "10%")
    path.write_text("p,q\n85%,15%\n0.2,80%\n")
    with pytest.raises(fr.InputError, match=r"line 3, column 'p' .* is '0.2', without a percent"):
        read(path)


def test_time_grows_with_the_number_of_columns_not_its_square(tmp_path):
    """Less than half a megabyte, which took minutes."""
    k = 60_000
    names = [f"c{i}" for i in range(k)]
    row = "0.5," + "0," * (k - 2) + "0.5\n"
    (tmp_path / "wide.csv").write_text(",".join(names) + "\n" + row * 3)
    started = time.process_time()
    for options in (ReadingOptions(), ReadingOptions(columns=(",".join(names),))):
        (reading,) = read_clusterings([str(tmp_path / "wide.csv")], options)
        assert reading.partition.k == k
    (tmp_path / "gap.csv").write_text(",".join(names) + "\n" + row + "0.5,," + row[6:])
    with pytest.raises(fr.InputError, match=r"line 3, column 'c1' of .* is missing"):
        read_clusterings([str(tmp_path / "gap.csv")], ReadingOptions())
    assert time.process_time() - started < 30
