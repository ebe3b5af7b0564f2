"""The adjusted Rand index of labels, against scikit-learn and genieclust."""

from __future__ import annotations

import genieclust.compare_partitions
import numpy as np
from inputs import labels, require_close
from measure import race
from report import Row, Section, Target, duration
from sklearn.metrics import adjusted_rand_score

from fuzzyrand import adjusted_similarity


def ari() -> Section:
    """Adjusted Rand index of very many integer labels, of eight bytes and fewer."""
    genie = genieclust.compare_partitions.adjusted_rand_score
    contestants = (
        ("int", np.int64, "scikit-learn", adjusted_rand_score, Target(20), 5),
        ("int", np.int64, "genieclust", genie, Target(1.0), 11),
        ("int32", np.int32, "genieclust", genie, Target(1.0), 11),
        ("int8", np.int8, "genieclust", genie, Target(1.0), 11),
    )
    section = Section()
    for kind, dtype, name, score, target, repetitions in contestants:
        x, y = labels(10**7, 10, 0).astype(dtype), labels(10**7, 12, 1).astype(dtype)
        require_close(adjusted_similarity(x, y, model="perm"), score(x, y), 1e-12)
        result = race(
            lambda x=x, y=y: adjusted_similarity(x, y, model="perm"),
            lambda x=x, y=y, score=score: score(x, y),
            repetitions,
        )
        section.rows.append(
            Row(
                f"ARI of 10⁷ {kind} labels, 10 vs 12 clusters",
                name,
                result.speedup,
                target,
                duration(result.ours),
                duration(result.peer),
            )
        )
    return section


def many_clusters() -> Section:
    """Adjusted Rand index of labels in thousands of clusters, whose table is nearly empty."""
    x, y = labels(10**5, 5000, 0), labels(10**5, 5000, 1)
    require_close(adjusted_similarity(x, y, model="perm"), adjusted_rand_score(x, y), 1e-12)
    result = race(
        lambda: adjusted_similarity(x, y, model="perm"), lambda: adjusted_rand_score(x, y), 21
    )
    work = "ARI of 10⁵ int labels, 5,000 vs 5,000 clusters"
    times = duration(result.ours), duration(result.peer)
    return Section(
        [
            Row(work, "scikit-learn", result.speedup, Target(1.0), *times),
            Row(
                f"{work}: milliseconds",
                "R's aricode: 4 ms on such a machine",
                1e3 * result.ours,
                Target(4, at_least=False, unit=" ms"),
                *times,
            ),
        ]
    )
