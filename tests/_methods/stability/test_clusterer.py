"""Estimators and functions, called in one way."""

import os
import subprocess
import sys
from functools import partial

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._methods.stability.clusterer import as_clusterer, clusters_of

X = np.random.default_rng(0).normal(size=(40, 2))


def with_seed(k, X, random_state):
    return np.random.default_rng(random_state).integers(k, size=len(X))


def test_kinds_of_functions():
    cluster = pytest.importorskip("sklearn.cluster")
    cases = {
        "class": (cluster.KMeans, False, False),
        "function of k": (lambda k: cluster.KMeans(k), False, False),
        "function of k and a seed": (lambda k, random_state: cluster.KMeans(k), False, True),
        "of k and data": (lambda k, X: np.zeros(len(X)), True, False),
        "of k, data and a seed": (with_seed, True, True),
        "partial": (partial(lambda k, X, spread: None, spread=3), True, False),
        "default": (lambda k, X, spread=3: None, True, False),
    }
    for name, (function, takes_data, takes_seed) in cases.items():
        found = as_clusterer(function)
        assert (found.takes_data, found.takes_seed) == (takes_data, takes_seed), name


def test_refusals():
    cluster = pytest.importorskip("sklearn.cluster")
    with pytest.raises(fr.ParameterError, match=r"lambda k: KMeans\(k\)"):
        as_clusterer("kmeans")
    for given in (cluster.KMeans(), cluster.KMeans):
        with pytest.raises(fr.ParameterError, match=r"KMeans has no parameter 'eps'. It has algo"):
            as_clusterer(given, "eps")
    with pytest.raises(fr.ParameterError, match="Did you mean parameter='eps'"):
        as_clusterer(cluster.DBSCAN(), "epps")
    mixture = pytest.importorskip("sklearn.mixture")
    with pytest.raises(fr.ParameterError, match="Did you mean parameter='n_components'"):
        as_clusterer(mixture.GaussianMixture())
    with pytest.raises(fr.ParameterError, match="needs 3 arguments"):
        as_clusterer(lambda k, X, y: None)
    with pytest.raises(fr.ParameterError, match=r"has no fit\(\)"):
        as_clusterer(lambda k: [0, 1]).cluster(2, X, 0)
    preprocessing = pytest.importorskip("sklearn.preprocessing")
    with pytest.raises(fr.ParameterError, match="neither predict_proba"):
        clusters_of(preprocessing.StandardScaler(), X, 0)


def test_values_are_given_to_estimators_and_by_name():
    cluster = pytest.importorskip("sklearn.cluster")
    pipeline = pytest.importorskip("sklearn.pipeline")
    wanted = cluster.DBSCAN(eps=0.7, min_samples=3).fit_predict(X)

    def by_name(X, eps=0.1):
        return cluster.DBSCAN(eps=eps, min_samples=3).fit_predict(X)

    fixed = cluster.DBSCAN(min_samples=3)
    chain = pipeline.make_pipeline(cluster.DBSCAN(min_samples=3))
    for method, parameter in (
        (fixed, "eps"),
        (chain, "dbscan__eps"),
        (partial(cluster.DBSCAN, min_samples=3), "eps"),
        (lambda r: cluster.DBSCAN(eps=r, min_samples=3), "eps"),
        (lambda *, eps: cluster.DBSCAN(eps=eps, min_samples=3), "eps"),
        (by_name, "eps"),
        (lambda r, X: by_name(X, r), "eps"),
    ):
        assert np.array_equal(as_clusterer(method, parameter).cluster(0.7, X, 0), wanted)
    assert fixed.eps == 0.5  # a copy is changed
    ward = cluster.AgglomerativeClustering(3, linkage="single").fit_predict(X)
    method = as_clusterer(cluster.AgglomerativeClustering(3), "linkage")
    assert np.array_equal(method.cluster("single", X, 0), ward)


def test_memberships_before_labels():
    mixture = pytest.importorskip("sklearn.mixture")
    soft = as_clusterer(mixture.GaussianMixture).cluster(3, X, 5)
    model = mixture.GaussianMixture(3, random_state=5).fit(X)
    assert np.array_equal(soft, model.predict_proba(X))


def test_labels_of_estimators_without_memberships():
    cluster = pytest.importorskip("sklearn.cluster")
    labels = as_clusterer(cluster.AgglomerativeClustering).cluster(3, X, 0)
    assert np.array_equal(labels, cluster.AgglomerativeClustering(3).fit(X).labels_)

    class Plain:
        random_state = None

        def fit(self, X):
            self.labels_ = np.random.default_rng(self.random_state).integers(2, size=len(X))

    assert np.array_equal(clusters_of(Plain(), X, 7), with_seed(2, X, 7))


def test_seeds_are_set_where_there_is_none():
    cluster = pytest.importorskip("sklearn.cluster")
    pipeline = pytest.importorskip("sklearn.pipeline")
    preprocessing = pytest.importorskip("sklearn.preprocessing")
    inner = cluster.KMeans(3, n_init=1)
    chain = pipeline.make_pipeline(preprocessing.StandardScaler(), inner)
    clusters_of(chain, X, 11)
    assert inner.random_state == 11
    fixed = cluster.KMeans(3, n_init=1, random_state=4)
    clusters_of(fixed, X, 11)
    assert fixed.random_state == 4


def test_descriptions_tell_methods_apart():
    cluster = pytest.importorskip("sklearn.cluster")
    descriptions = [
        as_clusterer(function).describe()
        for function in (
            cluster.KMeans,
            lambda k: cluster.KMeans(k, n_init=3),
            lambda k, X: X[:, 0] > 0,
            lambda k, X: X[:, 0] > 1,
            lambda k, X: [x > 1 for x in X[:, 0]],
            with_seed,
        )
    ]
    assert len(set(descriptions)) == len(descriptions)
    assert descriptions[-1] == as_clusterer(with_seed).describe()

    class Silent:
        def fit(self, X): ...

    one, two = (as_clusterer(lambda k: Silent()).describe() for _ in range(2))
    assert one == two


def test_descriptions_tell_bound_values_apart():
    def axis(k, X, axis=0):
        return X[:, axis] > 0

    def above(limit):
        return lambda k, X: X[:, 0] > limit

    class Axis:
        def __init__(self, axis):
            self.axis = axis

        def __call__(self, k, X):
            return X[:, self.axis] > 0

    functions = [partial(axis, axis=0), partial(axis, axis=1), axis, above(0), above(1)]
    functions += [Axis(0), Axis(1)]
    descriptions = [as_clusterer(function).describe() for function in functions]
    assert len(set(descriptions)) == len(descriptions)
    again = [partial(axis, axis=0), above(0), Axis(0)]
    assert [as_clusterer(function).describe() for function in again] == [
        descriptions[place] for place in (0, 3, 5)
    ]


def test_descriptions_are_the_same_in_every_process():
    """Sets have another order in every process."""
    script = (
        "from fuzzyrand._methods.stability.clusterer import as_clusterer\n"
        "def f(k, X): return k in {'ward', 'single', 'complete', 'average'}\n"
        "print(as_clusterer(f).describe())"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(said) == 1
