"""Files that unpack to more than they hold, or claim to hold more, and real ones that are large."""

import bz2
import gzip
import io
import lzma
import os
import re
import struct
import subprocess
import sys
import zipfile

import numpy as np
import pytest
import scipy.sparse as sp

import fuzzyrand as fr
from fuzzyrand._files import limits
from fuzzyrand._files.column_choice import ReadingOptions
from fuzzyrand._files.readings import read_clusterings

from ..cli_process import ENVIRONMENT, refused, run
from ..clustering_files import GOOD_SOFT, SOFT, arrow, npy, npz
from .test_sparse_files import CSR

MB = 10**6


def read(path, **options):
    return read_clusterings([str(path)], ReadingOptions(**options))[0].partition


def refusal(path, **options):
    with pytest.raises(fr.InputError) as said:
        read(path, **options)
    return str(said.value)


@pytest.fixture
def tight(monkeypatch):
    """Limits of a hundredth of the usual, so that tests need not unpack gigabytes."""
    monkeypatch.setattr(limits, "LEAST", 10 * MB)
    monkeypatch.setattr(limits, "MOST", 40 * MB)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_compressed_text_is_read_up_to_a_limit(tmp_path, tight, pack):
    (tmp_path / "soft.csv").write_bytes(pack(GOOD_SOFT.encode()))
    np.testing.assert_array_equal(read(tmp_path / "soft.csv").rows.dense, SOFT)
    (tmp_path / "bomb.csv").write_bytes(pack(b"0\n1\n" * MB))
    said = refusal(tmp_path / "bomb.csv")
    assert "bomb.csv unpacks to 4 MB of text, and reading it would take 32 MB of memory" in said
    assert "if it is right, max_size='32M' allows more" in said
    assert read(tmp_path / "bomb.csv", max_size=32 * MB).n == 2 * MB
    (tmp_path / "huge.csv").write_bytes(pack(bytes(20 * MB)))
    assert "huge.csv unpacks to more than 10 MB" in refusal(tmp_path / "huge.csv")
    (tmp_path / "cut.csv").write_bytes(pack(GOOD_SOFT.encode())[:-9])
    assert "and damaged or cut short" in refusal(tmp_path / "cut.csv")


def test_text_that_begins_like_a_compressed_file_is_text(tmp_path):
    (tmp_path / "names.csv").write_text("BZhang\nBZhang\nBZh9\nBZh9\n")
    assert read(tmp_path / "names.csv").n == 4


def test_zstandard_is_named_where_python_lacks_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    (tmp_path / "soft.csv.zst").write_bytes(b"\x28\xb5\x2f\xfd" + bytes(20))
    assert "soft.csv.zst is compressed (Zstandard), which this" in refusal(
        tmp_path / "soft.csv.zst"
    )


def test_zstandard_is_read_where_python_has_it(tmp_path):
    zstd = pytest.importorskip("compression.zstd")
    (tmp_path / "soft.csv.zst").write_bytes(zstd.compress(GOOD_SOFT.encode()))
    np.testing.assert_array_equal(read(tmp_path / "soft.csv.zst").rows.dense, SOFT)


def header(shape, descr="<f8", extra=b""):
    """An NPY file that claims an array and holds something else."""
    file = io.BytesIO()
    claim = {"descr": descr, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_2_0(file, claim)
    return file.getvalue() + extra


CLAIMS = {
    "rows": (header((10**12, 3)), "its header claims 24 TB of numbers, and 0 bytes follow"),
    "beyond 64 bits": (header((2**32, 2**32)), "its header claims"),
    "a little": (header((5,), extra=bytes(32)), "its header claims 40 bytes of numbers, and 32"),
    "negative": (header((-1,), extra=bytes(32)), "an array of shape (-1,)"),
    "texts of no length": (header((10**10,), "<U0"), "an array of shape (10000000000,)"),
    "columns without rows": (header((0, 10**9)), "has 1,000,000,000 columns"),
    "long header": (
        b"\x93NUMPY\x02\x00" + struct.pack("<I", 2**32 - 1) + bytes(32),
        "its header is longer than 10,000 bytes",
    ),
}


@pytest.mark.parametrize("case", CLAIMS)
@pytest.mark.parametrize("form", ["npy", "npy.gz", "npz"])
def test_headers_that_claim_too_much(tmp_path, case, form, peak):
    content, message = CLAIMS[case]
    if form == "npy.gz":
        content = gzip.compress(content)
    if form == "npz":
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("u.npy", content)
        content = file.getvalue()
    path = tmp_path / f"claim.{form}"
    path.write_bytes(content)
    assert message in refusal(path)
    assert peak() < 20.0


def packed(name, content, kind=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", kind) as archive:
        archive.writestr(name, content)
    return file.getvalue()


def test_arrays_that_unpack_to_too_much(tmp_path, tight):
    path = tmp_path / "bomb.npz"
    path.write_bytes(packed("u.npy", npy(np.zeros(2 * MB, dtype=np.int8))))
    assert "array 'u' of " in refusal(path)
    assert "bomb.npz has 2,000,000 entries, and reading it would take 16 MB" in refusal(path)
    assert read(path, max_size=16 * MB).n == 2 * MB
    path.write_bytes(packed("u.npy", npy(np.zeros(2 * MB // 8, dtype="S1"))))
    assert "has 250,000 entries, and reading it would take 16 MB" in refusal(path)
    np.savez(path, u=np.arange(8 * MB) % 7)  # more, but not compressed
    assert read(path).n == 8 * MB


def test_a_member_that_unpacks_to_more_than_the_archive_says(tmp_path, peak):
    """zipfile reads no more than the size in the directory of the archive."""
    content = npy(np.zeros(20 * MB, dtype=np.int8))
    data = bytearray(packed("u.npy", content))
    small = struct.pack("<I", 1000)
    for signature, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = data.index(signature) + at
        data[place : place + 4] = small
    (tmp_path / "lie.npz").write_bytes(data)
    del content, data
    before = peak()
    assert "lie.npz is not an NPZ file, or is damaged" in refusal(tmp_path / "lie.npz")
    assert peak() <= before  # that of making it


@pytest.mark.parametrize("kind", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_packings_within_archives_are_refused(tmp_path, kind):
    (tmp_path / "odd.npz").write_bytes(packed("u.npy", npy(SOFT), kind))
    assert "in a way that NumPy does not use" in refusal(tmp_path / "odd.npz")


def test_sparse_shapes_that_no_array_bears_out(tmp_path, peak):
    path = tmp_path / "wide.npz"
    for shape in ([6, 10**9], [10**12, 2]):
        kind = b"csr" if shape[0] == 6 else b"csc"
        starts = CSR["indptr"] if shape[0] == 6 else np.array([0, 6, 12])
        claim = {"format": np.array(kind), "shape": np.array(shape), "indptr": starts}
        path.write_bytes(npz(**{**CSR, **claim}))
        said = refusal(path)
        assert f"wide.npz claims {shape[0]:,} rows and {shape[1]:,} columns, and" in said
    assert peak() < 20.0


def test_sparse_matrices_of_many_columns(tmp_path, tight):
    path = tmp_path / "wide.npz"
    path.write_bytes(npz(**{**CSR, "shape": np.array([6, 30_000])}))
    assert "columns, and reading it would take 15.4 MB of memory" in refusal(path)
    assert read(path, max_size=16 * MB).k == 30_000


def test_parquet_files_that_unpack_to_too_much(tmp_path, tight, peak):
    (tmp_path / "flat.parquet").write_bytes(arrow("parquet", label=np.zeros(3 * MB, dtype=int)))
    said = refusal(tmp_path / "flat.parquet")
    assert "has 3,000,000 rows and 1 columns, and reading it would take 24 MB" in said
    assert peak() < 60.0
    long = ["x" * 100_000, "y"] * 500  # 50 MB, of which the file holds one copy
    (tmp_path / "texts.parquet").write_bytes(arrow("parquet", label=long))
    assert read(tmp_path / "texts.parquet").n == 1000


def test_feather_files_that_unpack_to_too_much(tmp_path, tight):
    (tmp_path / "flat.feather").write_bytes(arrow("feather", label=np.zeros(3 * MB, dtype=int)))
    assert "and reading it would take" in refusal(tmp_path / "flat.feather")
    assert read(tmp_path / "flat.feather", max_size=24 * MB + 512).n == 3 * MB


@pytest.mark.parametrize("max_size", [1, 600, MB])
def test_plain_text_of_few_columns_is_read_whatever_the_limit(tmp_path, max_size):
    """A limit below 1,024 bytes gave an unexpected error, and others refused two columns."""
    (tmp_path / "soft.csv").write_text(GOOD_SOFT)
    np.testing.assert_array_equal(read(tmp_path / "soft.csv", max_size=max_size).rows.dense, SOFT)


def test_lines_of_very_many_fields(tmp_path, tight):
    path = tmp_path / "wide.csv"
    for line, divided in (("0,", "comma"), ("0\t", "tab"), ("0 ", "space")):
        path.write_text(line * 30_000 + "1\n")
        said = refusal(path)
        assert "line 1 of " in said
        assert f"has 30,001 fields ({divided}-separated), and at most 19,531 are read" in said
    path.write_text(("0," * 19_000 + "1\n") * 2)
    assert read(path).k == 19_001


def test_long_lines_are_divided_whatever_their_delimiter(tmp_path):
    """The whole line is longer than a field may be, which only matters if nothing divides it."""
    rows = np.random.default_rng(0).dirichlet(np.ones(20_000), 3)
    np.savetxt(tmp_path / "wide.csv", rows, delimiter=",", fmt="%.12f")
    partition = read(tmp_path / "wide.csv", normalize=True)
    assert (partition.n, partition.k) == (3, 20_000)


def test_large_files_are_read_as_before(tmp_path, tight, peak):
    """A file on disk that is not compressed is limited by nothing."""
    n, k = 100_000, 60
    rows = np.zeros((n, k))
    rows[np.arange(n), np.arange(n) % k] = 1.0
    np.save(tmp_path / "rows.npy", rows)  # 48 MB
    np.save(tmp_path / "labels.npy", np.arange(12 * MB) % 7)
    sp.save_npz(tmp_path / "rows.npz", sp.csr_array(rows), compressed=False)
    assert read(tmp_path / "rows.npy").k == k
    assert read(tmp_path / "labels.npy").n == 12 * MB
    assert read(tmp_path / "rows.npz").k == k


def test_the_usual_limits_leave_room_for_real_files():
    """A table of 2,000,000 × 20, and a sparse matrix of 1,500,000 × 15,000, however compressed."""
    tables = limits.Room.of(MB, None, packed=True)
    tables.require(2 * MB * 20 * limits.NUMBER, "rows.npz", "is a table")
    tables.require(2 * MB * 20 * 2 * limits.CHARACTER, "one-hot.csv.gz", "is a table")
    tables.require(1_500_000 * limits.SPARSE_ROW + 15_000 * limits.COLUMN, "x.npz", "is sparse")
    text = limits.Room.of(150 * MB, None, packed=True)
    text.require(2 * MB * 20 * 9 * limits.CHARACTER, "rows.csv.gz", "is a table")


def test_the_option_of_the_command_line(here):
    (here / "wide.npz").write_bytes(npz(**{**CSR, "shape": np.array([6, 30_000])}))
    compared = ("compare", "truth.csv", "wide.npz", "--model", "perm")
    said = refused(*compared, "--max-size", "1.5M", cwd=here)
    assert re.fullmatch(
        "wide.npz claims 6 rows and 30,000 columns, and reading it would take 15.4 MB of memory, "
        r"which is too much for a file of 1\.\d+ kB: if it is right, --max-size 16M allows more\.",
        said,
    )
    assert run(*compared, "--max-size", "16M", cwd=here).code == 0
    for size in ("0", "-1", "many", "4X", ""):
        ended = run("compare", "truth.csv", "soft.csv", f"--max-size={size}", cwd=here)
        assert (ended.code, ended.out) == (2, "")
        assert f"{size!r} is not a size, such as 500M or 8G" in ended.err
    said = refused("compare", "a.npy", "b.npy", "--dask", "--max-size", "1G", code=2, cwd=here)
    assert said.startswith("--max-size needs whole files")


def test_names_and_filemaps_are_limited_too(here, tight):
    bomb = gzip.compress(b"x\n" * 2 * MB)
    (here / "names.txt").write_bytes(bomb)
    options = ReadingOptions(names=(str(here / "names.txt"),))
    with pytest.raises(fr.InputError, match=r"names.txt unpacks to 4 MB of text"):
        read_clusterings([str(here / "truth.csv")], options)


BOMB = """
import sys
from fuzzyrand._cli.main import main
from tests.memory import peak_megabytes
code = main(["check", "bomb.csv.gz", "--model", "perm"])
print(peak_megabytes())
sys.exit(code)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted otherwise elsewhere")
def test_a_bomb_takes_little_memory(tmp_path):
    """A megabyte of gzip that would be a gigabyte of text, and take ten."""
    (tmp_path / "bomb.csv.gz").write_bytes(gzip.compress(b"0\n" * (MB // 2)) * 1100)
    ended = subprocess.run(
        [sys.executable, "-c", BOMB],
        cwd=tmp_path,
        env={**ENVIRONMENT, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert "bomb.csv.gz unpacks to more than 1 GB" in ended.stderr
    assert float(ended.stdout) < 1400.0
