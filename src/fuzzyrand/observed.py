"""The observed discordance of two clusterings: the fastest exact route, or an honest sample."""

from __future__ import annotations

import math

import numpy as np

from ._types import FloatArray
from .counting import discordant_pairs
from .effort import Effort
from .estimate import Estimate
from .indices import Index
from .laws import ObservedPairs
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
from .sorted_sums import sum_of_distances
from .threads import map_in_order

#: Stream of the sampled pairs; the laws draw from streams 1 and 2.
PAIR_STREAM = 3
SAMPLE_BLOCK = 1 << 14
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
        self._sample: tuple[FloatArray, FloatArray] | None = None
        exact = self._exactly(learners)
        self.estimate = exact if exact is not None else self._sampled(FIRST_SAMPLE)

    def refine(self, stderr: float) -> Estimate:
        """Sample on until the standard error is as small as this, or the limit is reached."""
        fixed_size = isinstance(self.effort.pairs, int)
        while self.estimate.stderr > stderr and not fixed_size:
            have = self.estimate.draws
            if have >= LARGEST_SAMPLE:
                break
            wanted = have * (self.estimate.stderr / stderr) ** 2 * 1.1
            self.estimate = self._sampled(int(min(max(wanted, 2 * have), LARGEST_SAMPLE)))
        if self.estimate.stderr > stderr:
            e = self.estimate
            self.estimate = Estimate(e.value, e.stderr, 0.0, e.how, e.draws, reached=fixed_size)
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
        if first.pairs <= KEPT_PAIRS:
            a1, a2 = kept_agreements(first, agreement), kept_agreements(second, agreement)
            for law, values in zip(learners, (a1, a2), strict=True):
                if law is not None:
                    law.learn(kept_bracket(values))
            return Estimate(float((np.abs(a1 - a2) ** power).mean()), how="all pairs")
        if not self.effort.exact_pairs(pair_work(first, second)):
            return None
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

    def _sampled(self, size: int) -> Estimate:
        """Mean over random pairs, corrected by the exactly known mean agreements."""
        if isinstance(self.effort.pairs, int):
            size = self.effort.pairs
        a1, a2 = self._draw_pairs(size)
        size = a1.size
        y = np.abs(a1 - a2) ** self.index.concordance.q
        means = [
            self.index.agreement.mean_of_pairs(p, self.effort.threads)
            if not p.is_hard
            else p.same_cluster_pairs / p.pairs
            for p in (self.first, self.second)
        ]
        controls = [a - mean for a, mean in zip((a1, a2), means, strict=True) if mean is not None]
        design = np.stack([np.ones(size), *controls], axis=1)
        # The intercept is the mean discordance where both mean agreements are what they should be.
        coefficients, *_ = np.linalg.lstsq(design, y, rcond=None)
        residual = y - design @ coefficients
        stderr = math.sqrt(float(residual @ residual) / (size - design.shape[1]) / size)
        return Estimate(
            max(float(coefficients[0]), 0.0), stderr, 0.0, f"{size:,} random pairs", size
        )

    def _draw_pairs(self, size: int) -> tuple[FloatArray, FloatArray]:
        """Agreements of random pairs; those drawn before are kept."""
        have = 0 if self._sample is None else self._sample[0].size
        if have >= size and self._sample is not None:
            return self._sample
        blocks = range(have // SAMPLE_BLOCK, math.ceil(size / SAMPLE_BLOCK))

        def one(block: int) -> FloatArray:
            rng = self.effort.stream(PAIR_STREAM, block)
            i, j = random_pairs(rng, self.first.n, SAMPLE_BLOCK)
            agreement = self.index.agreement
            return np.stack(
                [random_agreements(p, agreement, i, j) for p in (self.first, self.second)]
            )

        fresh = np.concatenate(list(map_in_order(one, blocks, self.effort.threads)), axis=1)
        if self._sample is not None:
            fresh = np.concatenate([np.stack(self._sample), fresh], axis=1)
        self._sample = (fresh[0], fresh[1])
        return self._sample


def _hard_with_fuzzy(hard: Partition, fuzzy: Partition, effort: Effort) -> float:
    """Mean |a1 - a2| with a1 in {0, 1}: |a1 - a2| is a2, or 1 - a2 for pairs of one cluster."""
    assert fuzzy.memberships is not None
    distances = sum_of_distances(fuzzy.memberships, hard.codes, effort.threads)
    apart = hard.pairs - hard.same_cluster_pairs
    # Over all pairs a2 = 1 - distance/2; what a2 adds within clusters, 1 - a2 takes its place.
    total = apart - 0.5 * distances.all_pairs + distances.within_groups
    return max(total / hard.pairs, 0.0)
