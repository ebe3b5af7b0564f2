"""Sparse matrices in NPZ files, valid and invalid in every way that the format allows."""

import io

import numpy as np
import pytest
import scipy.sparse as sp

from ..cli_process import refused, run
from ..clustering_files import SOFT, npz

CSR = {
    "format": np.array(b"csr"),
    "shape": np.array([6, 2]),
    "data": SOFT.ravel(),
    "indices": np.tile(np.arange(2, dtype=np.int32), 6),
    "indptr": np.arange(0, 13, 2, dtype=np.int32),
}
COO = {
    "format": np.array(b"coo"),
    "shape": np.array([6, 2]),
    "data": SOFT.ravel(),
    "row": np.repeat(np.arange(6), 2),
    "col": np.tile(np.arange(2), 6),
}
BSR = {**CSR, "format": np.array(b"bsr"), "data": SOFT.reshape(6, 1, 2),
       "indices": np.zeros(6, int), "indptr": np.arange(7)}  # fmt: skip
DIA = {"format": np.array("dia"), "shape": np.array([2, 2]), "data": np.ones((1, 2)),
       "offsets": np.array([0])}  # fmt: skip

FAULTY = {
    "index": ({**CSR, "indices": np.full(12, 10**6)}, "indices has 1000000 at position 0"),
    "negative": ({**CSR, "indices": np.full(12, -5)}, "indices has -5 at position 0"),
    "starts": ({**CSR, "indptr": np.array([0, -9, 4, 6, 8, 10, 12])}, "indptr falls from 0 to -9"),
    "short": ({**CSR, "indptr": np.arange(0, 7, 2)}, "indptr has 4 entries, not 7"),
    "float": ({**CSR, "indices": CSR["indices"] + 0.5}, "indices has entries of type float64"),
    "matrix": ({**CSR, "indices": CSR["indices"][:, None]}, "indices has 2 dimensions, not 1"),
    "CSC": ({**CSR, "format": np.array(b"csc")}, "indptr has 7 entries, not 3"),
    "COO": ({**COO, "col": np.full(12, 7)}, "col has 7 at position 0, expected 0 to 1"),
    "COO, float": ({**COO, "col": COO["col"] * 0.5}, "col has entries of type float64"),
    "BSR": ({**BSR, "indices": np.full(6, 9)}, "indices has 9 at position 0, expected 0 to 0"),
    "BSR, flat": ({**BSR, "data": SOFT}, "data has 2 dimensions, not 3"),
    "BSR, starts": ({**BSR, "indptr": np.arange(7) - 3}, "indptr begins with -3, not 0"),
    "DIA": ({**DIA, "offsets": np.array([9])}, "offsets has 9, which is outside"),
    "shape": ({**CSR, "shape": np.array([6.0, 2.0])}, "its shape is not two non-negative integers"),
    "negative shape": (
        {**CSR, "shape": np.array([-6, 2])},
        "its shape is not two non-negative integers",
    ),
    "cube": ({**CSR, "shape": np.array([6, 2, 2])}, "its shape is not two non-negative integers"),
    "format": ({**CSR, "format": np.array(b"xyz")}, "its format is 'xyz', none of csr,"),
    "formats": ({**CSR, "format": np.array([b"csr"] * 2)}, "none of csr,"),
    "missing": ({k: v for k, v in CSR.items() if k != "indptr"}, "there is no array 'indptr'"),
    "words": ({**CSR, "data": np.array(["x"] * 12)}, "entries of type <U1; expected memberships"),
    "complex": ({**CSR, "data": CSR["data"] + 0j}, "entries of type complex128; expected"),
}


@pytest.mark.parametrize("case", FAULTY)
def test_arrays_that_do_not_fit_are_refused(here, case):
    arrays, message = FAULTY[case]
    (here / "bad.npz").write_bytes(npz(**arrays))
    assert message in refused("compare", "bad.npz", "bad.npz", "--model", "perm", cwd=here)


def test_objects_are_not_unpickled(here):
    (here / "bad.npz").write_bytes(npz(**{**CSR, "data": np.array([print] * 12, dtype=object)}))
    assert "a pickle" in refused("compare", "bad.npz", "bad.npz", "--model", "perm", cwd=here)


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr", "dia"])
@pytest.mark.parametrize("array", [True, False])
def test_every_format_of_scipy_is_read(here, kind, array):
    file = io.BytesIO()
    sp.save_npz(file, getattr(sp, f"{kind}_{'array' if array else 'matrix'}")(SOFT))
    (here / "sparse.npz").write_bytes(file.getvalue())
    (here / "big.npz").write_bytes(npz(**{**CSR, "data": CSR["data"].astype(">f8")}))
    for other in ("soft.csv", "big.npz"):
        ended = run("compare", "sparse.npz", other, "--model", "perm", "--csv", cwd=here)
        assert ended.code == 0, ended.err
        assert ended.out.splitlines()[1].startswith("ndc,perm,,6,1.0,"), ended.out
