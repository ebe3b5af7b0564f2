"""What must hold for any two clusterings, and what may be asked about them."""

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand import ParameterError
from fuzzyrand._base.errors import NoValueError
from fuzzyrand.models.registry import applicable_models

from ..clusterings import LABELS, SOFT, many_labels
from ..strategies import fuzzy, two_clusterings

TOY = fr.toy_clusterings()


OTHER = {None: None, "first": "second", "second": "first"}


sides = st.sampled_from([None, "first", "second"])


def _every(a, b, fixed=None):
    """All models that apply, but for the slower fits, which ``models/test_rows.py`` is about."""
    first, second = fr.as_partition(a), fr.as_partition(b)
    kept = {None: [first, second], "first": [second], "second": [first]}[fixed]
    models = applicable_models(kept, fr.NDC())
    quick = [model for model in models if not model.refines_cat]
    try:
        return fr.compare(first, second, model=quick, tol=0.02, fixed=fixed)
    except NoValueError:  # rounding is all that distinguishes them
        reject()


@given(two_clusterings(), sides)
def test_swapping_the_sides_changes_nothing(pair, fixed):
    a, b = pair
    one, two = _every(a, b, fixed=fixed), _every(b, a, fixed=OTHER[fixed])
    assert one.models == two.models
    for c, d in zip(one, two, strict=True):
        assert c.adjusted == pytest.approx(d.adjusted, abs=1e-12)
        assert c.stderr == d.stderr


@given(two_clusterings(), sides, st.randoms(use_true_random=False))
def test_names_of_clusters_and_order_of_points_do_not_matter(pair, fixed, random):
    a, b = pair
    order = list(range(len(a)))
    random.shuffle(order)
    renamed = []
    for x in (a, b):
        x = np.asarray(x)[order]
        if x.ndim == 1:
            names = list(range(10))
            random.shuffle(names)
            renamed.append([f"cluster {names[label]}" for label in x])
        else:
            columns = list(range(x.shape[1]))
            random.shuffle(columns)
            renamed.append(x[:, columns])
    one, two = _every(a, b, fixed=fixed), _every(*renamed, fixed=fixed)
    assert one.observed == pytest.approx(two.observed, abs=1e-12)
    for c, d in zip(one, two, strict=True):
        # Sampled numbers differ when rounding has moved a fitted concentration by a digit.
        noise = 6.0 * np.hypot(c.stderr, d.stderr)
        # Of rows that are nearly the same, rounding alone moves the value by what it says.
        assert abs(c.adjusted - d.adjusted) <= noise + c.error_bound + d.error_bound + 1e-9


@given(two_clusterings(), sides)
def test_values_lie_where_they_should(pair, fixed):
    for c in _every(*pair, fixed=fixed):
        assert 0.0 <= c.observed <= 1.0
        assert 0.0 <= c.expected <= 1.0
        assert c.adjusted <= 1.0
        assert np.isfinite(c.adjusted)
        assert c.stderr >= 0.0
        if c.exact:
            assert c.stderr == 0.0
        elif c.observed < 1.0:
            assert c.stderr > 0.0
        if c.expected < 1.0:
            recomputed = (c.observed - c.expected) / (1.0 - c.expected)
            assert c.adjusted == pytest.approx(recomputed, abs=1e-9)


@given(st.integers(2, 20).flatmap(fuzzy))
def test_a_clustering_is_identical_to_itself(u):
    for c in _every(u, u[:, ::-1].copy()):
        assert c.adjusted == pytest.approx(1.0, abs=1e-9)


def _singletons_or_one_cluster(n):
    return [np.zeros(n, dtype=int), np.arange(n)]


@pytest.mark.parametrize("n", [2, 3, 10])
def test_one_cluster_and_all_singletons(n):
    for labels in _singletons_or_one_cluster(n):
        for c in _every(labels, labels):
            assert c.adjusted == 1.0
            assert c.observed == 1.0
    one, singletons = _singletons_or_one_cluster(n)
    for model in ("perm", "cat", "num", "all", "fit", "sym"):
        c = fr.compare(one, singletons, model=model)
        assert c.observed == 0.0
        assert np.isfinite(c.adjusted)


def test_identical_rows_agree_always():
    same = np.tile([0.2, 0.8], (6, 1))
    for c in _every(same, np.zeros(6, dtype=int)):
        assert c.observed == 1.0
        assert c.adjusted == 1.0
    for c in _every(same, [0, 0, 0, 1, 1, 1]):
        assert np.isfinite(c.adjusted)


def test_two_points():
    c = fr.compare([[0.5, 0.5], [0.2, 0.8]], [0, 1], model="perm")
    assert c.observed == pytest.approx(0.3)
    assert c.adjusted == pytest.approx(0.0)


def test_rounding_errors_are_no_difference():
    # One pair: its agreement is the same on both sides but for the last digit.
    u = np.array([[0.39546199, 0.59301806, 0.01151995], [0.00103976, 0.2521556, 0.74680464]])
    c = fr.compare(u, u[:, ::-1].copy(), model="perm")
    assert c.adjusted == 1.0
    assert "Random clusterings match perfectly, too." in c.sentence


RICHER = ["generalised", "mixture", "kernel", "mixed", "empirical"]


def test_every_model_that_applies():
    hard, soft = TOY["even_hard"], TOY["high_fuzzy"]
    every = ["perm", "cat", "num", "all", "fit", "sym", "flat"]
    assert fr.compare(hard, hard, model="every").models == every
    soft_models = ["perm", "fit", "sym", "flat", *RICHER]
    assert fr.compare(hard, soft, model="every").models == soft_models
    assert fr.compare(hard, soft, model="every", fixed="second").models == every
    loose = fr.compare(hard, soft * 0.5, model="every", possibilistic=True)
    assert loose.models == ["perm", "empirical"]


NAMES_BAD = {
    "index": ({"index": "nbc"}, r"unknown index 'nbc'.*'ndc'"),
    "model": ({"model": "prem"}, r"unknown model 'prem'.*'perm'"),
    "model type": ({"model": 3}, r"unknown model 3"),
    "fixed": ({"fixed": "fist"}, r"'first'"),
    "fixed type": ({"fixed": 1}, r"'first', 'second'"),
    "no models": ({"model": []}, r"empty"),
}


@pytest.mark.parametrize("case", NAMES_BAD)
def test_unknown_names_are_met_with_the_nearest(case):
    options, message = NAMES_BAD[case]
    with pytest.raises(fr.UnknownNameError, match="(?s)" + message):
        fr.compare(LABELS, SOFT, **options)


def test_the_number_of_pairs_and_the_tolerance_are_taken_at_their_word():
    rng = np.random.default_rng(0)
    u, v = rng.dirichlet(np.ones(3), 300), rng.dirichlet(np.ones(3), 300)
    c = fr.compare(u, v, model="perm", effort=fr.Effort(pairs=np.int64(2000)))
    assert c.computed["observed"] == "2,000 random pairs"
    assert not c.converged
    with pytest.warns(fr.SampledPairsWarning, match="too many pairs"):
        fr.expected_similarity(u, v, model="perm", effort=fr.Effort(pairs=2000))
    with pytest.warns(fr.SampledPairsWarning, match="stopped at its limit"):
        fr.adjusted_similarity(u, v, model="fit", effort=fr.Effort(max_draws=1000), tol=1e-7)


def test_messages_for_wrong_calls():
    a, b = [0, 1, 1], [0, 0, 1]
    with pytest.raises(fr.UnknownNameError, match=r"compare\(\)"):
        fr.adjusted_similarity(a, b, model="every")
    with pytest.raises(ParameterError, match="tol"):
        fr.compare(a, b, tol="x")
    with pytest.raises(ParameterError, match="pairs"):
        fr.Effort(pairs=np.array([1, 2]))
    with pytest.raises(fr.UnknownNameError, match="pairs must be"):
        fr.Effort(pairs="most")
    with pytest.raises(ParameterError, match="effort must be an Effort"):
        fr.compare(a, b, effort={"pairs": "all"})
    with pytest.raises(ParameterError, match="p >= 1"):
        fr.NDC(p="2")
    with pytest.raises(fr.InputError, match="row 0"):
        fr.Partition.from_memberships([0, 1, 1])
    with pytest.raises(fr.InputError, match="must be an integer"):
        fr.Partition.from_labels(a, clusters=2.5)


def test_every_model_of_many_clusters_is_cheap(peak):
    table = fr.compare(many_labels(60_000, 30_000), many_labels(60_000, 30_000, 1), model="every")
    assert table["flat"].misfit == pytest.approx((0.5, 0.5), abs=1e-3)
    assert peak() < 100  # 400 for one of the many arrays of 1,024 rows


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
    assert all(f"Without a value: {model}." in str(table) for model in table.skipped)
    with pytest.raises(fr.NotApplicableError, match=r"'u' with 'v'.*undefined"):
        fr.pairwise({"u": u, "v": v}, index="consistency", maximum="self", model="flat")
