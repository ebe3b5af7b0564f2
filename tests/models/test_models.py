"""Models beyond one Dirichlet: their closed forms, their fits, and what they are good for."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import fuzzyrand as fr
from fuzzyrand._base.effort import Effort
from fuzzyrand._distributions.families import DirichletMixture, GeneralisedDirichlet, HardOrFuzzy
from fuzzyrand._distributions.family_fits import _Logs, fit_kernel, fit_mixture
from fuzzyrand._distributions.rows import Categorical, Dirichlet, Identical
from fuzzyrand.indices.agreements import CosineAgreement, DotAgreement, NormAgreement
from fuzzyrand.models.dirichlet import DEFAULT_RESOLUTION

from .. import brute
from .._laws.test_laws import is_mean_of

TOY = fr.toy_clusterings()
RICHER = [fr.Generalised(), fr.Mixture(), fr.Kernel(), fr.Mixed(), fr.Empirical()]

DISTRIBUTIONS = {
    "generalised": GeneralisedDirichlet(
        (
            Dirichlet(np.array([0.4, 0.7])),
            Categorical(np.array([0.3, 0.7])),
            Dirichlet(np.array([9.0, 20.0])),
            Identical(np.array([0.25, 0.75])),
        ),
    ),
    "mixture": DirichletMixture(
        np.array([0.5, 0.3, 0.2]),
        np.array([[8.0, 1.0, 0.5], [0.05, 0.2, 0.1], [300.0, 0.0, 200.0]]),
    ),
    "hard or fuzzy": HardOrFuzzy(
        0.3, Categorical(np.array([0.2, 0.5, 0.3])), Dirichlet(np.array([2.0, 0.5, 1.0]))
    ),
    "tiny and huge": DirichletMixture(
        np.array([0.6, 0.4]), np.array([[1e-3, 2e-3, 1e-3], [5e5, 2e5, 1e5]])
    ),
}


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_closed_forms_by_drawing(name):
    rows = DISTRIBUTIONS[name]
    rng = np.random.default_rng(0)
    x, y = (rows.sample(rng, 10**6) for _ in range(2))
    assert x.sum(axis=1) == pytest.approx(np.ones(10**6))
    for i in range(x.shape[1]):
        assert is_mean_of(x[:, i], rows.mean()[i], 4.5)
        for j in range(i + 1):
            assert is_mean_of(x[:100_000, i] * x[:100_000, j], rows.products()[i, j], 4.5)
    assert rows.products() == pytest.approx(rows.products().T)
    assert is_mean_of(((x - y) ** 2).sum(axis=1), rows.mean_square_distance())
    dots = (x * y).sum(axis=1)
    assert is_mean_of(dots, DotAgreement().row_mean(rows).value)
    assert is_mean_of(dots**2, DotAgreement().row_square(rows).value)
    for agreement, kind in ((NormAgreement(), "l1"), (CosineAgreement(), "cosine")):
        known = agreement.row_mean(rows)
        if name == "generalised":
            assert known is None
        else:
            assert known.error < 1e-9
            assert is_mean_of(brute.ROW_AGREEMENTS[kind](x, y), known.value)


def test_columns_are_rows_in_an_order_of_their_own():
    for rows in DISTRIBUTIONS.values():
        one = rows.columns(np.random.default_rng(1), 5)
        assert one.sum(axis=0) == pytest.approx(np.ones(5))


# Data that one Dirichlet cannot describe, one example a model.


def _unequally_sharp(rng, n):
    sharp, blurred = rng.beta(0.1, 0.1, n), rng.beta(30, 30, n)
    return np.c_[sharp, (1 - sharp) * blurred, (1 - sharp) * (1 - blurred)]


def _groups(rng, n):
    parts = [[40, 2, 2], [2, 40, 2], [10, 10, 10]]
    return np.vstack([rng.dirichlet(alpha, n // 3) for alpha in parts])


def _ring(rng, n):
    angle = rng.uniform(0, 2 * np.pi, n)
    x = 1 / 3 + 0.25 * np.cos(angle[:, None] + [0.0, 2 * np.pi / 3])
    return np.c_[x, 1 - x.sum(axis=1)]


def _partly_hard(rng, n):
    return np.vstack([np.eye(3)[rng.integers(3, size=n // 2)], rng.dirichlet([9, 9, 9], n // 2)])


EXAMPLES = [
    (fr.Generalised(), _unequally_sharp),
    (fr.Mixture(), _groups),
    (fr.Kernel(), _ring),
    (fr.Mixed(), _partly_hard),
    (fr.Empirical(), _partly_hard),
]


@pytest.mark.parametrize(("model", "data"), EXAMPLES, ids=lambda x: getattr(x, "name", ""))
def test_each_describes_what_fit_cannot(model, data):
    rows = data(np.random.default_rng(0), 600)
    good, plain = fr.check_model(rows, model), fr.check_model(rows, "fit")
    assert good.distance < 0.25 * plain.distance
    assert plain.suits is False
    assert good.suits
    assert "describes the agreements" in good.sentence
    assert "lies" in plain.sentence


@pytest.mark.parametrize("model", RICHER, ids=str)
def test_hard_clusterings_give_cat(model):
    rng = np.random.default_rng(1)
    a, b = rng.integers(4, size=50), rng.integers(3, size=50)
    for fixed in (None, "first"):
        ours = fr.compare(a, b, model=model, fixed=fixed)
        assert ours.adjusted == fr.compare(a, b, model="cat", fixed=fixed).adjusted


@pytest.mark.parametrize("model", [*RICHER, fr.Fit(), fr.Perm()], ids=str)
def test_names_and_order_of_points_and_clusters_do_not_matter(model):
    rng = np.random.default_rng(2)
    u, v = rng.dirichlet([0.5, 1.0, 2.0], 60), rng.dirichlet([1.0, 0.7, 0.4, 2.0], 60)
    u[:10] = np.eye(3)[rng.integers(3, size=10)]
    c = fr.compare(u, v, model=model, tol=0.02)
    points, clusters = rng.permutation(60), rng.permutation(3)
    moved = fr.compare(u[points][:, clusters], v[points], model=model, tol=0.02)
    assert moved.observed == pytest.approx(c.observed, abs=1e-12)
    assert moved.expected == pytest.approx(c.expected, abs=1e-9)
    swapped = fr.compare(v, u, model=model, tol=0.02)
    assert swapped.expected == pytest.approx(c.expected, abs=1e-12)


class TestGeneralised:
    def test_a_dirichlet_is_recovered(self):
        alpha = np.array([3.0, 2.0, 1.0, 0.5])
        rows = Dirichlet(alpha).sample(np.random.default_rng(3), 50_000)
        found = fr.Generalised().rows(fr.as_partition(rows), Effort())
        assert found.mean() == pytest.approx(alpha / alpha.sum(), abs=0.01)
        for split, a, rest in zip(found.rows.splits, alpha, [3.5, 1.5, 0.5], strict=False):
            assert split.alpha == pytest.approx([a, rest], rel=0.05)

    def test_empty_clusters_and_exhausted_rows(self):
        rows = np.array([[0.6, 0.4, 0.0], [0.7, 0.3, 0.0], [1.0, 0.0, 0.0], [0.2, 0.8, 0.0]])
        found = fr.Generalised().rows(fr.as_partition(rows), Effort())
        drawn = found.sample(np.random.default_rng(0), 1000)
        assert drawn[:, 2].max() == 0.0
        assert drawn.sum(axis=1) == pytest.approx(np.ones(1000))


class TestMixture:
    @given(st.integers(0, 2**32 - 1))
    @settings(max_examples=30)
    def test_densities_are_those_of_scipy(self, seed):
        rng = np.random.default_rng(seed)
        alphas = rng.uniform(0.1, 20, (3, 4))
        rows = rng.dirichlet(np.ones(4), 5)
        ours = _Logs(rows, DEFAULT_RESOLUTION).densities(alphas)
        # A constant of the row is left out: the sum of its logarithms.
        exact = np.array([[stats.dirichlet(a).logpdf(row) for a in alphas] for row in rows])
        exact += np.log(rows).sum(axis=1)[:, None]
        assert ours == pytest.approx(exact, rel=1e-9)

    def test_densities_of_censored_rows(self):
        rows, alphas, resolution = np.array([[0.7, 0.3, 0.0]]), np.array([[2.0, 0.5, 0.3]]), 1e-3
        ours = _Logs(rows, resolution).densities(alphas)[0, 0]
        exact = brute.censored_log_likelihood(alphas[0], rows, resolution) + np.log(0.7 * 0.3)
        assert ours == pytest.approx(exact)

    def test_more_components_are_likelier_and_the_right_number_is_found(self):
        rows = _groups(np.random.default_rng(4), 600)
        logs = _Logs(rows, DEFAULT_RESOLUTION)

        def likelihood(mixture):
            densities = np.exp(logs.densities(mixture.alphas)) @ mixture.weights
            return np.log(densities).sum()

        values = [likelihood(fit_mixture(rows, DEFAULT_RESOLUTION, m)) for m in (2, 3, 4)]
        assert values == sorted(values)
        found = fit_mixture(rows, DEFAULT_RESOLUTION, None)
        assert found.weights == pytest.approx(np.full(3, 1 / 3), abs=0.02)
        assert np.sort(found.alphas.sum(axis=1)) == pytest.approx([30, 44, 44], rel=0.2)
        one = Dirichlet(np.array([2.0, 3.0, 1.0])).sample(np.random.default_rng(5), 600)
        assert isinstance(fit_mixture(one, DEFAULT_RESOLUTION, None), Dirichlet)
        two = fr.Mixture(components=2).rows(fr.as_partition(rows), Effort())
        assert two.rows.weights.size == 2

    def test_rounded_rows_with_a_coarse_resolution(self):
        for seed in range(2):
            rows = np.round(np.random.default_rng(seed).dirichlet([0.3] * 3, 100), 1)
            rows /= rows.sum(axis=1, keepdims=True)
            assert fr.check_model(rows, fr.Mixture(resolution=0.05)).distance < 0.05

    def test_one_component_is_fit(self):
        u, v = TOY["high_fuzzy"], TOY["uneven_low_fuzzy"]
        one = fr.compare(u, v, model=fr.Mixture(components=1), index="jousselme")
        assert one.expected == pytest.approx(
            fr.compare(u, v, model="fit", index="jousselme").expected, abs=1e-6
        )

    def test_repeated_rows_do_not_break_it(self):
        rows = np.repeat([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8]], 30, axis=0)
        check = fr.check_model(rows, fr.Mixture(components=2))
        assert check.distance < 0.02

    def test_options_are_checked(self):
        with pytest.raises(fr.ParameterError, match="components"):
            fr.Mixture(components=0)
        assert str(fr.Mixture(components=3)) == "mixture(components=3)"


class TestKernel:
    def test_the_bandwidth_predicts_new_rows_best(self):
        rng = np.random.default_rng(6)
        rows, new = _ring(rng, 400), _ring(rng, 400)
        logs = _Logs(new, DEFAULT_RESOLUTION)

        def score(bandwidth):
            kernel = fit_kernel(rows, DEFAULT_RESOLUTION, bandwidth)
            return np.log(np.exp(logs.densities(kernel.alphas)).mean(axis=1)).mean()

        chosen = 1.0 / fit_kernel(rows, DEFAULT_RESOLUTION, None).alphas.sum(axis=1)[0]
        assert score(chosen) > score(4.0 * chosen)
        assert score(chosen) > score(0.25 * chosen)

    @pytest.mark.parametrize("k", [20, 200])
    def test_many_clusters_are_not_blurred_away(self, k):
        rng = np.random.default_rng(8)
        u, v = (rng.dirichlet(np.full(k, 0.05), 300) for _ in range(2))
        for index in ("jousselme", "ndc"):
            kernel = fr.compare(u, v, index=index, model="kernel", tol=5e-3)
            rows_themselves = fr.compare(u, v, index=index, model="empirical")
            assert kernel.adjusted == pytest.approx(rows_themselves.adjusted, abs=0.1)

    def test_rows_that_repeat_are_hardly_blurred(self):
        one = np.tile([0.2, 0.3, 0.5], (30, 1))
        assert fr.check_model(one, "kernel").distance < 1e-3
        two = np.repeat([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8]], 25, axis=0)
        assert fr.check_model(two, "kernel").distance < 0.1

    def test_zeros_stay_zero_and_hard_rows_hard(self):
        rows = np.array([[1.0, 0.0, 0.0], [0.0, 0.6, 0.4], [0.3, 0.7, 0.0], [0.0, 0.0, 1.0]])
        drawn = (
            fr.Kernel(bandwidth=0.05)
            .rows(fr.as_partition(rows), Effort())
            .sample(np.random.default_rng(0), 4000)
        )
        assert 0.45 < ((drawn == 1.0).sum(axis=1) == 1).mean() < 0.55
        assert not ((drawn > 0.0).all(axis=1)).any()

    def test_options_are_checked(self):
        with pytest.raises(fr.ParameterError, match="bandwidth"):
            fr.Kernel(bandwidth=-1)


class TestMixed:
    def test_without_hard_rows_it_is_fit(self):
        rows = fr.Mixed().rows(fr.as_partition(TOY["high_fuzzy"]), Effort())
        assert rows.alpha == pytest.approx(
            fr.Fit().rows(fr.as_partition(TOY["high_fuzzy"]), Effort()).alpha
        )

    def test_shares_and_proportions(self):
        rng = np.random.default_rng(7)
        x = np.vstack([np.eye(3)[[0, 0, 0, 1]], rng.dirichlet([5, 5, 5], 6)])
        rows = fr.Mixed().rows(fr.as_partition(x), Effort())
        assert rows.rows.share == 0.4
        drawn = rows.sample(np.random.default_rng(0), 100_000)
        hard = (drawn == 1.0).mean(axis=0) / 0.4
        assert hard == pytest.approx([0.75, 0.25, 0.0], abs=0.01)
        # With a coarse resolution nearly hard rows count as hard.
        x[0] = [0.9998, 0.0001, 0.0001]
        assert fr.Mixed(resolution=1e-3).rows(fr.as_partition(x), Effort()).rows.share == 0.4


@pytest.mark.parametrize("index", list(brute.DEFINITIONS))
def test_empirical_is_the_mean_over_all_rows_with_replacement(index):
    rng = np.random.default_rng(8)
    u, v = rng.dirichlet([0.5] * 3, 12), rng.dirichlet([1.0] * 2, 12)
    agree = brute.ROW_AGREEMENTS[brute.DEFINITIONS[index][0]]
    a, b = (agree(x[:, None], x[None]).ravel() for x in (u, v))
    exact = brute.concordance(index, a[:, None], b[None, :]).mean()
    c = fr.compare(u, v, model="empirical", index=index)
    assert c.exact
    assert c.expected == pytest.approx(exact, abs=1e-12)
    pairs = brute.pair_agreements(index, v)
    exact = brute.concordance(index, a[:, None], pairs[None, :]).mean()
    one_sided = fr.compare(u, v, model="empirical", index=index, fixed="second")
    assert one_sided.expected == pytest.approx(exact, abs=1e-12)


def test_empirical_in_bins_and_sampled(monkeypatch):
    rng = np.random.default_rng(9)
    u, v = rng.dirichlet([0.5] * 3, 1500), rng.dirichlet([1.0] * 3, 1500)
    binned = fr.compare(u, v, model="empirical")
    assert binned.exact
    assert binned.computed["expected"] == "all pairs, binned"
    x, y = (rng.integers(1500, size=(2, 10**6)) for _ in range(2))
    a, b = (np.minimum(m[i], m[j]).sum(axis=1) for m, (i, j) in ((u, x), (v, y)))
    assert is_mean_of(1 - np.abs(a - b), binned.expected)
    monkeypatch.setattr("fuzzyrand._base.effort.EXACT_WORK", 1e6)
    sampled = fr.compare(u, v, model="empirical", tol=5e-3)
    assert abs(sampled.expected - binned.expected) < 4 * sampled.computed["expected_stderr"]


def test_one_undefined_model_does_not_spoil_the_table():
    same = np.tile([0.6, 0.3, 0.1], (5, 1))
    other = np.array([[1, 0], [0.2, 0.8], [0.5, 0.5], [0.1, 0.9], [0.3, 0.7]])
    table = fr.compare(same, np.vstack([same[:4], [[0.6, 0.3, 0.1]]]), model="every")
    assert "flat" in table.models
    table = fr.compare(same, other, model="every", fixed="second")
    assert table.skipped == {}
    # By consistency, rows of uneven clusters are less like themselves than even ones by chance.
    rng = np.random.default_rng(13)
    u, v = rng.dirichlet([50, 30, 20], 40), rng.dirichlet([50, 30, 20], 40)
    with pytest.raises(fr.NotApplicableError, match="undefined"):
        fr.compare(u, v, index="consistency", maximum="self", model="flat")
    table = fr.compare(u, v, index="consistency", maximum="self", model="every")
    assert set(table.skipped) == {"sym", "flat"}
    assert "perm" in table.models
    assert all(f"Left out, {model}" in str(table) for model in table.skipped)
    with pytest.raises(fr.NotApplicableError, match=r"'u' with 'v'.*undefined"):
        fr.pairwise({"u": u, "v": v}, index="consistency", maximum="self", model="flat")
