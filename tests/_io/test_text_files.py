"""Text in the dialects of the programs that write it: what is read is what was written."""

import time

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand._io.columns import ReadingOptions
from fuzzyrand._io.readings import read_clusterings

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
