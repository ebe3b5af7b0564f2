"""Files of any content: none crashes the process, ends in a traceback or takes much memory."""

import gzip
import io
import json
import os
import select
import subprocess
import sys
import tempfile
import zipfile
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ..cli_process import ENVIRONMENT
from ..clustering_files import GOOD_LABELS, GOOD_SOFT, SOFT, arrow, npy, npz

if sys.platform != "linux":
    pytest.skip("memory is limited and counted otherwise elsewhere", allow_module_level=True)

from ..reader_server import SETTINGS

#: Most memory that the process may take, in megabytes, and the longest time for one file.
MOST_MEMORY, LONGEST = 1000.0, 30.0


class Reader:
    """A process that reads files; a new one is started after a fault."""

    def __init__(self):
        self.process = None

    def fault(self, **request):
        """What goes wrong with a file; "" if nothing does."""
        if self.process is None:
            self._start()
        self.process.stdin.write((json.dumps(request) + "\n").encode())
        self.process.stdin.flush()
        answer = self._answer(LONGEST)
        if answer is None:
            return f"no answer after {LONGEST:g} seconds"
        if not answer:
            return f"the process ended with code {self.stop()}"
        fault, memory = json.loads(answer)
        if memory > MOST_MEMORY:
            fault = f"the process took {memory:.0f} MB. {fault}"
        if fault:
            self.stop()
        return fault

    def stop(self):
        """End the process, and return its exit code."""
        process, self.process = self.process, None
        if process is None:
            return None
        with process:
            process.stdin.close()
            try:
                return process.wait(5.0)
            except subprocess.TimeoutExpired:
                process.kill()
                return None

    def _start(self):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.reader_server"],
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=ENVIRONMENT,
        )
        assert self._answer(120.0) == b"ready\n"

    def _answer(self, seconds):
        """A line; empty if the process ended, None if it takes too long."""
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        if not ready:
            self.process.kill()
            return None
        return self.process.stdout.readline()


@pytest.fixture(scope="module")
def reader():
    process = Reader()
    yield process
    process.stop()


# --- valid files, and what may happen to them -----------------------------------------------------

SPARSE = sp.csr_array(np.kron(np.eye(4), SOFT[:3]))


@cache
def seeds(kind):
    """Valid files of a kind."""
    words = np.array(["x", "y", "x", "y"])
    if kind == "npy":
        record = np.array([(0.5, 0.5, "x")] * 4, dtype=[("p", "f8"), ("q", "f4"), ("w", "U3")])
        arrays = (SOFT, np.asfortranarray(SOFT), SOFT.astype(">f4"), words, words.astype("S"))
        return [npy(array) for array in (*arrays, np.arange(6) % 2, record, SOFT > 0.5)]
    if kind == "npz":
        compressed = io.BytesIO()
        np.savez_compressed(compressed, u=SOFT)
        return [npz(u=SOFT), compressed.getvalue(), *map(saved, ("csr", "csc", "coo", "bsr"))]
    if kind == "parquet":
        return [
            arrow("parquet", p=SOFT[:, 0], q=SOFT[:, 1]),
            arrow("parquet", label=words),
            arrow("parquet", label=[1, None, 2, 1], w=[True, False, None, True]),
        ]
    if kind == "feather":
        return [arrow("feather", p=SOFT[:, 0], q=SOFT[:, 1]), arrow("feather", label=words)]
    if kind == "csv":
        texts = [GOOD_SOFT, GOOD_LABELS, GOOD_SOFT.replace(",", "\t"), '"a";"b"\n"0,5";"0,5"\n' * 3]
        structure = "Inferred ancestry of individuals:\n  1 a (0) 1 : 0.5 0.5\n  2 b (0) 1 : 1 0\n"
        return [text.encode() for text in (*texts, structure)]
    if kind == "gz":
        return [gzip.compress(content) for content in (*seeds("csv"), *seeds("npy"))]
    if kind == "jsonl":
        first = json.dumps({"kind": "fuzzyrand stability", **SETTINGS}, separators=(",", ":"))
        details = "[2,2],[[1,0.5],[1,null]],[[0.5,0],[0.5,0]],[0.5,null]"
        lines = [f"[2,-1,0,0.5,{details}]", f'["ward",-1,1,null,{details}]']
        lines += ["[0.3,0,1,-0.25]", "[2,-2,0,[20,30.5]]"]
        return ["\n".join([first, *lines, ""]).encode()]
    assert kind == "filemap"
    return [b"run1\t2\tq/one.2.Q\nrun2\t2\tq/two.2.Q\n"]


def saved(kind):
    file = io.BytesIO()
    sp.save_npz(file, SPARSE.asformat(kind), compressed=False)
    return file.getvalue()


def annotated(labels):
    """An AnnData file with labels and memberships."""
    ad = pytest.importorskip("anndata", reason="anndata is not installed")
    names = [f"c{number}" for number in range(len(labels))]
    obs = pd.DataFrame({"1": pd.Categorical(labels), "q": SOFT[: len(labels), 0]}, index=names)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "seed.h5ad"
        data = ad.AnnData(np.zeros((len(labels), 1)), obs=obs, obsm={"1-2": SOFT[: len(labels)]})
        data.write_h5ad(path)
        return path.read_bytes()


KINDS = ("npy", "npz", "parquet", "feather", "csv", "gz", "jsonl", "filemap")
#: Numbers at which lengths and offsets turn over.
EDGES = [0, 1, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 2**63 - 1, 2**64 - 1]


@st.composite
def mutated(draw, kind):
    """A valid file with some bytes changed, cut out, put in or repeated."""
    content = bytearray(draw(st.sampled_from(seeds(kind))))
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(content)))
        length = draw(st.sampled_from([0, 1, 2, 4, 8, 16, 100]))
        stop = min(start + length, len(content))
        change = draw(st.sampled_from(["bytes", "edge", "cut", "repeat", "flip", "end"]))
        if change == "bytes":
            content[start:stop] = draw(st.binary(max_size=16))
        elif change == "edge":
            number, width = draw(st.sampled_from(EDGES)), draw(st.sampled_from([1, 2, 4, 8]))
            content[start : start + width] = (number % 256**width).to_bytes(width, "little")
        elif change == "cut":
            del content[start:stop]
        elif change == "repeat":
            content[start:start] = content[start:stop] * draw(st.sampled_from([1, 2, 1000]))
        elif change == "flip" and start < len(content):
            content[start] ^= 1 << draw(st.integers(0, 7))
        elif change == "end":
            del content[start:]
    return bytes(content)


# --- files that are well formed, and claim anything -----------------------------------------------

LENGTHS = st.one_of(st.integers(-2, 9), st.sampled_from([*EDGES, 10**6, 10**9, 10**30]))
TYPES = st.sampled_from(
    ["<f8", ">f8", "<f4", "<f2", "<i8", "<u8", "|i1", "|b1", "<U3", "|S2", "<U0", "|S0", "|V8",
     "|O", "<c16", "<M8[D]", "<m8[s]", "<f16", [("p", "<f8"), ("q", "<f8")], [("p", "|O")],
     [("p", "<f8", (2,))], [("p", "<f8", (2, 2))], [("p", [("q", "<f8")])], "x", 5, None]
)  # fmt: skip


@st.composite
def claims(draw):
    """An NPY file whose header claims anything, with other content."""
    header = {
        "descr": draw(TYPES),
        "fortran_order": draw(st.booleans()),
        "shape": tuple(draw(st.lists(LENGTHS, max_size=3))),
    }
    text = (repr(header) + "\n").encode("latin-1")
    version = draw(st.sampled_from([1, 2, 3, 4]))
    size = len(text).to_bytes(2 if version == 1 else 4, "little")
    content = draw(st.sampled_from([b"", bytes(64), SOFT.tobytes(), b"\xff" * 4096]))
    return b"\x93NUMPY" + bytes([version, 0]) + size + text + content


INDICES = st.one_of(
    st.lists(st.integers(-1, 6), max_size=13),
    st.sampled_from([list(range(13)), [0, 2, 4, 6, 8, 10, 12], [0, 1] * 6, EDGES[:8]]),
)


@st.composite
def sparse(draw):
    """An NPZ file with the arrays of a sparse matrix, which seldom fit each other."""
    kind = draw(st.sampled_from(["csr", "csc", "bsr", "coo", "dia", "lil", ""]))
    dtype = draw(st.sampled_from(["int32", "int64", "uint64", "float64", "uint8", "bool", "U2"]))

    def whole():
        return np.array(draw(INDICES), dtype=np.int64).astype(dtype)

    data = [np.ones(12), np.ones((6, 1, 2)), np.ones((2, 6)), np.ones(0), SOFT.ravel(),
            np.array(["x"] * 12), np.ones(12, dtype=">f4"), np.ones(12) * 1j]  # fmt: skip
    shapes = [[6, 2], [12, 3], [2, 6], [0, 0], [6, 10**9], [10**9, 6], [-6, 2], [6.0, 2.0], [6]]
    arrays = {
        "format": np.array(kind.encode()),
        "shape": np.array(draw(st.sampled_from(shapes))),
        "data": draw(st.sampled_from(data)),
    }
    for name in ("indices", "indptr", "row", "col", "offsets"):
        if draw(st.integers(0, 9)):
            arrays[name] = whole()
    return npz(**arrays)


@st.composite
def archives(draw):
    """A zip file of arrays that claim anything, under any names."""
    file = io.BytesIO()
    names = st.sampled_from(
        ["u.npy", "format.npy", "shape.npy", "data.npy", "x", "../y.npy", ".npy"]
    )
    with zipfile.ZipFile(file, "w") as archive:
        for name in draw(st.lists(names, max_size=4, unique=True)):
            packing = draw(st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]))
            archive.writestr(name, draw(st.one_of(claims(), st.binary(max_size=50))), packing)
    return file.getvalue()


TEXT = st.text(st.sampled_from(list("0011..,;|\t\n\n\r\"' ae-+#:()_NA\ufeff\u2028\x1f\x0c\x85é")))


@st.composite
def wide(draw):
    """Text of many columns or rows."""
    cell = draw(st.sampled_from(["0", "", "x", "0.5", '"a"', "NA", "1e400", "9" * 400]))
    line = draw(st.sampled_from([",", "\t", " ", ";"])).join([cell] * draw(st.integers(1, 3000)))
    return (
        (line + draw(st.sampled_from(["\n", "\r\n", ",\n"]))) * draw(st.integers(1, 30))
    ).encode()


CONTENTS = {
    "mutated": {kind: mutated(kind) for kind in KINDS},
    "made": {
        "npy": claims(),
        "npz": st.one_of(sparse(), archives()),
        "csv": st.one_of(TEXT.map(str.encode), st.binary(max_size=200), wide()),
        "gz": st.one_of(claims(), TEXT.map(str.encode)).map(gzip.compress),
    },
}
CASES = [(how, kind) for how, kinds in CONTENTS.items() for kind in kinds]
OPTIONS = [
    {},
    {"labels": ["1"]},
    {"normalize": True, "columns": ["1-2"]},
    {"possibilistic": True, "missing": "drop"},
    {"header": [True], "missing": "noise"},
    {"delimiter": " "},
]


def check_any(reader, folder, how, kind, examples, **options):
    """Read many files of a kind, one after another."""

    @settings(
        max_examples=examples,
        database=None,
        suppress_health_check=list(HealthCheck),
        **options,
    )
    @given(CONTENTS[how][kind], st.sampled_from(OPTIONS))
    def check(content, reading):
        path = folder / f"file.{kind}"
        path.write_bytes(content)
        task = {"jsonl": "resume", "filemap": "filemap"}.get(kind, "read")
        request = reading if task == "read" else {}
        fault = reader.fault(task=task, path=os.fspath(path), **request)
        assert not fault, fault

    check()


@pytest.mark.parametrize(("how", "kind"), CASES)
def test_some_files_of_any_content(reader, tmp_path, how, kind):
    check_any(reader, tmp_path, how, kind, 60, derandomize=True)


def test_annotated_files_cut_anywhere(reader, tmp_path):
    """Only cut, as HDF5 itself may take gigabytes or forever if its own index is damaged."""
    content = annotated(np.array(["x", "y", "x", "y"]))
    path = tmp_path / "file.h5ad"
    for size in np.linspace(0, len(content) - 1, 40).astype(int).tolist():
        path.write_bytes(content[:size])
        fault = reader.fault(task="read", path=os.fspath(path), labels=["1"])
        assert not fault, f"{size} bytes: {fault}"
    path.write_bytes(content)
    assert not reader.fault(task="read", path=os.fspath(path), labels=["1"])


@pytest.mark.simulation
@pytest.mark.parametrize(("how", "kind"), CASES)
def test_many_files_of_any_content(reader, tmp_path, how, kind):
    check_any(reader, tmp_path, how, kind, 1000)


@pytest.mark.slow
def test_faults_are_noticed(reader, tmp_path, monkeypatch):
    """The tests above can fail: by a crash, by a traceback and by memory."""
    path = tmp_path / "soft.csv"
    path.write_text(GOOD_SOFT)
    assert reader.fault(task="read", path=os.fspath(path)) == ""
    assert "TypeError" in reader.fault(task="read", path=os.fspath(path), no="such option")
    assert reader.fault(task="read", path=os.fspath(path)) == ""
    monkeypatch.setattr(sys.modules[__name__], "MOST_MEMORY", 1.0)
    assert "MB" in reader.fault(task="read", path=os.fspath(path))
    reader.fault(task="read", path=os.fspath(path))
    reader._start()
    reader.process.kill()
    assert "ended with code -9" in reader.fault(task="read", path=os.fspath(path))
