"""Programs that fuzzyrand is compared with: the same work in plain NumPy, SciPy and Numba."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numba
import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import pdist
from scipy.special import digamma, polygamma

FloatArray = npt.NDArray[np.float64]

# --- all pairs of points -------------------------------------------------------------------------


def pair_agreements(memberships: FloatArray) -> FloatArray:
    """The agreement of every pair of points, an array of n(n-1)/2 numbers."""
    agreements = pdist(memberships, "cityblock")
    agreements *= -0.5
    agreements += 1.0
    return agreements


def ndc_by_pdist(first: FloatArray, second: FloatArray) -> float:
    """The NDC index from two arrays of all pairs."""
    difference = pair_agreements(first)
    difference -= pair_agreements(second)
    return 1.0 - float(np.abs(difference, out=difference).mean())


def aci_by_pdist_and_sort(first: FloatArray, second: FloatArray) -> float:
    """The adjusted concordance index as R's FARI package computes it.

    It computes all pairs of both sides, and then the mean difference over all cross pairs from the
    sorted arrays. The fastest way in NumPy is to merge these and sum by rank: with S(x) the sum of
    |x_i - x_j| over the pairs of x, the sum over the cross pairs of a and b is
    S(a and b together) - S(a) - S(b).
    """
    a, b = pair_agreements(first), pair_agreements(second)
    observed = float(np.abs(a - b).mean())
    a.sort()
    b.sort()
    both = np.concatenate([a, b])
    both.sort(kind="stable")  # two sorted runs take a single merge
    cross = _sum_of_differences(both) - _sum_of_differences(a) - _sum_of_differences(b)
    return 1.0 - observed / (cross / a.size / b.size)


def _sum_of_differences(ordered: FloatArray) -> float:
    """Sum of |x_i - x_j| over all pairs of numbers in increasing order."""
    return float(np.dot(ordered, np.arange(1.0 - ordered.size, ordered.size, 2.0)))


def sort_columns(memberships: FloatArray) -> None:
    """Sort each column separately, on one thread."""
    for column in memberships.T:
        np.sort(column)


# --- Dirichlet rows ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sampled:
    """A mean over draws and the variance of that mean."""

    value: float
    variance: float


def dirichlet_rows(rng: np.random.Generator, alpha: FloatArray, size: int) -> FloatArray:
    """Rows of a Dirichlet distribution, drawn through logarithms if NumPy's sampler gives NaN."""
    rows = rng.dirichlet(alpha, size)
    if not np.isnan(rows).any():
        return rows
    logs = np.log(rng.standard_gamma(alpha + 1.0, (size, alpha.size)))
    logs -= rng.standard_exponential(logs.shape) / alpha
    rows = np.exp(logs - logs.max(axis=1, keepdims=True))
    return rows / rows.sum(axis=1, keepdims=True)


def matched_pair_sampler(
    rng: np.random.Generator, first: FloatArray, second: FloatArray, draws: int
) -> Sampled:
    """Expected NDC index of two Dirichlet models, with a pair of rows from each for every draw."""
    agreements = []
    for alpha in (first, second):
        one, other = (dirichlet_rows(rng, alpha, draws) for _ in range(2))
        agreements.append(1.0 - 0.5 * np.abs(one - other).sum(axis=1))
    concordance = 1.0 - np.abs(agreements[0] - agreements[1])
    return Sampled(float(concordance.mean()), float(concordance.var(ddof=1)) / draws)


def mean_logs(memberships: FloatArray) -> FloatArray:
    """Mean logarithm of each column, which is all that the likelihood needs from the data."""
    return np.asarray(np.log(memberships).mean(axis=0))


def moments_start(memberships: FloatArray) -> FloatArray:
    """Start of the iteration: the fit of mean and total variance, as in fuzzyrand."""
    mean = memberships.mean(axis=0)
    return mean * ((mean * (1.0 - mean)).sum() / memberships.var(axis=0).sum() - 1.0)


def fixed_point_fit(
    start: FloatArray, logs: FloatArray, tolerance: float
) -> tuple[FloatArray, int]:
    """Minka's fixed-point iteration for the Dirichlet likelihood, and the number of steps.

    It stops when the relative change of every concentration is at most ``tolerance``.
    """
    alpha, steps, change = start, 0, np.inf
    while change > tolerance:
        updated = inverse_digamma(digamma(alpha.sum()) + logs)
        change = float(np.abs(updated / alpha - 1.0).max())
        alpha, steps = updated, steps + 1
    return alpha, steps


def inverse_digamma(y: FloatArray) -> FloatArray:
    """Inverse of digamma: five Newton steps from Minka's first guess give full double precision."""
    x = np.where(y >= -2.22, np.exp(y) + 0.5, -1.0 / (y - digamma(1.0)))
    for _ in range(5):
        x = x - (digamma(x) - y) / polygamma(1, x)
    return np.asarray(x)


# --- the machine's peak --------------------------------------------------------------------------

CACHED = 512  # doubles: 4 KB, well inside the first-level cache
_REORDER = {"reassoc", "contract", "nsz", "arcp", "nnan", "ninf"}


@numba.njit(nogil=True, fastmath=_REORDER)
def _min_add(cached, thresholds):  # type: ignore[no-untyped-def]
    """Sum of min(c, x) over all cached c and thresholds x.

    Four thresholds at a time are compared with one loaded vector: there are no stores, and more
    independent sums than the latency of an addition requires.
    """
    s0 = s1 = s2 = s3 = 0.0
    for r in range(0, thresholds.size, 4):
        x0, x1, x2, x3 = thresholds[r], thresholds[r + 1], thresholds[r + 2], thresholds[r + 3]
        for j in range(cached.size):
            c = cached[j]
            s0 += c if c < x0 else x0
            s1 += c if c < x1 else x1
            s2 += c if c < x2 else x2
            s3 += c if c < x3 else x3
    return s0 + s1 + s2 + s3


class MinAddPeak:
    """The microkernel on several threads at once."""

    def __init__(self, threads: int, rounds: int = 400_000) -> None:
        rng = np.random.default_rng(0)
        self.threads = threads
        self.cached, self.thresholds = rng.random(CACHED), rng.random(rounds)
        self.operations = threads * CACHED * rounds
        self._check()

    def run(self) -> float:
        """Run once; return the sums, so that nothing can be optimised away."""
        with ThreadPoolExecutor(self.threads) as pool:
            sums = pool.map(lambda _: _min_add(self.cached, self.thresholds), range(self.threads))
            return float(sum(sums))

    def _check(self) -> None:
        few = self.thresholds[:400]
        expected = np.minimum.outer(few, self.cached).sum()
        assert np.isclose(_min_add(self.cached, few), expected, rtol=1e-12)
        assert self.vector_width() > 1, "the microkernel was not vectorised"

    @staticmethod
    def vector_width() -> int:
        """Doubles per vector in the compiled kernel's minima: 8, 4, 2, or 1 if not vectorised."""
        code = "".join(_min_add.inspect_asm().values())
        minima = [line for line in code.splitlines() if "minpd" in line or "fminnm" in line]
        widths = {"zmm": 8, "ymm": 4, "xmm": 2, ".2d": 2}
        found = [width for name, width in widths.items() if any(name in line for line in minima)]
        return max(found, default=1)


@numba.njit(nogil=True, fastmath=True)
def _gather(row, orders, start, step):  # type: ignore[no-untyped-def]
    """Take the entries of a row in each order, and sum the last buffer of them."""
    taken = np.empty_like(row)
    for s in range(start, orders.shape[0], step):
        for j in range(row.size):
            taken[j] = row[orders[s, j]]
    return taken.sum()


class Gather:
    """Looking up single-precision agreements of points in random orders, and nothing else.

    Parameters
    ----------
    n, draws, threads : int
        Number of points, of orders, and of threads.
    """

    def __init__(self, n: int, draws: int, threads: int) -> None:
        rng = np.random.default_rng(0)
        self.row, self.threads = rng.random(n, dtype=np.float32), threads
        self.orders = rng.permuted(np.tile(np.arange(n, dtype=np.uint16), (256, 1)), axis=1)
        # As many look-ups as there are pairs of points, for each of the draws.
        self.rounds = round(draws * (n - 1) / 2 / 256)

    def run(self) -> float:
        """Run once; return the sums, so that nothing can be optimised away."""

        def work(start: int) -> float:
            return sum(
                _gather(self.row, self.orders, start, self.threads) for _ in range(self.rounds)
            )

        with ThreadPoolExecutor(self.threads) as pool:
            return float(sum(pool.map(work, range(self.threads))))
