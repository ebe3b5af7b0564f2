"""An index from two functions, held to the built-in one with the same functions."""

import numpy as np
import pytest
from hypothesis import given

import fuzzyrand as fr

from ..own_indices import own_ndc
from ..strategies import two_clusterings

TOY = fr.toy_clusterings()


@given(two_clusterings())
def test_an_own_ndc_is_ndc_observed_and_shuffled(pair):
    own = own_ndc()
    assert fr.similarity(*pair, index=own) == pytest.approx(fr.similarity(*pair), abs=1e-12)
    c = fr.compare(*pair, index=own, model="empirical")
    reference = fr.compare(*pair, model="empirical")
    bound = c.error_bound + 1e-9 if np.isfinite(c.error_bound) else np.inf
    assert c.adjusted == pytest.approx(reference.adjusted, abs=bound)


@pytest.mark.parametrize("model", ["perm", "fit", "sym", "flat", "mixture"])
@pytest.mark.parametrize("fixed", [None, "first"])
def test_an_own_ndc_is_ndc_under_every_model(model, fixed):
    rng = np.random.default_rng(5)
    u, v = rng.dirichlet([0.5] * 3, 60), rng.dirichlet([1.0, 2.0, 0.5, 0.5], 60)
    c = fr.compare(u, v, index=own_ndc(), model=model, fixed=fixed)
    reference = fr.compare(u, v, model=model, fixed=fixed, tol=2e-4)
    assert not c.exact
    assert c.converged
    noise = np.hypot(c.stderr, reference.stderr)
    assert abs(c.adjusted - reference.adjusted) < 4 * noise + c.error_bound + 1e-9
    assert c.error_bound < 1e-4


def test_an_own_ndc_is_ndc_for_many_points():
    rng = np.random.default_rng(6)
    u, v = rng.dirichlet([0.5] * 3, 1600), rng.dirichlet([1.0] * 3, 1600)
    c, reference = (fr.compare(u, v, index=i, model="perm") for i in (own_ndc(), "ndc"))
    assert c.observed == pytest.approx(reference.observed, abs=1e-12)
    assert c.adjusted == pytest.approx(reference.adjusted, abs=c.error_bound + 1e-9)
    assert c.error_bound < 1e-4


def test_too_many_points_are_sampled():
    rng = np.random.default_rng(7)
    u = rng.dirichlet([0.5] * 3, 2000)
    v = 0.5 * u + 0.5 * rng.dirichlet([1.0] * 3, 2000)
    c = fr.compare(u, v, index=own_ndc(), model="perm", tol=3e-3, effort=fr.Effort(exact_work=1e6))
    exact = fr.compare(u, v, model="perm")
    assert 0.0 < c.stderr <= 3e-3
    assert "random pairs" in c.computed["observed"]
    assert abs(c.adjusted - exact.adjusted) < 4 * c.stderr


def test_pairwise_and_self_similarity():
    product = fr.CustomIndex(
        lambda u, v: (u * v).sum(axis=1), lambda a, b: a * b + (1 - a) * (1 - b), "own product"
    )
    runs = {name: TOY[name] for name in ("high_fuzzy", "uneven_low_fuzzy", "even_hard")}
    ours = fr.pairwise(runs, index=product, model="perm", maximum="self")
    exact = fr.pairwise(runs, index="consistency", model="perm", maximum="self")
    assert ours.adjusted == pytest.approx(exact.adjusted, abs=1e-9)
    assert ours["high_fuzzy", "even_hard"].index == "own product"


@pytest.mark.parametrize(
    ("agreement", "message"),
    [
        (lambda u, v: np.ones(len(u)), "different hard clusters"),
        (lambda u, v: 0.5 * (u * v).sum(axis=1), "the same hard cluster"),
        (lambda u, v: (u * v).sum(), "one number a row"),
        (lambda u, v: 2.0 * (u * v).sum(axis=1) - 0.5 * (u**2).sum(axis=1), "same hard|0 to 1"),
        (lambda u, v: (u**2 * v).sum(axis=1), "no order"),
        (lambda u, v: np.full(len(u), np.nan), "0 to 1"),
    ],
)
def test_agreements_that_break_the_definition(agreement, message):
    with pytest.raises(fr.ParameterError, match=message):
        fr.CustomIndex(agreement, lambda a, b: 1 - np.abs(a - b))


@pytest.mark.parametrize(
    ("concordance", "message"),
    [
        (lambda a, b: np.abs(a - b), "must be 1"),
        (lambda a, b: np.ones_like(a), "must be 0"),
        (
            lambda a, b: 1 - np.abs(a - b) * (1 + a * (1 - b) * b),
            "which clustering comes first",
        ),
        (lambda a, b: 1.0, "element by element"),
        (lambda a, b: 1 - 3 * np.abs(a - b) * (1.0 - np.abs(a - b)) - np.abs(a - b), "0 to 1"),
    ],
)
def test_concordances_that_break_the_definition(concordance, message):
    with pytest.raises(fr.ParameterError, match=message):
        fr.CustomIndex(lambda u, v: (u * v).sum(axis=1), concordance)


def test_an_own_index_of_rows_that_lie_close_together():
    rng = np.random.default_rng(9)
    u, v = rng.dirichlet([3e5] * 3, 60), rng.dirichlet([3e5] * 3, 60)
    c, exact = (fr.compare(u, v, index=i, model="perm") for i in (own_ndc(), "ndc"))
    assert c.error_bound < 1e-2
    assert c.adjusted == pytest.approx(exact.adjusted, abs=c.error_bound)


def test_what_is_no_function_is_refused():
    with pytest.raises(fr.ParameterError, match="must be a function"):
        fr.CustomIndex(1, lambda a, b: a)


@pytest.mark.parametrize(("p", "q"), [(1, 1), (2, 1), (1.23456789, 1.5), (np.inf, 2)])
def test_the_text_of_ndc_makes_it_again(p, q):
    index = fr.NDC(p=p, q=q)
    assert (index.p, index.q) == (p, q)
    assert eval(repr(index), {"NDC": fr.NDC}) == index
    assert fr.NDC(p=1.2345671).name != fr.NDC(p=1.2345672).name
