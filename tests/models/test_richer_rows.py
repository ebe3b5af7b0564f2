"""Models of rows beyond one Dirichlet: what they are good for, and what they have in common."""

import json

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._base.effort import Precision

from .. import brute
from ..clusterings import groups, ring

TOY = fr.toy_clusterings()


RICHER = [fr.Generalised(), fr.Mixture(), fr.Kernel(), fr.Mixed(), fr.Empirical()]


# Data that one Dirichlet cannot describe, one example a model.


def _unequally_sharp(rng, n):
    sharp, blurred = rng.beta(0.1, 0.1, n), rng.beta(30, 30, n)
    return np.c_[sharp, (1 - sharp) * blurred, (1 - sharp) * (1 - blurred)]


def _partly_hard(rng, n):
    return np.vstack([np.eye(3)[rng.integers(3, size=n // 2)], rng.dirichlet([9, 9, 9], n // 2)])


EXAMPLES = [
    (fr.Generalised(), _unequally_sharp),
    (fr.Mixture(), groups),
    (fr.Kernel(), ring),
    (fr.Mixed(), _partly_hard),
    (fr.Empirical(), _partly_hard),
]


@pytest.mark.parametrize(("model", "data"), EXAMPLES, ids=lambda x: getattr(x, "name", ""))
def test_each_model_describes_data_that_fit_cannot(model, data):
    rows = data(np.random.default_rng(0), 600)
    good, plain = fr.check_model(rows, model), fr.check_model(rows, "fit")
    assert good.distance < 0.25 * plain.distance
    assert plain.suits is False
    assert good.suits
    assert good.sentence.startswith("The model describes ")
    assert plain.sentence.startswith("The model does not describe this clustering: the misfit is ")


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


class TestMixture:
    def test_one_component_is_fit(self):
        u, v = TOY["high_fuzzy"], TOY["uneven_low_fuzzy"]
        one = fr.compare(u, v, model=fr.Mixture(components=1), index="jousselme")
        assert one.expected == pytest.approx(
            fr.compare(u, v, model="fit", index="jousselme").expected, abs=1e-6
        )

    def test_options_are_checked(self):
        with pytest.raises(fr.ParameterError, match="components"):
            fr.Mixture(components=0)
        assert str(fr.Mixture(components=3)) == "mixture(components=3)"


class TestKernel:
    def test_options_are_checked(self):
        with pytest.raises(fr.ParameterError, match="bandwidth"):
            fr.Kernel(bandwidth=-1)


class TestMixed:
    def test_without_hard_rows_it_is_fit(self):
        rows = fr.Mixed().rows(fr.as_partition(TOY["high_fuzzy"]), Precision())
        assert rows.alpha == pytest.approx(
            fr.Fit().rows(fr.as_partition(TOY["high_fuzzy"]), Precision()).alpha
        )


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


def test_empirical_results_are_plain_python_values():
    c = fr.compare([0, 0, 1], [[1.0, 0.0], [0.8, 0.2], [0.4, 0.6]], model="empirical")
    assert c.exact is True
    json.dumps(c.to_dict())


def test_empirical_in_bins_and_sampled():
    rng = np.random.default_rng(9)
    u, v = rng.dirichlet([0.5] * 3, 1500), rng.dirichlet([1.0] * 3, 1500)
    binned = fr.compare(u, v, model="empirical")
    assert binned.exact
    assert binned.computed["expected"] == "all pairs, binned"
    x, y = (rng.integers(1500, size=(2, 10**6)) for _ in range(2))
    a, b = (np.minimum(m[i], m[j]).sum(axis=1) for m, (i, j) in ((u, x), (v, y)))
    assert brute.is_mean_of(1 - np.abs(a - b), binned.expected)
    sampled = fr.compare(u, v, model="empirical", tol=5e-3, effort=fr.Effort(exact_work=1e6))
    assert abs(sampled.expected - binned.expected) < 4 * sampled.computed["expected_stderr"]
