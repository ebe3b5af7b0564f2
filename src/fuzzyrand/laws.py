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
from .atoms import Atoms, Bracket, Curve
from .distributions import Categorical, Dirichlet, Identical, RowDistribution, dirichlet_columns
from .effort import Effort
from .indices import NormAgreement
from .pairs import (
    KEPT_PAIRS,
    kept_agreements,
    kept_bracket,
    pair_work,
    random_agreements,
    random_pairs,
    survey,
)
from .partition import Partition
from .two_clusters import BetaDifference

#: Independent blocks drawn on a side before the standard error is believed.
FIRST_BLOCKS = 64


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

    def absolute_curve(self) -> tuple[Curve, float] | None:
        """a -> E|a - A| and a bound on its error, where it is known without a bracket."""
        return None

    def draw(self, effort: Effort, stream: int, block: int) -> FloatArray:
        """One block of agreements; different blocks and streams are independent."""
        raise AssertionError(f"a {self.kind} law is known exactly and never drawn from")

    @property
    def block_cost(self) -> float:
        """About how much work a block is, to share the work between two sides."""
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
        few = self.partition.pairs <= KEPT_PAIRS
        return few or self.effort.exact_pairs(pair_work(self.partition, self.partition))

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

    def draw(self, effort: Effort, stream: int, block: int) -> FloatArray:
        i, j = random_pairs(effort.stream(stream, block), self.partition.n, 2048)
        return random_agreements(self.partition, self.agreement, i, j)

    @property
    def block_cost(self) -> float:
        return 2048.0 * self.partition.k

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

    #: A row costs far more to draw than to compare, so each serves in several pairs of its block.
    SHIFTS = 8

    def __init__(self, rows: Dirichlet, agreement: NormAgreement) -> None:
        self.rows = rows
        self.agreement = agreement
        # Clusters have no order; sorting makes the draws independent of their names.
        self.alpha = np.sort(rows.alpha[rows.alpha > 0])[::-1]
        self.rows_a_block = max(64, min(256, (1 << 14) // self.alpha.size))
        self._first_blocks: dict[tuple[int, int, int], FloatArray] = {}

    @property
    def knows_mean(self) -> bool:
        return self.mean is not None

    @cached_property
    def mean(self) -> float | None:
        if self.two_clusters is not None:
            return 1.0 - self.two_clusters.mean
        return self.agreement.dirichlet_mean(self.alpha)

    @cached_property
    def two_clusters(self) -> BetaDifference | None:
        """With two clusters every p-norm gives the agreement 1 - |X - Y|, whose law is known."""
        return BetaDifference(*map(float, self.alpha)) if self.alpha.size == 2 else None

    @cached_property
    def _curve(self) -> tuple[Curve, float] | None:
        return None if self.two_clusters is None else self.two_clusters.agreement_curve()

    def absolute_curve(self) -> tuple[Curve, float] | None:
        return self._curve

    def draw(self, effort: Effort, stream: int, block: int) -> FloatArray:
        key = (effort.seed, stream, block)
        drawn = self._first_blocks.get(key)
        if drawn is None:
            drawn = self._draw(effort, stream, block)
            if block < FIRST_BLOCKS:  # kept: one clustering is often compared with many
                self._first_blocks[key] = drawn
        return drawn

    def _draw(self, effort: Effort, stream: int, block: int) -> FloatArray:
        rows = dirichlet_columns(effort.stream(stream, block), self.alpha, self.rows_a_block)
        drawn = np.empty((self.SHIFTS, self.rows_a_block))
        for shift, out in enumerate(drawn, start=1):
            out[:] = self.agreement.between(rows, np.roll(rows, shift, axis=1))
        return drawn.ravel()

    @property
    def block_cost(self) -> float:
        return 40.0 * self.rows_a_block * self.alpha.size

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
