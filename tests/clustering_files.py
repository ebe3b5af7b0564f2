"""Two clusterings of six points, in valid and invalid files of every kind."""

import io
import zipfile

import numpy as np
import pytest
from scipy.sparse import csr_array, save_npz

import fuzzyrand as fr

LABELS = ["a", "a", "b", "b", "b", "a"]
SOFT = np.array([[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.1, 0.9], [0.4, 0.6], [0.7, 0.3]])
ADJUSTED = fr.adjusted_similarity(LABELS, SOFT, fixed="first")

GOOD_LABELS = "label\na\na\nb\nb\nb\na\n"
GOOD_SOFT = "p,q\n" + "".join(f"{u},{v}\n" for u, v in SOFT)


def npy(array, **options):
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


def npz(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def torn_npz(array):
    """A compressed file that is damaged in the middle."""
    file = io.BytesIO()
    np.savez_compressed(file, u=array)
    content = bytearray(file.getvalue())
    content[len(content) // 2 - 20 : len(content) // 2] = bytes(20)
    return bytes(content)


def sparse(matrix):
    file = io.BytesIO()
    save_npz(file, csr_array(matrix))
    return file.getvalue()


def zipped(*names):
    """An archive of empty files."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, "")
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


def write(path, content):
    content = content() if callable(content) else content
    path.write_bytes(content.encode() if isinstance(content, str) else content)
