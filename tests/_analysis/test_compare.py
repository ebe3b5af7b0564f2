"""The adjustment for chance: the maximum that a clustering reaches with itself."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

import fuzzyrand as fr
from fuzzyrand._analysis.analysis import _adjusted
from fuzzyrand._analysis.discordance.expected import discordance_of_laws
from fuzzyrand._base.effort import Precision
from fuzzyrand._base.estimate import Estimate
from fuzzyrand.models._laws.base import Bernoulli

from .. import brute
from ..own_indices import own_dots

TOY = fr.toy_clusterings()


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
    asked = {"index": own_dots(), "model": "fit", "maximum": "self"}
    asked["effort"] = fr.Effort(pairs=2000)
    first = fr.compare(u, v, **asked, tol=0.5)
    assert first.stderr > 1e-3
    for tol in (1.2 * first.stderr, 0.9 * first.stderr, 1e-4):
        c = fr.compare(u, v, **asked, tol=tol)
        assert c.converged == (c.stderr <= tol)
        assert ("before tol" in c.accuracy) != c.converged
    assert not c.converged


def test_reflexive_indices_have_no_other_maximum():
    u, v = TOY["high_fuzzy"], TOY["uneven_low_fuzzy"]
    for index in ("ndc", "belief", "jousselme", "frobenius"):
        c = fr.compare(u, v, index=index, model="perm", maximum="self")
        assert c == fr.compare(u, v, index=index, model="perm")
        assert c.self_similarities is None
    with pytest.raises(fr.ParameterError, match="1 or 'self'"):
        fr.compare(u, v, maximum=2)


def nearly_the_same(spread, n=60, seed=0):
    """Two unrelated clusterings whose rows all lie within ``spread`` of one row."""
    rng = np.random.default_rng(seed)
    rows = [np.array([0.5, 0.3, 0.2]) + spread * rng.standard_normal((n, 3)) for _ in range(2)]
    return [x / x.sum(axis=1, keepdims=True) for x in rows]


@pytest.mark.parametrize("spread", [1e-5, 1e-7, 1e-9])
@pytest.mark.parametrize("model", ["perm", "fit", "kernel", "generalised", "mixture"])
def test_rows_that_are_nearly_the_same_score_as_noise(spread, model):
    # kernel gave 0.84 to 1 here, generalised -20.
    c = fr.compare(*nearly_the_same(spread), model=model, tol=0.01)
    assert abs(c.adjusted) < 0.2


@pytest.mark.parametrize("index", ["jousselme", "brouwer", "frobenius", fr.NDC(q=2)], ids=str)
def test_a_value_that_is_lost_in_rounding_is_refused(index):
    first, second = nearly_the_same(1e-9)
    with pytest.raises(fr.NotApplicableError, match=r"rounding error only.*\. index='ndc' loses"):
        fr.compare(first, second, index=index, model="perm")
    same = fr.as_partition(first)
    if index != "brouwer":  # which is below 1 for a fuzzy clustering with itself
        assert fr.compare(same, same, index=index, model="perm").adjusted == 1.0


def test_rows_that_differ_in_their_last_digits():
    first, second = nearly_the_same(3e-15)
    with pytest.raises(fr.NotApplicableError, match="Rows that differ so little cannot be"):
        fr.compare(first, second, index="ndc", model="perm")
    c = fr.compare(*nearly_the_same(1e-16), index="ndc", model="perm")
    assert c.adjusted == 1.0
    assert not c.exact
    assert "have the same co-membership in both clusterings, up to rounding" in c.notes[0]


def test_powers_that_vanish_are_no_agreement():
    first, second = nearly_the_same(1e-5)
    with pytest.raises(fr.NotApplicableError, match="rounding error only"):
        fr.compare(first, second, index=fr.NDC(q=90), model="perm")


#: A pair of hard points but for rounding, which differs from labels by 6.9e-15.
NEARLY_HARD = [[1.2e-09, 0.0, 1.0 - 1.2e-9], [0.0, 1.0, 6.9e-15]]


def test_a_single_pair():
    """Shuffles leave a single pair as it is: 0, unless it agrees."""
    for second in ([0, 1], [0, 0]):
        c = fr.compare([[0.5, 0.5], [0.2, 0.8]], second, model="perm")
        assert c.adjusted == pytest.approx(0.0, abs=1e-12)
        assert "single pair" in c.notes[0]
    assert (
        fr.compare([[0.5, 0.5], [0.2, 0.8]], [[0.2, 0.8], [0.5, 0.5]], model="perm").adjusted == 1
    )
    with pytest.raises(
        fr.NotApplicableError, match=r"1 to within 7e-15.* to within 7e-15.*a single pair"
    ):
        fr.compare(NEARLY_HARD, [0, 1], model="perm")


@pytest.mark.parametrize("model", ["perm", "fit", "sym", "flat"])
@pytest.mark.parametrize("index", ["ndc", "brouwer", "belief", "jousselme", "frobenius"])
def test_identical_rows_leave_nothing_to_compare(index, model):
    if index == "frobenius" and model != "perm":
        return
    rows, more = [[0.3, 0.7]] * 4, [[0.1, 0.2, 0.7]] * 4
    fuzzy = [[0.3, 0.7], [0.4, 0.6], [0.9, 0.1], [0.2, 0.8]]
    for first, second, side in (
        (rows, [0] * 4, "the first clustering, all rows"),
        ([0] * 4, rows, "the first clustering, all points are in one cluster"),
        (rows, more, "both clusterings, all rows are identical"),
        (fuzzy, rows, "the second clustering, all rows are identical"),
    ):
        c = fr.compare(first, second, index=index, model=model, tol=0.01)
        (note,) = [note for note in c.notes if "Do not quote the adjusted index" in note]
        assert side in note
        assert note in " ".join(str(c).split())
        assert "index='ndc'" not in note
        always_one = index in ("ndc", "brouwer", "frobenius")  # the agreement of identical rows
        if always_one and second is not rows:
            assert c.adjusted == pytest.approx(1.0, abs=1e-12)
        elif model == "perm" and (second is rows) == (first is fuzzy):
            assert c.adjusted == pytest.approx(0.0, abs=1e-9)


def hard_cases(n):
    """One cluster, singletons, and some clusterings in between."""
    return [
        [0] * n,
        list(range(n)),
        [0] * (n - 1) + [1],
        [0, 0, *range(1, n - 1)],
        [0, *[1] * (n - 1)],
    ]


@pytest.mark.parametrize("n", [2, 3, 5])
def test_degenerate_labels_are_those_of_scikit_learn(n):
    for a, b in itertools.product(hard_cases(n), repeat=2):
        c = fr.compare(a, b, model="perm")
        assert c.adjusted == pytest.approx(adjusted_rand_score(a, b), abs=1e-12)
        assert c.exact
        trivial = any(len(set(labels)) in (1, n) for labels in (a, b)) or n == 2
        assert any("Do not quote the adjusted index" in note for note in c.notes) == trivial


def test_tiny_discordances_of_very_many_hard_points_are_exact():
    """20 million points, of which two are together: the discordance is 1e-14, without rounding."""
    rare = 1.0 / (10_000_000 * 19_999_999)
    laws = [Bernoulli(rare, "a clustering")] * 2
    expected = discordance_of_laws(*laws, fr.NDC().concordance, lambda _: 0.0, Precision())
    for observed, adjusted in ((2.0 * rare, 0.0), (0.0, 1.0)):
        case = SimpleNamespace(
            observed=Estimate(observed), expected=expected, floor=Estimate(0.0), model="perm"
        )
        value, stderr, bound = _adjusted(case)
        assert value == pytest.approx(adjusted, abs=1e-12)
        assert (stderr, bound < 1e-9) == (0.0, True)
