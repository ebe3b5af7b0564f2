"""Expected mutual information of hard clusterings, against scikit-learn."""

from __future__ import annotations

import numpy as np
from measure import Race, median_times, race, seconds
from report import Row, Section, Target, duration
from scipy.sparse import coo_array
from sklearn.metrics.cluster import expected_mutual_information

from fuzzyrand._distributions.count_means import jensen_gap_shuffled

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
    section.notes.append(
        "expected mutual information: from the sizes of the clusters, which are those of random "
        "labels drawn with random weights; scikit-learn's function runs once if it takes seconds."
    )
    return section


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
