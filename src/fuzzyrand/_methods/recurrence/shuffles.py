"""Families that recur by chance: the same runs, each with its points shuffled.

Correlations of shuffled columns are mostly far below the cut, and with many points there is nothing
to draw: a bound on the probability that two shuffled columns reach the cut shows which clusters may
find a partner by chance at all, and only these are shuffled.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import rel_entr

from ..._base.progress import progress
from ..._base.types import FloatArray, IntArray
from .families import CUT, family_of
from .sums import Overlaps, RunSums, add_products, mirror

BoolArray = npt.NDArray[np.bool_]

#: Least and largest number of shuffles.
FEWEST, MOST = 19, 99
#: Products of entries up to which there are always more shuffles (about a second on two cores), and
#: up to which there are more if chance gives families (about half a minute).
LITTLE, MUCH = 1e10, 2e11
#: Probability that some cluster that was not shuffled finds a partner by chance.
NEGLIGIBLE = 1e-3


class Chance(NamedTuple):
    """Families of shuffled runs.

    Attributes
    ----------
    counts : array of shape (shuffles, runs)
        Number of families that occur in at least 1, 2, ... runs, for each shuffle.
    """

    counts: IntArray

    @property
    def draws(self) -> int:
        """Number of shuffles."""
        return len(self.counts)

    def expected(self, runs: int) -> float:
        """Mean number of families that occur in at least so many runs."""
        return float(self.counts[:, runs - 1].mean())

    def stderr(self, runs: int) -> float:
        """Monte Carlo error of this mean."""
        return float(self.counts[:, runs - 1].std(ddof=1) / np.sqrt(self.draws))

    def pvalue(self, runs: int) -> float:
        """Probability that chance gives at least one such family, estimated from the shuffles."""
        return float((1 + np.count_nonzero(self.counts[:, runs - 1])) / (1 + self.draws))


def families_by_chance(sums: RunSums, draws: int | None, rng: np.random.Generator) -> Chance:
    """Shuffle the points of each run, and count families.

    Parameters
    ----------
    sums : RunSums
        The sums of the runs.
    draws : int, optional
        Number of shuffles. By default, 99 if they are quick; otherwise 19, and up to 99 if some of
        these have families that recur.
    rng : Generator
        Source of random numbers.
    """
    columns = sums.columns
    occupied = sums.sums[np.arange(columns.size), columns.groups[columns.run]] > 0.0
    risky = may_recur(sums) & occupied
    size, runs = int(np.count_nonzero(risky)), len(columns.runs)
    alone = np.zeros(runs, dtype=np.intp)
    alone[0] = np.count_nonzero(occupied & ~risky)  # each is a family of its own
    work = columns.n * size**2
    counts: list[IntArray] = []
    for draw in progress(range(draws or MOST), draws or MOST, "shuffles"):
        if draws is None and draw >= FEWEST and draw * work > LITTLE:
            recur = any(count[1] > 0 for count in counts)
            if not recur or draw * work > MUCH:
                break
        found = alone.copy()
        if size:
            family = family_of(_shuffled(sums, risky, rng))
            found += runs_of_families(family, columns.run[risky], runs)
        counts.append(found)
    return Chance(np.array(counts))


def runs_of_families(family: IntArray, run: IntArray, runs: int) -> IntArray:
    """Return how many families occur in at least 1, 2, ... runs."""
    pairs = np.unique(np.stack([family, run]), axis=1)
    of_family = np.bincount(pairs[0])
    exactly = np.bincount(of_family, minlength=runs + 1)[1:]
    return np.asarray(np.cumsum(exactly[::-1])[::-1], dtype=np.intp)


def may_recur(sums: RunSums) -> BoolArray:
    """Return whether each cluster may find a partner when points are shuffled.

    If all runs have the same points, with equal weights, and entries are between 0 and 1, the sum X
    of the products of two shuffled columns satisfies P(|X − EX| ≥ t) ≤ 2 exp(−t²/(4EX + 2t))
    (Chatterjee 2007). If one of them is a hard cluster of m points, X is a sum of m entries of the
    other, drawn without replacement, and P(X ≥ x) ≤ exp(−m KL(x/m, q)), with q the mean of the
    other and KL the relative entropy of two coins (Hoeffding 1963). Otherwise any cluster may.
    """
    columns = sums.columns
    possibilistic = any(run.possibilistic for run in columns.runs)
    if possibilistic or np.ptp(columns.groups) > 0 or not (columns.weights == 1.0).all():
        return np.ones(columns.size, dtype=bool)
    n = float(sums.weight[0, 0])
    shares = sums.sums[:, 0] / n
    spreads = np.sqrt(np.maximum(sums.squares[:, 0] / n - shares**2, 0.0))
    smaller = np.minimum(shares, 1.0 - shares)  # of the cluster, or of all other points
    hard = np.array([run.is_hard for run in columns.runs])[columns.run]
    bound = np.zeros(columns.size)
    for run in range(len(columns.runs)):
        own = columns.of(run)
        t = CUT * n * np.outer(spreads[own], spreads)
        least = 4.0 * n * np.outer(smaller[own], smaller) + 2.0 * t
        tail = 2.0 * np.exp(-(t**2) / np.where(least > 0.0, least, 1.0))
        p, q = np.broadcast_arrays(shares[own, None], shares)
        x = n * p * q + t
        tail = np.where(hard[own, None], np.minimum(tail, _drawn_tail(x, n * p, q)), tail)
        tail = np.where(hard, np.minimum(tail, _drawn_tail(x, n * q, p)), tail)
        tail[:, own] = 0.0  # clusters of one run are shuffled together
        bound[own] = tail.sum(axis=1)
    return bound > NEGLIGIBLE / max(columns.size, 1)


def _drawn_tail(x: FloatArray, m: FloatArray, q: FloatArray) -> FloatArray:
    """Bound P(X ≥ x) for a sum X of m draws of numbers between 0 and 1 with mean q."""
    share = np.minimum(x / np.maximum(m, 1.0), 1.0)
    entropy = rel_entr(share, q) + rel_entr(1.0 - share, 1.0 - q)
    # More than m is impossible. The factor keeps what is exactly m, but for rounding.
    return np.where(x > m * (1.0 + 1e-9), 0.0, np.exp(-m * entropy))


def _shuffled(sums: RunSums, chosen: BoolArray, rng: np.random.Generator) -> Overlaps:
    """Return the overlaps of some clusters when the points of each run are shuffled."""
    columns, whole = sums.columns, sums.overlaps
    orders = [rng.permutation(run.n) for run in columns.runs]
    size = int(np.count_nonzero(chosen))
    gram = np.zeros((size, size), order="F")
    totals, squares = np.zeros((2, size, len(whole.weight)))
    for points in columns.blocks():
        rows, weights = columns.block(points, orders)[:, chosen], columns.weights[points]
        gram = add_products(gram, rows, weights)
        weighted = weights[:, None] * columns.mask(points)
        totals += rows.T @ weighted
        squares += np.square(rows, out=rows).T @ weighted
    mirror(gram)
    return Overlaps(gram, totals, squares, whole.weight, whole.run[chosen], whole.group[chosen])
