"""Expected NDC of two fuzzy sides: our Monte Carlo against a plain sampler, over 48 settings.


The criterion is variance times time: a sampler that is twice as fast, or has half the variance, is
twice as good. Both samplers draw from the same fitted Dirichlet distributions; fitting is not
timed.

Our variance is the larger of the one that the library reports and the one observed over many seeds,
so reporting too small a Monte Carlo error gains nothing.
"""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass

import numpy as np
from measure import seconds
from paper import SETTINGS, Setting
from peers import Sampled, matched_pair_sampler

from fuzzyrand import NDC, Fit, Partition
from fuzzyrand._analysis.discordance.monte_carlo import by_sampling
from fuzzyrand._base.effort import Precision
from fuzzyrand._base.estimate import Estimate
from fuzzyrand.indices.concordances import PowerConcordance
from fuzzyrand.models._laws.row_pairs import RowPairs
from fuzzyrand.models._laws.side import Side

#: Seconds that one of our runs should take, within 20 to 100 ms.
RUN_TIME = 0.05
#: Number of our runs in a setting, each with its own seed, and number of runs of the peer.
SEEDS, PEER_RUNS = 20, 5
#: Gamma variates drawn in a run of the peer, enough to make the cost of its calls negligible.
PEER_VARIATES = 1_000_000


@dataclass(frozen=True)
class Outcome:
    """Variance of an estimate and seconds of a run, for both samplers in one setting."""

    setting: Setting
    reported: float
    seen: float
    time: float
    peer_variance: float
    peer_time: float

    @property
    def gain(self) -> float:
        """Factor by which our sampler is cheaper for the same variance."""
        return self.peer_variance * self.peer_time / (max(self.reported, self.seen) * self.time)

    @property
    def reported_gain(self) -> float:
        """The same factor, from the Monte Carlo errors that the library reports."""
        return self.peer_variance * self.peer_time / (self.reported * self.time)

    @property
    def spread(self) -> float:
        """Spread over seeds divided by the reported Monte Carlo error; about 1 if that is right."""
        return math.sqrt(self.seen / self.reported)


class Contest:
    """Both samplers on the clusterings of one setting."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        rng = np.random.default_rng(SETTINGS.index(setting))
        self.partitions = [Partition.from_memberships(m) for m in setting.clusterings(rng)]
        self.alphas = [law.rows.concentrations for law in self.laws(Precision())]
        self.draws = PEER_VARIATES // sum(2 * alpha.size for alpha in self.alphas)
        self.tolerance = math.inf
        self._calibrate()

    def laws(self, effort: Precision) -> list[RowPairs]:
        """The fitted laws, without draws from earlier runs and with quadrature switched off."""
        laws = [Fit().law(Side(partition, NDC(), effort)) for partition in self.partitions]
        for law in laws:
            assert isinstance(law, RowPairs), "nothing to sample: the side is hard"
            vars(law)["continuous"] = None  # replaces the cached property
        return laws

    def ours(self, seed: int) -> tuple[Estimate, float]:
        """Our estimate of the expected discordance, and the time it takes."""
        effort = Precision(seed=seed, max_draws=10**9)
        laws = self.laws(effort)
        results: list[Estimate] = []
        elapsed = seconds(
            lambda: results.append(
                by_sampling(*laws, PowerConcordance(), lambda _: self.tolerance, effort)
            )
        )
        assert results[0].stderr > 0.0
        return results[0], elapsed

    def peer(self, seed: int) -> tuple[Sampled, float]:
        """The plain sampler's estimate of the expected index, and the time it takes."""
        rng = np.random.default_rng(seed)
        results: list[Sampled] = []
        elapsed = seconds(
            lambda: results.append(matched_pair_sampler(rng, *self.alphas, self.draws))
        )
        return results[0], elapsed

    def run(self) -> Outcome:
        """Run both in turns, each time with another seed; average variances, take median times."""
        self._require_same_value()
        ours, peer = [], []
        for seed in range(1, SEEDS + 1):
            ours.append(self.ours(seed))
            if seed % (SEEDS // PEER_RUNS) == 0:
                peer.append(self.peer(seed))
        return Outcome(
            self.setting,
            reported=statistics.fmean(estimate.stderr**2 for estimate, _ in ours),
            seen=statistics.variance([estimate.value for estimate, _ in ours]),
            time=statistics.median(elapsed for _, elapsed in ours),
            peer_variance=statistics.fmean(sampled.variance for sampled, _ in peer),
            peer_time=statistics.median(elapsed for _, elapsed in peer),
        )

    def _calibrate(self) -> None:
        """Choose the tolerance so that a run takes about ``RUN_TIME``."""
        for seed in (101, 102, 103):
            estimate, elapsed = self.ours(seed)
            if elapsed < RUN_TIME:
                self.tolerance = estimate.stderr * math.sqrt(elapsed / RUN_TIME)

    def _require_same_value(self) -> None:
        estimate, sampled = self.ours(0)[0], self.peer(0)[0]
        error = math.hypot(estimate.stderr, math.sqrt(sampled.variance))
        assert abs(1.0 - estimate.value - sampled.value) < 6.0 * error, self.setting


def outcomes() -> list[Outcome]:
    """All 48 settings."""
    return [Contest(setting).run() for setting in SETTINGS]
