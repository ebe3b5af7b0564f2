"""Agreements: how close together two points are within a clustering.

An agreement is a function of two membership rows, which is 1 for the same hard cluster and 0 for
different ones. Each class provides what it can compute without visiting pairs or drawing rows: the
first two moments over all pairs of a clustering, those of two independent rows of a distribution,
and the mean product of the agreements of a pair in two clusterings.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import numpy as np

from .._base.estimate import Moment
from .._base.types import FloatArray
from .._base.wording import Option, Sentence
from .._clusterings.partition import Partition
from .._clusterings.rows import DenseRows, Rows
from .._clusterings.sparse_rows import SparseRows
from .._distributions.continuous import ContinuousAgreement, FlatAgreement, TwoClusterAgreement
from .._distributions.row_distributions import RowDistribution
from .._pairs import gram
from .._pairs.l1_means import l1_means
from .._pairs.sides import Loop


class PairProduct(NamedTuple):
    """Mean product of two agreements over all pairs.

    Attributes
    ----------
    value : float
        The mean product.
    first_mean, second_mean : Moment or None
        The mean agreement of each side, where it was computed on the way.
    error : float
        A bound on the error of the mean product.
    """

    value: float
    first_mean: Moment | None = None
    second_mean: Moment | None = None
    error: float = 0.0


class Agreement(ABC):
    """Agreement of two points within a clustering, from 0 to 1."""

    #: How moments over all pairs are computed without visiting them, in words.
    how_pairs: ClassVar[str] = ""
    #: The same for a clustering in blocks.
    how_blocks: ClassVar[str] = ""

    @property
    def loop(self) -> Loop | None:
        """How the compiled loops compute it; None where they cannot."""
        return None

    def rows(self, memberships: FloatArray) -> FloatArray:
        """Return the rows that the compiled loops compare: the memberships, or scaled ones."""
        return memberships

    def shared_rows(self, partition: Partition) -> Rows | None:
        """Return rows whose sums of minima, or dot products, are the agreements of the points.

        ``loop`` says which of the two. None if points without a common cluster may agree.
        """
        return None

    def sparse_rows(self, partition: Partition) -> SparseRows:
        """Return :meth:`shared_rows`, which must not be None, without zeros."""
        rows = self.shared_rows(partition)
        assert rows is not None
        return rows.without_zeros

    @abstractmethod
    def between(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return the agreements of the columns of ``x`` and ``y``, both of shape (k, ...)."""

    def of(self, partition: Partition) -> Agreement:
        """Return the agreement for the rows of a clustering, whose noise may be singletons."""
        fuzzy = not partition.is_hard
        return SingletonNoiseAgreement(self) if fuzzy and partition.noise_is_singletons else self

    @property
    def splits_columns(self) -> bool:
        """Whether the compiled loops may leave out the columns that no two rows share."""
        return False

    def refusal(self, partition: Partition) -> Sentence | None:
        """Return why the agreement is not defined for a clustering; None if it is."""
        if partition.is_hard or not partition.noise_is_singletons or self.splits_columns:
            return None
        return Sentence.of(
            "the co-membership of this index is not defined for noise treated as singletons. Use "
            "{ndc}, "
            "'brouwer', 'belief' or 'jousselme', or {cluster}.",
            ndc=Option("index", "ndc"),
            cluster=Option("noise_as", "cluster"),
        )

    # Exact moments over all pairs of a clustering; None where pairs must be visited.

    def knows_pair_mean(self, partition: Partition) -> bool:
        """Return whether :meth:`pair_mean` is known without visiting pairs."""
        return False

    def pair_mean(self, partition: Partition, threads: int | None = None) -> Moment | None:
        """Return the mean over all pairs of a fuzzy clustering."""
        return None

    def pair_square(self, partition: Partition) -> float | None:
        """Return the mean square over all pairs of a fuzzy clustering."""
        return None

    def pair_product(
        self, first: Partition, second: Partition, threads: int | None = None
    ) -> PairProduct | None:
        """Return the mean product of the agreements of two clusterings, not both hard."""
        return None

    def range(self, partition: Partition) -> tuple[float, float]:
        """Return bounds on the agreement of any two points of a fuzzy clustering."""
        return 0.0, 1.0

    # Exact moments of two independent rows of a distribution; None where rows must be drawn.

    def row_mean(self, rows: RowDistribution) -> Moment | None:
        """Return the mean agreement of two independent rows."""
        return None

    def row_square(self, rows: RowDistribution) -> Moment | None:
        """Return the mean squared agreement of two independent rows."""
        return None

    def continuous(self, alpha: FloatArray) -> ContinuousAgreement | None:
        """Return the law of two rows of Dirichlet(alpha), if its cdf is known, else None."""
        return None

    # A control is a second quantity that is drawn with the agreement and has a known mean. As a
    # control variate it follows the curvature of the averaged function, as the agreement follows
    # its slope.

    def with_control(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return the agreement and the control (here the squared distance), of shape (2, ...)."""
        return np.stack([self.between(x, y), ((x - y) ** 2).sum(axis=0)])

    def control_of(self, agreements: FloatArray, squared_distances: FloatArray) -> FloatArray:
        """Return the controls of pairs whose agreements and squared distances are known."""
        return squared_distances

    def pair_control(self, partition: Partition) -> float:
        """Return the exact mean of the control over all pairs of a fuzzy clustering."""
        if partition.weights is not None:
            return _weighted_square_distance(partition, partition.weights)
        # The mean squared distance of two rows is twice the sample variance.
        return 2.0 * float(partition.rows.variances.sum())

    def row_control(self, rows: RowDistribution) -> float | None:
        """Return the exact mean of the control for two independent rows, or None."""
        return rows.mean_square_distance()


@dataclass(frozen=True)
class NormAgreement(Agreement):
    """The agreement 1 - ||u - v||_p / 2^(1/p): 1 for equal rows, 0 for different hard clusters.

    Possibilistic rows may be further apart than two hard clusters; their agreement is 0 as well.
    """

    how_pairs: ClassVar[str] = "sorted columns"
    how_blocks: ClassVar[str] = "histograms of columns"

    p: float = 1.0

    @property
    def loop(self) -> Loop:
        return Loop("norm", self.p)

    def between(self, x: FloatArray, y: FloatArray) -> FloatArray:
        difference = np.asarray(x - y)
        return self._of_size(np.abs(difference, out=difference))

    def _of_size(self, size: FloatArray) -> FloatArray:
        """Return the agreements of rows, given the sizes of the differences of their entries."""
        if self.p == 1.0:
            distance = 0.5 * size.sum(axis=0)
        elif np.isinf(self.p):
            distance = size.max(axis=0)
        else:
            # Powers of differences underflow if p is large, those of their ratios do no harm.
            largest = size.max(axis=0)
            ratios = size / np.where(largest > 0.0, largest, 1.0)
            distance = largest * (0.5 * (ratios**self.p).sum(axis=0)) ** (1.0 / self.p)
        return np.asarray(np.minimum(np.maximum(1.0 - distance, 0.0), 1.0))

    @property
    def splits_columns(self) -> bool:
        return self.p == 1.0

    def shared_rows(self, partition: Partition) -> Rows | None:
        return partition.shared if self.knows_pair_mean(partition) else None

    def knows_pair_mean(self, partition: Partition) -> bool:
        return self.p == 1.0 and not partition.possibilistic

    def pair_mean(self, partition: Partition, threads: int | None = None) -> Moment | None:
        if not self.knows_pair_mean(partition):
            return None
        return l1_means(partition.rows, partition, None, threads).mean

    def range(self, partition: Partition) -> tuple[float, float]:
        low, high = partition.shared.extremes
        # In each column two rows differ by at most the range of the column.
        if partition.noise_is_singletons:  # the agreement is the sum of the smaller entries
            return float(low.sum()), min(float(high.sum()), 1.0)
        return float(self._of_size((high - low)[:, None])[0]), 1.0

    def pair_product(
        self, first: Partition, second: Partition, threads: int | None = None
    ) -> PairProduct | None:
        hard, fuzzy = (first, second) if first.is_hard else (second, first)
        if not hard.is_hard or not self.knows_pair_mean(fuzzy):
            return None
        mean, product = l1_means(fuzzy.rows, fuzzy, hard, threads)
        assert product is not None
        one, two = (None, mean) if first is hard else (mean, None)
        return PairProduct(product.value, one, two, product.error)

    def row_mean(self, rows: RowDistribution) -> Moment | None:
        return rows.mean_l1_agreement() if self.p == 1.0 else None

    def continuous(self, alpha: FloatArray) -> ContinuousAgreement | None:
        # With two clusters every p-norm gives the agreement 1 - |X - Y|.
        two_clusters = alpha.size == 2
        if (self.p == 1.0 or two_clusters) and (alpha == 1.0).all():
            return FlatAgreement(alpha.size)
        return TwoClusterAgreement(*map(float, alpha)) if two_clusters else None

    def with_control(self, x: FloatArray, y: FloatArray) -> FloatArray:
        size = np.asarray(x - y)
        np.abs(size, out=size)
        both = np.empty((2, *size.shape[1:]))
        both[0] = self._of_size(size)
        np.square(size, out=size).sum(axis=0, out=both[1])
        return both


def _weighted(rows: Rows, weights: FloatArray | None) -> Rows:
    """Return rows times the weights of their points, so that dot products have those of pairs."""
    return rows if weights is None else rows.scale(weights)


def _weighted_square_distance(partition: Partition, weights: FloatArray) -> float:
    """Return the mean squared distance over pairs of weighted points of a fuzzy clustering."""
    n, mean = partition.n, partition.sizes / partition.n
    if partition.rows.mostly_zero:
        squares = float(weights @ partition.rows.squared_lengths) - n * float(mean @ mean)
    else:
        squares = float(weights @ ((partition.rows.dense - mean) ** 2).sum(axis=1))
    return n * squares / partition.pair_total


class GramAgreement(Agreement):
    """An agreement that is a dot product of rows, summed over pairs by Gram matrices."""

    how_pairs: ClassVar[str] = "Gram matrices"
    how_blocks: ClassVar[str] = "Gram matrices"

    @property
    def loop(self) -> Loop:
        return Loop("dot")

    def shared_rows(self, partition: Partition) -> Rows:
        return partition.shared

    @property
    def splits_columns(self) -> bool:
        return True

    def knows_pair_mean(self, partition: Partition) -> bool:
        return True

    def pair_mean(self, partition: Partition, threads: int | None = None) -> Moment:
        rows = _weighted(self.shared_rows(partition), partition.weights)
        return Moment(gram.sum_of_dots(rows) / partition.pair_total)

    def pair_square(self, partition: Partition) -> float:
        rows = self.shared_rows(partition)
        scaled = _weighted(rows, partition.weights)
        return gram.sum_of_dot_products(scaled, rows) / partition.pair_total

    def pair_product(
        self, first: Partition, second: Partition, threads: int | None = None
    ) -> PairProduct:
        one, two = self.shared_rows(first), self.shared_rows(second)
        if first.is_hard:
            two = _weighted(two, first.weights)
        else:
            one = _weighted(one, first.weights)
        products = gram.sum_of_dot_products(one, two)
        return PairProduct(products / first.pair_total)

    def range(self, partition: Partition) -> tuple[float, float]:
        low, high = (float(edge @ edge) for edge in self.shared_rows(partition).extremes)
        return low, min(high, 1.0)


@dataclass(frozen=True)
class DotAgreement(GramAgreement):
    """The dot product u . v of two rows.

    It is the probability that two points fall into the same cluster if each is assigned at random
    with its memberships as probabilities. The agreement of a fuzzy row with itself is below 1. The
    control is the square of the agreement: its mean is known, and it is a better control variate
    than the squared distance of the rows.
    """

    def between(self, x: FloatArray, y: FloatArray) -> FloatArray:
        return np.asarray((x * y).sum(axis=0))

    def refusal(self, partition: Partition) -> Sentence | None:
        if not partition.possibilistic:
            return None
        return Sentence.of(
            "this clustering is possibilistic, but the dot product of memberships needs rows that "
            "sum to 1. Use {ndc}, 'brouwer' or 'frobenius', or {normalize}.",
            ndc=Option("index", "ndc"),
            normalize=Option("normalize", True),
        )

    def row_mean(self, rows: RowDistribution) -> Moment | None:
        moments = rows.dot_moments()
        return None if moments is None else Moment(moments[0])

    def row_square(self, rows: RowDistribution) -> Moment | None:
        moments = rows.dot_moments()
        return None if moments is None else Moment(moments[1])

    def with_control(self, x: FloatArray, y: FloatArray) -> FloatArray:
        agreement = self.between(x, y)
        return np.stack([agreement, agreement**2])

    def control_of(self, agreements: FloatArray, squared_distances: FloatArray) -> FloatArray:
        return agreements**2

    def pair_control(self, partition: Partition) -> float:
        return self.pair_square(partition)

    def row_control(self, rows: RowDistribution) -> float | None:
        square = self.row_square(rows)
        return None if square is None else square.value


@dataclass(frozen=True)
class CosineAgreement(GramAgreement):
    """The cosine of the angle between two rows; 0 if one of them has only zeros."""

    def between(self, x: FloatArray, y: FloatArray) -> FloatArray:
        lengths = np.sqrt((x**2).sum(axis=0) * (y**2).sum(axis=0))
        cosine = (x * y).sum(axis=0) / np.where(lengths > 0.0, lengths, 1.0)
        return np.asarray(np.minimum(cosine, 1.0))

    def rows(self, memberships: FloatArray) -> FloatArray:
        return DenseRows(memberships).unit().dense

    def shared_rows(self, partition: Partition) -> Rows:
        # Noise is part of the length of a row, even if the noise points are singletons.
        return replace(partition, rows=partition.rows.unit()).shared

    def row_mean(self, rows: RowDistribution) -> Moment | None:
        direction = rows.mean_direction()
        if direction is None:
            return None
        mean, error = direction
        return Moment(float(mean @ mean), 2.0 * error)


@dataclass(frozen=True)
class SingletonNoiseAgreement(Agreement):
    """An agreement of rows whose last column is noise, which no two points share.

    It equals the agreement of rows in which every point has a separate column for its noise.
    """

    shared: Agreement

    @property
    def how_pairs(self) -> str:  # type: ignore[override]
        return self.shared.how_pairs

    @property
    def loop(self) -> Loop | None:
        return self.shared.loop if self.shared.splits_columns else None

    def of(self, partition: Partition) -> Agreement:
        return self

    def rows(self, memberships: FloatArray) -> FloatArray:
        return self.shared.rows(memberships)[:, :-1]

    def between(self, x: FloatArray, y: FloatArray) -> FloatArray:
        nothing_x, nothing_y = np.zeros_like(x[-1:]), np.zeros_like(y[-1:])
        return self.shared.between(
            np.concatenate([x, nothing_x]), np.concatenate([y[:-1], nothing_y, y[-1:]])
        )

    def knows_pair_mean(self, partition: Partition) -> bool:
        return self.shared.knows_pair_mean(partition)

    def pair_mean(self, partition: Partition, threads: int | None = None) -> Moment | None:
        return self.shared.pair_mean(partition, threads)

    def pair_square(self, partition: Partition) -> float | None:
        return self.shared.pair_square(partition)

    def range(self, partition: Partition) -> tuple[float, float]:
        return self.shared.range(partition)
