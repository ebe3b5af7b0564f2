"""Models of hard clusterings: against clusim and exact rational arithmetic."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzzyrand as fr

from .. import brute
from ..clusterings import LABELS, SOFT
from ..strategies import two_clusterings


@given(two_clusterings(kinds=("hard",)), st.sampled_from([None, "first", "second"]))
def test_num_and_all_in_rational_arithmetic(pair, fixed):
    a, b = pair
    for model, chance in (("num", _chance_num), ("all", _chance_all)):
        q1, q2 = chance(a), chance(b)
        if fixed == "first":
            q1 = _together(a)
        if fixed == "second":
            q2 = _together(b)
        expected = q1 * q2 + (1 - q1) * (1 - q2)
        ours = fr.expected_similarity(a, b, model=model, fixed=fixed)
        assert ours == pytest.approx(float(expected), abs=1e-12)


def _chance_num(labels):
    n, k = len(labels), len(set(labels))
    return Fraction(brute.STIRLING[n - 1][k] if k < n else 0, brute.STIRLING[n][k])


def _chance_all(labels):
    return Fraction(brute.BELL[len(labels) - 1], brute.BELL[len(labels)])


def _together(labels):
    n = len(labels)
    sizes = np.unique(labels, return_counts=True)[1]
    return Fraction(int((sizes * (sizes - 1)).sum()), n * (n - 1))


@pytest.mark.parametrize("seed", range(5))
def test_clusim_agrees(seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clustering = pytest.importorskip("clusim.clustering", reason="clusim is not installed")
        sim = pytest.importorskip("clusim.sim", reason="clusim is not installed")
    rng = np.random.default_rng(seed)
    n = 60
    a, b = rng.integers(4, size=n), rng.integers(5, size=n)
    c1 = clustering.Clustering().from_membership_list(a.tolist())
    c2 = clustering.Clustering().from_membership_list(b.tolist())
    ours = {m: fr.adjusted_similarity(a, b, model=m) for m in ("perm", "num", "all")}
    assert ours["perm"] == pytest.approx(sim.adjrand_index(c1, c2, random_model="perm"), abs=1e-9)
    assert ours["all"] == pytest.approx(sim.adjrand_index(c1, c2, random_model="all"), abs=1e-9)
    assert ours["num"] == pytest.approx(sim.adjrand_index(c1, c2, random_model="num"), abs=1e-9)
    one_sided = fr.adjusted_similarity(a, b, model="all", fixed="second")
    assert one_sided == pytest.approx(sim.adjrand_index(c1, c2, random_model="all1"), abs=1e-9)


def test_models_of_a_hard_clustering():
    a, b = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 1]
    p, q = np.array([3, 2, 1]) / 6, np.array([2, 4]) / 6
    q1, q2 = (p**2).sum(), (q**2).sum()
    expected = q1 * q2 + (1 - q1) * (1 - q2)
    for model in ("cat", "fit"):
        assert fr.expected_similarity(a, b, model=model) == pytest.approx(expected, abs=1e-15)
    expected = 1 / 6 + (1 - 1 / 3) * (1 - 1 / 2)
    assert fr.expected_similarity(a, b, model="sym") == pytest.approx(expected, abs=1e-15)
    four = fr.Partition.from_labels(b, clusters=4)
    expected = 1 / 12 + (1 - 1 / 3) * (1 - 1 / 4)
    assert fr.expected_similarity(a, four, model="sym") == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("model", ["cat", "num", "all"])
def test_hard_models_refuse_a_fuzzy_side_unless_it_is_fixed(model):
    counterpart = {"cat": "fit", "num": "sym", "all": "flat"}[model]
    with pytest.raises(fr.NotApplicableError, match=f"'{counterpart}'; 'perm', the default"):
        fr.compare(LABELS, SOFT, model=model)
    with pytest.raises(fr.NotApplicableError):
        fr.compare(LABELS, SOFT, model=model, fixed="first")
    assert fr.compare(LABELS, SOFT, model=model, fixed="second").exact
