"""Agreement laws: the one-dimensional law of a random pair's agreement on one side.

The two sides of a comparison are independent under every random model, so an expected index needs
nothing of a side but its law. A law says what it knows exactly (mean, curve, bracket) and draws
agreements for the rest; ``expectation`` combines two of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

import numpy as np

from ._types import FloatArray
from .atoms import Atoms, Bracket
from .continuous import ContinuousAgreement, FlatAgreement, TwoClusterAgreement
from .dirichlet import mean_square_distance as mean_square_distance_of_rows
from .distributions import Categorical, Dirichlet, Identical, RowDistribution, dirichlet_columns
from .effort import Effort
from .indices import NormAgreement
from .pairs import (
    KEPT_PAIRS,
    agreement_and_square,
    kept_agreements,
    kept_bracket,
    mean_square_distance,
    pair_work,
    random_agreements,
    random_pairs,
    survey,
)
from .partition import Partition

#: Draws come in batches of independent blocks; the first few tell the standard error.
BLOCKS_A_BATCH = 16
FIRST_BATCHES = 4


class Law(ABC):
    """The law of the agreement of a random pair."""

    #: One of "observed", "bernoulli", "constant", "dirichlet".
    kind: str

    @property
    @abstractmethod
    def mean(self) -> float | None:
        """The exact mean, or None where it is not known."""

    @property
    def knows_mean(self) -> bool:
        """Is the exact mean to be had without visiting pairs or drawing?"""
        return True

    def bracket(self) -> Bracket | None:
        """The law itself, where it has finitely many values and they may be visited."""
        return None

    @property
    def continuous(self) -> ContinuousAgreement | None:
        """The law itself, where it has a distribution function that can be evaluated."""
        return None

    @property
    def square_mean(self) -> float:
        """Exact mean of the squared Euclidean distance of the rows of a pair."""
        raise AssertionError(f"a {self.kind} law is known exactly and never drawn from")

    def draw(self, effort: Effort, stream: int, batch: int) -> FloatArray:
        """A batch of agreements and squared distances, of shape (2, BLOCKS_A_BATCH, m).

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

    def __init__(self, q: float, reason: str, rows: Categorical | None = None) -> None:
        self.q = q
        self.reason = reason
        self.rows = rows

    @property
    def mean(self) -> float:
        return self.q

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
    def mean(self) -> float:
        return self.value

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

    def __init__(self, partition: Partition, agreement: NormAgreement, effort: Effort) -> None:
        self.partition = partition
        self.agreement = agreement
        self.effort = effort
        self._bracket: Bracket | None = None

    @property
    def knows_mean(self) -> bool:
        return self.agreement.p == 1.0 and not self.partition.possibilistic

    @cached_property
    def mean(self) -> float | None:
        exact = self.agreement.mean_of_pairs(self.partition, self.effort.threads)
        if exact is not None:
            return exact
        bracket = self.bracket()
        return None if bracket is None else bracket.inner.mean

    @property
    def visitable(self) -> bool:
        """May all pairs be visited, or are there too many?"""
        work = pair_work(self.partition, self.partition)
        return self.effort.exact_pairs(self.partition.pairs, work)

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
                    1.0,
                    law_of_first=True,
                    law_of_second=False,
                    effort=self.effort,
                ).first
        return self._bracket

    def draw(self, effort: Effort, stream: int, batch: int) -> FloatArray:
        i, j = random_pairs(effort.stream(stream, batch), self.partition.n, self.PAIRS_A_BATCH)
        drawn = random_agreements(self.partition, self.agreement, i, j)
        return drawn.reshape(2, BLOCKS_A_BATCH, -1)

    @property
    def square_mean(self) -> float:
        return mean_square_distance(self.partition)

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


class DirichletPairs(Law):
    """Two independent rows of a Dirichlet distribution."""

    kind = "dirichlet"

    ROWS_A_BLOCK = 64

    def __init__(self, rows: Dirichlet, agreement: NormAgreement) -> None:
        self.rows = rows
        self.agreement = agreement
        # Clusters have no order; sorting makes the draws independent of their names.
        self.alpha = np.sort(rows.alpha[rows.alpha > 0])[::-1]
        # A row costs more to draw than to compare, so each serves in several pairs of its block;
        # so many give the least variance in a given time.
        self.shifts = 8 if self.alpha.size < 32 else 16
        self._first_batches: dict[tuple[int, int, int], FloatArray] = {}

    @property
    def knows_mean(self) -> bool:
        return self.mean is not None

    @cached_property
    def continuous(self) -> ContinuousAgreement | None:
        # With two clusters every p-norm gives the agreement 1 - |X - Y|.
        two = self.alpha.size == 2
        if (self.agreement.p == 1.0 or two) and (self.alpha == 1.0).all():
            return FlatAgreement(self.alpha.size)
        return TwoClusterAgreement(*map(float, self.alpha)) if two else None

    @cached_property
    def mean(self) -> float | None:
        if self.continuous is not None:
            return self.continuous.mean
        return self.agreement.dirichlet_mean(self.alpha)

    @property
    def square_mean(self) -> float:
        return mean_square_distance_of_rows(self.alpha)

    def draw(self, effort: Effort, stream: int, batch: int) -> FloatArray:
        key = (effort.seed, stream, batch)
        drawn = self._first_batches.get(key)
        if drawn is None:
            drawn = self._draw(effort.stream(stream, batch))
            if batch < FIRST_BATCHES:  # kept: one clustering is often compared with many
                self._first_batches[key] = drawn
        return drawn

    def _draw(self, rng: np.random.Generator) -> FloatArray:
        size = BLOCKS_A_BATCH * self.ROWS_A_BLOCK
        rows = dirichlet_columns(rng, self.alpha, size).reshape(self.alpha.size, BLOCKS_A_BATCH, -1)
        # Each row meets the next few of its block, around the end.
        wrapped = np.concatenate([rows, rows[:, :, : self.shifts]], axis=2)
        drawn = np.empty((2, BLOCKS_A_BATCH, self.shifts, self.ROWS_A_BLOCK))
        for shift in range(self.shifts):
            other = wrapped[:, :, shift + 1 : shift + 1 + self.ROWS_A_BLOCK]
            drawn[:, :, shift] = agreement_and_square(self.agreement, rows, other)
        return drawn.reshape(2, BLOCKS_A_BATCH, -1)

    @property
    def batch_cost(self) -> float:
        return 50.0 * BLOCKS_A_BATCH * self.ROWS_A_BLOCK * self.alpha.size

    @property
    def sort_key(self) -> tuple[Any, ...]:
        return (self.kind, self.alpha.size, self.alpha.tobytes())

    def describe(self) -> str:
        return self.rows.describe()

    def to_dict(self) -> dict[str, Any]:
        return {"law": self.kind, **self.rows.to_dict()}


def law_of_rows(rows: RowDistribution, agreement: NormAgreement) -> Law:
    """The law of the agreement of two independent rows."""
    if isinstance(rows, Categorical):
        return Bernoulli(float((rows.p**2).sum()), rows.describe(), rows)
    if isinstance(rows, Identical):
        column = rows.row[:, None]
        return Constant(float(agreement.between(column, column)[0]), rows)
    return DirichletPairs(rows, agreement)


def law_of_pairs(partition: Partition, agreement: NormAgreement, effort: Effort) -> Law:
    """The law of the observed pairs of a clustering."""
    if partition.is_hard:
        return Bernoulli(
            partition.same_cluster_pairs / partition.pairs,
            "the pairs of this hard clustering as they are",
        )
    return ObservedPairs(partition, agreement, effort)
