"""Laws of the agreements of observed pairs, and of rows drawn with replacement."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ..._base.effort import Precision
from ..._base.estimate import Moment
from ..._base.streams import Stream
from ..._base.types import FloatArray
from ..._clusterings.partition import Partition
from ..._distributions.atoms import Atoms, Bracket
from ..._pairs.all_pairs import visit_pairs
from ..._pairs.random_pairs import pairs_of, random_agreements
from ..._pairs.route import Route, route_of
from ...indices.agreements import Agreement
from .base import BLOCKS_A_BATCH, Bernoulli, Law
from .gathered import GatheredDraws, SelfAgreements, own_law_of_blocks


class ObservedPairs(Law):
    """The law of the agreements of all pairs of a fuzzy clustering."""

    kind = "observed"

    PAIRS_A_BATCH = 1 << 13

    def __init__(self, partition: Partition, agreement: Agreement, effort: Precision) -> None:
        self.partition = partition
        self.agreement: Agreement = agreement.of(partition)
        self.effort = effort
        self._bracket: Bracket | None = None

    def knows(self, moments: int) -> bool:
        if moments == 1:
            return self.agreement.knows_pair_mean(self.partition)
        return self.square is not None

    @cached_property
    def mean(self) -> Moment | None:
        exact = self.agreement.pair_mean(self.partition, self.effort.n_threads)
        if exact is not None:
            return exact
        bracket = self.bracket()
        return None if bracket is None else Moment(bracket.inner.mean)

    @cached_property
    def square(self) -> Moment | None:
        exact = self.agreement.pair_square(self.partition)
        return None if exact is None else Moment(exact)

    @property
    def observed(self) -> ObservedPairs:
        return self

    @property
    def route(self) -> Route:
        """How the pairs are treated."""
        return route_of(self.agreement, self.effort, self.partition)

    @property
    def at_hand(self) -> bool:
        return self._bracket is not None or self.route is Route.KEEP

    @property
    def visited(self) -> bool:
        return self._bracket is not None

    @property
    def wanted(self) -> bool:
        """Whether a pass over the pairs may still compute the bracket."""
        return self._bracket is None and self.route is not Route.SAMPLE

    def fill(self, bracket: Bracket | None) -> None:
        """Store the bracket that a pass over the pairs of two clusterings has computed.

        It is the same bracket that :meth:`bracket` would compute in a separate pass.
        """
        if bracket is not None:
            self._bracket = bracket

    def fill_mean(self, mean: Moment) -> None:
        """Store a mean that was a by-product of another computation."""
        self.__dict__.setdefault("mean", mean)

    def bracket(self) -> Bracket | None:
        if self.wanted:
            seen = visit_pairs(
                self.route,
                self.partition,
                None,
                self.agreement,
                None,
                law_of_first=True,
                law_of_second=False,
                effort=self.effort,
            )
            self._bracket = seen.first
        return self._bracket

    def _random_pairs(self, rng: np.random.Generator) -> tuple[Any, Any]:
        return pairs_of(self.partition, rng, self.PAIRS_A_BATCH)

    def draw(self, effort: Precision, stream: Stream, batch: int) -> FloatArray:
        if not self.partition.rows.in_memory:
            return self._gathered.draw(effort, stream, batch)
        i, j = self._random_pairs(effort.stream(stream, batch))
        drawn = random_agreements(self.partition, self.agreement, i, j)
        return drawn.reshape(2, BLOCKS_A_BATCH, -1)

    @cached_property
    def _gathered(self) -> GatheredDraws:
        """Draws from a clustering in blocks, whose rows must be gathered first."""
        return GatheredDraws(self.partition, self.agreement)

    @property
    def control(self) -> float | None:
        return self.agreement.pair_control(self.partition)

    @property
    def batch_cost(self) -> float:
        return 10.0 * self.PAIRS_A_BATCH * self.partition.k

    @property
    def sort_key(self) -> tuple[Any, ...]:
        # Observed laws are sampled only if there are very many points; sizes then distinguish them.
        sizes = np.sort(self.partition.sizes)
        return (self.kind, self.partition.k, sizes.tobytes())

    def describe(self) -> str:
        return f"the {self.partition.pairs:,} pairs of this clustering as they are"


class ResampledPairs(ObservedPairs):
    """The law of the agreement of two rows of a fuzzy clustering, drawn with replacement.

    With probability 1/n, the two rows are the same; otherwise they are an observed pair. Whatever
    is known exactly for the observed pairs is therefore known exactly here.
    """

    kind = "resampled"

    def __init__(self, pairs: ObservedPairs) -> None:
        super().__init__(pairs.partition, pairs.agreement, pairs.effort)
        self.pairs = pairs

    @cached_property
    def _own(self) -> FloatArray:
        """Agreement of each row with itself."""
        return np.asarray(self._with_itself[0])

    @cached_property
    def _with_itself(self) -> FloatArray:
        """Agreement and control variate of each row with itself."""
        rows = np.arange(self.partition.n)
        return random_agreements(self.partition, self.agreement, rows, rows)

    @cached_property
    def _own_law(self) -> SelfAgreements:
        if not self.partition.rows.in_memory:
            return own_law_of_blocks(self.partition, self.agreement)
        weights = self.partition.weights
        shares = None if weights is None else weights**2  # the same point is drawn twice
        law = Bracket.exactly(Atoms.of_sample(self._own, shares))
        values = self._own, self._own**2, self._with_itself[1]
        mean, square, control = (float(np.average(each, weights=shares)) for each in values)
        return SelfAgreements(mean, square, control, law)

    def _mixed(self, pairs: float, own: float) -> float:
        same_row = 1.0 / self.partition.effective_n
        return float(same_row * own + (1.0 - same_row) * pairs)

    @cached_property
    def mean(self) -> Moment | None:
        pairs = self.pairs.mean
        return None if pairs is None else Moment(self._mixed(pairs.value, self._own_law.mean))

    @cached_property
    def square(self) -> Moment | None:
        pairs = self.pairs.square
        return None if pairs is None else Moment(self._mixed(pairs.value, self._own_law.square))

    @property
    def control(self) -> float | None:
        pairs = self.pairs.control
        return None if pairs is None else self._mixed(pairs, self._own_law.control)

    def bracket(self) -> Bracket | None:
        pairs = self.pairs.bracket()
        if pairs is None:
            return None
        own, share = self._own_law.law, 1.0 / self.partition.effective_n
        if pairs.exact and own.exact:
            return Bracket.exactly(pairs.inner.mixed_with(own.inner, share))
        return Bracket(
            pairs.inner.mixed_with(own.inner, share),
            pairs.outer.mixed_with(own.outer, share),
            pairs.curve_error + share * own.curve_error,
        )

    @property
    def at_hand(self) -> bool:
        return self.pairs.at_hand

    @property
    def visited(self) -> bool:
        return self.pairs.visited

    @property
    def observed(self) -> ObservedPairs:
        return self.pairs

    @cached_property
    def _gathered(self) -> GatheredDraws:
        return GatheredDraws(self.partition, self.agreement, replace=True)

    def _random_pairs(self, rng: np.random.Generator) -> tuple[Any, Any]:
        weighting = self.partition.weighting
        if self.partition.weights is not None and weighting is not None:
            return weighting.draw(rng, self.PAIRS_A_BATCH), weighting.draw(rng, self.PAIRS_A_BATCH)
        i, j = rng.integers(self.partition.n, size=(2, self.PAIRS_A_BATCH))
        return i, j

    def describe(self) -> str:
        return f"two of the {self.partition.n:,} rows of this clustering, drawn with replacement"


def law_of_pairs(partition: Partition, agreement: Agreement, effort: Precision) -> Law:
    """Return the law of the observed pairs of a clustering."""
    if partition.is_hard:
        return Bernoulli(
            partition.same_cluster_pairs / partition.pair_total,
            "the pairs of this hard clustering as they are",
        )
    return ObservedPairs(partition, agreement, effort)
