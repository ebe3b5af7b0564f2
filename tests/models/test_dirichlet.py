"""Models of one Dirichlet distribution: their options, their limits, and noise by them."""

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand import ParameterError
from fuzzyrand._distributions.row_distributions import Dirichlet

from ..clusterings import LABELS, SOFT


@pytest.mark.parametrize("k", [2, 16, pytest.param(128, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("precision", "largest"), [(1.0, 0.02), (5.0, 0.02), (0.1, 0.05)])
def test_pure_noise_scores_zero(k, precision, largest):
    large = max(1, int(0.8 * k))
    alpha = np.r_[np.full(large, 0.8 / large), np.full(k - large, 0.2 / (k - large))] * precision
    rng = np.random.default_rng(k)
    rows = Dirichlet(alpha)
    scores = [
        fr.adjusted_similarity(rows.sample(rng, 500), rows.sample(rng, 500), model="fit", tol=2e-3)
        for _ in range(20)
    ]
    assert abs(np.mean(scores)) < largest


def test_bad_options_of_models_and_indices():
    with pytest.raises(fr.UnknownNameError, match="censored"):
        fr.Fit(zeros="censor")
    with pytest.raises(fr.UnknownNameError, match="moments"):
        fr.Sym(estimator="moment")
    with pytest.raises(ParameterError, match="resolution"):
        fr.Fit(resolution=0.0)
    with pytest.raises(ParameterError, match="p >= 1"):
        fr.NDC(p=0.5)
    with pytest.raises(ParameterError, match="q >= 1"):
        fr.NDC(q=float("nan"))


@pytest.mark.parametrize("model", ["fit", "sym", "flat"])
def test_dirichlet_models_refuse_possibilistic_memberships(model):
    with pytest.raises(fr.NotApplicableError, match=r"possibilistic.*perm"):
        fr.compare(LABELS, SOFT * 0.5, model=model, possibilistic=True)
    assert fr.compare(LABELS, SOFT * 0.5, model=model, possibilistic=True, fixed="second").n == 7


def test_a_resolution_that_rows_may_fall_below_is_refused():
    x = fr.toy_clusterings()["high_fuzzy"]
    for model in (fr.Fit(resolution=0.41), fr.Sym(resolution=0.34)):
        with pytest.raises(fr.NotApplicableError, match="1/3"):
            fr.compare(x, x[::-1], model=model)


def test_two_rows_with_zeros_leave_a_fit_that_is_not_of_infinite_precision():
    """The likelihood at the inferred limit grew without bound here."""
    rows = np.array([[0.55418724, 0.0, 0.44581276], [0.0, 0.4930352, 0.5069648]])
    c = fr.compare(rows, [0, 0], model="fit")
    assert 0.4 < c.expected < 0.9
