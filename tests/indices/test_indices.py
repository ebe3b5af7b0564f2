"""The family of indices: observed and expected values against their definitions."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import dblquad
from sklearn.metrics import adjusted_rand_score, rand_score

import fuzzyrand as fr
from fuzzyrand._base.effort import Effort
from fuzzyrand._discordance.expected import _by_sampling, expected_discordance
from fuzzyrand._distributions import dirichlet_moments as dirichlet
from fuzzyrand._distributions.rows import Dirichlet
from fuzzyrand._laws.laws import RowPairs
from fuzzyrand._laws.side import Side
from fuzzyrand._pairs import all_pairs as pairs_module
from fuzzyrand.indices import INDICES
from fuzzyrand.indices.agreements import CosineAgreement, DotAgreement

from .. import brute
from .._laws.test_laws import ALPHAS, is_mean_of
from ..strategies import hard, two_clusterings
from .test_custom import own_ndc

NAMES = list(brute.DEFINITIONS)
TOY = fr.toy_clusterings()


@given(two_clusterings(), st.sampled_from(NAMES))
def test_observed_and_shuffled_are_the_definitions(pair, name):
    u, v = (brute.memberships(x) for x in pair)
    exact = brute.index_by_name(name, u, v)
    assert fr.similarity(*pair, index=name) == pytest.approx(exact, abs=1e-12)
    exact = brute.expected_perm_by_name(name, u, v)
    for fixed in (None, "first"):
        ours = fr.expected_similarity(*pair, index=name, model="perm", fixed=fixed)
        assert ours == pytest.approx(exact, abs=1e-12)


@given(st.integers(2, 30).flatmap(lambda n: st.tuples(hard(n), hard(n))))
def test_hard_clusterings_give_rand_and_ari_by_every_index(pair):
    a, b = pair
    for index in (*INDICES, own_ndc(), fr.NDC(p=2, q=3)):
        assert fr.similarity(a, b, index=index) == pytest.approx(rand_score(a, b), abs=1e-12)
        adjusted = fr.adjusted_similarity(a, b, index=index, model="perm")
        assert adjusted == pytest.approx(adjusted_rand_score(a, b), abs=1e-10)


@pytest.mark.parametrize("model", ["cat", "num", "all", "fit", "sym", "mixture", "empirical"])
@pytest.mark.parametrize("fixed", [None, "second"])
def test_hard_clusterings_are_alike_for_every_index_and_model(model, fixed):
    rng = np.random.default_rng(0)
    a, b = rng.integers(4, size=60), rng.integers(3, size=60)
    reference = fr.compare(a, b, model=model, fixed=fixed)
    for index in ("rand", *NAMES, own_ndc()):
        c = fr.compare(a, b, index=index, model=model, fixed=fixed)
        assert c.exact
        assert c.adjusted == pytest.approx(reference.adjusted, abs=1e-12)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_moments_of_two_dirichlet_rows(alpha):
    rng = np.random.default_rng(len(alpha))
    x, y = (Dirichlet(np.array(alpha)).sample(rng, 10**6) for _ in range(2))
    dots = (x * y).sum(axis=1)
    mean, square = dirichlet.dot_moments(np.array(alpha))
    assert is_mean_of(dots, mean)
    assert is_mean_of(dots**2, square)
    cosine = CosineAgreement().row_mean(Dirichlet(np.array(alpha)))
    assert cosine.error < 1e-11
    assert is_mean_of(brute.ROW_AGREEMENTS["cosine"](x, y), cosine.value)


def test_check_values_of_the_dot_product():
    mean, square = dirichlet.dot_moments(np.array([5.0, 3.0, 2.0, 9.0]))
    assert mean == pytest.approx(0.32963988919667586, abs=1e-15)
    assert square == pytest.approx(0.11120498614958448, abs=1e-15)


def test_mean_direction_by_quadrature_over_the_simplex():
    def share(y, x):
        return 2.0 * x / np.sqrt(x**2 + y**2 + (1.0 - x - y) ** 2)

    exact, _ = dblquad(share, 0, 1, 0, lambda x: 1.0 - x, epsabs=1e-12)
    direction, error = dirichlet.mean_direction(np.ones(3))
    assert direction == pytest.approx(np.full(3, exact), abs=1e-11)
    assert error < 1e-12


def test_mean_direction_of_nearly_hard_rows():
    for precision in (1e-12, 1e-9, 1e-7, 1.01e-7, 1e-6, 1e-4):
        direction, error = dirichlet.mean_direction(precision * np.array([0.25, 0.75]))
        # To first order in the precision, by the same integral at a precision it can resolve.
        slope = (dirichlet.mean_direction(np.array([0.25e-4, 0.75e-4]))[0] - [0.25, 0.75]) / 1e-4
        exact = np.array([0.25, 0.75]) + slope * precision
        assert np.abs(direction - exact).max() < error + precision**2


@given(st.floats(-6, 6), st.floats(-6, 6))
@settings(max_examples=40)
def test_mean_direction_of_two_clusters(log_a, log_b):
    """Against a Beta integral over the log-odds, on a grid fine and wide enough for both."""
    a, b = 10**log_a, 10**log_b
    width = 1.0 / np.sqrt(max(a * b / (a + b), 1e-12)) if min(a, b) > 1.0 else 1.0
    left, right = 40.0 / min(a, 1.0), 40.0 / min(b, 1.0)
    s = np.linspace(-np.arcsinh(left / width), np.arcsinh(right / width), 200_001)
    odds = np.log(a / b) + width * np.sinh(s)
    logs = -a * np.logaddexp(0.0, -odds) - b * np.logaddexp(0.0, odds) + np.log(np.cosh(s))
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    x, y = np.exp(-np.logaddexp(0.0, -odds)), np.exp(-np.logaddexp(0.0, odds))
    exact = [weights @ (x / np.hypot(x, y)), weights @ (y / np.hypot(x, y))]
    direction, error = dirichlet.mean_direction(np.array([a, b]))
    assert direction == pytest.approx(exact, abs=1e-9)
    assert error < 1e-9


def _drawn_agreements(clustering, name, model, fixed, rng, size):
    """Agreements of random pairs on one side, drawn the plain way."""
    matrix = brute.memberships(clustering)
    if fixed:
        return rng.choice(brute.pair_agreements(name, matrix), size=size)
    rows = fr.models.as_model(model).rows(fr.as_partition(clustering), Effort())
    x, y = (rows.sample(rng, size) for _ in range(2))
    return brute.ROW_AGREEMENTS[brute.DEFINITIONS[name][0]](x, y)


MODELS = ["fit", "sym", "flat", "generalised", "mixture", "kernel", "mixed", "empirical"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("model", MODELS)
def test_expected_values_by_drawing(name, model):
    rng = np.random.default_rng(0)
    soft = np.vstack([brute.dirichlet_rows(rng, [0.5, 1.0, 2.0], 30), np.eye(3)[[0, 0, 1, 2, 2]]])
    other = brute.dirichlet_rows(rng, [2.0, 1.0, 1.0, 0.3], 35)
    labels = rng.integers(3, size=35)
    for first, second, fixed in (
        (soft, other, None),
        (soft, other, "first"),
        (labels, other, None),
    ):
        c = fr.compare(first, second, index=name, model=model, fixed=fixed, tol=5e-3)
        samples = [
            _drawn_agreements(x, name, model, fixed == side, rng, 50_000)
            for x, side in ((first, "first"), (second, "second"))
        ]
        sample = brute.concordance(name, *samples)
        noise = np.hypot(sample.std() / np.sqrt(sample.size), c.computed["expected_stderr"])
        assert abs(sample.mean() - c.expected) < 4.5 * noise + 1e-9


def test_products_and_squares_are_exact_under_every_dirichlet_model():
    rng = np.random.default_rng(1)
    u, v = brute.dirichlet_rows(rng, [0.5] * 4, 50), brute.dirichlet_rows(rng, [1.0] * 3, 50)
    for index, model, fixed in itertools.product(
        ("brouwer", "consistency", "jousselme"), ("perm", "fit", "sym", "flat"), (None, "first")
    ):
        c = fr.compare(u, v, index=index, model=model, fixed=fixed)
        assert c.exact
        assert c.stderr == 0.0
        assert c.computed["observed"] == "Gram matrices"
        assert c.computed["expected"] == "closed form"


def test_products_and_squares_need_no_pairs():
    """So many points that their pairs could not be visited, and still exact."""
    rng = np.random.default_rng(2)
    n = 200_000
    u, v = rng.dirichlet([0.5] * 4, n), rng.dirichlet([1.0] * 3, n)
    for index in ("brouwer", "consistency", "jousselme", "frobenius"):
        c = fr.compare(u, v, index=index, model="perm")
        assert c.exact
        assert abs(c.adjusted) < 1e-3  # independent clusterings


@pytest.mark.parametrize("index", ["brouwer", "consistency"])
def test_the_self_similarity_as_maximum(index):
    rng = np.random.default_rng(4)
    u = rng.dirichlet([0.5] * 3, 40)
    v = 0.8 * u + 0.2 * rng.dirichlet([1.0] * 3, 40)
    plain = fr.compare(u, v, index=index)
    own = [brute.index_by_name(index, x, x) for x in (u, v)]
    assert plain.self_similarities == pytest.approx(own, abs=1e-12)
    assert plain.maximum == 1.0
    assert "maximum='self'" in str(plain)
    c = fr.compare(u, v, index=index, maximum="self")
    assert c.maximum == pytest.approx(np.mean(own), abs=1e-12)
    exact = (c.observed - c.expected) / (np.mean(own) - c.expected)
    assert c.adjusted == pytest.approx(exact, abs=1e-12)
    assert c.adjusted > plain.adjusted
    assert f"{c.maximum:.4f}" in str(c)
    itself = fr.compare(u, u, index=index, maximum="self")
    assert itself.adjusted == pytest.approx(1.0, abs=1e-12)
    assert fr.compare(u, u, index=index).adjusted < 0.95
    assert fr.adjusted_similarity(u, v, index=index, maximum="self") == c.adjusted
    assert (
        fr.pairwise({"u": u, "v": v}, index=index, maximum="self")["u", "v"].adjusted == c.adjusted
    )


def test_sampled_self_similarities_count_for_the_accuracy():
    rng = np.random.default_rng(14)
    u, v = rng.dirichlet([1.0, 1.0, 1.0], 300), rng.dirichlet([2.0, 1.0, 1.0], 300)
    asked = {"index": own_dots(), "model": "fit", "maximum": "self", "pairs": 2000}
    first = fr.compare(u, v, **asked, tol=0.5)
    assert first.stderr > 1e-3
    for tol in (1.2 * first.stderr, 0.9 * first.stderr, 1e-4):
        c = fr.compare(u, v, **asked, tol=tol)
        assert c.converged == (c.stderr <= tol)
        assert ("not reached" in c.accuracy) != c.converged
    assert not c.converged


def own_dots():
    """As ``consistency``, but nobody knows its moments."""
    return fr.CustomIndex(
        lambda x, y: (x * y).sum(axis=1), lambda a, b: a * b + (1.0 - a) * (1.0 - b), "own dots"
    )


def test_reflexive_indices_have_no_other_maximum():
    u, v = TOY["high_fuzzy"], TOY["uneven_low_fuzzy"]
    for index in ("ndc", "belief", "jousselme", "frobenius"):
        c = fr.compare(u, v, index=index, model="perm", maximum="self")
        assert c == fr.compare(u, v, index=index, model="perm")
        assert c.self_similarities is None
    with pytest.raises(fr.ParameterError, match="1 or 'self'"):
        fr.compare(u, v, maximum=2)


def test_the_dot_product_refuses_possibilistic_rows():
    loose = TOY["high_fuzzy"] * 0.5
    for index in ("belief", "consistency", "jousselme"):
        with pytest.raises(fr.NotApplicableError, match="possibilistic"):
            fr.similarity(loose, loose, index=index, possibilistic=True)
    # The cosine of rows does not depend on their sums.
    value = fr.similarity(loose, TOY["uneven_low_fuzzy"], index="brouwer", possibilistic=True)
    assert value == pytest.approx(
        fr.similarity(TOY["high_fuzzy"], TOY["uneven_low_fuzzy"], index="brouwer")
    )


@pytest.mark.parametrize("seed", range(10))
def test_the_compiled_dot_product_is_the_definition(monkeypatch, seed):
    monkeypatch.setattr("fuzzyrand._discordance.observed.KEPT_PAIRS", 0)
    monkeypatch.setattr("fuzzyrand._laws.laws.KEPT_PAIRS", 0)
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(2, 40)), int(rng.integers(2, 12))
    u, v = (rng.dirichlet(np.full(k, 0.3), n) for _ in range(2))
    v[rng.random((n, k)) < 0.3] = 0.0
    v[:, 0] += 1e-9
    v /= v.sum(axis=1, keepdims=True)
    c = fr.compare(u, v, index="belief", model="perm")
    assert c.observed == pytest.approx(brute.index_by_name("belief", u, v), abs=1e-12)
    exact = brute.expected_perm_by_name("belief", u, v)
    assert c.expected == pytest.approx(exact, abs=c.error_bound + 1e-12)
    assert c.error_bound < 1e-9


BELIEF_ALPHAS = {
    "flat": ([1.0] * 3, [1.0] * 3),
    "sharp": ([0.2] * 3, [0.1, 0.3, 0.4, 0.1]),
    "sharp with blurred": ([0.3] * 3, [40.0] * 3),
}


@pytest.mark.parametrize("name", BELIEF_ALPHAS)
def test_standard_errors_of_belief_cover(name):
    laws = [RowPairs(Dirichlet(np.array(a)), DotAgreement()) for a in BELIEF_ALPHAS[name]]
    concordance = INDICES["belief"].concordance
    found = [
        expected_discordance(*laws, concordance, lambda _: 1.0, Effort(seed=seed, threads=1))
        for seed in range(200)
    ]
    goal = min(estimate.stderr for estimate in found) / 6
    truth = _by_sampling(*laws, concordance, lambda _: goal, Effort(seed=10**6, max_draws=10**8))
    scores = np.array([(e.value - truth.value) / e.stderr for e in found])
    assert 0.91 <= (np.abs(scores) < 1.96).mean() <= 0.985


def test_indices_go_in_by_name_class_and_object():
    for name, index in INDICES.items():
        kind = getattr(fr, {"ndc": "NDC"}.get(name, name.capitalize()))
        u = TOY["even_hard"] if name == "rand" else TOY["high_fuzzy"]
        v = TOY["uneven_hard"] if name == "rand" else TOY["uneven_low_fuzzy"]
        values = {fr.similarity(u, v, index=i) for i in (name, name.upper(), index, kind, kind())}
        assert len(values) == 1
    assert eval(repr(fr.NDC(p=float("inf"), q=2)), {"NDC": fr.NDC}) == fr.NDC(np.inf, 2)
    with pytest.raises(fr.UnknownNameError, match="brouwer"):
        fr.similarity([0, 1], [0, 1], index="brower")


def test_laws_of_a_side_are_shared():
    side = Side(fr.as_partition(TOY["high_fuzzy"]), INDICES["ndc"], Effort())
    assert side.law(fr.Perm()) is side.pairs_law
    assert side.law(fr.Empirical()).observed is side.pairs_law
    assert side.law(fr.Fit()) is side.law(fr.Fit())


def test_nothing_kept_grows_with_the_pairs(monkeypatch):
    """A pass over the pairs in NumPy, block by block, gives the same as keeping them."""
    rng = np.random.default_rng(8)
    u, v = rng.dirichlet([0.5] * 3, 60), rng.dirichlet([1.0] * 3, 60)
    kept = fr.compare(u, v, index=own_ndc(), model="perm")
    for module in ("_discordance.observed", "_laws.laws"):
        monkeypatch.setattr(f"fuzzyrand.{module}.KEPT_PAIRS", 0)
    monkeypatch.setattr(pairs_module, "PLAIN_BLOCK", 7)
    visited = fr.compare(u, v, index=own_ndc(), model="perm")
    assert visited.observed == pytest.approx(kept.observed, abs=1e-12)
    bound = visited.error_bound + kept.error_bound
    assert visited.adjusted == pytest.approx(kept.adjusted, abs=bound + 1e-9)
