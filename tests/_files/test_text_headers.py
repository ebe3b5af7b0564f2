"""Whether the first line of text holds names: by itself, by the other files, or by asking."""

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._files.column_choice import ReadingOptions
from fuzzyrand._files.readings import read_clusterings

from ..clustering_files import npy

LABELS = ["rosa", "vera", "rosa", "vera", "vera", "rosa"]
CODES = np.array([0, 1, 0, 1, 1, 0])


def written(folder, name, *lines):
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines))
    return str(path)


def partitions(*paths, **options):
    return [reading.partition for reading in read_clusterings(paths, ReadingOptions(**options))]


def is_same(partition, codes=CODES):
    return fr.adjusted_similarity(partition.codes, codes, model="perm") == 1.0


@pytest.mark.parametrize("name", ["species", "cell_type", "Leiden", "label", "# cluster"])
def test_usual_names_are_names(tmp_path, name):
    (found,) = partitions(written(tmp_path, "a.csv", name, *LABELS))
    assert is_same(found)


def test_another_name_is_asked_about_in_one_sentence(tmp_path):
    path = written(tmp_path, "a.csv", "grower", *LABELS)
    with pytest.raises(fr.InputError) as caught:
        partitions(path)
    assert str(caught.value) == (
        f"Is line 1 of {path} ('grower') a header or data? Add header=True or header=False."
    )
    assert is_same(*partitions(path, header=(True,)))
    assert partitions(path, header=(False,))[0].k == 3


@pytest.mark.parametrize("other", ["named.csv", "bare.csv", "array.npy"])
def test_the_other_file_says_whether_it_is_a_name(tmp_path, other):
    """By its number of rows, whether it has a header or not."""
    second = str(tmp_path / other)
    if other == "array.npy":
        (tmp_path / other).write_bytes(npy(CODES))
    else:
        written(tmp_path, other, *["cluster"] * (other == "named.csv"), *CODES)
    first = written(tmp_path, "a.csv", "grower", *LABELS)
    for paths in ((first, second), (second, first)):
        assert all(map(is_same, partitions(*paths)))
    # A first label that occurs once is a label if there are as many rows.
    first = written(tmp_path, "b.csv", "alba", *LABELS[1:])
    assert is_same(partitions(first, second)[0], [2, *CODES[1:]])


def test_a_header_in_another_file_decides_where_rows_cannot(tmp_path):
    first = written(tmp_path, "a.csv", "grower", *LABELS, "rosa", "rosa")
    second = written(tmp_path, "b.csv", "cluster", *CODES)
    with pytest.raises(fr.InputError, match=r"has 8 points and .* has 6"):
        partitions(first, second)
    both = [written(tmp_path, name, "grower", *LABELS) for name in ("c.csv", "d.csv")]
    with pytest.raises(fr.InputError, match="Is line 1"):
        partitions(*both)


def test_numbers_of_columns_in_doubt_are_settled_as_well(tmp_path):
    first = written(tmp_path, "a.csv", "0,1", *["0.9,0.1", "0.2,0.8"] * 3)
    second = written(tmp_path, "b.csv", "cluster", *CODES)
    assert partitions(first, second)[0].n == 6
    first = written(tmp_path, "a.csv", "0", *CODES + 1)
    assert is_same(partitions(first, second)[0])


def test_a_bad_cell_in_the_first_line_is_not_a_name(tmp_path):
    for lines in (["0.5,O.5", "0.3,0.7", "1,0"], ["1,O", "0,1", "1,0"], ["x,.25,.5", "1,0,0"]):
        with pytest.raises(fr.InputError, match=r"line 1, column \d .* not a number.*header=True"):
            partitions(written(tmp_path, "a.csv", *lines))
    # Numbers may be names beside words, where they are no values.
    for names in ("0,p", "p,2019"):
        assert partitions(written(tmp_path, "a.csv", names, "1,0", "1,0", ".5,.5"))[0].n == 3


IDS = [f"s{i}" for i in range(6)]


@pytest.mark.parametrize(
    ("header", "ids", "labels"),
    [
        ("sample,species", IDS, LABELS),
        ("sample,cluster", IDS, CODES),
        ("sample,species", [7, 3, 9, 1, 2, 4], LABELS),
        ("", IDS, LABELS),
        ("", IDS, CODES),
    ],
)
def test_an_id_beside_labels_is_found(tmp_path, header, ids, labels):
    """Whichever of the two columns it is, and points are matched by it."""
    rows = list(zip(ids, labels, strict=True))
    lines = [f"{key},{label}" for key, label in rows]
    first = written(tmp_path, "a.csv", *[header] * bool(header), *lines)
    turned = [f"{label},{key}" for key, label in reversed(rows)]
    name = ",".join(reversed(header.split(",")))
    second = written(tmp_path, "b.csv", *[name] * bool(header), *turned)
    a, b = partitions(first, second)
    assert is_same(a)
    assert is_same(b)
    assert a.ids == b.ids == [str(key) for key in ids]
    a, b = partitions(first, second, id=("",))
    assert is_same(b, CODES[::-1])


def test_names_of_points_beside_memberships_are_found(tmp_path):
    rows = [f"s{i},{u},{1 - u}" for i, u in enumerate([0.25, 0.5, 1, 0.125])]
    a, b = partitions(
        written(tmp_path, "a.csv", "sample,p,q", *rows),
        written(tmp_path, "b.csv", "sample,p,q", *rows[::-1]),
    )
    assert a.memberships.tolist() == b.memberships.tolist()
    assert b.ids == ["s0", "s1", "s2", "s3"]


def test_two_columns_that_both_may_be_ids_are_refused(tmp_path):
    path = written(tmp_path, "a.csv", "sample,species", "s1,rosa", "s2,vera", "s3,alba")
    with pytest.raises(fr.InputError, match="not a number"):
        partitions(path)


def test_a_name_of_ids_is_a_name(tmp_path):
    """Two files of words with a header each have equally many rows without it, too."""
    dates = [f"2021-03-0{i}" for i in range(1, 7)]
    rows = [f"{date},{label}" for date, label in zip(dates, LABELS, strict=True)]
    first = written(tmp_path, "a.csv", "id,grower", *rows)
    second = written(tmp_path, "b.csv", "day,0", *rows)
    for path in (first, second):
        assert all(map(is_same, partitions(first, path)))
    with pytest.raises(fr.InputError, match="a header or data"):
        partitions(second)
    third = written(tmp_path, "c.csv", "Barcode,0", *rows)
    assert all(map(is_same, partitions(third, third)))


@pytest.mark.parametrize("labels", [["2.0", "2.0", "1.0", "1.0", "3.0"], ["rosa", "vera", "rosa"]])
def test_a_zero_unlike_the_labels_is_asked_about(tmp_path, labels):
    """As pandas writes it above a column without a name."""
    paths = [written(tmp_path, name, "0", *labels) for name in ("a.csv", "b.csv")]
    with pytest.raises(fr.InputError, match="a header or data"):
        partitions(*paths)
    assert partitions(*paths, header=(True,))[0].n == len(labels)
