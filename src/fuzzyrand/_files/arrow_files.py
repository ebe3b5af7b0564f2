"""Read Parquet and Feather files with pyarrow."""

from __future__ import annotations

from typing import Any, BinaryIO

import numpy as np

from .._base.errors import InputError, MissingExtraError
from .damage import explain_other_kind
from .file_table import Array, FileTable
from .limits import COLUMN, NUMBER, Room, in_words
from .text_cells import is_ambiguous

#: How pandas, and dask, call the columns of an index without a name.
UNNAMED = ("__index_level_", "__null_dask_index__")


def read_arrow(file: BinaryIO, source: str, kind: str, room: Room) -> FileTable:
    """Read a Parquet or Feather file, with the index that pandas may have stored."""
    try:
        # Deferred: an extra.
        import pyarrow as pa
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
    with explain_other_kind(source, kind):
        read = _read_parquet if kind == "Parquet" else _read_feather
        table = read(content, source, room)
        table.validate(full=True)  # offsets that point elsewhere would crash the process
        return read_columns(table, source, kind)


def read_columns(arrow: Any, source: str, kind: str) -> FileTable:
    """Return the columns of an Arrow table; those of the index, if there is one, are the last."""
    index = _find_index(arrow)
    data = [j for j, name in enumerate(arrow.column_names) if name not in index]
    names = [arrow.column_names[j] for j in data]
    columns = [read_column(arrow, j, source) for j in data]
    for level, numbers in index.items():
        columns.append(
            read_column(arrow, level, source)
            if numbers is None
            else np.arange(numbers.start, numbers.stop, numbers.step, dtype=np.int64)
        )
        unnamed = level.startswith(UNNAMED) and "index" not in names
        names.append("index" if unnamed else level)
    places = tuple(range(len(data), len(names)))
    return FileTable(source, tuple(names), tuple(columns), kind, index=places)


def _find_index(arrow: Any) -> dict[str, range | None]:
    """Return the levels of the index that pandas stored: names of columns, or with a range."""
    index: dict[str, range | None] = {}
    try:
        for level in (arrow.schema.pandas_metadata or {})["index_columns"]:
            if isinstance(level, str) and arrow.column_names.count(level) == 1:
                index[level] = None
            elif isinstance(level, dict):
                ends = (int(np.int64(level[end])) for end in ("start", "stop", "step"))
                numbers = range(*ends)
                # If rows were filtered since, these are others; pandas counts from 0 then.
                fits = len(numbers) == arrow.num_rows
                name = level["name"] or f"{UNNAMED[0]}0__"
                index[str(name)] = numbers if fits else range(arrow.num_rows)
    except (ValueError, KeyError, TypeError, OverflowError):
        return {}  # this was not written by pandas
    return index


def read_column(arrow: Any, column: int | str, source: str) -> Array:
    """Return a column of an Arrow table: numbers, or objects that are text."""
    name = column if isinstance(column, str) else arrow.column_names[column]
    return _column(arrow.column(column), name, source)


def _read_parquet(content: Any, source: str, room: Room) -> Any:
    from pyarrow import parquet  # Deferred: an extra.

    with parquet.ParquetFile(content) as opened:
        meta = opened.metadata
        _require_room(opened.schema_arrow, meta.num_rows, source, room)
        unpacked = sum(meta.row_group(i).total_byte_size for i in range(meta.num_row_groups))
        room.require(unpacked, source, f"unpacks to {in_words(unpacked)}")
        words = [field.name for field in opened.schema_arrow if _is_text(field.type)]
    # Each text is kept once; a file of a few bytes can hold a long one a million times.
    with parquet.ParquetFile(content, read_dictionary=words) as opened:
        return opened.read(use_threads=False)


def _read_feather(content: Any, source: str, room: Room) -> Any:
    import pyarrow as pa  # Deferred: an extra.
    from pyarrow import feather

    if content.read(4) == b"FEA1":  # the first version, which is not compressed
        content.seek(0)
        return feather.read_table(content, use_threads=False)
    content.seek(0)
    batches, rows = [], 0
    options = pa.ipc.IpcReadOptions(use_threads=False)
    with pa.ipc.open_file(content, options=options) as opened:
        for number in range(opened.num_record_batches):
            batches.append(opened.get_batch(number))
            rows += batches[-1].num_rows
            _require_room(opened.schema, rows, source, room)
        return pa.Table.from_batches(batches, opened.schema)


def _is_text(kind: Any) -> bool:
    import pyarrow as pa  # Deferred: an extra.

    types = pa.types
    tests = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
    return any(test(kind) for test in tests) or str(kind).endswith("_view")  # as polars writes it


def _require_room(schema: Any, rows: int, source: str, room: Room) -> None:
    """Refuse a table that would take too much memory."""
    needed = sum(rows * NUMBER + COLUMN for _ in schema)
    room.require(needed, source, f"has {rows:,} rows and {len(schema):,} columns")


def _column(column: Any, name: str, source: str) -> Array:
    import pyarrow as pa  # Deferred: an extra.

    if pa.types.is_dictionary(column.type):
        if _is_text(column.type.value_type):
            return _texts_of_codes(column)
        column = column.cast(column.type.value_type)
    if pa.types.is_nested(column.type):
        raise InputError(
            "column {name!r} of {source} holds {value}; expected one number or one label per "
            "row. Write each cluster into a column of its own.",
            name=name,
            source=source,
            value=column.type,
        )
    whole_or_missing = pa.types.is_integer(column.type) and column.null_count
    if pa.types.is_decimal(column.type) or whole_or_missing:
        numbers: Array = np.asarray(column.cast(pa.float64(), safe=False).to_numpy())
        # Labels and ids that doubles cannot tell apart stay text, as they do in text files.
        return _as_text(column) if is_ambiguous(numbers) else numbers
    if pa.types.is_temporal(column.type) and not pa.types.is_interval(column.type):
        return _as_text(column)
    array: Array = np.asarray(column.to_numpy())
    return array if array.dtype.kind in "biufO" else _as_text(column)


def _as_text(column: Any) -> Array:
    import pyarrow as pa  # Deferred: an extra.

    texts = column.cast(pa.string())
    if pa.types.is_timestamp(column.type):  # as pandas writes them to text: as short as all can be
        for zeros in (r"\.0+$", " 00:00:00$"):
            if pa.compute.all(pa.compute.match_substring_regex(texts, zeros)).as_py():
                texts = pa.compute.replace_substring_regex(texts, zeros, "")
    return np.asarray(texts.to_numpy(), dtype=object)


def _texts_of_codes(column: Any) -> Array:
    """Return a column of codes that refer to a list of texts, each of which is made once."""
    parts = [np.zeros(0, dtype=object)]
    for chunk in column.chunks:
        texts = np.array([*chunk.dictionary.to_pylist(), None], dtype=object)
        codes = chunk.indices.cast("int64").fill_null(texts.size - 1)
        parts.append(texts[codes.to_numpy()])
    return np.concatenate(parts)
