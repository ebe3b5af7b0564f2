"""Agreement laws: the one-dimensional law of a random pair's agreement on one side.

The two sides of a comparison are independent under every random model, so an expected index needs
nothing of a side but its law. A law says what it knows exactly (moments, curve, bracket) and draws
agreements for the rest; ``expectation`` combines two of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

import numpy as np

from .._base.effort import Effort
from .._base.estimate import Moment
from .._base.types import FloatArray
from .._distributions.atoms import Atoms, Bracket
from .._distributions.continuous import ContinuousAgreement
from .._distributions.rows import Categorical, Dirichlet, Identical, RowDistribution
from .._inputs.partition import Partition
from .._pairs.all_pairs import (
    KEPT_PAIRS,
    kept_agreements,
    kept_bracket,
    random_agreements,
    random_pairs,
    survey,
    visitable,
)
from ..indices.agreements import Agreement

#: Draws come in batches of independent blocks; the first few tell the standard error.
BLOCKS_A_BATCH = 16
FIRST_BATCHES = 4


class Law(ABC):
    """The law of the agreement of a random pair."""

    #: One of "observed", "resampled", "bernoulli", "constant", "rows".
    kind: str
    #: Is the agreement always 0 or 1?
    binary: bool = False
    #: May it be drawn from only, not written down?
    drawn: bool = False

    @property
    @abstractmethod
    def mean(self) -> Moment | None:
        """The exact mean, or None where it is not known."""

    @property
    @abstractmethod
    def square(self) -> Moment | None:
        """The exact mean square, or None where it is not known."""

    def knows(self, moments: int) -> bool:
        """Are so many moments to be had without visiting pairs or drawing?"""
        return True

    def bracket(self) -> Bracket | None:
        """The law itself, where it has finitely many values and they may be visited."""
        return None

    @property
    def continuous(self) -> ContinuousAgreement | None:
        """The law itself, where it has a distribution function that can be evaluated."""
        return None

    @property
    def observed(self) -> ObservedPairs | None:
        """The law of observed pairs that this one rests on, if any."""
        return None

    @property
    def control(self) -> float | None:
        """Exact mean of what is drawn beside the agreement."""
        raise AssertionError(f"a {self.kind} law is known exactly and never drawn from")

    def draw(self, effort: Effort, stream: int, batch: int) -> FloatArray:
        """A batch of agreements and controls, of shape (2, BLOCKS_A_BATCH, m).

        Different blocks, batches and streams are independent.
        """
        raise AssertionError(f"a {self.kind} law is known exactly and never drawn from")

    @property
    def batch_cost(self) -> float:
        """About how much work a batch is, to share the work between two sides."""
        return 1.0

    @property
    def sort_key(self) -> tuple[Any, ...]:
        """Orders the two sides of a comparison, so that swapping them changes nothing."""
        return (self.kind,)

    @abstractmethod
    def describe(self) -> str:
        """One line for people."""

    def to_dict(self) -> dict[str, Any]:
        """What defines the law, as plain Python values."""
        return {"law": self.kind}


class Bernoulli(Law):
    """Agreement 1 with probability q, else 0: hard clusters."""

    kind = "bernoulli"
    binary = True

    def __init__(self, q: float, reason: str, rows: Categorical | None = None) -> None:
        self.q = q
        self.reason = reason
        self.rows = rows

    @property
    def mean(self) -> Moment:
        return Moment(self.q)

    @property
    def square(self) -> Moment:
        return Moment(self.q)

    def bracket(self) -> Bracket:
        return Bracket.exactly(Atoms(np.array([0.0, 1.0]), np.array([1.0 - self.q, self.q])))

    def describe(self) -> str:
        return f"{self.reason}; a pair is together with probability {self.q:.4g}"

    def to_dict(self) -> dict[str, Any]:
        extra = self.rows.to_dict() if self.rows is not None else {}
        return {"law": self.kind, "probability": self.q, **extra}


class Constant(Law):
    """Every pair agrees by the same amount: identical rows."""

    kind = "constant"

    def __init__(self, value: float, rows: Identical) -> None:
        self.value = value
        self.rows = rows

    @property
    def mean(self) -> Moment:
        return Moment(self.value)

    @property
    def square(self) -> Moment:
        return Moment(self.value**2)

    def bracket(self) -> Bracket:
        return Bracket.exactly(Atoms(np.array([self.value]), np.ones(1)))

    def describe(self) -> str:
        return f"{self.rows.describe()}; every pair agrees by {self.value:.4g}"

    def to_dict(self) -> dict[str, Any]:
        return {"law": self.kind, "agreement": self.value, **self.rows.to_dict()}


class ObservedPairs(Law):
    """The agreements of all pairs of a fuzzy clustering as it is."""

    kind = "observed"

    PAIRS_A_BATCH = 1 << 13

    def __init__(self, partition: Partition, agreement: Agreement, effort: Effort) -> None:
        self.partition = partition
        self.agreement = agreement
        self.effort = effort
        self._bracket: Bracket | None = None

    def knows(self, moments: int) -> bool:
        if moments == 1:
            return self.agreement.knows_pair_mean(self.partition)
        return self.square is not None

    @cached_property
    def mean(self) -> Moment | None:
        exact = self.agreement.pair_mean(self.partition, self.effort.threads)
        if exact is None:
            bracket = self.bracket()
            exact = None if bracket is None else bracket.inner.mean
        return None if exact is None else Moment(exact)

    @cached_property
    def square(self) -> Moment | None:
        exact = self.agreement.pair_square(self.partition)
        return None if exact is None else Moment(exact)

    @property
    def observed(self) -> ObservedPairs:
        return self

    @property
    def visitable(self) -> bool:
        """May all pairs be visited, or are there too many?"""
        return visitable(self.effort, self.agreement, self.partition)

    @property
    def missing(self) -> bool:
        """Would the bracket still have to be computed?"""
        return self._bracket is None

    def learn(self, bracket: Bracket) -> None:
        """Take over what a pass over the pairs, made for another reason, has seen."""
        self._bracket = bracket

    def bracket(self) -> Bracket | None:
        if self._bracket is None and self.visitable:
            if self.partition.pairs <= KEPT_PAIRS:
                self._bracket = kept_bracket(kept_agreements(self.partition, self.agreement))
            else:
                self._bracket = survey(
                    self.partition,
                    None,
                    self.agreement,
                    None,
                    law_of_first=True,
                    law_of_second=False,
                    effort=self.effort,
                ).first
        return self._bracket

    def _random_pairs(self, rng: np.random.Generator) -> tuple[Any, Any]:
        return random_pairs(rng, self.partition.n, self.PAIRS_A_BATCH)

    def draw(self, effort: Effort, stream: int, batch: int) -> FloatArray:
        i, j = self._random_pairs(effort.stream(stream, batch))
        drawn = random_agreements(self.partition, self.agreement, i, j)
        return drawn.reshape(2, BLOCKS_A_BATCH, -1)

    @property
    def control(self) -> float | None:
        return self.agreement.pair_control(self.partition)

    @property
    def batch_cost(self) -> float:
        return 10.0 * self.PAIRS_A_BATCH * self.partition.k

    @property
    def sort_key(self) -> tuple[Any, ...]:
        # Observed laws are drawn from only when there are very many points.
        sizes = np.sort(self.partition.sizes)
        return (self.kind, self.partition.k, sizes.tobytes())

    def describe(self) -> str:
        return f"the {self.partition.pairs:,} pairs of this clustering as they are"


class ResampledPairs(ObservedPairs):
    """Two rows of a fuzzy clustering drawn with replacement: the pairs, or a row with itself.

    The chance of the same row twice is 1/n; all that is known of the pairs carries over.
    """

    kind = "resampled"

    def __init__(self, pairs: ObservedPairs) -> None:
        super().__init__(pairs.partition, pairs.agreement, pairs.effort)
        self.pairs = pairs

    @cached_property
    def _own(self) -> FloatArray:
        """Agreement of each row with itself."""
        assert self.partition.memberships is not None
        columns = self.partition.memberships.T
        return self.agreement.between(columns, columns)

    def _mixed(self, pairs: float, own: float) -> float:
        once = 1.0 / self.partition.n
        return once * own + (1.0 - once) * pairs

    @cached_property
    def mean(self) -> Moment | None:
        pairs = self.pairs.mean
        return None if pairs is None else Moment(self._mixed(pairs.value, self._own.mean()))

    @cached_property
    def square(self) -> Moment | None:
        pairs = self.pairs.square
        return None if pairs is None else Moment(self._mixed(pairs.value, (self._own**2).mean()))

    @property
    def control(self) -> float | None:
        assert self.partition.memberships is not None
        columns = self.partition.memberships.T
        own = float(self.agreement.with_control(columns, columns)[1].mean())
        pairs = self.pairs.control
        return None if pairs is None else self._mixed(pairs, own)

    def bracket(self) -> Bracket | None:
        pairs = self.pairs.bracket()
        if pairs is None:
            return None
        own, share = Atoms.of_sample(self._own), 1.0 / self.partition.n
        if pairs.exact:
            return Bracket.exactly(pairs.inner.mixed_with(own, share))
        inner, outer = (end.mixed_with(own, share) for end in (pairs.inner, pairs.outer))
        return Bracket(inner, outer, pairs.curve_error)

    @property
    def observed(self) -> ObservedPairs:
        return self.pairs

    def _random_pairs(self, rng: np.random.Generator) -> tuple[Any, Any]:
        i, j = rng.integers(self.partition.n, size=(2, self.PAIRS_A_BATCH))
        return i, j

    def describe(self) -> str:
        return f"two of the {self.partition.n:,} rows of this clustering, drawn with replacement"


class RowPairs(Law):
    """Two independent rows of a distribution."""

    kind = "rows"
    drawn = True

    #: Fewer where rows are huge, so that a batch has about so many entries.
    ROWS_A_BLOCK, ENTRIES_A_BATCH = 64, 1 << 23

    def __init__(self, rows: RowDistribution, agreement: Agreement) -> None:
        self.rows = rows
        self.agreement = agreement
        self._first_batches: dict[tuple[int, int, int], FloatArray] = {}

    @cached_property
    def _clusters(self) -> int:
        return int(self.rows.columns(np.random.default_rng(0), 1).shape[0])

    @cached_property
    def _rows_a_block(self) -> int:
        affordable = self.ENTRIES_A_BATCH // (BLOCKS_A_BATCH * self._clusters)
        return min(max(affordable, 8), self.ROWS_A_BLOCK)

    def knows(self, moments: int) -> bool:
        return (self.mean if moments == 1 else self.square) is not None

    @cached_property
    def continuous(self) -> ContinuousAgreement | None:
        if isinstance(self.rows, Dirichlet):
            return self.agreement.continuous(self.rows.concentrations)
        return None

    @cached_property
    def mean(self) -> Moment | None:
        if self.continuous is not None:
            return Moment(self.continuous.mean)
        return self.agreement.row_mean(self.rows)

    @cached_property
    def square(self) -> Moment | None:
        return self.agreement.row_square(self.rows)

    @cached_property
    def control(self) -> float | None:
        return self.agreement.row_control(self.rows)

    def draw(self, effort: Effort, stream: int, batch: int) -> FloatArray:
        key = (effort.seed, stream, batch)
        drawn = self._first_batches.get(key)
        if drawn is None:
            drawn = self._draw(effort.stream(stream, batch))
            if batch < FIRST_BATCHES:  # kept: one clustering is often compared with many
                self._first_batches[key] = drawn
        return drawn

    def _draw(self, rng: np.random.Generator) -> FloatArray:
        size = self._rows_a_block
        columns = self.rows.columns(rng, BLOCKS_A_BATCH * size)
        rows = columns.reshape(columns.shape[0], BLOCKS_A_BATCH, -1)
        # A row costs more to draw than to compare, so each meets the next few of its block, around
        # the end; so many give the least variance in a given time.
        shifts = min(8 if columns.shape[0] < 32 else 16, size // 2)
        wrapped = np.concatenate([rows, rows[:, :, :shifts]], axis=2)
        drawn = np.empty((2, BLOCKS_A_BATCH, shifts, size))
        for shift in range(shifts):
            other = wrapped[:, :, shift + 1 : shift + 1 + size]
            drawn[:, :, shift] = self.agreement.with_control(rows, other)
        return drawn.reshape(2, BLOCKS_A_BATCH, -1)

    @property
    def batch_cost(self) -> float:
        return 50.0 * BLOCKS_A_BATCH * self._rows_a_block * self._clusters

    @property
    def sort_key(self) -> tuple[Any, ...]:
        return (self.kind, self._clusters, self.rows.key)

    def describe(self) -> str:
        return self.rows.describe()

    def to_dict(self) -> dict[str, Any]:
        return {"law": self.kind, **self.rows.to_dict()}


def law_of_rows(rows: RowDistribution, agreement: Agreement) -> Law:
    """The law of the agreement of two independent rows."""
    if isinstance(rows, Categorical):
        return Bernoulli(float((rows.p**2).sum()), rows.describe(), rows)
    if isinstance(rows, Identical):
        column = rows.row[:, None]
        return Constant(float(agreement.between(column, column)[0]), rows)
    return RowPairs(rows, agreement)


def law_of_pairs(partition: Partition, agreement: Agreement, effort: Effort) -> Law:
    """The law of the observed pairs of a clustering."""
    if partition.is_hard:
        return Bernoulli(
            partition.same_cluster_pairs / partition.pairs,
            "the pairs of this hard clustering as they are",
        )
    return ObservedPairs(partition, agreement, effort)
