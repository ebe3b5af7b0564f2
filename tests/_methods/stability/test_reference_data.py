"""Reference data: as spread out as the data, without clusters."""

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._methods.stability.reference_data import as_reference


def data(n=400):
    rng = np.random.default_rng(1)
    return rng.normal(size=(n, 3)) @ np.array([[3.0, 1.0, 0.0], [0.0, 1.0, 0.5], [0.0, 0.0, 0.2]])


def test_uniform_fills_the_box_along_principal_axes():
    X = data()
    law, remarks = as_reference("auto", X)
    assert (law.name, remarks) == ("uniform", ())
    drawn = np.concatenate([law.draw(X, np.random.default_rng(i)) for i in range(20)])
    axes = np.linalg.svd(X - X.mean(0), full_matrices=False)[2]
    inside, scores = (X - X.mean(0)) @ axes.T, (drawn - X.mean(0)) @ axes.T
    assert (scores >= inside.min(0) - 1e-9).all()
    assert (scores <= inside.max(0) + 1e-9).all()
    width = inside.max(0) - inside.min(0)
    assert scores.var(axis=0) == pytest.approx(width**2 / 12, rel=0.05)


def test_normal_has_the_mean_and_the_covariances():
    X = data()
    law, _ = as_reference("normal", X)
    drawn = np.concatenate([law.draw(X, np.random.default_rng(i)) for i in range(100)])
    assert drawn.shape == (40_000, 3)
    assert drawn.mean(0) == pytest.approx(X.mean(0), abs=0.06)
    assert np.cov(drawn.T) == pytest.approx(np.cov(X.T), abs=0.15)


def test_more_columns_than_rows():
    X = np.random.default_rng(0).normal(size=(8, 30))
    for name in ("uniform", "normal"):
        law, _ = as_reference(name, X)
        assert law.draw(X, np.random.default_rng(0)).shape == X.shape


def test_functions_and_refusals():
    X = data(50)
    law, _ = as_reference(lambda X, rng: rng.permutation(X), X)
    assert sorted(law.draw(X, np.random.default_rng(0))[:, 0]) == sorted(X[:, 0])
    law, _ = as_reference(lambda X, rng: X[:10], X)
    with pytest.raises(fr.ParameterError, match="returned 10 rows for data of 50"):
        law.draw(X, np.random.default_rng(0))
    with pytest.raises(fr.UnknownNameError, match="'uniform'"):
        as_reference("unifrom", X)
    with pytest.raises(fr.ParameterError, match="matrix of finite numbers"):
        as_reference("normal", list("abc"))
    law, remarks = as_reference("auto", list("abc"))
    assert law is None
    assert "not a matrix of finite numbers" in str(remarks[0])
