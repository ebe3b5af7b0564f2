"""Read NPY and NPZ files: single arrays, several arrays, and sparse matrices."""

from __future__ import annotations

import io
import os
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any, BinaryIO

import numpy as np

from .._base.errors import InputError
from .._base.wording import Option
from .._inputs.sparse_memberships import SMALL
from .sparse_files import SPARSE, read_sparse_matrix
from .table import Array, SparseColumns, Table

#: First byte of a pickle, and the message about it.
PICKLED = b"\x80"
PICKLE = (
    "holds Python objects (a pickle), which are never opened: reading them can run any program. "
    "Save plain numbers or text instead: np.save(path, np.asarray(x.tolist()))."
)


def read_npy(file: BinaryIO, source: str) -> Table:
    """Read an array: labels, a matrix, or a record array with named fields."""
    array = _load_array(file, source)
    _require_dimensions(array, source)
    if array.dtype.names:
        return _table_of_arrays({name: array[name] for name in array.dtype.names}, source, "NPY")
    names, columns, _ = _columns({"": array}, source)
    matrix = array if array.ndim == 2 and array.dtype.kind in "biuf" else None
    return Table(source, names, columns, "NPY", named=False, matrix=matrix)


def read_npz(file: BinaryIO, source: str, wanted: frozenset[str]) -> Table:
    """Read the arrays that are wanted, the only one, or a sparse matrix."""
    try:
        with zipfile.ZipFile(file) as archive:
            members = {
                name.removesuffix(".npy"): name
                for name in archive.namelist()
                if name.endswith(".npy")
            }

            def load(name: str) -> Array:
                data = io.BytesIO(archive.read(members[name]))
                return _load_array(data, f"array {name!r} of {source}")

            if members.keys() >= SPARSE:
                return _sparse_table(read_sparse_matrix(load, members.keys(), source), source)
            if any(name.startswith("xl/") for name in archive.namelist()):
                raise InputError(
                    "{source} is an Excel workbook; save the sheet as CSV (UTF-8).", source=source
                )
            if not members:
                raise InputError(
                    "{source} is a zip file without arrays; expected numpy.savez's.", source=source
                )
            chosen = [name for name in members if name in wanted]
            if len(members) > 1 and not chosen:
                raise InputError(
                    "{source} holds {number} arrays: {listed}. Choose one with {labels} (one "
                    "label per point) or {columns} (memberships).",
                    source=source,
                    number=len(members),
                    listed=", ".join(repr(name) for name in members),
                    labels=Option("labels", "NAME"),
                    columns=Option("columns", "NAME"),
                )
            arrays = {name: load(name) for name in chosen or members}
            for name, array in arrays.items():
                _require_dimensions(array, f"array {name!r} of {source}")
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
        # RuntimeError is raised if the file is encrypted or compressed in an unusual way.
        raise InputError(
            "{source} is not an NPZ file, or is damaged: {reason}.",
            source=source,
            reason=str(error),
        ) from error
    return _table_of_arrays(arrays, source, "NPZ")


def _mapped(file: BinaryIO) -> Array | None:
    """Map a file on disk into memory, so that it is read once, where its numbers are needed.

    Return None if there is no such file, as for a pipe or decompressed data.
    """
    path = getattr(file, "name", None)
    if not isinstance(file, io.BufferedReader) or not isinstance(path, str):
        return None
    if not os.path.isfile(path):
        return None
    try:
        mapped: Array = np.lib.format.open_memmap(path, mode="r")
    except (ValueError, OSError):  # objects, no data, or damage: reading it gives a better error
        return None
    return mapped if mapped.size else None


def _load_array(file: BinaryIO, where: str) -> Array:
    beginning = file.read(6)
    file.seek(0)
    if beginning.startswith(PICKLED):
        raise InputError("{source} " + PICKLE, source=where)
    if beginning != b"\x93NUMPY":
        raise InputError(
            "{source} is not an NPY file, despite its name: it begins with {beginning!r}. Write "
            "it with numpy.save, or give it the right ending, such as .csv.",
            source=where,
            beginning=beginning,
        )
    try:
        array = _mapped(file)
        if array is None:
            array = np.lib.format.read_array(file, allow_pickle=False)
    except MemoryError:
        raise InputError(
            "{source} claims to be larger than memory; it may be damaged.", source=where
        ) from None
    except Exception as error:  # anything that a damaged header may cause
        if "allow_pickle" in str(error):
            raise InputError("{source} " + PICKLE, source=where) from None
        raise InputError(
            "{source} is damaged or cut short: {reason}", source=where, reason=str(error)
        ) from error
    return array


def _require_dimensions(array: Array, where: str) -> None:
    if array.ndim not in (1, 2):
        raise InputError(
            "{source} is an array of {value} dimensions; expected 1 (one label per point) or 2 "
            "(points in rows, clusters in columns).",
            source=where,
            value=array.ndim,
        )


def _sparse_table(matrix: Any, source: str) -> Table:
    n, k = matrix.shape
    if n * k > SMALL:
        numbers = tuple(str(number) for number in range(1, k + 1))
        every = SparseColumns(matrix)
        return Table(source, numbers, every, "NPZ, sparse", named=False, sparse=matrix)
    names, columns, _ = _columns({"": matrix.toarray()}, source)
    return Table(source, names, columns, "NPZ, sparse", named=False)


def _table_of_arrays(arrays: Mapping[str, Array], source: str, how: str) -> Table:
    lengths = {name: array.shape[0] for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        raise InputError(
            "the arrays of {source} have different numbers of rows: {listed}.",
            source=source,
            listed=", ".join(f"{name!r} {length}" for name, length in lengths.items()),
        )
    names, columns, groups = _columns(arrays, source)
    return Table(source, names, columns, how, groups=groups)


def _columns(
    arrays: Mapping[str, Array], source: str
) -> tuple[tuple[str, ...], tuple[Array, ...], dict[str, tuple[int, ...]]]:
    """Return vectors unchanged, and matrices column by column."""
    names: list[str] = []
    columns: list[Array] = []
    groups: dict[str, tuple[int, ...]] = {}
    for name, array in arrays.items():
        if array.dtype.kind not in "biufUSmM":
            raise InputError(
                "{source} has entries of type {value}; expected numbers or text.",
                source=source,
                value=array.dtype,
            )
        if array.dtype.kind in "US":
            array = _text(array, source).astype(object)
        if array.ndim == 1:
            names.append(name)
            columns.append(array)
            continue
        start, width = len(names), array.shape[1]
        groups[name] = tuple(range(start, start + width))
        names += [f"{name} {number}".strip() for number in range(1, width + 1)]
        columns += list(array.T)
    return tuple(names), tuple(columns), groups


def _text(array: Array, source: str) -> Array:
    try:
        return array if array.dtype.kind == "U" else np.char.decode(array, "utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            "{source} holds text that is not UTF-8: {value!r}.", source=source, value=error.object
        ) from None
