"""The observed discordance of two clusterings: the fastest exact route, or an honest sample."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .counting import discordant_pairs
from .effort import Effort
from .estimate import Estimate
from .indices import Index
from .laws import ObservedPairs
from .pairs import KEPT_PAIRS, kept_agreements, kept_bracket, pair_work, survey
from .partition import Partition
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
        if self.estimate.stderr > stderr:
            self.estimate = replace(self.estimate, reached=False)
        return self.estimate

    def _exactly(
        self, learners: tuple[ObservedPairs | None, ObservedPairs | None]
    ) -> Estimate | None:
        first, second = self.first, self.second
        if first is second:
            return Estimate(0.0, how="the same clustering twice")
        if first.is_hard and second.is_hard:
            return Estimate(discordant_pairs(first, second) / first.pairs, how="contingency table")
        agreement, power = self.index.agreement, self.index.concordance.q
        sortable = agreement.p == 1.0 and power == 1.0
        if sortable and first.is_hard and not second.possibilistic:
            return Estimate(_hard_with_fuzzy(first, second, self.effort), how="sorted columns")
        if sortable and second.is_hard and not first.possibilistic:
            return Estimate(_hard_with_fuzzy(second, first, self.effort), how="sorted columns")
        if not self.effort.exact_pairs(first.pairs, pair_work(first, second)):
            return None
        if first.pairs <= KEPT_PAIRS:
            a1, a2 = kept_agreements(first, agreement), kept_agreements(second, agreement)
            for law, values in zip(learners, (a1, a2), strict=True):
                if law is not None:
                    law.learn(kept_bracket(values))
            return Estimate(float((np.abs(a1 - a2) ** power).mean()), how="all pairs")
        seen = survey(
            first,
            second,
            agreement,
            power,
            law_of_first=learners[0] is not None,
            law_of_second=learners[1] is not None,
            effort=self.effort,
        )
        for law, bracket in zip(learners, (seen.first, seen.second), strict=True):
            if law is not None and bracket is not None:
                law.learn(bracket)
        return Estimate(seen.difference_sum / first.pairs, how="all pairs")


def _hard_with_fuzzy(hard: Partition, fuzzy: Partition, effort: Effort) -> float:
    """Mean |a1 - a2| with a1 in {0, 1}: |a1 - a2| is a2, or 1 - a2 for pairs of one cluster."""
    distances = fuzzy.distances(hard.codes, effort.threads)
    apart = hard.pairs - hard.same_cluster_pairs
    # Over all pairs a2 = 1 - distance/2; what a2 adds within clusters, 1 - a2 takes its place.
    total = apart - 0.5 * distances.all_pairs + distances.within_groups
    return max(total / hard.pairs, 0.0)
