"""The observed discordance of two clusterings, by the fastest exact route there is.

Two hard sides: the contingency table. Moments that are known without visiting pairs, as for a hard
with a fuzzy side, or for products and squares of dot products: by sorting or by Gram matrices.
Else all pairs are visited, or sampled where they are too many.
"""

from __future__ import annotations

from .._base.effort import Effort
from .._base.estimate import PAIR_ROUNDING, ROUNDING, Estimate
from .._inputs.partition import Partition
from .._laws.laws import ObservedPairs, law_of_pairs
from .._pairs.all_pairs import KEPT_PAIRS, kept_agreements, kept_bracket, survey, visitable
from .._pairs.counting import discordant_pairs
from ..indices import frobenius
from ..indices.indices import Index
from .sampled_pairs import PairSample

FIRST_SAMPLE = 1 << 18
LARGEST_SAMPLE = 1 << 26


class Observed:
    """The observed discordance of a pair of clusterings, exact or growing more accurate.

    Parameters
    ----------
    first, second : Partition
    index : Index
    effort : Effort
    learners : pair of ObservedPairs or None
        Laws whose bracket is wanted as well: a pass over the pairs fills them on its way.
    """

    def __init__(
        self,
        first: Partition,
        second: Partition,
        index: Index,
        effort: Effort,
        learners: tuple[ObservedPairs | None, ObservedPairs | None] = (None, None),
    ) -> None:
        self.first, self.second, self.index, self.effort = first, second, index, effort
        self._sample: PairSample | None = None
        exact = self._exactly(learners)
        if exact is None:
            self._sample = PairSample(first, second, index, effort)
            size = FIRST_SAMPLE if isinstance(effort.pairs, str) else effort.pairs
            exact = self._sample.estimate(size)
        self.estimate = exact

    def refine(self, stderr: float) -> Estimate:
        """Sample on until the standard error is as small as this, or the limit is reached."""
        if self._sample is None:
            return self.estimate
        largest = LARGEST_SAMPLE if isinstance(self.effort.pairs, str) else self.effort.pairs
        while self.estimate.stderr > stderr and self._sample.size < largest:
            have = self._sample.size
            wanted = 1.1 * have * (self.estimate.stderr / stderr) ** 2
            size = int(min(max(wanted, 2 * have), LARGEST_SAMPLE))
            self.estimate = self._sample.estimate(size)
        return self.estimate

    def _exactly(
        self, learners: tuple[ObservedPairs | None, ObservedPairs | None]
    ) -> Estimate | None:
        first, second, index = self.first, self.second, self.index
        if not index.pairwise:
            return frobenius.observed(first, second)
        if first is second and index.reflexive:
            return Estimate(0.0, how="the same clustering twice")
        if first.is_hard and second.is_hard:
            return Estimate(discordant_pairs(first, second) / first.pairs, how="contingency table")
        by_moments = self._by_moments()
        if by_moments is not None:
            return by_moments
        if not visitable(self.effort, index.agreement, first, second):
            return None
        if first.pairs <= KEPT_PAIRS:
            a1, a2 = (kept_agreements(side, index.agreement) for side in (first, second))
            for law, values in zip(learners, (a1, a2), strict=True):
                if law is not None:
                    law.learn(kept_bracket(values))
            discordance = float(index.concordance.discordance(a1, a2).mean())
            return Estimate(discordance, error_bound=PAIR_ROUNDING, how="all pairs")
        seen = survey(
            first,
            second,
            index.agreement,
            index.concordance,
            law_of_first=learners[0] is not None,
            law_of_second=learners[1] is not None,
            effort=self.effort,
        )
        for law, bracket in zip(learners, (seen.first, seen.second), strict=True):
            if law is not None and bracket is not None:
                law.learn(bracket)
        discordance = seen.difference_sum / first.pairs
        return Estimate(discordance, error_bound=PAIR_ROUNDING, how="all pairs")

    def _by_moments(self) -> Estimate | None:
        """Mean a1 + mean a2 - 2 mean a1 a2, or with squares in place of the first two."""
        agreement, sides = self.index.agreement, (self.first, self.second)
        needed = self.index.concordance.moments_needed(sum(side.is_hard for side in sides))
        if needed is None:
            return None
        laws = [law_of_pairs(side, agreement, self.effort) for side in sides]
        if not all(law.knows(needed) for law in laws):
            return None
        product = agreement.pair_product(*sides, self.effort.threads)
        if product is None:
            return None
        one, two = (law.mean if needed == 1 else law.square for law in laws)
        assert one is not None
        assert two is not None
        value = max(one.value + two.value - 2.0 * product, 0.0)
        return Estimate(value, error_bound=ROUNDING, how=agreement.how_pairs)
