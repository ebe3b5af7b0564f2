"""Read a file of any supported format as a table of named columns.

The formats are CSV, TSV and other text, NPY, NPZ, Parquet, Feather and AnnData's .h5ad, each
optionally compressed by gzip, bzip2 or xz. What the columns mean is decided in
``column_choice.py``. Pickles are never opened.
"""

from __future__ import annotations

from pathlib import Path

from .._base.errors import InputError
from .file_table import FileTable
from .limits import COLUMN, FEW_COLUMNS
from .numpy_files import PICKLE, PICKLED, read_npy, read_npz
from .opening import called, open_file
from .text_decoding import decode
from .text_files import read_text
from .text_rows import TextOptions

#: Binary formats, by the ending of the file name and by the first bytes of the file.
ENDINGS = {
    ".npy": "NPY",
    ".npz": "NPZ",
    ".parquet": "Parquet",
    ".pq": "Parquet",
    ".feather": "Feather",
    ".arrow": "Feather",
    ".h5ad": "AnnData",
}
BEGINNINGS = {
    b"\x93NUMPY": "NPY",
    b"PK\x03\x04": "NPZ",
    b"PAR1": "Parquet",
    b"ARROW1": "Feather",
    b"FEA1": "Feather",
    b"\x89HDF\r\n\x1a\n": "AnnData",
}


def read_table(
    path: str,
    options: TextOptions,
    wanted: frozenset[str] = frozenset(),
    max_size: int | None = None,
) -> FileTable:
    """Read a file.

    Parameters
    ----------
    path : str
        Path of the file; ``-`` is standard input.
    options : TextOptions
        Options for text files.
    wanted : frozenset of str
        Column names that the user gave; they identify a header, and choose arrays of an NPZ file.
    max_size : int, optional
        Most bytes of memory that it may take if it is compressed, or claims more than it holds; by
        default what is usual for its size.
    """
    source = called(path)
    with open_file(path, max_size) as (file, room):
        beginning = file.read(8)
        file.seek(0)
        if not beginning:
            raise InputError("{source} is empty; expected one row per point.", source=source)
        kind = ENDINGS.get(Path(path).suffix.lower()) or _kind(beginning)
        if kind == "NPY":
            return read_npy(file, source, room)
        if kind == "NPZ":
            return read_npz(file, source, wanted, room)
        if kind in ("Parquet", "Feather"):
            # Deferred: pyarrow is an extra, and slow to load.
            from .arrow_files import read_arrow

            return read_arrow(file, source, kind, room)
        if kind == "AnnData":
            # Deferred: anndata is no dependency, and slow to load.
            from .annotated_files import read_annotated

            return read_annotated(file, source, wanted, room)
        if beginning.startswith(PICKLED):  # no text begins like this
            raise InputError("{source} " + PICKLE, source=source)
        text = decode(file.read(), source, room)
    most_fields = max(room.most // COLUMN, FEW_COLUMNS)
    return read_text(text, source, options._replace(most_fields=most_fields), wanted)


def _kind(beginning: bytes) -> str | None:
    return next((kind for start, kind in BEGINNINGS.items() if beginning.startswith(start)), None)
