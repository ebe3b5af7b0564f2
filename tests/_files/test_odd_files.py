"""Files that are odd rather than damaged: what they hold is read in full, or they are refused."""

import io
import os
import warnings
import zipfile

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._files.column_choice import ReadingOptions
from fuzzyrand._files.opening import open_file
from fuzzyrand._files.readings import read_clusterings

from ..clustering_files import SOFT, npy, npz

LARGE = 2**60


def read(path, content=None, **options):
    if content is not None:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_clusterings([str(path)], ReadingOptions(**options))[0].partition


def refusal(path, content):
    with pytest.raises(fr.InputError) as said:
        read(path, content)
    return str(said.value)


def test_marks_of_joined_files_and_of_old_programs_are_no_points(tmp_path):
    partition = read(tmp_path / "joined.csv", "\ufeff\ufeffp,q\n.5,.5\n.1,.9\n")
    assert list(partition.names) == ["p", "q"]
    assert read(tmp_path / "dos.csv", "a\r\nb\r\na\r\n\x1a").n == 3


def test_several_arrays_in_one_file_are_refused(tmp_path):
    assert "holds a second array" in refusal(tmp_path / "two.npy", npy(SOFT) + npy(SOFT[::-1]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the name
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            for rows in (SOFT, SOFT[::-1]):
                archive.writestr("u.npy", npy(rows))
    assert "holds two arrays named 'u'" in refusal(tmp_path / "two.npz", file.getvalue())


def test_encrypted_arrays_are_refused(tmp_path):
    content = bytearray(npz(u=SOFT))
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(signature) + flags] |= 1
    said = refusal(tmp_path / "secret.npz", content)
    assert "array 'u' of" in said
    assert "is encrypted; save it without a password." in said


def test_fields_of_matrices_are_refused_if_they_are_cubes(tmp_path):
    cubes = np.zeros(4, dtype=[("p", "f8", (2, 2))])
    assert "array 'p' of" in refusal(tmp_path / "cubes.npy", npy(cubes))
    rows = np.array([(row,) for row in SOFT], dtype=[("p", "f8", (2,))])
    np.testing.assert_array_equal(read(tmp_path / "rows.npy", npy(rows)).rows.dense, SOFT)


@pytest.mark.parametrize("order", ["<", ">"])
def test_numbers_that_are_no_characters_are_refused(tmp_path, order):
    words = np.array(["abc", "def", "abc"], dtype=f"{order}U3")
    assert list(read(tmp_path / "words.npy", npy(words)).names) == ["abc", "def"]
    for code in (0x110000, 0xFFFFFFFF, 0xD800):
        words.view(f"{order}u4")[1] = code
        assert f"holds text with {code:#x}, which is no char" in refusal(
            tmp_path / "bad.npy", npy(words)
        )


def test_columns_of_infinities_do_not_count_rows(tmp_path):
    said = refusal(tmp_path / "inf.npy", npy(np.full((4, 2), np.inf)))
    assert "is inf, which is not a finite number" in said


@pytest.mark.parametrize("dtype", ["<f8", "<f4", "<f2", "<f16"])
def test_bytes_that_are_no_numbers_are_refused_without_warnings(tmp_path, dtype):
    """Signalling NaNs, and patterns that long doubles do not have."""
    if dtype == "<f16" and np.finfo(np.longdouble).nmant != 63:
        pytest.skip("long doubles of x86 alone have such patterns")
    size = np.dtype(dtype).itemsize
    patterns = {"<f8": 0x7FF0000000000001, "<f4": 0x7F800001, "<f2": 0x7C01}
    odd = (0x3FB3333333333333 << 64) + 0x3333333333333333
    column = patterns.get(dtype, odd).to_bytes(size, "little")
    content = npy(np.zeros((4, 2), dtype=dtype))[: -8 * size] + column * 8
    assert "row 1 (counted from 1), column 1 of" in refusal(tmp_path / "odd.npy", content)


def test_coordinates_in_one_array_are_read(tmp_path):
    arrays = {"format": b"coo", "shape": np.array([2, 2]), "data": np.ones(2)}
    assert read(tmp_path / "coo.npz", npz(**arrays, coords=np.array([[0, 1], [1, 0]]))).is_hard
    said = refusal(tmp_path / "bad.npz", npz(**arrays, coords=np.array([0, 1])))
    assert "its coordinates are not rows and columns" in said


def test_labels_that_doubles_cannot_tell_apart_stay_apart(tmp_path):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    numbers = [LARGE, LARGE + 1, LARGE, None]
    for kind in (pa.int64(), pa.uint64(), pa.decimal128(38)):
        parquet.write_table(pa.table({"label": pa.array(numbers, kind)}), tmp_path / "x.parquet")
        assert read(tmp_path / "x.parquet", missing="drop").k == 2


def test_times_are_labels(tmp_path):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    times = pa.array([1, 2, 1], pa.time64("ns"))
    parquet.write_table(pa.table({"label": times}), tmp_path / "x.parquet")
    assert read(tmp_path / "x.parquet").k == 2


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="of Linux")
@pytest.mark.filterwarnings("error")
def test_a_file_that_cannot_be_read_is_closed():
    with pytest.raises(fr.InputError, match="error"), open_file("/proc/self/mem"):
        pass
