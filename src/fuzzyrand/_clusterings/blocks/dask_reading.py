"""Read dask arrays and dataframes of the same points in blocks, cut at the same rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ..._base.errors import InputError, MissingExtraError, NotApplicableError
from ..._base.wording import Option, Place
from ..options import InputOptions
from ..partition import Partition, read_partition
from ..points.point_ids import Unordered
from ..reading.arraylike import require_dimensions, shown
from ..reading.unsupported import is_dask
from .dask_memory_maps import MappedFile
from .together import BlockedForm, read_blocks, refuse_options

#: Most entries in a block of the widest clustering: 128 MB of memberships. Larger chunks are split.
ENTRIES_A_BLOCK = 1 << 24


class _Given(NamedTuple):
    """A clustering as a dask array.

    Attributes
    ----------
    array : dask array
        Labels, or memberships in one chunk of columns.
    form : BlockedForm
        Its description.
    divisions : tuple, optional
        Divisions of the index of a dask dataframe, if they are known.
    parts : list, optional
        The partitions of a dask dataframe.
    """

    array: Any
    form: BlockedForm
    divisions: tuple[Any, ...] | None = None
    parts: list[Any] | None = None


def read_dask(clusterings: Mapping[str, Any], options: InputOptions) -> list[Partition]:
    """Read clusterings of the same points, at least one of which is a dask object.

    Parameters
    ----------
    clusterings : mapping
        The clusterings by their names in messages: dask arrays, dask dataframes and their columns,
        and any clusterings in memory, which are cut into the same blocks.
    options : InputOptions
        How they are read.
    """
    _require_dask()
    from .dask_source import DaskSource  # Deferred: only needed with dask.

    refuse_options(options)
    given: list[_Given] = []
    seen: dict[int, int] = {}
    places = []
    for name, clustering in clusterings.items():
        if id(clustering) not in seen:  # an object given twice is read once
            seen[id(clustering)] = len(given)
            given.append(_given(clustering, name, options))
        places.append(seen[id(clustering)])
    _require_same_rows(given)
    _require_same_divisions(given)
    # The widest clustering keeps its chunks, because rechunking it would take longest.
    blocked = [
        each
        for each, clustering in zip(given, _unique(clusterings), strict=True)
        if is_dask(clustering)
    ]
    widest = max(blocked, key=lambda each: each.form.columns or 1)
    columns = max(each.form.columns or 1 for each in given)
    chunks = _chunks(widest.array.chunks[0], columns)
    arrays = [each.array.rechunk({0: chunks}) for each in given]
    partitions = read_blocks(DaskSource(arrays), [each.form for each in given], options)
    return [partitions[place] for place in places]


def collect(clusterings: Mapping[str, Any], weights: Any, most: int) -> tuple[dict[str, Any], Any]:
    """Return clusterings and weights in memory, matched by position; refuse very large ones.

    Parameters
    ----------
    clusterings : mapping
        The clusterings by their names in messages; those in memory stay as they are.
    weights : sequence, array, series or dask collection
        The weight of each point.
    most : int
        Largest number of entries of all of them.
    """
    _require_dask()
    import dask  # Deferred: an extra.

    named = {**clusterings, "weights": weights}
    given = {name: _given(x, name, InputOptions()) for name, x in named.items() if is_dask(x)}
    _require_same_rows(list(given.values()))
    _require_same_divisions(list(given.values()))
    entries = sum(each.array.size for each in given.values())
    if entries > most:
        raise NotApplicableError(
            "clusterings with {weights} are read into memory as a whole, also from dask, and these "
            "would take {size:,.0f} GB. Take a random sample of the rows, or draw rows in "
            "proportion to their weights and compare them without {weights}.",
            weights=Option("weights"),
            size=8e-9 * entries,
        )
    arrays = dask.compute(*(each.array for each in given.values()))
    found = dict(named)
    for (name, each), values in zip(given.items(), arrays, strict=True):
        found[name] = values if each.form.titles is None else _framed(values, each.form.titles)
    return found, found.pop("weights")


def _framed(values: Any, titles: tuple[str, ...]) -> Any:
    import pandas as pd  # Deferred: dask dataframes come with it.

    return pd.DataFrame(values, columns=list(titles))


def _unique(clusterings: Mapping[str, Any]) -> list[Any]:
    return list({id(clustering): clustering for clustering in clusterings.values()}.values())


def _require_dask() -> None:
    try:
        import dask.array  # noqa: F401  # Deferred: an extra.
    except ImportError:
        raise MissingExtraError(
            'dask collections need all of dask: pip install "fuzzyrand[dask]".'
        ) from None


def _given(clustering: Any, name: str, options: InputOptions) -> _Given:
    import dask.array as da  # Deferred: an extra.

    if not is_dask(clustering):
        return _in_memory(clustering, name, options)
    if isinstance(clustering, da.Array):
        require_dimensions(clustering.ndim, (1, 2), name)
        array = _with_known_rows(clustering, name)
        columns = None if array.ndim == 1 else int(array.shape[1])
        if array.ndim == 2:
            array = array.rechunk({1: -1})
        return _Given(array, BlockedForm(name, columns))
    if hasattr(clustering, "to_delayed") and hasattr(clustering, "divisions"):
        return _of_frame(clustering, name)
    raise InputError(
        "{place} is a {kind} of dask; expected a dask array of labels or memberships, a dask "
        "dataframe of membership columns, or one of its columns with labels.",
        place=Place(name),
        kind=type(clustering).__name__,
    )


def _in_memory(clustering: Any, name: str, options: InputOptions) -> _Given:
    import dask.array as da  # Deferred: an extra.

    if type(clustering) in (np.ndarray, np.memmap) and clustering.ndim in (1, 2):
        rows = clustering  # checked block by block, like the others
        form = BlockedForm(name, None if rows.ndim == 1 else int(rows.shape[1]))
    else:
        partition = read_partition(clustering, options, name)
        if isinstance(partition.ids, Unordered):
            raise InputError(
                "{place} gives points by name ({point}, ...) and in no order, and dask objects are "
                "matched by position. Give labels in the order of their rows.",
                place=Place(name),
                point=shown(partition.ids[0]),
            )
        names = None if partition.names is None else tuple(partition.names)
        if partition.is_hard:
            rows, form = partition.rows.codes, BlockedForm(name, None, labels=names)
        else:
            rows, form = partition.rows.dense, BlockedForm(name, partition.k, names)
    file, columns = MappedFile.of(rows), form.columns or 1
    if file is not None:
        chunks = (max(ENTRIES_A_BLOCK // columns, 1), -1)[: rows.ndim]
        return _Given(da.from_array(file, chunks=chunks), form)
    return _Given(da.from_array(rows, chunks=rows.shape), form)


def _with_known_rows(array: Any, name: str) -> Any:
    """Return an array whose chunks have known numbers of rows, computing them if necessary."""
    if array.ndim == 2 and np.isnan(array.shape[1]):
        raise InputError(
            "{place} has an unknown number of columns; say how many there are, for example by "
            "x.compute_chunk_sizes().",
            place=Place(name),
        )
    return array.compute_chunk_sizes() if any(np.isnan(array.chunks[0])) else array


def _of_frame(frame: Any, name: str) -> _Given:
    """Return the values of a dask dataframe, or of one of its columns."""
    import dask
    import dask.array as da  # Deferred: an extra.
    from dask import delayed

    columns = tuple(str(column) for column in frame.columns) if frame.ndim == 2 else None
    parts = frame.to_delayed()
    lengths = dask.compute(*(delayed(len)(part) for part in parts))
    meta = frame._meta
    kinds = [meta.dtype] if columns is None else list(meta.dtypes)
    plain = all(isinstance(kind, np.dtype) and kind.kind in "biuf" for kind in kinds)
    dtype = np.result_type(*kinds) if plain and kinds else np.dtype(object)
    values = [
        da.from_delayed(
            delayed(_values)(part, dtype),
            shape=(length,) if columns is None else (length, len(columns)),
            dtype=dtype,
        )
        for part, length in zip(parts, lengths, strict=True)
    ]
    form = BlockedForm(name, None if columns is None else len(columns), columns)
    known = tuple(frame.divisions) if frame.known_divisions else None
    return _Given(da.concatenate(values), form, known, parts)


def _values(part: Any, dtype: Any) -> Any:
    """Return the values of a partition of a frame."""
    return np.asarray(part.to_numpy(), dtype=dtype)


def _chunks(rows: tuple[int, ...], columns: int) -> tuple[int, ...]:
    """Return sizes of chunks of rows, with chunks that are too large split."""
    most = max(ENTRIES_A_BLOCK // columns, 1)
    chunks: list[int] = []
    for size in rows:
        pieces = max(-(-int(size) // most), 1)
        chunks += [size * (p + 1) // pieces - size * p // pieces for p in range(pieces)]
    return tuple(int(size) for size in chunks)


def _require_same_rows(given: list[_Given]) -> None:
    first = given[0]
    for other in given[1:]:
        if other.array.shape[0] != first.array.shape[0]:
            raise InputError(
                "the {first} has {n:,} points and the {second} has {m:,}; both must describe the "
                "same points in the same order.",
                first=first.form.name,
                second=other.form.name,
                n=int(first.array.shape[0]),
                m=int(other.array.shape[0]),
            )


def _require_same_divisions(given: list[_Given]) -> None:
    """Refuse dataframes with known divisions but different indexes: rows would be mismatched."""
    sorted_ones = [each for each in given if each.divisions is not None]
    for other in sorted_ones[1:]:
        first = sorted_ones[0]
        if other.divisions != first.divisions and _ends(other) == _ends(first):
            raise InputError(
                "the {first} and the {second} are dask dataframes that are divided into partitions "
                "at different rows. Divide the second like the first: "
                "y.repartition(divisions=x.divisions).",
                first=first.form.name,
                second=other.form.name,
            )
        if other.divisions != first.divisions or not _same_index(first, other):
            raise InputError(
                "the {first} and the {second} are dask dataframes with known divisions, and "
                "their indexes differ, so the same row may be a different point. Give both the "
                "same index and divisions (b.repartition(divisions=a.divisions)); to compare "
                "them by position, drop the divisions: x.clear_divisions().",
                first=first.form.name,
                second=other.form.name,
            )


def _ends(given: _Given) -> tuple[Any, Any]:
    """Return the first and the last id of a dataframe with known divisions."""
    assert given.divisions is not None
    return given.divisions[0], given.divisions[-1]


def _same_index(first: _Given, second: _Given) -> bool:
    """Return whether the partitions of two dataframes have the same indexes, in the same order."""
    import dask  # Deferred: an extra.
    from dask import delayed

    assert first.parts is not None
    assert second.parts is not None
    same = delayed(_equal_indexes)
    pairs = zip(first.parts, second.parts, strict=True)
    return all(dask.compute(*(same(one, two) for one, two in pairs)))


def _equal_indexes(one: Any, two: Any) -> bool:
    return bool(one.index.equals(two.index))
