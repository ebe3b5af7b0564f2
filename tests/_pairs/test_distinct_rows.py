"""Points that are the same on all sides, merged; held to the pairs of all points."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand._base.effort import Precision
from fuzzyrand._clusterings.partition import as_partition
from fuzzyrand._pairs import all_pairs, distinct_rows
from fuzzyrand._pairs.route import Route
from fuzzyrand.indices import NDC, as_index

from .. import brute
from ..examples import examples

#: Looks for points that are the same among few, and visits even few pairs.
FEW_POINTS = fr.Budget(unmerged_points=2, kept_pairs=0)


def _repeated(rng, n, k, different):
    """Draw rows of which only a few differ; hard now and then."""
    some = rng.dirichlet(np.full(k, rng.choice([0.2, 1.0])), different)
    some[rng.random(different) < rng.choice([0.0, 0.4])] = np.eye(k)[0]
    return some[rng.integers(different, size=n)]


@examples(25)
@given(st.integers(0, 2**32 - 1))
def test_merged_points_give_what_all_points_give(seed):
    rng = np.random.default_rng(seed)
    # At most 4 × 4 points differ, a quarter of 64, up to which points are merged.
    n, k = int(rng.integers(64, 400)), int(rng.integers(2, 6))
    u, v = (_repeated(rng, n, k, 4) for _ in range(2))
    first, second = as_partition(u), as_partition(v)
    index = as_index(rng.choice(["ndc", "belief"]))
    asked = {"law_of_first": True, "law_of_second": bool(rng.random() < 0.5)}
    arguments = (Route.SURVEY, first, second, index.agreement, index.concordance)
    if first.is_hard and second.is_hard:
        return
    merged, plain = (
        all_pairs.visit_pairs(
            *arguments, **asked, effort=Precision(budget=fr.Budget(unmerged_points=points))
        )
        for points in (2, n + 1)
    )
    assert merged.merged
    assert not plain.merged
    assert merged.discordance == pytest.approx(plain.discordance, rel=1e-12, abs=1e-15)
    for one, other in ((merged.first, plain.first), (merged.second, plain.second)):
        if other is None:
            assert one is None
            continue
        assert one.inner.mean == pytest.approx(other.inner.mean, abs=1e-10)
        assert one.outer.mean == pytest.approx(other.outer.mean, abs=1e-10)
        for a in (0.0, 0.2, 0.5, 0.9):
            ours, theirs = (law.inner.curve(1.0)[0](np.array([a]))[0] for law in (one, other))
            assert ours == pytest.approx(theirs, abs=2.0 * other.curve_error + 1e-10)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("possibilistic", [False, True])
def test_merged_points_are_the_definition(seed, possibilistic):
    rng = np.random.default_rng(seed)
    u, v = (_repeated(rng, 60, 3, 3) for _ in range(2))
    if possibilistic:
        u, v = (x * rng.uniform(0.3, 1.0) for x in (u, v))
    for p, q in ((1.0, 1.0), (2.0, 1.5)):
        index = NDC(p, q)
        effort = fr.Effort(budget=FEW_POINTS)
        c = fr.compare(u, v, index=index, model="perm", possibilistic=possibilistic, effort=effort)
        assert c.observed == pytest.approx(brute.index(u, v, p, q), abs=1e-12)
        expected = brute.expected_perm(u, v, p, q)
        assert c.expected == pytest.approx(expected, abs=c.error_bound + 1e-12)
        assert "pairs of distinct rows" in str(c.computed)


def test_points_that_all_differ_are_not_merged():
    rng = np.random.default_rng(0)
    first, second = (as_partition(rng.dirichlet(np.ones(3), 5000)) for _ in range(2))
    assert distinct_rows.distinct_rows(first, second, unmerged=1000) is None
    half = as_partition(np.repeat(rng.dirichlet(np.ones(3), 2500), 2, axis=0))
    assert distinct_rows.distinct_rows(half, unmerged=1000) is None  # too many for it to pay


def test_points_are_the_same_only_if_they_are_so_on_all_sides():
    rng = np.random.default_rng(0)
    u, v = (np.round(rng.random(8000), 1) for _ in range(2))
    first, second = (as_partition(np.column_stack([x, 1.0 - x])) for x in (u, v))
    points, counts = distinct_rows.distinct_rows(first, second, unmerged=1000)
    pairs, expected = np.unique(np.column_stack([u, v]), axis=0, return_counts=True)
    assert points.size == len(pairs) == 121
    found = {(u[p], v[p]): count for p, count in zip(points, counts, strict=True)}
    assert found == {tuple(pair): count for pair, count in zip(pairs, expected, strict=True)}


def test_hashes_that_collide_merge_nothing(monkeypatch):
    rows = np.round(np.random.default_rng(0).random((3000, 1)), 2)
    partition = as_partition(np.hstack([rows, 1.0 - rows]))
    assert distinct_rows.distinct_rows(partition, unmerged=1000) is not None
    monkeypatch.setattr(
        distinct_rows, "_hashes", lambda _, points: np.zeros(points.size, np.uint64)
    )
    assert distinct_rows.distinct_rows(partition, unmerged=1000) is None
