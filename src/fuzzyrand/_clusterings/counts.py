"""Two hard clusterings from their contingency table: how many points each two clusters share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._base.errors import InputError
from .._base.types import FloatArray, IntArray
from .._base.wording import Place
from .cluster_names import ClusterNames
from .partition import Partition
from .reading.arraylike import is_missing, is_sequence, require_points, shown, to_array
from .reading.sparse_format import checked_csr
from .reading.unsupported import advice_for
from .rows import LabelRows

#: Most points of a table: its labels then take at most 4 GB.
MOST_POINTS = 500_000_000
#: Deviation from a whole number, relative to it, up to which it counts as rounding.
ROUNDING = 1e-9
#: Names of a last row or column that holds totals.
TOTALS = frozenset({"all", "total", "totals", "sum"})


class _Counts(NamedTuple):
    """Cells of a table that are not zero, its shape, and the names of its rows and columns."""

    rows: IntArray
    columns: IntArray
    values: FloatArray
    shape: tuple[int, int]
    names: tuple[Sequence[Any], Sequence[Any]]
    name: str

    def at(self, cell: int) -> Place:
        """Return the place of a cell."""
        row, column = int(self.rows[cell]), int(self.columns[cell])
        title = self.names[1][column]
        return Place(self.name, row, column, "" if title == column else shown(title))


def from_table(counts: Any) -> tuple[Partition, Partition]:
    """Return two hard clusterings that have the given contingency table.

    A contingency table says how many points are in cluster i of the first clustering and in cluster
    j of the second. No index of two hard clusterings depends on more than this, so the points may
    be in any order.

    Parameters
    ----------
    counts : array-like, SciPy sparse matrix, pandas or polars frame
        Numbers of points, with clusters of the first clustering in rows and those of the second in
        columns. The index and the columns of a frame name the clusters, and so does a first column
        of text. Rows and columns of zeros are left out.

    Returns
    -------
    tuple of two Partitions
        The clusterings, for every function that takes two of them. Their points have no ids.

    Raises
    ------
    InputError
        If the table does not hold non-negative integers, or includes its totals, or has more than
        500 million points, whose labels would take too much memory.

    See Also
    --------
    compare : Compare the two clusterings.
    as_partition : Read a clustering with a label or memberships for each point.

    Notes
    -----
    Shares of points are refused: what chance gives depends on the number of points.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> first, second = fr.from_table([[10, 2], [1, 12]])
    >>> first
    Partition(hard, 25 points, 2 clusters)
    >>> round(fr.compare(first, second).adjusted, 4)
    0.5595
    """
    return read_counts(counts, "contingency table")


def read_counts(
    counts: Any, name: str, names: tuple[Sequence[Any], Sequence[Any]] | None = None
) -> tuple[Partition, Partition]:
    """Read a table as :func:`from_table` does.

    Parameters
    ----------
    counts : array-like, SciPy sparse matrix, pandas or polars frame
        Numbers of points.
    name : str
        What messages call the table.
    names : tuple of two sequences, optional
        Names of the rows and of the columns, if they are known.
    """
    table = _sparse(counts, name) if hasattr(counts, "tocsr") else _full(counts, name)
    if names is not None:
        table = table._replace(names=names)
    table = table._replace(values=_whole(table))
    _refuse_totals(table)
    total = float(table.values.sum())
    if total > MOST_POINTS:
        raise InputError(
            "{place} has {total:,.0f} points, and the most is {most:,}, because the labels of all "
            "points are kept. Draw a table of fewer points from it, such as "
            "numpy.random.default_rng(0).multinomial(10**8, counts.ravel() / counts.sum())"
            ".reshape(counts.shape).",
            place=Place(name),
            total=total,
            most=MOST_POINTS,
            value=total,
        )
    numbers = table.values.astype(np.int64)
    require_points(int(total), name)
    return (
        _partition(table.rows, numbers, table.names[0]),
        _partition(table.columns, numbers, table.names[1]),
    )


def _partition(clusters: IntArray, numbers: IntArray, names: Sequence[Any]) -> Partition:
    used, codes = np.unique(clusters, return_inverse=True)
    small = codes.astype(np.min_scalar_type(used.size))
    return Partition(
        LabelRows(np.repeat(small, numbers), used.size),
        names=ClusterNames([names[cluster] for cluster in used.tolist()]),
    )


# --- cells and names -----------------------------------------------------------------------------


def _sparse(counts: Any, name: str) -> _Counts:
    cells = checked_csr(counts, Place(name)).tocoo()
    _refuse_shape(cells.shape, name)
    cells.sum_duplicates()
    numbers = _numbers(cells.data[None, :], name)[0]
    shape = cells.shape
    return _Counts(cells.row, cells.col, numbers, shape, (range(shape[0]), range(shape[1])), name)


def _full(counts: Any, name: str) -> _Counts:
    titles: tuple[Sequence[Any] | None, Sequence[Any] | None] = None, None
    if advice_for(counts) or not (is_sequence(counts) or hasattr(counts, "shape")):
        raise InputError(
            "{place} is of type {kind}; expected a matrix of numbers of points: nested lists, a "
            "NumPy array, SciPy sparse matrix, pandas or polars frame.",
            place=Place(name),
            kind=type(counts).__name__,
        )
    if hasattr(counts, "columns"):
        counts, titles = _named(counts)
    elif is_sequence(counts) and len({len(row) for row in counts if is_sequence(row)}) > 1:
        raise InputError(
            "{place} has rows of different lengths; each needs one number for every cluster of "
            "the second clustering.",
            place=Place(name),
        )
    array = to_array(counts, name)
    _refuse_shape(array.shape, name)
    names = (
        range(array.shape[0]) if titles[0] is None else titles[0],
        range(array.shape[1]) if titles[1] is None else titles[1],
    )
    numbers = _numbers(array, name, names[1])
    rows, columns = np.nonzero(numbers)
    shape = array.shape[0], array.shape[1]
    return _Counts(rows, columns, numbers[rows, columns], shape, names, name)


def _named(frame: Any) -> tuple[Any, tuple[Sequence[Any] | None, Sequence[Any]]]:
    """Return the numbers of a frame, and the names of its rows and columns."""
    columns = list(frame.columns)
    rows = list(frame.index) if hasattr(frame, "index") else None
    if len(columns) < 2:
        return frame, (rows, columns)
    first = frame[columns[0]].to_numpy()
    if first.dtype.kind in "OUT" and all(isinstance(value, str) for value in first):
        return frame[columns[1:]], (first.tolist(), columns[1:])
    return frame, (rows, columns)


def _refuse_shape(shape: tuple[int, ...], name: str) -> None:
    if len(shape) == 2 and 0 not in shape:
        return
    raise InputError(
        "{place} has {found}; expected numbers of points, with clusters of the first clustering in "
        "rows and those of the second in columns. Labels and memberships need no table: compare "
        "them as they are.",
        place=Place(name),
        found=f"{shape[0]} rows and {shape[1]} columns"
        if len(shape) == 2
        else f"{len(shape)} dimension{'s' * (len(shape) != 1)}",
    )


def _numbers(array: npt.NDArray[Any], name: str, titles: Sequence[Any] | None = None) -> FloatArray:
    """Return an array as floats, or refuse the first entry that is no number."""
    if array.dtype.kind in "biuf":
        return array.astype(np.float64)
    numbers = np.empty(array.shape)
    for (row, column), value in np.ndenumerate(array):
        try:
            no_number = isinstance(value, str | bytes | complex) or is_missing(value)
            numbers[row, column] = np.nan if no_number else float(value)
        except (TypeError, ValueError, OverflowError):
            numbers[row, column] = np.nan
        if np.isnan(numbers[row, column]):
            title = None if titles is None else titles[column]
            raise InputError(
                "{place} is {shown}; expected a number of points.",
                place=Place(name, row, column, "" if title in (None, column) else shown(title)),
                shown=shown(value),
                value=value,
            )
    return numbers


# --- checks --------------------------------------------------------------------------------------


def _whole(table: _Counts) -> FloatArray:
    """Return the numbers of points, or refuse those that are none."""
    values = table.values
    for wrong, expected in (
        (~np.isfinite(values), "expected a number of points. Write 0 where there are none."),
        (values < 0.0, "expected a number of points, 0 or more."),
    ):
        if wrong.any():
            cell = int(np.flatnonzero(wrong)[0])
            raise InputError(
                "{place} is {shown}; {expected}",
                place=table.at(cell),
                value=float(values[cell]),
                shown="missing" if np.isnan(values[cell]) else f"{values[cell]:g}",
                expected=expected,
            )
    if not values.any():
        raise InputError(
            "{place} holds zeros only; expected the numbers of points that clusters share.",
            place=Place(table.name),
        )
    whole = np.rint(values)
    broken = np.abs(values - whole) > ROUNDING * np.maximum(whole, 1.0)
    if broken.any():
        cell, total = int(np.flatnonzero(broken)[0]), float(values.sum())
        shares = min(abs(total - 1.0), abs(total / 100.0 - 1.0)) < 0.05
        raise InputError(
            "{place} is {value:g}, which is not an integer. {cure}",
            place=table.at(cell),
            value=float(values[cell]),
            cure="The table seems to hold shares of points. Give their numbers, because what "
            "chance gives depends on how many points there are."
            if shares
            else "Expected a number of points. The table of fuzzy clusterings does not say enough: "
            "compare their memberships instead.",
        )
    return np.asarray(whole)


def _refuse_totals(table: _Counts) -> None:
    """Refuse a table whose last row or column holds the sums of the others."""
    sums = [
        np.bincount(places, table.values, size)
        for places, size in zip((table.rows, table.columns), table.shape, strict=True)
    ]
    half = 0.5 * table.values.sum()
    ends = [size > 1 and sizes[-1] == half for sizes, size in zip(sums, table.shape, strict=True)]
    if not any(ends):
        return
    rows, columns = (is_half and _is_sum(table, axis) for axis, is_half in enumerate(ends))
    named = [str(names[-1]).casefold() in TOTALS for names in table.names]
    if (rows and columns and min(table.shape) > 2) or (rows and named[0]) or (columns and named[1]):
        which = "row and column are" if rows and columns else "row is" if rows else "column is"
        raise InputError(
            "the last {which} the sum of the others in {place}: totals, which would count every "
            "point again. Leave them out.",
            which=which,
            place=Place(table.name),
        )


def _is_sum(table: _Counts, axis: int) -> bool:
    """Return whether the last row (axis 0) or column is the sum of the others, cell by cell."""
    places, others = (table.rows, table.columns) if axis == 0 else (table.columns, table.rows)
    size, last = table.shape[1 - axis], places == table.shape[axis] - 1
    one, two = (np.bincount(others[part], table.values[part], size) for part in (last, ~last))
    return bool(np.array_equal(one, two))
