"""A user's own distribution of rows: as good as ours where its moments are known."""

import itertools
import json

import numpy as np
import pytest
from scipy import stats

import fuzzyrand as fr
from fuzzyrand._distributions.row_distributions import Dirichlet

TOY = fr.toy_clusterings()


class _Sampler:
    """A user's distribution: a logistic normal, say."""

    def __init__(self, scale=1.0):
        self.scale = scale

    def sample(self, rng, size):
        x = np.exp(self.scale * rng.standard_normal((size, 3)))
        return x / x.sum(axis=1, keepdims=True)


class _Moments:
    """A Dirichlet in disguise, with its moments."""

    def __init__(self, alpha, off=0.0):
        self.alpha, self.off = np.asarray(alpha, dtype=float), off

    def sample(self, rng, size):
        return rng.dirichlet(self.alpha, size)

    def mean(self):
        return stats.dirichlet(self.alpha).mean() + self.off * np.array([1.0, -1.0, 0.0])

    def cov(self):
        total = self.alpha.sum()
        m = self.alpha / total
        return (np.diag(m) - np.outer(m, m)) / (total + 1)


def test_a_scipy_dirichlet_is_exact_where_ours_is():
    flat = fr.Custom(stats.dirichlet([1, 1, 1]))
    u, v = TOY["high_fuzzy"], TOY["uneven_low_fuzzy"]
    for index in ("ndc", "brouwer", "jousselme"):
        c = fr.compare(u, v, index=index, model=flat)
        assert c.exact
        assert c.adjusted == fr.compare(u, v, index=index, model="flat").adjusted


@pytest.mark.parametrize(
    ("index", "fixed"),
    [("ndc", None), ("ndc", "second"), ("consistency", None), ("jousselme", "second")],
)
def test_a_sampler_has_a_standard_error_that_covers(index, fixed):
    u, v = TOY["high_fuzzy"], TOY["uneven_low_fuzzy"]
    alpha = [2.0, 1.0, 0.5]
    exact = fr.compare(
        u, v, index=index, model=fr.Custom(Dirichlet(np.array(alpha))), fixed=fixed, tol=1e-3
    )
    hidden = type("Hidden", (), {"sample": lambda self, rng, size: rng.dirichlet(alpha, size)})
    scores = []
    for seed in range(40):
        c = fr.compare(
            u,
            v,
            index=index,
            model=fr.Custom(hidden()),
            fixed=fixed,
            random_state=seed,
            tol=0.05,
        )
        assert c.converged
        assert 0.0 < c.stderr <= 0.05
        scores.append((c.adjusted - exact.adjusted) / np.hypot(c.stderr, exact.stderr))
    assert np.mean(np.abs(scores) < 1.96) > 0.82
    # With moments to go by, the same draws say more.
    told = fr.compare(u, v, index=index, model=fr.Custom(_Moments(alpha)), fixed=fixed, tol=0.05)
    assert told.stderr < 0.8 * c.stderr
    noise = np.hypot(told.stderr, exact.stderr)
    assert abs(told.adjusted - exact.adjusted) < 5 * noise + 1e-5
    if index in ("consistency", "jousselme"):
        assert fr.compare(u, v, index=index, model=fr.Custom(_Moments(alpha))).exact


def test_hard_rows_and_other_numbers_of_clusters():
    coins = fr.Custom(stats.multinomial(1, [0.5, 0.3, 0.1, 0.1]), name="coins")
    u, v = TOY["high_fuzzy"], TOY["uneven_low_fuzzy"]
    c = fr.compare(u, v, model=coins)
    p = 0.25 + 0.09 + 0.01 + 0.01
    assert abs(c.expected - (p**2 + (1 - p) ** 2)) < 4 * c.computed["expected_stderr"] + 1e-12
    assert c.model == "coins"


def test_a_fit_of_your_own():
    seen = []

    def moments(memberships):
        seen.append(memberships.shape)
        return stats.dirichlet(5.0 * memberships.mean(axis=0) + 1e-9)

    c = fr.compare(TOY["even_hard"], TOY["high_fuzzy"], model=fr.Custom(moments, "mine"))
    assert seen == [(9, 3), (9, 3)]
    assert c.laws[1]["concentrations"] == pytest.approx(
        5.0 * TOY["high_fuzzy"].mean(axis=0), abs=1e-6
    )
    json.dumps(c.to_dict())


@pytest.mark.slow
def test_custom_models_work_in_pairwise_and_check_model():
    model = fr.Custom(_Sampler().sample)  # a function will do
    runs = {name: TOY[name] for name in ("high_fuzzy", "uneven_low_fuzzy", "even_hard")}
    table = fr.pairwise(runs, model=model, tol=5e-3)
    assert table.stderr[0, 1] > 0.0
    for (a, u), (b, v) in itertools.combinations(runs.items(), 2):
        assert table[a, b].adjusted == fr.compare(u, v, model=model, tol=5e-3).adjusted
    parallel = fr.pairwise(runs, model=model, tol=5e-3, n_jobs=2)
    assert (parallel.adjusted == table.adjusted).all()
    drawn = _Sampler().sample(np.random.default_rng(0), 500)
    assert fr.check_model(drawn, model).suits
    assert not fr.check_model(drawn, fr.Custom(_Sampler(3.0))).suits


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda rng, size: rng.random((size, 3)), "not on the simplex"),
        (lambda rng, size: np.full((size, 2), np.nan), "not on the simplex"),
        (lambda rng, size: rng.dirichlet([1, 1]), "shape"),
        (lambda rng, size: 0.5, "shape"),
        (lambda rng, size: rng.dirichlet([1, 1], size).T, "shape"),
        (lambda rng, size: np.array([[1.5, -0.5]] * size), "not on the simplex"),
    ],
)
def test_what_is_no_distribution_on_the_simplex(draw, message):
    broken = type("Broken", (), {"sample": staticmethod(draw)})()
    with pytest.raises(fr.ParameterError, match=message):
        fr.Custom(broken)


def test_moments_that_do_not_fit_the_draws():
    with pytest.raises(fr.ParameterError, match="do not fit what it draws"):
        fr.Custom(_Moments([2, 1, 1], off=0.1))
    short = type("Short", (_Moments,), {"mean": lambda self: np.ones(2)})([2, 1, 1])
    with pytest.raises(fr.ParameterError, match="shape"):
        fr.Custom(short)
    with pytest.raises(fr.ParameterError, match="cannot draw rows"):
        fr.Custom(5)


def test_custom_models_are_equal_only_if_they_are_one_object():
    one, two = fr.Custom(_Sampler()), fr.Custom(_Sampler())
    assert one == one
    assert one != two
    u, v = TOY["high_fuzzy"], TOY["uneven_low_fuzzy"]
    with pytest.raises(fr.ParameterError, match="two of the models are called 'custom'"):
        fr.compare(u, v, model=[one, two], tol=0.01)
    named = fr.Custom(_Sampler(), name="second")
    assert fr.compare(u, v, model=[one, named], tol=0.01).models == ["custom", "second"]
    assert repr(named).endswith("name='second')")


def test_mistakes_in_custom_distributions_are_named():
    with pytest.raises(fr.ParameterError, match="is a class"):
        fr.Custom(_Sampler)
    with pytest.raises(fr.ParameterError, match="sampler failed with ZeroDivisionError"):
        fr.Custom(lambda rng, size: 1 / 0)

    class Growing:
        clusters = 2

        def sample(self, rng, size):
            self.clusters += 1
            return rng.dirichlet(np.ones(self.clusters), size)

    with pytest.raises(fr.ParameterError, match=r"where \(.*, 3\) was asked"):
        fr.compare(TOY["high_fuzzy"], TOY["high_fuzzy"][::-1], model=fr.Custom(Growing()))


def test_rare_clusters_are_no_contradiction():
    p = np.array([0.6, 0.4 - 1e-4, 1e-4])

    class Rare:
        def sample(self, rng, size):
            return np.eye(3)[rng.choice(3, size=size, p=p)]

        def mean(self):
            return p

        def cov(self):
            return np.diag(p) - np.outer(p, p)

    c = fr.compare(
        TOY["high_fuzzy"], TOY["uneven_low_fuzzy"], model=fr.Custom(Rare()), index="jousselme"
    )
    q = p @ p
    assert c.exact
    assert 1 - c.expected == pytest.approx(2 * q * (1 - q))


def test_a_distribution_in_place_of_a_model_is_met_with_advice():
    with pytest.raises(fr.UnknownNameError, match=r"Custom\(distribution\)"):
        fr.compare([0, 1, 1], [0, 0, 1], model=_Sampler())
