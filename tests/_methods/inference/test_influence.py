"""The influence of points, against leaving each of them out."""

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._methods.inference.influence import influences

N = 90


def left_out(a, b, **options):
    """Return (n - 1)(value - value without point i) for every point."""
    value = fr.compare(a, b, **options).adjusted
    n = len(a)
    keep = ~np.eye(n, dtype=bool)
    without = [fr.compare(a[some], b[some], **options).adjusted for some in keep]
    jackknife = (n - 1.0) * (value - np.array(without))
    return jackknife - jackknife.mean()


def clusterings(seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(3, size=N)
    labels[:40] = 0
    soft = 0.7 * np.eye(3)[labels] + 0.3 * rng.dirichlet([0.7, 1.0, 2.0], N)
    softer = 0.5 * soft + 0.5 * rng.dirichlet([1.0, 1.0, 1.0], N)
    other = np.where(rng.random(N) < 0.6, labels, rng.integers(4, size=N))
    return {"hard": labels, "other": other, "soft": soft, "softer": softer}


CASES = [
    ("hard", "other", "perm"),
    ("hard", "other", "cat"),
    ("hard", "other", "num"),
    ("hard", "other", "all"),
    ("hard", "soft", "perm"),
    ("hard", "soft", "fit"),
    ("hard", "soft", "sym"),
    ("hard", "soft", fr.Fit(estimator="moments")),
    ("hard", "soft", fr.Sym(estimator="moments")),
    ("hard", "soft", "flat"),
    ("hard", "soft", "empirical"),
    ("soft", "softer", "perm"),
    ("soft", "softer", "flat"),
    ("soft", "softer", "empirical"),
]


@pytest.mark.parametrize("fixed", [None, "first"])
@pytest.mark.parametrize(("one", "two", "model"), CASES, ids=str)
def test_influences_are_those_of_leaving_points_out(one, two, model, fixed):
    data = clusterings()
    options = {"model": model, "fixed": fixed}
    found = influences(fr.compare(data[one], data[two], **options)).values
    expected = left_out(data[one], data[two], **options)
    assert found.mean() == pytest.approx(0.0, abs=1e-12)
    # The jackknife has second-order terms, of relative order 1/n.
    assert np.corrcoef(found, expected)[0, 1] > 0.998
    assert found.std() == pytest.approx(expected.std(), rel=4.0 / N)


@pytest.mark.parametrize("index", ["brouwer", "consistency", "belief", "jousselme", fr.NDC(q=2)])
def test_influences_of_other_indices(index):
    data = clusterings(1)
    options = {"index": index, "model": "perm"}
    found = influences(fr.compare(data["soft"], data["softer"], **options)).values
    expected = left_out(data["soft"], data["softer"], **options)
    assert np.corrcoef(found, expected)[0, 1] > 0.998
    assert found.std() == pytest.approx(expected.std(), rel=4.0 / N)


def test_influences_on_a_fit_of_two_fuzzy_sides():
    """With a Monte Carlo error, so against a jackknife of exact laws: two clusters have them."""
    rng = np.random.default_rng(2)
    u = rng.beta(0.8, 1.5, N)
    v = np.clip(0.6 * u + 0.4 * rng.beta(0.8, 1.5, N), 0.001, 0.999)
    a, b = (np.column_stack([x, 1.0 - x]) for x in (u, v))
    for model in ("fit", "sym"):
        found = influences(fr.compare(a, b, model=model)).values
        expected = left_out(a, b, model=model)
        assert np.corrcoef(found, expected)[0, 1] > 0.99
        assert found.std() == pytest.approx(expected.std(), rel=0.08)


def test_influences_on_a_fit_with_zeros():
    rng = np.random.default_rng(3)
    rows = rng.dirichlet(np.full(4, 0.4), 200)
    rows[rows < 0.03] = 0.0
    rows /= rows.sum(axis=1, keepdims=True)
    labels = rows.argmax(axis=1)
    model = fr.Fit(resolution=1e-9)  # hardly cut, so that the expectation is exact
    found = influences(fr.compare(rows, labels, model=model)).values
    expected = left_out(rows, labels, model=model, tol=1e-4)
    assert np.corrcoef(found, expected)[0, 1] > 0.99


def test_a_random_part_of_many_points_gives_the_same_spread():
    rng = np.random.default_rng(4)
    u = rng.dirichlet(np.ones(3), 1200)
    v = 0.6 * u + 0.4 * rng.dirichlet(np.ones(3), 1200)
    whole = influences(fr.compare(u, v, model="perm")).values
    effort = fr.Effort(budget=fr.Budget(influence_points=600))
    part = influences(fr.compare(u, v, model="perm", effort=effort))
    assert part.points.size == 600
    assert part.values.std() == pytest.approx(whole.std(), rel=0.1)


@pytest.mark.parametrize(("one", "two", "model"), [c for c in CASES if c[2] != "all"], ids=str)
def test_influences_of_weighted_points_are_derivatives(one, two, model):
    """A little more weight for a point moves the value by its influence."""
    data, w = clusterings(), np.random.default_rng(1).gamma(1.0, size=N) + 0.1

    def value(weights):
        return fr.compare(data[one], data[two], model=model, weights=weights).adjusted

    found = influences(fr.compare(data[one], data[two], model=model, weights=w)).values
    some, step = np.arange(0, N, 6), 1e-4
    more = np.where(np.arange(N) == some[:, None], 1.0 + step, 1.0) * w
    moved = np.array([value(each) - value(w) for each in more]) * N / step
    assert np.corrcoef(found[some], moved)[0, 1] > 0.998
    assert found[some].std() == pytest.approx(moved.std(), rel=8.0 / N)
