"""Open files that are too large for memory as dask collections: Parquet, NPY and Zarr.

Only the beginning of a file is read here, to see which columns hold the clustering; everything else
is read where it is needed, one block at a time. On a cluster, workers open the files by the same
path, so the files must be on storage that all workers can access.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .._base.errors import InputError, MissingExtraError
from .column_choice import ColumnChoice, ReadingOptions, choose, require_use
from .column_lookup import list_names
from .damage import explain_other_kind
from .file_table import Array, FileTable, describe_left_out
from .numpy_files import require_dimensions
from .opening import cannot_open
from .zarr_files import explain_zarr_damage, open_zarr

#: Number of rows read to see which columns hold the clustering.
LOOKED_AT = 1000
#: Most entries in a block of a file: 32 MB of memberships in double precision.
ENTRIES_A_BLOCK = 1 << 22


@dataclass(frozen=True, eq=False)
class DaskReading:
    """A clustering in a large file, and how it is read.

    Attributes
    ----------
    source : str
        Name of the file in messages.
    clustering : dask array, dataframe or column
        The clustering.
    columns : tuple of str
        The columns that hold it.
    how : str
        Description of how it is read.
    """

    source: str
    clustering: Any
    columns: tuple[str, ...]
    how: str

    def __str__(self) -> str:
        return f"{self.source}: {self.how}"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, ready for JSON."""
        return {"file": self.source, "columns": list(self.columns)}


def open_with_dask(paths: Sequence[str], options: ReadingOptions) -> list[DaskReading]:
    """Open files that describe the same points, in the same order.

    Parameters
    ----------
    paths : sequence of str
        Parquet files or directories of them, NPY files, Zarr arrays.
    options : ReadingOptions
        Which columns to use.
    """
    try:
        import dask.array  # noqa: F401  # Deferred: an extra.
    except ImportError:
        raise MissingExtraError('this needs dask: pip install "fuzzyrand[dask]".') from None
    tables = [_beginning(path) for path in paths]
    require_use(tables, options)
    return [
        _reading(path, table, choose(table, options, number, len(paths)))
        for number, (path, table) in enumerate(zip(paths, tables, strict=True))
    ]


def _kind(path: str) -> str:
    suffix = Path(path).suffix.lower()
    kinds = {".parquet": "Parquet", ".pq": "Parquet", ".npy": "NPY", ".zarr": "Zarr"}
    if suffix in kinds:
        return kinds[suffix]
    if Path(path).is_dir() and any(Path(path).glob("*.parquet")):
        return "Parquet"
    raise InputError(
        "{source} cannot be read a block at a time. Save it as Parquet (a file or a directory "
        "of files), NPY or Zarr; text has to be read whole, without dask.",
        source=path,
    )


def _beginning(path: str) -> FileTable:
    """Return the first rows of a file."""
    kind = _kind(path)
    if not Path(path).exists():
        raise cannot_open(path, FileNotFoundError())
    if kind == "Parquet":
        return _beginning_of_parquet(path)
    array = _npy(path) if kind == "NPY" else open_zarr(path)
    require_dimensions(array, path)
    first = _rows(path, kind, 0, LOOKED_AT)
    columns = [first] if first.ndim == 1 else list(first.T)
    names = tuple(str(number) for number in range(1, len(columns) + 1))
    return FileTable(path, names, tuple(columns), kind, named=False)


def _beginning_of_parquet(path: str) -> FileTable:
    try:
        import pyarrow as pa  # Deferred: an extra.
        from pyarrow import parquet
    except ImportError:
        raise MissingExtraError(
            "{source} is a Parquet file, and reading it needs pyarrow: "
            'pip install "fuzzyrand[files]".',
            source=path,
        ) from None
    from .arrow_files import read_columns

    file = _parquet_files(path)[0]
    with explain_other_kind(file, "Parquet"), parquet.ParquetFile(file) as opened:
        batches = opened.iter_batches(batch_size=LOOKED_AT, use_threads=False)
        batch = next(batches, None)
        rows = opened.schema_arrow.empty_table() if batch is None else pa.table(batch)
        return read_columns(rows, path, "Parquet")


def _npy(path: str) -> Array:
    try:
        array: Array = np.lib.format.open_memmap(path, mode="r")
    except Exception as error:  # anything that a damaged header may cause
        raise InputError(
            "{source} is not an NPY file of plain numbers, or is damaged: {reason}",
            source=path,
            reason=str(error),
        ) from error
    return array


def _reading(path: str, table: FileTable, choice: ColumnChoice) -> DaskReading:
    if table.how == "Parquet":
        clustering = _parquet_blocks(path, table, choice)
    else:
        clustering = array = _array_blocks(path, table.how)
        if array.ndim == 2:
            columns = list(choice.columns)
            clustering = array[:, columns[0]] if choice.labels else array[:, columns]
    named = tuple(table.names[column] for column in choice.columns)
    what = "labels in column" if choice.labels else "memberships in columns"
    shown = f"{named[0]}-{named[-1]}" if not table.named and len(named) > 2 else list_names(named)
    how = f"{table.how}{describe_left_out(table, choice.id)}, in blocks"
    return DaskReading(path, clustering, named, f"{what} {shown} ({how})")


def _parquet_files(path: str) -> list[str]:
    """Return the file, or the files of a directory, sorted by the numbers in their names."""
    if not Path(path).is_dir():
        return [path]
    found = [str(file) for file in Path(path).glob("**/*.parquet")]
    if not found:
        raise InputError("{source} is a directory without Parquet files.", source=path)

    def key(name: str) -> list[tuple[int, str]]:
        return [(int(p), "") if p.isdecimal() else (-1, p) for p in re.split(r"(\d+)", name)]

    return sorted(found, key=key)


def _parquet_blocks(path: str, table: FileTable, choice: ColumnChoice) -> Any:
    """Return a dask array of columns of Parquet files; each block consists of some row groups.

    (``dask.dataframe`` is not used, because it does not know the number of rows before reading.)
    """
    import dask.array as da  # Deferred: extras.
    from dask import delayed
    from pyarrow import parquet

    names = [table.names[column] for column in choice.columns]
    dtype = np.result_type(*(table.columns[column].dtype for column in choice.columns))
    rows = max(ENTRIES_A_BLOCK // len(names), 1)
    load = delayed(_rows_of_parquet)
    blocks = []
    for name in _parquet_files(path):
        file = str(Path(name).resolve())
        with explain_other_kind(name, "Parquet"), parquet.ParquetFile(file) as opened:
            meta = opened.metadata
            sizes = [meta.row_group(group).num_rows for group in range(meta.num_row_groups)]
        for groups in _together(sizes, rows):
            size = sum(sizes[group] for group in groups)
            shape = (size,) if choice.labels else (size, len(names))
            part = load(file, groups, names, labels=choice.labels)
            blocks.append(da.from_delayed(part, shape=shape, dtype=dtype))
    return da.concatenate(blocks)


def _together(sizes: Sequence[int], most: int) -> Iterator[list[int]]:
    """Yield runs of neighbouring groups with at most ``most`` rows in total, or single groups."""
    groups: list[int] = []
    rows = 0
    for group, size in enumerate(sizes):
        if groups and rows + size > most:
            yield groups
            groups, rows = [], 0
        groups, rows = [*groups, group], rows + size
    if groups:
        yield groups


def _rows_of_parquet(file: str, groups: list[int], names: list[str], *, labels: bool) -> Array:
    from pyarrow import parquet  # Deferred: an extra.

    from .arrow_files import read_column

    with explain_other_kind(file, "Parquet"), parquet.ParquetFile(file) as opened:
        rows = opened.read_row_groups(groups, columns=names, use_threads=False)
        missing = [name for name in names if name not in rows.column_names]
        if missing:
            raise InputError(
                "{source} has no column {value!r}, which other files of the same directory have.",
                source=file,
                value=missing[0],
            )
        columns = [read_column(rows, name, file) for name in names]
    return columns[0] if labels else np.column_stack(columns)


def _array_blocks(path: str, kind: str) -> Any:
    """Return a dask array of an NPY file or a Zarr array, opened where its rows are needed."""
    import dask.array as da  # Deferred: an extra.

    array: Any = _npy(path) if kind == "NPY" else open_zarr(path)
    n, columns = array.shape[0], 1 if array.ndim == 1 else array.shape[1]
    rows = max(ENTRIES_A_BLOCK // max(columns, 1), 1)
    if kind == "Zarr":  # whole chunks, which are decoded as a whole
        chunk = max(array.chunks[0], 1)
        rows = max(rows // chunk, 1) * chunk
    chunks = tuple(min(rows, n - start) for start in range(0, n, rows)) or (0,)
    return da.map_blocks(
        _rows_of_block,
        path=str(Path(path).resolve()),
        kind=kind,
        chunks=(chunks,) if array.ndim == 1 else (chunks, (columns,)),
        dtype=array.dtype,
        meta=np.empty((0,) * array.ndim, dtype=array.dtype),
    )


def _rows_of_block(path: str, kind: str, block_info: Any = None) -> Array:
    return _rows(path, kind, *block_info[None]["array-location"][0])


def _rows(path: str, kind: str, low: int, high: int) -> Array:
    """Return some rows of an NPY file or a Zarr array."""
    if kind == "NPY":
        return np.array(_npy(path)[low:high])
    array = open_zarr(path)
    with explain_zarr_damage(path):
        return np.asarray(array[low:high])
