"""Expected mutual information: hard clusterings against scikit-learn, fuzzy ones against UᵀV."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from measure import Race, median_times, race, seconds
from report import Row, Section, Target, duration
from scipy.sparse import coo_array
from scipy.special import xlogy
from sklearn.metrics import adjusted_mutual_info_score
from sklearn.metrics.cluster import expected_mutual_information

import fuzzyrand as fr
from fuzzyrand._distributions.count_means import jensen_gap_shuffled
from fuzzyrand._distributions.information_moments import information_remainder

#: scikit-learn's own rounding.
TOLERANCE = 1e-8


def expected_information() -> Section:
    """The rows of the table."""
    section = Section()
    for n, k1, k2, shown, limit in (
        (100_000, 5_000, 5_000, "10⁵ points, 5,000 + 5,000 clusters", 100),
        (100_000, 300, 300, "10⁵ points, 300 + 300 clusters", None),
        (10_000_000, 10, 12, "10⁷ points, 10 + 12 clusters", 3),
    ):
        result = _against_scikit_learn(n, k1, k2)
        work = f"expected mutual information of {shown}"
        times = duration(result.ours), duration(result.peer)
        target = None if limit is None else Target(limit)
        section.rows.append(Row(work, "scikit-learn", result.speedup, target, *times))
    n, k = 1_000_000, 100_000
    sizes1, sizes2 = _sizes(n, k, 0), _sizes(n, k, 1)
    (taken,) = median_times([lambda: jensen_gap_shuffled(n, sizes1, sizes2)], 5)
    work = "expected mutual information of 10⁶ points, 10⁵ + 10⁵ clusters: seconds"
    target = Target(1.0, at_least=False, unit=" s")
    section.rows.append(Row(work, "–", taken, target, duration(taken), "–"))
    for n, k1, k2, shown, limit in (
        (100_000, 5_000, 5_000, "10⁵ labels in 5,000 + 5,000 clusters", 100),
        (10_000_000, 10, 12, "10⁷ labels in 10 + 12 clusters", 3),
    ):
        result = _adjusted(n, k1, k2)
        times = duration(result.ours), duration(result.peer)
        work = f"adjusted mutual information of {shown}"
        section.rows.append(Row(work, "scikit-learn", result.speedup, Target(limit), *times))
    section.rows += [_gain_of_control_variate(), _against_one_product()]
    section.notes.append(
        "control variate: how many times the variance of random tables falls if the mean of a "
        "polynomial of second order is added exactly. UᵀV: `compare` of two Partitions, against "
        "one product of their memberships; the limit is on the time that it takes."
    )
    section.notes.append(
        "expected mutual information: from the sizes of the clusters, which are those of random "
        "labels drawn with random weights; scikit-learn's function runs once if it takes seconds."
    )
    return section


def _adjusted(n: int, k1: int, k2: int) -> Race:
    """Compare random labels by both libraries, from the labels to the adjusted value."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(k1, size=n), rng.integers(k2, size=n)
    values: list[float] = []
    once = seconds(lambda: values.append(adjusted_mutual_info_score(a, b)))

    def ours() -> float:
        return fr.adjusted_similarity(a, b, index="mi")

    assert abs(ours() - values[0]) <= TOLERANCE, f"ours {ours()!r}, the peer's {values[0]!r}"
    return Race(median_times([ours], 5)[0], once)


def _gain_of_control_variate(n: int = 1_000, k: int = 5, draws: int = 400) -> Row:
    """Compare the variances of shuffled information with and without the control variate."""
    rng = np.random.default_rng(0)
    u, v = rng.dirichlet(np.ones(k), (2, n))
    mean1, mean2 = u.mean(axis=0), v.mean(axis=0)
    tables = np.array([u[rng.permutation(n)].T @ v / n for _ in range(draws)])
    plain = xlogy(tables, tables).sum(axis=(1, 2))
    left = information_remainder(tables, mean1, mean2)
    gain = float(plain.var(ddof=1) / left.var(ddof=1))
    work = "mutual information of 1,000 points, 5 + 5 fuzzy clusters: gain of the control variate"
    return Row(work, "plain draws", gain, Target(300), "–", "–")


def _against_one_product(n: int = 1_000_000, k: int = 10) -> Row:
    """Compare two fuzzy clusterings, and multiply their memberships once."""
    u, v = np.random.default_rng(0).dirichlet(np.full(k, 0.5), (2, n))
    first, second = fr.as_partition(u), fr.as_partition(v)

    def ours() -> object:  # copies, which remember nothing of the last comparison
        return fr.compare(replace(first), replace(second), index="mi")

    taken, product = median_times([ours, lambda: u.T @ v], 9)
    work = "compare 10⁶ points, 10 + 10 fuzzy clusters, by `mi`: times one UᵀV"
    target = Target(2.0, at_least=False)
    return Row(work, "NumPy's UᵀV", taken / product, target, duration(taken), duration(product))


def _sizes(n: int, k: int, seed: int) -> np.ndarray:
    """Sizes of at most k clusters with random weights."""
    rng = np.random.default_rng(seed)
    sizes = rng.multinomial(n, rng.dirichlet(np.ones(k)))
    return np.asarray(sizes[sizes > 0])


def _against_scikit_learn(n: int, k1: int, k2: int) -> Race:
    sizes1, sizes2 = _sizes(n, k1, 0), _sizes(n, k2, 1)
    labels = (np.repeat(np.arange(sizes.size), sizes) for sizes in (sizes1, sizes2))
    table = coo_array((np.ones(n, np.int64), tuple(labels))).tocsr()  # it uses the margins alone

    def peer() -> float:
        return float(expected_mutual_information(table, n))

    def ours() -> float:
        return jensen_gap_shuffled(n, sizes1, sizes2)[0]

    values: list[float] = []
    once = seconds(lambda: values.append(peer()))
    assert abs(ours() - values[0]) <= TOLERANCE, f"ours {ours()!r}, the peer's {values[0]!r}"
    if once > 2.0:
        return Race(median_times([ours], 5)[0], once)
    return race(ours, peer, 5)
