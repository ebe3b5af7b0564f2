"""Read NPY and NPZ files: single arrays, several arrays, and sparse matrices."""

from __future__ import annotations

import io
import math
import os
import sys
import warnings
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from typing import IO, Any, BinaryIO

import numpy as np

from .._base.budget import Budget
from .._base.errors import InputError
from .._base.wording import Option
from .column_lookup import list_names
from .damage import explain_damage
from .file_table import Array, FileTable, SparseColumns
from .limits import COLUMN, NUMBER, WORD, Room, in_words
from .sparse_files import SPARSE, read_sparse_matrix

#: First byte of a pickle, and the message about it.
PICKLED = b"\x80"
PICKLE = (
    "holds Python objects (a pickle), which are never opened: reading them can run any program. "
    "Save plain numbers or text instead: np.save(path, np.asarray(x.tolist()))."
)
#: First bytes of an array.
MAGIC = b"\x93NUMPY"
#: Most bytes in the header of an array, as in NumPy, which evaluates it.
LONGEST_HEADER = 10_000


def read_npy(file: BinaryIO, source: str, room: Room) -> FileTable:
    """Read an array: labels, a matrix, or a record array with named fields."""
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    array = _load_array(file, size, source, room)
    _refuse_second_array(file, array.nbytes, source)
    require_dimensions(array, source)
    if array.dtype.names:
        return _table_of_arrays({name: array[name] for name in array.dtype.names}, source, "NPY")
    names, columns, _ = _columns({"": array}, source)
    matrix = array if array.ndim == 2 and array.dtype.kind in "biuf" else None
    return FileTable(source, names, columns, "NPY", named=False, matrix=matrix)


def read_npz(file: BinaryIO, source: str, wanted: frozenset[str], room: Room) -> FileTable:
    """Read the arrays that are wanted, the only one, or a sparse matrix."""
    damaged = "{source} is not an NPZ file, or is damaged: {reason}."
    with explain_damage(damaged, source=source), zipfile.ZipFile(file) as archive:
        members = _members(archive, source)

        def load(name: str) -> Array:
            return _load_member(archive, members[name], f"array {name!r} of {source}", room)

        if members.keys() >= SPARSE:
            matrix = read_sparse_matrix(load, members.keys(), source, room)
            return _sparse_table(matrix, source)
        chosen = [name for name in members if name in wanted]
        if len(members) > 1 and not chosen:
            raise InputError(
                "{source} holds {number} arrays: {listed}. Choose one with {labels} (one "
                "label per point) or {columns} (memberships).",
                source=source,
                number=len(members),
                listed=list_names(repr(name) for name in members),
                labels=Option("labels", "NAME"),
                columns=Option("columns", "NAME"),
            )
        arrays = {name: load(name) for name in chosen or members}
    return _table_of_arrays(arrays, source, "NPZ")


def _members(archive: zipfile.ZipFile, source: str) -> dict[str, zipfile.ZipInfo]:
    """Return the arrays of an archive by their names."""
    members: dict[str, zipfile.ZipInfo] = {}
    for info in archive.infolist():
        name = info.filename.removesuffix(".npy")
        if name in members:
            raise InputError(
                "{source} holds two arrays named {value!r}.", source=source, value=name
            )
        if name != info.filename:
            members[name] = info
        elif name.startswith("xl/"):
            raise InputError(
                "{source} is an Excel workbook; save the sheet as CSV (UTF-8).", source=source
            )
    if not members:
        raise InputError(
            "{source} is a zip file without arrays; expected numpy.savez's.", source=source
        )
    return members


def _load_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, where: str, room: Room) -> Array:
    if info.flag_bits & 1:
        raise InputError("{source} is encrypted; save it without a password.", source=where)
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise InputError(
            "{source} is compressed in a way that NumPy does not use; save it with numpy.savez or "
            "numpy.savez_compressed.",
            source=where,
        )
    packed = room.packed or info.compress_type != zipfile.ZIP_STORED
    with archive.open(info) as file:
        return _load_array(file, info.file_size, where, replace(room, packed=packed))


def _mapped(file: IO[bytes]) -> Array | None:
    """Map a file on disk into memory, so that it is read once, where its numbers are needed.

    Return None if there is no such file, as for a pipe or unpacked data.
    """
    path = getattr(file, "name", None)
    if not isinstance(file, io.BufferedReader) or not isinstance(path, str):
        return None
    if not os.path.isfile(path):
        return None
    try:
        mapped: Array = np.lib.format.open_memmap(path, mode="r")
    except (ValueError, OSError):  # no data, or not on this system: it is read instead
        return None
    return mapped


def _load_array(file: IO[bytes], size: int, where: str, room: Room) -> Array:
    """Return the array of an NPY file, or of such a file within another one.

    Parameters
    ----------
    file : file
        The file, at its beginning.
    size : int
        Number of bytes that it claims to hold.
    where : str
        Name of the array in messages.
    room : Room
        How much memory it may take.
    """
    beginning = file.read(len(MAGIC))
    file.seek(0)
    if beginning.startswith(PICKLED):
        raise InputError("{source} " + PICKLE, source=where)
    if beginning != MAGIC:
        raise InputError(
            "{source} is not an NPY file, despite its name: it begins with {beginning!r}. Write "
            "it with numpy.save, or give it the right ending, such as .csv.",
            source=where,
            beginning=beginning,
        )
    damaged = "{source} is damaged or cut short: {reason}."
    with explain_damage(damaged, source=where), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about headers written by Python 2
        shape, dtype = _header(file)
        _require_size(shape, dtype, size - file.tell(), where, room)
        file.seek(0)
        array = _mapped(file) if size > file.tell() else None
        if array is None:
            array = np.lib.format.read_array(file, allow_pickle=False)
    return array


def _header(file: IO[bytes]) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Read the shape and the type that an NPY file claims for its array."""
    version = np.lib.format.read_magic(file)
    length = file.read(2 if version == (1, 0) else 4)
    if int.from_bytes(length, "little") > LONGEST_HEADER:
        raise ValueError(f"its header is longer than {LONGEST_HEADER:,} bytes")
    file.seek(-len(length), io.SEEK_CUR)
    # Versions 2 and 3 differ in how names of fields are encoded, which is no matter here.
    v1, v2 = np.lib.format.read_array_header_1_0, np.lib.format.read_array_header_2_0
    shape, _, dtype = (v1 if version == (1, 0) else v2)(file)
    return shape, dtype


def _require_size(
    shape: tuple[int, ...], dtype: np.dtype[Any], follow: int, where: str, room: Room
) -> None:
    """Refuse an array that is larger than what follows its header, or than a file may be."""
    if dtype.hasobject:
        raise InputError("{source} " + PICKLE, source=where)
    if any(length < 0 for length in shape) or not dtype.itemsize:
        raise ValueError(f"an array of shape {shape} and type {dtype}")
    count = math.prod(shape)
    if count * dtype.itemsize > follow:
        raise ValueError(
            f"its header claims {in_words(count * dtype.itemsize)} of numbers, and "
            f"{in_words(max(follow, 0))} follow"
        )
    if room.packed:
        needed = count * max(dtype.itemsize, WORD if dtype.kind in "SU" else NUMBER)
        room.require(needed, where, f"has {count:,} entries")
    if len(shape) == 2:
        room.require(shape[1] * COLUMN, where, f"has {shape[1]:,} columns")


def _refuse_second_array(file: BinaryIO, size: int, source: str) -> None:
    """Refuse a file to which numpy.save wrote several times, as only the first would be read."""
    file.seek(0)
    _header(file)
    file.seek(size, io.SEEK_CUR)
    if file.read(len(MAGIC)) == MAGIC:
        raise InputError(
            "{source} holds a second array after the first; give one in each file, or save them "
            "with numpy.savez.",
            source=source,
        )


def require_dimensions(array: Array, where: str) -> None:
    if array.ndim not in (1, 2):
        raise InputError(
            "{source} is an array of {value} dimensions; expected 1 (one label per point) or 2 "
            "(points in rows, clusters in columns).",
            source=where,
            value=array.ndim,
        )


def _sparse_table(matrix: Any, source: str) -> FileTable:
    n, k = matrix.shape
    if n * k > Budget.full_entries:
        numbers = tuple(str(number) for number in range(1, k + 1))
        every = SparseColumns(matrix)
        return FileTable(source, numbers, every, "NPZ, sparse", named=False, sparse=matrix)
    names, columns, _ = _columns({"": matrix.toarray()}, source)
    return FileTable(source, names, columns, "NPZ, sparse", named=False)


def _table_of_arrays(arrays: Mapping[str, Array], source: str, how: str) -> FileTable:
    for name, array in arrays.items():
        require_dimensions(array, f"array {name!r} of {source}")
    lengths = {name: array.shape[0] for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        raise InputError(
            "the arrays of {source} have different numbers of rows: {listed}.",
            source=source,
            listed=", ".join(f"{name!r} {length}" for name, length in lengths.items()),
        )
    names, columns, groups = _columns(arrays, source)
    return FileTable(source, names, columns, how, groups=groups)


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
    """Return texts, decoded if they are bytes; refuse numbers that are no characters."""
    if array.dtype.kind == "U":
        whole = np.ascontiguousarray(array)
        codes = np.frombuffer(whole, dtype=array.dtype.byteorder + "u4")
        bad = codes[(codes > sys.maxunicode) | ((codes >= 0xD800) & (codes < 0xE000))]
        if bad.size:
            raise InputError(
                "{source} holds text with {value:#x}, which is no character.",
                source=source,
                value=int(bad[0]),
            )
        return whole
    try:
        return np.char.decode(array, "utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            "{source} holds text that is not UTF-8: {value!r}.", source=source, value=error.object
        ) from None
