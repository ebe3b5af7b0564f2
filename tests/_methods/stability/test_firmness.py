"""Firmness of clusters and points: against plain loops, and for clusters that are known."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand.results.stability_text import verdict

from ..._clusterings.matching.test_jaccards import columns, plain
from ...examples import examples

sklearn_cluster = pytest.importorskip("sklearn.cluster")
mixture = pytest.importorskip("sklearn.mixture")

N = 14
#: Half of the last of the decimals that are kept.
ROUNDING = 0.5e-4 * 1.001


class Caught:
    """A method that returns random clusterings and keeps them."""

    def __init__(self, fuzzy, noise):
        self.fuzzy, self.noise, self.seen = fuzzy, noise, []

    def __call__(self, width, rows):
        rng = np.random.default_rng([int(10 * width), *rows])
        k = rng.integers(1, 4)
        if self.fuzzy and rng.random() < 0.8:
            found = rng.dirichlet(np.full(k + 1, 0.5), size=rows.size)
        else:
            found = rng.integers(-1 if self.noise else 0, k, size=rows.size)
        self.seen.append((width, rows, found))
        return found


def in_clusters(found):
    """Columns of the clusters, without noise."""
    found = np.asarray(found)
    if found.ndim == 1:
        return columns(found)[:, np.unique(found) >= 0]
    return found


@given(st.booleans(), st.booleans(), st.integers(0, 999))
@examples(25)
def test_firmness_is_that_of_plain_loops(fuzzy, noise, seed):
    method = Caught(fuzzy, noise)
    options = {"noise": -1} if noise else {}
    widths = [0.5, 1.5]
    result = fr.stability(
        method, np.arange(N), widths, parameter="width", repeats=3, random_state=seed, **options
    )
    wholes = {width: in_clusters(found) for width, _, found in method.seen[:2]}
    parts = method.seen[2:]
    for width in widths:
        whole, found, scores = wholes[width], [], [[] for _ in range(N)]
        mine = [(rows, labels) for w, rows, labels in parts if w == width]
        for rows, labels in mine:
            sub, here = in_clusters(labels), whole[rows]
            best = plain(here, sub).max(axis=1) if sub.shape[1] else np.zeros(here.shape[1])
            best[here.sum(axis=0) == 0] = np.nan
            found.append(best)
        assert np.allclose(result.found_again[width], found, atol=ROUNDING, equal_nan=True)
        means = [np.mean([x for x in column if not math.isnan(x)]) for column in zip(*found)]  # noqa: B905
        assert np.allclose(result.firmness[width], means, atol=ROUNDING, equal_nan=True)
        for (rows, one), (others, two) in zip(mine[::2], mine[1::2], strict=True):
            both = sorted(set(rows.tolist()) & set(others.tolist()))
            pair = [
                clustering[[where.tolist().index(row) for row in both]]
                for where, clustering in ((rows, one), (others, two))
            ]
            try:
                told = fr.explain(*pair, **options)
            except fr.FuzzyRandError:  # both have a single cluster
                continue
            if told.comparison.expected > 1.0 - 1e-9:
                continue
            for row, score in zip(both, told.points, strict=True):
                scores[row].append(score)
        expected = [np.mean(each) if each else np.nan for each in scores]
        assert np.allclose(result.points[width], expected, atol=ROUNDING, equal_nan=True)


def planted(rng, n=40):
    centres = np.array([[0, 0], [9, 0], [0, 9], [9, 9]])
    return centres[np.arange(4 * n) % 4] + rng.normal(size=(4 * n, 2))


@pytest.mark.parametrize("method", [sklearn_cluster.KMeans(n_init=3), mixture.GaussianMixture()])
def test_planted_clusters_are_firm(method):
    parameter = "n_clusters" if hasattr(method, "n_clusters") else "n_components"
    X = planted(np.random.default_rng(1))
    result = fr.stability(method, X, [4], parameter=parameter, repeats=8, reference=None)
    assert result.firmness[4].min() > 0.85
    assert set(result.columns("clusters")["verdict"]) == {"firm"}
    assert result.points[4].min() > 0.85


def test_made_up_clusters_are_not_firm():
    """Two planted clusters, and a cloud that is cut into six pieces at random places."""
    rng = np.random.default_rng(2)
    cloud = rng.normal(size=(150, 2))
    far = 20.0 * np.repeat(np.eye(2), 40, axis=0) + rng.normal(size=(80, 2))
    X = np.vstack([cloud, far])

    def cut(k, X, random_state):
        where = np.where(X[:, 0] > 15, 0, np.where(X[:, 1] > 15, 1, 2))
        inside = where == 2
        centres = np.random.default_rng(random_state).normal(size=(6, 2))
        distances = ((X[inside, None] - centres) ** 2).sum(axis=2)
        where[inside] = 2 + distances.argmin(axis=1)
        return where

    result = fr.stability(cut, X, [8], repeats=10, reference=None)
    firm = result.firmness[8]
    assert firm[:2].min() > 0.85
    assert firm[2:].max() < 0.6
    assert result.points[8][150:].min() > result.points[8][:150].max()
    assert ", doubtful)" in result.on_clusters


def test_clusters_by_chance():
    """Labels that have nothing to do with the data; one cluster has nearly all points."""

    def unrelated(k, X, random_state):
        rng = np.random.default_rng(random_state)
        return np.where(rng.random(len(X)) < 0.95, 0, 1 + rng.integers(k, size=len(X)))

    result = fr.stability(unrelated, np.arange(400), [2], repeats=20, reference=None)
    frame = result.columns("clusters")
    assert frame["firmness"][0] > 0.85
    assert frame["verdict"][0] == "by chance"
    assert frame["verdict"][1] == "doubtful"
    errors = np.hypot(frame["stderr"], frame["stderr"])
    assert (np.abs(np.subtract(frame["firmness"], frame["chance"])) < 4 * errors + 0.02).all()


def test_clusters_that_cannot_be_judged():
    """A cluster of all points is found by chance, and one of a single point wherever that is."""
    assert verdict(1.0, 1.0, 50) == "by chance"
    assert verdict(1.0, 0.1, 1) == "too small"
    assert verdict(math.nan, math.nan, 5) == "unknown"


@pytest.mark.parametrize("noise_as", ["cluster", "singletons", "drop"])
def test_noise_and_points_without_a_label_are_in_no_cluster(noise_as):
    def some(k, rows):
        labels = (rows % 2).astype(object)
        labels[rows % 7 == 0] = -1
        labels[rows % 11 == 5] = None
        return labels

    result = fr.stability(
        some, np.arange(80), [2], repeats=12, noise=-1, noise_as=noise_as, missing="drop"
    )
    assert result.numbers == {2: 2}
    labels = result.labels[2]
    assert sorted(labels) == [0, 1]
    assert result.firmness[2].tolist() == [1.0, 1.0]
    out = (np.arange(80) % 7 == 0) | (np.arange(80) % 11 == 5)
    table = result.columns("points")
    assert [label is None for label in table["cluster"]] == out.tolist()
    if noise_as == "drop":
        assert np.array_equal(np.isnan(result.points[2]), out)
    assert result.columns("clusters")["size"] == [
        float((~out & (np.arange(80) % 2 == parity)).sum()) for parity in labels
    ]


def test_halves_of_a_cloud_are_firm_and_called_into_question():
    kmeans = sklearn_cluster.KMeans(n_init=2)
    cloud = np.random.default_rng(0).normal(size=(120, 2)) @ [[4, 0], [0, 1]]
    result = fr.stability(kmeans, cloud, [2], repeats=8)
    assert result.best is None
    assert result.firmness[2].min() > 0.85
    assert (
        "Firm clusters need not be real here: data without clusters are as stable"
        in result.on_clusters
    )
    untested = fr.stability(kmeans, cloud, [2], repeats=5, reference=None)
    assert "that was not tested." in untested.on_clusters
    told = fr.stability(kmeans, planted(np.random.default_rng(1)), [4], repeats=8)
    assert told.best == 4
    assert "not" not in told.on_clusters
