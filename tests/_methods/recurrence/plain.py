"""Plain definitions of what recurrence() computes, and runs with planted families."""

from itertools import combinations, permutations, product

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import squareform


def memberships(labels):
    """The one-hot rows of labels; memberships as they are."""
    labels = np.asarray(labels)
    return np.eye(int(labels.max()) + 1)[labels] if labels.ndim == 1 else labels


def rows_of(partition):
    """The memberships of a Partition, with a column for each cluster that points can share."""
    if partition.codes is None:
        return partition.shared.dense
    return np.eye(partition.k)[partition.codes]


def together(rows):
    return rows @ rows.T


def discordance(a, b, w):
    """Weighted mean of (a₁ − a₂)² over all pairs, its expectation, and the part of each point."""
    a, b, n = together(a), together(b), len(w)
    pairs = np.outer(w, w)
    np.fill_diagonal(pairs, 0.0)
    total = pairs.sum()
    observed = (pairs * (a - b) ** 2).sum() / total
    s, t = np.nonzero(~np.eye(n, dtype=bool))
    p = pairs[s, t] / total
    expected = p @ ((a[s, t][:, None] - b[s, t][None, :]) ** 2) @ p
    of_points = (pairs * (a - b) ** 2).sum(axis=1) / w * w.sum() / total
    return observed, expected, of_points


def adjusted_and_scores(a, b, w):
    observed, expected, of_points = discordance(a, b, w)
    if expected <= 1e-12:
        return 1.0, np.ones(len(w))
    return 1.0 - observed / expected, 1.0 - of_points / expected


def correlation(x, y, w):
    """Weighted correlation of two columns; see likeness()."""
    p, q = np.average(x, weights=w), np.average(y, weights=w)
    vx, vy = np.average((x - p) ** 2, weights=w), np.average((y - q) ** 2, weights=w)
    if vx < 1e-14 and vy < 1e-14:
        return float(p > 0 and abs(p - q) < 1e-7)
    if vx < 1e-14 or vy < 1e-14:
        return 0.0
    return np.average((x - p) * (y - q), weights=w) / np.sqrt(vx * vy)


def correlations(columns):
    """Correlations of (points, memberships, weights) columns over their common points."""
    out = np.eye(len(columns))
    for i, j in combinations(range(len(columns)), 2):
        (first, x, w), (second, y, _) = columns[i], columns[j]
        _, here, there = np.intersect1d(first, second, return_indices=True)
        out[i, j] = out[j, i] = correlation(x[here], y[there], w[here])
    return out


def families(likeness, run):
    """Average linkage of all columns at once, cut at 0.5; then the most similar means are joined.

    Families are joined as long as the means of their columns have a correlation of at least 0.5,
    and no run has clusters in both.
    """
    distances = np.maximum(squareform(1.0 - likeness, checks=False), 0.0)
    labels = fcluster(linkage(distances, "average"), 0.5 + 1e-9, "distance")
    found = sorted(np.flatnonzero(labels == label).tolist() for label in set(labels))
    while True:
        pairs = []
        for first, second in product(found, found):
            if len(first) > 1 and not {run[i] for i in first} & {run[j] for j in second}:
                total = likeness[np.ix_(first, second)].sum()
                squares = (likeness[np.ix_(one, one)].sum() for one in (first, second))
                pairs.append((total / np.sqrt(np.prod(list(squares))), first, second))
        best = max((pair[0] for pair in pairs), default=0.0)
        if best < 0.5 - 1e-9:
            break
        _, first, second = next(pair for pair in pairs if pair[0] >= best - 1e-9)
        found[found.index(first)] = first + second
        found.remove(second)
    out = np.empty(len(likeness), dtype=int)
    for label, members in enumerate(found):
        out[members] = label
    return out


def same_groups(first, second):
    """Whether two label vectors describe the same partition."""
    pairs = len(set(zip(list(first), list(second), strict=True)))
    return pairs == len(set(first)) == len(set(second))


def smallest_sum_of_squares(runs):
    """The smallest sum of squares over all matchings of runs with as many clusters."""
    k = max(run.shape[1] for run in runs)
    padded = [np.pad(run, [(0, 0), (0, k - run.shape[1])]) for run in runs]
    orders = [list(order) for order in permutations(range(k))]
    best = np.inf
    for chosen in product(orders, repeat=len(runs) - 1):
        matched = [padded[0]] + [
            run[:, order] for run, order in zip(padded[1:], chosen, strict=True)
        ]
        best = min(best, ((matched - np.mean(matched, axis=0)) ** 2).sum())
    return best


def alternating_sum_of_squares(runs, rng):
    """The sum of squares of runs that are matched with their mean, again and again, from chance."""
    k = max(run.shape[1] for run in runs)
    runs = [np.pad(run, [(0, 0), (0, k - run.shape[1])]) for run in runs]
    mean, before = rng.dirichlet(np.ones(k), len(runs[0])), np.inf
    while True:
        matched = [run[:, linear_sum_assignment(mean.T @ run, maximize=True)[1]] for run in runs]
        mean = np.mean(matched, axis=0)
        squares = ((matched - mean) ** 2).sum()
        if squares > before - 1e-10:
            return squares
        before = squares


def planted(rng, count, *, fuzzy, n=360, moved=0.05):
    """Runs made from six true clusters: four recur always, one in half of the runs, one never.

    The points of a cluster that a run does not find are scattered over its other clusters.

    Returns
    -------
    tuple
        The truth, the runs that find the fifth cluster, and the runs.
    """
    truth = rng.permutation(np.arange(n) % 6)
    half = set(rng.permutation(count)[: count // 2].tolist())
    runs = []
    for run in range(count):
        k = 5 if run in half else 4
        lost = (truth >= k) | (rng.random(n) < moved)
        labels = np.where(lost, rng.integers(k, size=n), truth)
        labels = rng.permutation(k)[labels]
        if fuzzy:
            rows = rng.standard_gamma(0.3 + 3.0 * np.eye(k)[labels])
            runs.append(rows / rows.sum(axis=1, keepdims=True))
        else:
            runs.append(labels)
    return truth, half, runs


def found_as_planted(result, truth, half):
    """Whether families, shares and null are those of the planted runs."""
    runs = len(result.runs)
    recurring = [family for family in result.families if family.runs > 1]
    if [family.runs for family in recurring] != sorted(
        [runs] * 4 + [len(half)] * (len(half) > 1), reverse=True
    ):
        return False
    named = {f"{run}" for run in half}
    for family in recurring:
        own = truth[family.core]
        if np.bincount(own, minlength=6).max() < 0.8 * own.size or family.by_chance:
            return False
    homes = [int(np.bincount(truth[family.core], minlength=6).argmax()) for family in recurring]
    if sorted(homes) != list(range(len(recurring))):
        return False
    fifth = [f for f, home in zip(recurring, homes, strict=True) if home == 4]
    return all({run for run, _ in family.members} == named for family in fifth)
