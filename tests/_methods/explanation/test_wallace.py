"""Wallace indices of sparse clusterings and from samples, against plain sums over all pairs."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand._methods.explanation import fuzzy_clusters
from fuzzyrand._pairs import route, shared_pairs

from ... import brute
from ...clusterings import SPARSE
from ...examples import examples
from ...strategies import two_clusterings

NAMES = ["ndc", "brouwer", "consistency", "belief", "jousselme"]


def plain_wallace(name, u, v, w=None):
    """Observed and expected discordance of each cluster of v and of all together, and weights."""
    i, j = np.triu_indices(len(u), 1)
    w = np.ones(len(u)) if w is None else w
    of_pairs = w[i] * w[j] / (w[i] @ w[j])
    a, b = brute.pair_agreements(name, u), brute.pair_agreements(name, v)
    observed = 1.0 - brute.concordance(name, a, b)
    expected = 1.0 - of_pairs @ brute.concordance(name, a[:, None], b[None, :])
    each = (np.asarray(v)[i] * np.asarray(v)[j]).T * of_pairs
    weights = np.vstack([each, each.sum(axis=0)])
    with np.errstate(invalid="ignore"):
        means = [weights @ values / weights.sum(axis=1) for values in (observed, expected)]
    return 1.0 - np.array(means), weights.sum(axis=1)


#: Keeps small matrices sparse, and visits the pairs of few points.
VISIT = fr.Effort(budget=replace(SPARSE, kept_pairs=0))


def divide_finely(patch):
    """Visit pairs that share a cluster, and divide them into many small tiles and tasks."""
    patch.setattr(route, "SHARED_COST", 1e-9)
    patch.setattr(shared_pairs, "SMALLEST_TILE", 8)
    patch.setattr(shared_pairs, "LARGEST_TILE", 16)
    patch.setattr(shared_pairs, "TASK_ENTRIES", 64)


@pytest.fixture
def small_tiles(monkeypatch):
    divide_finely(monkeypatch)


@st.composite
def two_sparse(draw):
    """Two clusterings of the same points whose rows have few entries, some of them tiny."""
    n = draw(st.integers(3, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    sides = []
    for _ in range(2):
        k = draw(st.integers(1, 10))
        rows = np.zeros((n, k))
        for row in rows:
            columns = rng.choice(k, rng.integers(1, min(3, k) + 1), replace=False)
            row[columns] = rng.dirichlet(np.full(columns.size, draw(st.sampled_from([0.1, 1.0]))))
            row[columns] += draw(st.sampled_from([1e-9, 1e-20]))
        sides.append(rows / rows.sum(axis=1, keepdims=True))
    if draw(st.booleans()):
        sides[1] = sides[1].argmax(axis=1)
    return sides


def shared(side):
    return sp.csr_array(side) if side.ndim == 2 else side


@examples(60)
@given(two_sparse(), st.sampled_from(NAMES))
@pytest.mark.usefixtures("small_tiles")
def test_pairs_that_share_a_cluster_suffice(pair, name):
    """Sparse clusterings have exact Wallace indices, from the pairs that have a weight."""
    wallace = fr.explain(*map(shared, pair), index=name, model="perm", effort=VISIT).wallace
    u, v = (brute.memberships(side) for side in pair)
    for own, other, found in ((u, v, wallace.first), (v, u, wallace.second)):
        (observed, expected), weights = plain_wallace(name, other, own)
        known = weights > 0.0
        assert found.stderr == 0.0
        for mine, plain in (
            (np.append(found.clusters.observed, found.observed), observed),
            (np.append(found.clusters.expected, found.expected), expected),
        ):
            np.testing.assert_array_equal(np.isnan(mine), ~known)
            # The expected value comes from a curve with 65,536 cells.
            np.testing.assert_allclose(mine[known], plain[known], atol=2e-5)
        np.testing.assert_allclose(
            found.clusters.observed[known[:-1]], observed[:-1][known[:-1]], atol=1e-12
        )


@pytest.mark.usefixtures("small_tiles")
def test_the_shared_route_is_taken(monkeypatch):
    """Nothing is drawn where the pairs that share a cluster can be visited."""
    monkeypatch.setattr(fuzzy_clusters, "drawn_discordances", None)
    rng = np.random.default_rng(0)
    rows = np.eye(12)[rng.integers(12, size=60)]
    rows[::2] = 0.5 * rows[::2] + 0.5 * np.eye(12)[rng.integers(12, size=30)]
    wallace = fr.explain(shared(rows), shared(rows[::-1]), model="perm", effort=VISIT).wallace
    assert wallace.first.stderr == wallace.second.stderr == 0.0


def rare_topic(rng, n=3000):
    """Three topics and a rare one of two points, and the same with a tenth of the rows shuffled."""
    rows = np.eye(4)[rng.integers(3, size=n)]
    some = rng.random(n) < 0.3
    rows[some] = 0.8 * rows[some] + 0.2 * np.eye(4)[rng.integers(3, size=some.sum())]
    rows[:2] = [[0.5, 0.0, 0.0, 0.5], [0.0, 0.5, 0.0, 0.5]]
    other = rows.copy()
    moved = rng.permutation(n)[: n // 10]
    other[moved] = other[rng.permutation(moved)]
    return rows, other


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("seed", [0, 1])
def test_a_rare_cluster_is_drawn_on_purpose(seed, form):
    u, v = map(form, rare_topic(np.random.default_rng(seed)))
    exact, drawn = (
        fr.explain(u, v, model="perm", effort=fr.Effort(exact_work=work, budget=SPARSE)).wallace
        for work in (fr.EXACT_WORK, 1e6)
    )
    assert exact.first.stderr == 0.0
    assert 0.0 < drawn.first.stderr < 2e-3
    for side in ("first", "second"):
        one, two = getattr(exact, side), getattr(drawn, side)
        assert two.adjusted == pytest.approx(one.adjusted, abs=5.0 * two.stderr)
        error = np.abs(two.clusters.adjusted - one.clusters.adjusted)
        assert (error <= 5.0 * two.clusters.stderr + 1e-12).all()
    # All pairs of a small cluster are used, and its observed value is exact.
    assert drawn.first.clusters.observed[3] == exact.first.clusters.observed[3]
    assert drawn.sentence.startswith("Neither is a refinement of the other")


def test_drawn_indices_cover_the_exact_ones():
    """Over 40 seeds, all clusters and their totals are within 1.96 errors about 95% of the time."""
    few = fr.Effort(pairs=1000, budget=fr.Budget(cluster_pairs=1 << 8, chance_pairs=1 << 10))
    rng = np.random.default_rng(3)
    u = np.hstack([rng.dirichlet([0.3] * 3, 300), np.zeros((300, 1))])
    u[:30, 3] = 0.01 * rng.random(30)  # a small cluster of many points
    u /= u.sum(axis=1, keepdims=True)
    v = 0.6 * u[:, :3] + 0.4 * rng.dirichlet([0.3] * 3, 300)
    v /= v.sum(axis=1, keepdims=True)
    exact = fr.explain(u, v, model="perm").wallace
    z = []
    for seed in range(40):
        options = {"model": "perm", "random_state": seed, "tol": 0.05}
        found = fr.explain(u, v, effort=few, **options).wallace
        for side in ("first", "second"):
            one, two = getattr(exact, side), getattr(found, side)
            z.append((two.adjusted - one.adjusted) / two.stderr)
            z += list((two.clusters.adjusted - one.clusters.adjusted) / two.clusters.stderr)
    z = np.array(z)
    assert abs(z.mean()) < 0.3
    assert 0.91 < np.mean(np.abs(z) < 1.96) < 0.99


def test_a_sample_is_never_called_exact():
    """Pairs that were not drawn may differ, however alike those are that were."""
    rng = np.random.default_rng(5)
    rows = np.eye(3)[rng.integers(3, size=4000)]
    rows[0] = [0.5, 0.5, 0.0]  # so that they are fuzzy
    other = rows.copy()
    other[1] = [0.5, 0.0, 0.5]
    wallace = fr.explain(rows, other, model="perm", effort=fr.Effort(pairs=1000), tol=0.05).wallace
    assert wallace.first.stderr > 0.0
    assert wallace.second.stderr > 0.0
    assert "same points together" not in wallace.sentence


def test_what_was_not_drawn_is_said():
    """If chance agrees on all pairs that were drawn, no index is made up from them."""
    few = fr.Effort(pairs=1000, budget=fr.Budget(chance_pairs=1 << 4))
    same = np.tile([0.5, 0.5], (30_000, 1))
    other = same.copy()
    other[0] = [0.9, 0.1]
    wallace = fr.explain(same, other, model="perm", effort=few, tol=0.5).wallace
    assert np.isnan(wallace.first.adjusted)
    assert not np.isnan(wallace.first.observed)
    assert "all sampled pairs of points have the same co-membership" in wallace.sentence
    assert wallace.to_dict()["first"]["stderr"] is None


@examples(40)
@given(two_clusterings(("hard", "fuzzy")), st.sampled_from(NAMES), st.integers(0, 2**32 - 1))
def test_weighted_pairs_count_on_both_sides(pair, name, seed):
    if len(pair[0]) < 4:
        return
    w = np.random.default_rng(seed).gamma(0.5, size=len(pair[0])) + 1e-3
    wallace = fr.explain(*pair, index=name, weights=w).wallace
    u, v = (brute.memberships(side) for side in pair)
    for own, other, found in ((u, v, wallace.first), (v, u, wallace.second)):
        plain, weights = plain_wallace(name, other, own, w)
        used = np.append(own.sum(axis=0) > 0.0, True)
        for mine, wanted in zip(("observed", "expected"), plain, strict=True):
            values = np.append(getattr(found.clusters, mine), getattr(found, mine))
            known = np.where(weights > 0.0, wanted, np.nan)[used]
            np.testing.assert_allclose(values, known, atol=1e-10)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_drawn_weighted_pairs_are_near_all_of_them(form):
    rng = np.random.default_rng(5)
    u, v = rare_topic(rng, 800)
    w = rng.gamma(1.0, size=800)
    few = fr.Effort(pairs=3000, budget=SPARSE)
    drawn = fr.explain(form(u), form(v), weights=w, effort=few, tol=0.05).wallace
    every = fr.explain(u, v, weights=w).wallace
    for side in ("first", "second"):
        one, two = getattr(every, side), getattr(drawn, side)
        assert one.stderr == 0.0 < two.stderr
        error = np.abs(two.clusters.adjusted - one.clusters.adjusted)
        assert (error <= 5.0 * two.clusters.stderr + 1e-12).all()
