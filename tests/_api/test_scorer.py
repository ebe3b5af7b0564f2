"""Scorers for scikit-learn's cross-validation and searches."""

import pickle

import numpy as np
import pytest
from sklearn.cluster import DBSCAN, KMeans
from sklearn.datasets import load_iris
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import fuzzyrand as fr

X, Y = load_iris(return_X_y=True)
MIXED = StratifiedKFold(3)


def test_soft_where_the_estimator_offers_memberships():
    mixture = GaussianMixture(3, random_state=0).fit(X)
    score = fr.scorer("ndc", model="perm")
    assert score(mixture, X, Y) == fr.adjusted_similarity(Y, mixture.predict_proba(X))
    hard = fr.scorer("ndc", soft=False)
    assert hard(mixture, X, Y) == pytest.approx(adjusted_rand_score(Y, mixture.predict(X)))
    means = KMeans(3, n_init=1, random_state=0).fit(X)
    assert score(means, X, Y) == pytest.approx(adjusted_rand_score(Y, means.predict(X)))
    assert pickle.loads(pickle.dumps(score)) == score


def test_cross_validation_and_search():
    pipeline = make_pipeline(StandardScaler(), GaussianMixture(3, random_state=0))
    scoring = {"soft": fr.scorer("ndc"), "hard": fr.scorer("rand", soft=False)}
    found = cross_validate(pipeline, X, Y, scoring=scoring, cv=MIXED)
    assert np.isfinite(found["test_soft"]).all()
    assert np.isfinite(found["test_hard"]).all()
    search = GridSearchCV(
        KMeans(n_init=1, random_state=0),
        {"n_clusters": [2, 3, 8]},
        scoring=fr.scorer("rand"),
        cv=MIXED,
    ).fit(X, Y)
    assert search.best_params_["n_clusters"] in (2, 3)


def test_refused():
    with pytest.raises(fr.UnknownNameError):
        fr.scorer("nothing")
    with pytest.raises(fr.ParameterError, match="soft must be True"):
        fr.scorer(soft="yes")
    score, means = fr.scorer(), KMeans(3, n_init=1).fit(X)
    with pytest.raises(fr.InputError, match="pass them as y"):
        score(means, X)
    with pytest.raises(fr.InputError, match=r"the same known label.*StratifiedKFold"):
        score(means, X[:50], Y[:50])
    with pytest.raises(fr.NotApplicableError, match="KMeans has no predict_proba"):
        fr.scorer(soft=True)(means, X, Y)
    with pytest.raises(fr.NotApplicableError, match="DBSCAN cannot predict"):
        score(DBSCAN().fit(X), X, Y)
