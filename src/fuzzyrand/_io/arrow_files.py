"""Read Parquet and Feather files with pyarrow."""

from __future__ import annotations

from typing import Any, BinaryIO

import numpy as np

from .._base.errors import InputError, MissingExtraError
from .table import Array, Table


def read_arrow(file: BinaryIO, source: str, kind: str) -> Table:
    """Read a Parquet or Feather file; the index that pandas may have stored is left out."""
    try:
        # Deferred: an extra.
        import pyarrow as pa
        from pyarrow import feather, parquet
    except ImportError:
        raise MissingExtraError(
            "{source} is a {kind} file, and reading it needs pyarrow: "
            'pip install "fuzzyrand[files]". Without it, save the table as CSV.',
            source=source,
            kind=kind,
        ) from None
    # Arrow threads that still hold a Python file when the interpreter exits sometimes abort the
    # process (apache/arrow#34314, #50482), so Arrow gets bytes and starts no threads.
    content = pa.BufferReader(file.read())
    try:
        if kind == "Parquet":
            table = parquet.ParquetFile(content).read(use_threads=False)
        else:
            table = feather.read_table(content, use_threads=False)
    except (pa.ArrowException, OSError) as error:
        raise InputError(
            "{source} is not a {kind} file, or is damaged: {reason}.",
            source=source,
            kind=kind,
            reason=str(error).splitlines()[0].rstrip("."),
        ) from error
    names, columns = columns_of(table, source)
    return Table(source, names, columns, kind)


def columns_of(table: Any, source: str) -> tuple[tuple[str, ...], tuple[Array, ...]]:
    """Return the columns of an Arrow table, without the index that pandas may have stored."""
    kept = {
        j: name
        for j, name in enumerate(table.column_names)
        if not name.startswith("__index_level_")
    }
    columns = [_column(table.column(j), name, source) for j, name in kept.items()]
    return tuple(kept.values()), tuple(columns)


def _column(column: Any, name: str, source: str) -> Array:
    import pyarrow as pa  # Deferred: an extra.

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_nested(column.type):
        raise InputError(
            "column {name!r} of {source} holds {value}; expected one number or one label per "
            "row. Write each cluster into a column of its own.",
            name=name,
            source=source,
            value=column.type,
        )
    if pa.types.is_decimal(column.type):
        column = column.cast(pa.float64())
    array: Array = np.asarray(column.to_numpy())
    if array.dtype.kind in "biufO":
        return array
    return np.asarray(column.cast(pa.string()).to_numpy(), dtype=object)
