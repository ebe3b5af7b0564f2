"""Files with clusterings: from a path to a table of named columns.

CSV, TSV and other text, NPY, NPZ, Parquet and Feather, each also packed by gzip. What the columns
mean is decided in ``readings.py``; how text is taken apart, in ``text_files.py``. Pickles are never
opened.
"""

from __future__ import annotations

import gzip
import io
import sys
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from .._base.errors import InputError, MissingExtraError

Array = npt.NDArray[Any]

STDIN = "-"
#: Formats that are no text: by the ending of the name, and by how such a file begins.
ENDINGS = {
    ".npy": "NPY",
    ".npz": "NPZ",
    ".parquet": "Parquet",
    ".pq": "Parquet",
    ".feather": "Feather",
    ".arrow": "Feather",
}
BEGINNINGS = {
    b"\x93NUMPY": "NPY",
    b"PK\x03\x04": "NPZ",
    b"PAR1": "Parquet",
    b"ARROW1": "Feather",
    b"FEA1": "Feather",
}
GZIP, PICKLED = b"\x1f\x8b", b"\x80"
#: Arrays of a file by scipy.sparse.save_npz, whatever the format of the matrix.
SPARSE = {"format", "shape", "data"}
#: Entries that a sparse matrix may have, empty ones included: 8 GB of them.
LARGEST_DENSE = 1 << 30
PICKLE = (
    "holds Python objects (a pickle), which are never opened: reading them can run any program. "
    "Save plain numbers or text instead: np.save(path, np.asarray(x.tolist()))."
)


class TextOptions(NamedTuple):
    """How to take text apart; None where that is to be found out."""

    delimiter: str | None = None
    header: bool | None = None


@dataclass(frozen=True, eq=False)
class Table:
    """Named columns, and the way back from a row to its place in the file.

    Attributes
    ----------
    source : str
        What messages call the file.
    names : tuple of str
        Of the columns; their numbers from 1 where the file has no names.
    columns : tuple of array
        Numbers, or objects that are text (None where a cell is empty).
    how : str
        How the file was read, in words.
    named : bool
        Are the names the file's own?
    line : function, optional
        From a row, counted from 0, to a line of the file, counted from 1.
    groups : mapping
        Names that stand for several columns: the matrices of an NPZ file.
    """

    source: str
    names: tuple[str, ...]
    columns: tuple[Array, ...]
    how: str
    named: bool = True
    line: Callable[[int], int] | None = None
    groups: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.columns[0].shape[0]) if self.columns else 0

    def title(self, column: int) -> str:
        """What messages call a column."""
        return f"column {self.names[column]!r}" if self.named else f"column {column + 1}"

    def at(self, row: int, column: int | None = None) -> str:
        """What messages call a place."""
        where = f"row {row + 1}, counted from 1" if self.line is None else f"line {self.line(row)}"
        of = "" if column is None else f", {self.title(column)}"
        return f"{where}{of} of {self.source}"


def is_numeric(column: Array) -> bool:
    """Numbers, or truth values."""
    return column.dtype.kind in "biuf"


def refuse_missing(table: Table, column: int, what: str, cure: str) -> None:
    """Refuse a column with empty cells."""
    values = table.columns[column]
    if values.dtype.kind == "f":
        missing = np.flatnonzero(np.isnan(values))
    elif values.dtype.kind == "O":
        missing = np.flatnonzero([each is None for each in values])
    else:
        return
    if missing.size:
        more = f" ({missing.size:,} such rows in all)" if missing.size > 1 else ""
        raise InputError(
            f"{table.at(int(missing[0]), column)} {what}{more}. Drop such points from both "
            f"clusterings, or {cure}."
        )


def called(path: str) -> str:
    """What messages call a file."""
    return "standard input" if path == STDIN else path


def read_table(path: str, options: TextOptions, wanted: frozenset[str] = frozenset()) -> Table:
    """Read a file.

    Parameters
    ----------
    path : str
        ``-`` is standard input.
    options : TextOptions
        For text files.
    wanted : frozenset of str
        Names of columns that the user gave: they tell a header, and choose arrays of an NPZ file.
    """
    source = called(path)
    try:
        with _open(path) as file:
            beginning = file.read(8)
            file.seek(0)
            if not beginning:
                raise InputError(f"{source} is empty; expected labels or memberships.")
            kind = ENDINGS.get(Path(path).suffix.lower()) or _kind(beginning)
            if kind == "NPY":
                return _read_npy(file, source)
            if kind == "NPZ":
                return _read_npz(file, source, wanted)
            if kind in ("Parquet", "Feather"):
                return _read_arrow(file, source, kind)
            data = file.read()
    except OSError as error:
        raise InputError(_cannot_open(path, error)) from error
    if beginning.startswith(PICKLED):  # with which no text begins
        raise InputError(f"{source} {PICKLE}")
    from .text_files import read_text

    return read_text(data, source, options, wanted)


def _open(path: str) -> BinaryIO:
    if path == STDIN:
        return _unpacked(sys.stdin.buffer.read(), path)
    file = open(path, "rb")  # noqa: SIM115
    if file.seekable():
        packed = file.read(len(GZIP)) == GZIP
        file.seek(0)
        if not packed:
            return file
    with file:  # a pipe cannot be rewound, and some formats are read from their end
        return _unpacked(file.read(), path)


def _unpacked(data: bytes, path: str) -> BinaryIO:
    try:
        return io.BytesIO(gzip.decompress(data) if data.startswith(GZIP) else data)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(
            f"{called(path)} is compressed (gzip), and damaged or cut short: {error}."
        ) from error


def _kind(beginning: bytes) -> str | None:
    return next((kind for start, kind in BEGINNINGS.items() if beginning.startswith(start)), None)


def _cannot_open(path: str, error: OSError) -> str:
    if isinstance(error, IsADirectoryError):
        return f"{path} is a directory; name a file in it."
    if isinstance(error, FileNotFoundError):
        folder = Path(path).parent
        others = [each.name for each in folder.iterdir()] if folder.is_dir() else []
        near = get_close_matches(Path(path).name, others, n=2)
        hint = f" Did you mean {' or '.join(str(folder / name) for name in near)}?" if near else ""
        return f"there is no file {path}.{hint}"
    if isinstance(error, PermissionError):
        return f"{path} cannot be read: permission denied."
    return f"{path} cannot be read: {error.strerror or error}."


# --- NumPy ---------------------------------------------------------------------------------------


def _read_npy(file: BinaryIO, source: str) -> Table:
    array = _load_array(file, source)
    if array.dtype.names:
        return _table_of_arrays({name: array[name] for name in array.dtype.names}, source, "NPY")
    names, columns, _ = _columns({"": array}, source)
    return Table(source, names, columns, "NPY", named=False)


def _load_array(file: BinaryIO, source: str, place: str = "") -> Array:
    where = f"{place} of {source}" if place else source
    beginning = file.read(6)
    file.seek(0)
    if beginning.startswith(PICKLED):
        raise InputError(f"{where} {PICKLE}")
    if beginning != b"\x93NUMPY":
        raise InputError(
            f"{where} is no NPY file, whatever its name says: it begins with {beginning!r}. "
            "Write it with numpy.save, or give it an ending that fits, such as .csv."
        )
    try:
        array = np.lib.format.read_array(file, allow_pickle=False)
    except MemoryError:
        raise InputError(f"{where} claims to be larger than memory; it may be damaged.") from None
    except Exception as error:  # whatever a damaged header brings about
        if "allow_pickle" in str(error):
            raise InputError(f"{where} {PICKLE}") from None
        raise InputError(f"{where} is damaged or cut short: {error}") from error
    if array.ndim not in (1, 2):
        raise InputError(
            f"{where} is an array of {array.ndim} dimensions; expected 1 (one label a point) or "
            "2 (points in rows, clusters in columns)."
        )
    return array


def _read_npz(file: BinaryIO, source: str, wanted: frozenset[str]) -> Table:
    try:
        with zipfile.ZipFile(file) as archive:
            members = {
                name.removesuffix(".npy"): name
                for name in archive.namelist()
                if name.endswith(".npy")
            }
            if members.keys() >= SPARSE:
                return _read_sparse(file, source)
            if any(name.startswith("xl/") for name in archive.namelist()):
                raise InputError(f"{source} is an Excel workbook; save the sheet as CSV (UTF-8).")
            if not members:
                raise InputError(f"{source} is a zip file without arrays; expected numpy.savez's.")
            chosen = [name for name in members if name in wanted] or list(members)
            if len(chosen) > 1 and not any(name in wanted for name in members):
                shapes = ", ".join(repr(name) for name in members)
                raise InputError(
                    f"{source} holds {len(members)} arrays: {shapes}. Choose one with "
                    "--labels NAME (one label a point) or --columns NAME (memberships)."
                )
            arrays = {}
            for name in chosen:
                data = io.BytesIO(archive.read(members[name]))
                arrays[name] = _load_array(data, source, f"array {name!r}")
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
        # The last where it is encrypted, or packed in an odd way.
        raise InputError(f"{source} is no NPZ file, or damaged: {error}.") from error
    return _table_of_arrays(arrays, source, "NPZ")


def _read_sparse(file: BinaryIO, source: str) -> Table:
    from scipy.sparse import load_npz

    file.seek(0)
    try:
        matrix = load_npz(file).tocsr()
    except Exception as error:  # whatever a damaged file brings about
        raise InputError(f"{source} is no sparse matrix, or damaged: {error}") from error
    n, k = matrix.shape
    if n * k > LARGEST_DENSE:
        raise InputError(
            f"{source} is a sparse matrix of {n:,} rows and {k:,} columns, too large to be made "
            "dense. If each row has one entry, save the labels instead: matrix.argmax(axis=1)."
        )
    names, columns, _ = _columns({"": matrix.toarray()}, source)
    return Table(source, names, columns, "NPZ, sparse", named=False)


def _table_of_arrays(arrays: Mapping[str, Array], source: str, how: str) -> Table:
    lengths = {name: array.shape[0] for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name!r} {length}" for name, length in lengths.items())
        raise InputError(f"the arrays of {source} have different numbers of rows: {told}.")
    names, columns, groups = _columns(arrays, source)
    return Table(source, names, columns, how, groups=groups)


def _text(array: Array, source: str) -> Array:
    try:
        return array if array.dtype.kind == "U" else np.char.decode(array, "utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{source} holds text that is not UTF-8: {error.object!r}.") from None


def _columns(
    arrays: Mapping[str, Array], source: str
) -> tuple[tuple[str, ...], tuple[Array, ...], dict[str, tuple[int, ...]]]:
    """Vectors as they are, and matrices column by column."""
    names: list[str] = []
    columns: list[Array] = []
    groups: dict[str, tuple[int, ...]] = {}
    for name, array in arrays.items():
        if array.dtype.kind not in "biufUSmM":
            raise InputError(
                f"{source} has entries of type {array.dtype}; expected numbers or text."
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


# --- Arrow ---------------------------------------------------------------------------------------


def _read_arrow(file: BinaryIO, source: str, kind: str) -> Table:
    try:
        import pyarrow as pa
        from pyarrow import feather, parquet
    except ImportError:
        raise MissingExtraError(
            f"{source} is a {kind} file, and reading it needs pyarrow: "
            'pip install "fuzzyrand[files]". Without it, save the table as CSV.'
        ) from None
    # Threads of Arrow that still hold a Python file when the interpreter ends now and then abort
    # the process (apache/arrow#34314, #50482); so it gets bytes, and starts no threads.
    content = pa.BufferReader(file.read())
    try:
        if kind == "Parquet":
            table = parquet.ParquetFile(content).read(use_threads=False)
        else:
            table = feather.read_table(content, use_threads=False)
    except (pa.ArrowException, OSError) as error:
        why = str(error).splitlines()[0].rstrip(".")
        raise InputError(f"{source} is no {kind} file, or damaged: {why}.") from error
    kept = {
        j: name
        for j, name in enumerate(table.column_names)
        if not name.startswith("__index_level_")
    }
    columns = [_column_of_arrow(table.column(j), name, source) for j, name in kept.items()]
    return Table(source, tuple(kept.values()), tuple(columns), kind)


def _column_of_arrow(column: Any, name: str, source: str) -> Array:
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_nested(column.type):
        raise InputError(
            f"column {name!r} of {source} holds {column.type}; expected one number or one label "
            "a row. Write each cluster into a column of its own."
        )
    if pa.types.is_decimal(column.type):
        column = column.cast(pa.float64())
    array: Array = np.asarray(column.to_numpy())
    if array.dtype.kind in "biufO":
        return array
    return np.asarray(column.cast(pa.string()).to_numpy(), dtype=object)
