"""Rows of memberships, in whatever form they are stored.

A clustering is stored as labels, as a full matrix, in single precision, without its zeros, or in
blocks that are never put together. ``Rows`` is what these forms have in common. Code that needs
something of memberships asks ``Rows`` for it, and each form finds it in its own way, so that
nothing else has to know which form it deals with. A new form needs ``shape``, ``dense`` and
``take``; the other methods follow from these, and are overridden where a form knows a better way.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from .._base.errors import NotApplicableError
from .._base.threads import map_in_order
from .._base.types import FloatArray, IntArray
from .contingency import Cells, Together, count_pairs_together, nonempty_cells, weighted_cells

if TYPE_CHECKING:
    from .sparse_rows import SparseRows

#: Most entries of a full matrix that is made from labels or sparse rows (1 GB).
LARGEST_DENSE = 1 << 27


class Rows(ABC):
    """Memberships of points in clusters: one row for each point, one column for each cluster."""

    #: Whether every row has a single 1 and otherwise zeros, so that ``codes`` says it all.
    hard: ClassVar[bool] = False
    #: Whether so many entries are zero that it is worthwhile to skip them.
    mostly_zero: ClassVar[bool] = False
    #: Number of blocks in which the rows are; 0 if they are in memory.
    blocks: int = 0

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """Number of rows and columns."""

    @property
    @abstractmethod
    def dense(self) -> FloatArray:
        """The rows as a full matrix."""

    @abstractmethod
    def take(self, points: npt.NDArray[Any] | slice) -> Rows:
        """Return some rows, given by their numbers, a mask or a slice."""

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.shape[0]

    @property
    def k(self) -> int:
        """Number of columns, empty ones included."""
        return self.shape[1]

    @property
    def row_size(self) -> int:
        """Number of values of a row: 1 if it is a label, otherwise one for each column."""
        return 1 if self.hard else self.k

    @property
    def in_memory(self) -> bool:
        """Whether all rows are in memory."""
        return self.blocks == 0

    @property
    def pilot(self) -> Rows:
        """The rows themselves if they are in memory, otherwise a random sample of them."""
        return self

    @property
    def codes(self) -> IntArray:
        """The cluster of each point of a hard clustering."""
        raise TypeError("only the rows of a hard clustering have codes.")

    @property
    def fits_dense(self) -> bool:
        """Whether the rows are few enough for a full matrix."""
        return True

    # --- each row ---

    @cached_property
    def strongest(self) -> IntArray:
        """The column of the largest entry of each row, the first if there are several."""
        return np.asarray(np.argmax(self.dense, axis=1), dtype=np.int32)

    @property
    def largest(self) -> FloatArray:
        """The largest entry of each row."""
        return np.asarray(self.dense.max(axis=1))

    @property
    def filled(self) -> IntArray:
        """Number of entries of each row that are not zero."""
        return np.asarray(np.count_nonzero(self.dense, axis=1), dtype=np.intp)

    @property
    def squared_lengths(self) -> FloatArray:
        """Sum of the squares of each row."""
        return np.asarray(np.einsum("ij,ij->i", self.dense, self.dense))

    def times(self, matrix: FloatArray) -> FloatArray:
        """Return the product of the rows with a vector or a matrix."""
        return np.asarray(self.dense @ matrix)

    # --- each column ---

    def column(self, number: int) -> FloatArray:
        """Return one column."""
        return np.asarray(self.dense[:, number])

    def columns_in_order(self, points: IntArray) -> Callable[[int], FloatArray]:
        """Return a function that copies a column with its points in another order."""
        # Taking whole rows causes far fewer cache misses than going column by column.
        rows = np.take(self.dense, points, axis=0)
        return lambda number: rows[:, number].copy()

    def sums(self, weights: FloatArray | None = None) -> FloatArray:
        """Return the sum of each column, in which rows may have weights."""
        return np.asarray(self.dense.sum(axis=0) if weights is None else weights @ self.dense)

    def squares(self, weights: FloatArray | None = None) -> FloatArray:
        """Return the sum of the squares of each column, in which rows may have weights."""
        if weights is None:
            return np.asarray(np.einsum("ij,ij->j", self.dense, self.dense))
        return np.asarray(weights @ self.dense**2)

    @property
    def variances(self) -> FloatArray:
        """Sample variance (n - 1 in the denominator) of each column."""
        return np.asarray(self.dense.var(axis=0, ddof=1))

    @property
    def extremes(self) -> tuple[FloatArray, FloatArray]:
        """Smallest and largest entry of each column, or bounds on them."""
        return self.dense.min(axis=0), self.dense.max(axis=0)

    # --- all rows ---

    @property
    def total_square(self) -> float:
        """Sum of the squares of all entries."""
        return float(self.squared_lengths.sum())

    @property
    def entries(self) -> int:
        """Number of entries that are not zero."""
        return int(np.count_nonzero(self.dense))

    @property
    def all_equal(self) -> bool:
        """Whether all rows are evidently the same; not said of rows that would have to be read."""
        rows = self.dense
        # Most rows differ at the beginning already.
        return bool((rows[1] == rows[0]).all() and (rows == rows[0]).all())

    # --- other rows ---

    @cached_property
    def without_zeros(self) -> SparseRows:
        """The same rows without their zeros."""
        from .sparse_rows import SparseRows  # Deferred: it is one of the forms.

        return SparseRows.of_dense(self.dense)

    def drop_last(self) -> Rows:
        """Return all columns but the last."""
        return DenseRows(self.dense[:, :-1])

    def detach(self) -> Rows:
        """Return rows that do not change if the caller changes the array that was passed in."""
        return self

    def reorder(self, columns: IntArray) -> Rows:
        """Return the columns in another order."""
        return DenseRows(self.dense[:, columns])

    def scale(self, factors: FloatArray) -> Rows:
        """Multiply each row by a factor."""
        return DenseRows(self.dense * factors[:, None])

    def unit(self) -> Rows:
        """Scale rows to length 1; rows of zeros stay zero."""
        lengths = np.sqrt(self.squared_lengths)
        return DenseRows(self.dense / np.where(lengths > 0.0, lengths, 1.0)[:, None])

    # --- two clusterings of the same points ---

    def products(self, other: Rows, weights: FloatArray | None = None) -> Any:
        """Return UᵀV, what two clusters share, in which points may have weights.

        It is a SciPy array if one of the two is mostly zero or both are hard.
        """
        plain = not (self.hard or self.mostly_zero or self.blocks)
        if plain and (other.hard or other.mostly_zero or other.blocks):  # which know a better way
            return other.products(self, weights).T
        rows = self.dense if weights is None else self.dense * weights[:, None]
        return np.asarray(rows.T @ other.dense)

    def gram(self, other: Rows) -> tuple[Any, float]:
        """Return UᵀV, and the sum of |u|² |v|² over all points."""
        own = float((self.squared_lengths * other.squared_lengths).sum())
        return self.products(other), own

    # --- two hard clusterings ---

    def cells(self, other: Rows, weights: FloatArray | None = None) -> Cells:
        """Return the contingency table with another hard clustering, by its nonempty cells."""
        given = self.codes, other.codes, self.k, other.k
        return nonempty_cells(*given) if weights is None else weighted_cells(*given, weights)

    def count_together(self, other: Rows) -> Together:
        """Count the pairs of points that this and another hard clustering put together."""
        return count_pairs_together(self.codes, other.codes, self.k, other.k)


class DenseRows(Rows):
    """Rows as a full matrix."""

    def __init__(self, matrix: FloatArray) -> None:
        self._matrix = matrix

    @property
    def shape(self) -> tuple[int, int]:
        n, k = self._matrix.shape
        return n, k

    @property
    def dense(self) -> FloatArray:
        return self._matrix

    def take(self, points: npt.NDArray[Any] | slice) -> DenseRows:
        return DenseRows(self._matrix[points])


class SingleRows(Rows):
    """Rows in single or half precision, as they were given, divided by their sums when used.

    In double precision they would take at least twice the memory. All sums are in double precision.
    """

    #: Rows that are converted at a time.
    CHUNK = 1 << 13

    def __init__(self, matrix: npt.NDArray[np.floating[Any]], row_sums: FloatArray) -> None:
        self._matrix, self._row_sums = matrix, row_sums

    @property
    def shape(self) -> tuple[int, int]:
        n, k = self._matrix.shape
        return n, k

    @cached_property
    def dense(self) -> FloatArray:
        return self.take(slice(None)).dense

    def take(self, points: npt.NDArray[Any] | slice) -> DenseRows:
        rows = self._matrix[points].astype(np.float64)
        return DenseRows(_shares(rows, self._row_sums[points][:, None]))

    def detach(self) -> SingleRows:
        return SingleRows(self._matrix.copy(), self._row_sums)

    def _each(self, work: Callable[[DenseRows], Any]) -> list[Any]:
        """Return what some rows at a time give, in order."""
        starts = range(0, self.n, self.CHUNK)
        return list(map_in_order(lambda at: work(self.take(slice(at, at + self.CHUNK))), starts))

    @cached_property
    def strongest(self) -> IntArray:
        return np.concatenate(self._each(lambda rows: rows.strongest))

    @property
    def largest(self) -> FloatArray:
        return np.concatenate(self._each(lambda rows: rows.largest))

    @property
    def filled(self) -> IntArray:
        return np.concatenate(self._each(lambda rows: rows.filled))

    @property
    def squared_lengths(self) -> FloatArray:
        return np.concatenate(self._each(lambda rows: rows.squared_lengths))

    def times(self, matrix: FloatArray) -> FloatArray:
        return np.concatenate(self._each(lambda rows: rows.times(matrix)))

    def column(self, number: int) -> FloatArray:
        return _shares(self._matrix[:, number].astype(np.float64), self._row_sums)

    def columns_in_order(self, points: IntArray) -> Callable[[int], FloatArray]:
        return lambda number: self.column(number)[points]

    def sums(self, weights: FloatArray | None = None) -> FloatArray:
        own = np.ones(self.n) if weights is None else weights
        return np.array([own @ self.column(number) for number in range(self.k)])

    def squares(self, weights: FloatArray | None = None) -> FloatArray:
        own = np.ones(self.n) if weights is None else weights
        return np.array([own @ self.column(number) ** 2 for number in range(self.k)])

    @property
    def variances(self) -> FloatArray:
        return np.array([self.column(number).var(ddof=1) for number in range(self.k)])

    @property
    def extremes(self) -> tuple[FloatArray, FloatArray]:
        ends = self._each(lambda rows: rows.extremes)
        return np.min([low for low, _ in ends], axis=0), np.max([high for _, high in ends], axis=0)

    @property
    def entries(self) -> int:
        return int(sum(self._each(lambda rows: rows.entries)))

    @property
    def all_equal(self) -> bool:
        first = self.take(slice(0, 1)).dense
        # Most rows differ at the beginning already.
        some = self.take(slice(0, self.CHUNK)).dense
        return bool((some == first).all()) and all(
            self._each(lambda rows: bool((rows.dense == first).all()))
        )


def _shares(entries: FloatArray, sums: FloatArray) -> FloatArray:
    """Divide entries by the sums of their rows, in place; negative ones are rounding."""
    np.maximum(entries, 0.0, out=entries)
    entries /= sums
    return entries


class LabelRows(Rows):
    """Rows of a hard clustering, each given by the number of its cluster."""

    hard = True

    def __init__(self, codes: IntArray, k: int) -> None:
        self._codes, self._k = codes, k

    @property
    def shape(self) -> tuple[int, int]:
        return self._codes.size, self._k

    @property
    def codes(self) -> IntArray:
        return self._codes

    @property
    def fits_dense(self) -> bool:
        return self.n * self.k <= LARGEST_DENSE

    @property
    def dense(self) -> FloatArray:
        return self.without_zeros.dense

    def take(self, points: npt.NDArray[Any] | slice) -> LabelRows:
        return LabelRows(self._codes[points], self._k)

    @property
    def strongest(self) -> IntArray:
        return self._codes

    @property
    def largest(self) -> FloatArray:
        return np.ones(self.n)

    @property
    def filled(self) -> IntArray:
        return np.ones(self.n, dtype=np.intp)

    @property
    def squared_lengths(self) -> FloatArray:
        return np.ones(self.n)

    @property
    def entries(self) -> int:
        return self.n

    def times(self, matrix: FloatArray) -> FloatArray:
        return np.asarray(matrix[self._codes])

    def column(self, number: int) -> FloatArray:
        return np.asarray(self._codes == number, dtype=np.float64)

    def sums(self, weights: FloatArray | None = None) -> FloatArray:
        return np.bincount(self._codes, weights, self._k).astype(np.float64)

    def squares(self, weights: FloatArray | None = None) -> FloatArray:
        return self.sums(weights)

    @property
    def all_equal(self) -> bool:
        return bool((self._codes == self._codes[0]).all())

    @cached_property
    def without_zeros(self) -> SparseRows:
        from .sparse_rows import SparseRows  # Deferred: it is one of the forms.

        starts = np.arange(self.n + 1, dtype=np.int64)
        return SparseRows(starts, self._codes.astype(np.int32), np.ones(self.n), self._k)

    def detach(self) -> LabelRows:
        return LabelRows(self._codes.copy(), self._k)

    def scale(self, factors: FloatArray) -> SparseRows:
        return self.without_zeros.scale(factors)

    def unit(self) -> LabelRows:
        return self

    def products(self, other: Rows, weights: FloatArray | None = None) -> Any:
        """Sum the rows of another clustering over the points of each cluster."""
        if other.hard:
            return self.cells(other, weights).matrix
        if other.mostly_zero or other.blocks:
            return other.products(self, weights).T
        codes, scale = self._codes.astype(np.intp, copy=False), 1.0 if weights is None else weights
        columns = other.dense.T
        return np.stack([np.bincount(codes, each * scale, self._k) for each in columns], axis=1)


def rows_of(array: npt.NDArray[Any], k: int) -> Rows:
    """Return rows of an array: codes of hard clusters, or a full matrix."""
    return LabelRows(array, k) if array.ndim == 1 else DenseRows(array)


def require_dense(rows: Rows) -> None:
    """Refuse to make a full matrix that would be too large."""
    if not rows.fits_dense:
        raise NotApplicableError(
            "this needs the memberships of {n:,} points in {k:,} clusters as a full matrix, which "
            "would take {size:,.0f} GB. Sparse clusterings of this size have observed indices, the "
            "models 'perm', 'fit', 'sym' and 'flat', and explanations; for the rest, take a sample "
            "of the points, such as 10,000 rows of both clusterings.",
            n=rows.n,
            k=rows.k,
            size=8e-9 * rows.n * rows.k,
        )
