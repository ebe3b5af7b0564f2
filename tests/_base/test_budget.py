"""Limits of what a computation may take: other ways to the same numbers, within stated errors."""

import pickle
import re
from dataclasses import FrozenInstanceError, fields
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import fuzzyrand as fr
from fuzzyrand._analysis.permutations.moments import permutation_moments
from fuzzyrand._base.effort import as_precision

from ..clusterings import alike_pair
from ..own_indices import own_ndc

NAMES = [limit.name for limit in fields(fr.Budget)]


@cache
def code():
    """The code of the package, but for that of the budget itself."""
    paths = Path(fr.__file__).parent.rglob("*.py")
    return "\n".join(path.read_text("utf-8") for path in paths if path.name != "budget.py")


def limited(**limits):
    return fr.Effort(budget=fr.Budget(**limits))


def test_defaults_are_those_of_effort():
    assert fr.Effort().budget == fr.Budget()
    assert as_precision(None).budget == fr.Budget()
    assert as_precision(limited(kept_pairs=7)).budget.kept_pairs == 7
    with pytest.raises(FrozenInstanceError):
        fr.Budget().kept_pairs = 7
    assert fr.Budget(kept_pairs=7) != fr.Budget()
    assert len({fr.Budget(), fr.Budget(), fr.Budget(kept_pairs=7)}) == 2


def test_only_what_differs_is_printed():
    assert repr(fr.Budget()) == "Budget()"
    some = fr.Budget(kept_pairs=7, check_work=1e6)
    assert repr(some) == "Budget(kept_pairs=7, check_work=1000000.0)"
    assert pickle.loads(pickle.dumps(some)) == some


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"kept_pairs": -1}, "kept_pairs must be a whole number from 0 to 1,073,741,824, got -1"),
        ({"kept_pairs": 1e3}, "kept_pairs must be a whole number"),
        ({"kept_pairs": True}, "kept_pairs must be a whole number"),
        ({"shuffled_points": 1 << 17}, "shuffled_points must be a whole number from 2 to 65,536"),
        ({"partners": 1}, "partners must be a whole number of at least 2, got 1"),
        ({"numpy_work": float("nan")}, "numpy_work must be a number of at least 0, got nan"),
        ({"numpy_work": "much"}, "numpy_work must be a number of at least 0, got 'much'"),
    ],
)
def test_limits_that_cannot_be_kept_are_refused(limits, message):
    with pytest.raises(fr.ParameterError, match=re.escape(message)):
        fr.Budget(**limits)


def test_what_is_no_budget_is_refused():
    with pytest.raises(fr.ParameterError, match=r"budget must be a Budget, such as .* got 1000"):
        fr.Effort(budget=1000)


@pytest.mark.parametrize("name", NAMES)
def test_every_limit_is_read_and_documented(name):
    """A limit that nothing reads would promise what it does not keep."""
    assert re.search(rf"[bB]udget\.{name}\b", code())
    assert f"\n    {name} : " in fr.Budget.__doc__


def test_documented_limits_exist_and_come_in_order():
    documented = re.findall(r"^    (\w+) : (?:int|float)$", fr.Budget.__doc__, re.MULTILINE)
    assert documented == NAMES


@pytest.mark.parametrize("index", ["ndc", "belief", fr.NDC(q=2)], ids=str)
def test_pairs_are_visited_where_they_may_not_be_kept(index):
    u, v = alike_pair(1, 150, 3)
    kept = fr.compare(u, v, index=index, model="perm")
    visited = fr.compare(u, v, index=index, model="perm", effort=limited(kept_pairs=1000))
    if index == "ndc":
        assert kept.computed["expected"] == "all pairs, sorted"
        assert visited.computed["expected"] == "all pairs, binned"
    assert visited.observed == pytest.approx(kept.observed, abs=1e-12)
    bound = kept.error_bound + visited.error_bound
    assert visited.adjusted == pytest.approx(kept.adjusted, abs=bound + 1e-12)


def test_fewer_points_are_tested_and_it_is_said():
    u, v = alike_pair(2, 120, 3)
    whole = fr.significance(u, v, draws=199)
    part = fr.significance(u, v, draws=199, effort=limited(shuffled_points=60, kept_pairs=1000))
    assert (whole.points, part.points) == (120, 60)
    assert part.adjusted == pytest.approx(whole.adjusted, abs=1e-9)  # that of all points
    assert any("of 120 points" in note for note in part.notes)
    assert part.pvalue == whole.pvalue == 0.005


def test_the_variance_from_some_points_is_within_its_error():
    u, v = alike_pair(3, 400, 3)
    effort = as_precision(limited(profile_work=300.0 * 400 * 13))
    exact, some = (
        permutation_moments(fr.compare(u, v, model="perm", effort=each).analysis.sides)
        for each in (None, effort)
    )
    assert "random points" in some.how
    assert some.error > exact.error
    assert abs(some.variance - exact.variance) < 4.0 * some.error


def test_more_partners_of_each_point_leave_less_error():
    u, v = alike_pair(4, 600, 3)
    exact, errors = fr.explain(u, v, model="perm").points, []
    for partners in (40, 160):
        effort = fr.Effort(pairs=1000, budget=fr.Budget(partners=partners))
        found = fr.explain(u, v, model="perm", effort=effort, tol=0.05)
        assert (np.abs(found.points - exact) < 5.0 * found.points_stderr).all()
        errors.append(found.points_stderr.mean())
    assert errors[1] < 0.7 * errors[0]


def test_a_sparse_matrix_stays_sparse_with_the_same_numbers():
    u, v = alike_pair(5, 90, 4)
    full = fr.compare(sp.csr_array(u), sp.csr_array(v), model="perm")
    sparse = limited(full_entries=0, sparse_share=1.0)
    found = fr.compare(sp.csr_array(u), sp.csr_array(v), model="perm", effort=sparse)
    assert not full.analysis.partitions[0].rows.mostly_zero
    assert found.analysis.partitions[0].rows.mostly_zero
    assert found.adjusted == pytest.approx(full.adjusted, abs=1e-11)


def test_a_matrix_for_a_fit_of_your_own_is_refused_if_it_is_large():
    def fit(rows):
        return fr.models.Dirichlet(rows.mean(axis=0))

    labels = np.arange(40) % 4
    with pytest.raises(fr.NotApplicableError, match="would make one too large"):
        fr.compare(labels, labels, model=fr.Custom(fit), effort=limited(one_hot_entries=100))


def test_the_smallest_budget_gives_an_answer_to_every_question():
    """The least that is allowed leaves little to compute from, and fails nowhere."""
    least = {
        limit.name: type(limit.default)(limit.metadata["least"]) for limit in fields(fr.Budget)
    }
    u, v = alike_pair(6, 60, 3)
    options = {"effort": limited(**least), "tol": 0.5}
    for index in ("ndc", own_ndc()):
        found = fr.compare(u, v, index=index, **options)
        default = fr.compare(u, v, index=index)
        assert found.adjusted == pytest.approx(default.adjusted, abs=1e-6)
        assert fr.significance(u, v, index=index, draws=19, **options).pvalue <= 1.0
    assert fr.significance(u, v, model="fit", draws=19, **options).points == 8
    interval = fr.confidence_interval(u, v, **options)
    assert interval.low <= interval.adjusted <= interval.high
    assert np.isfinite(fr.explain(u, v, **options).wallace.first.adjusted)
    assert fr.check_model(u, "fit", effort=options["effort"]).points == 2
    assert fr.advise(u, v, effort=options["effort"]).model
