"""Comparisons in blocks equal those in memory, and brute force, within what they state."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand._base.effort import Precision
from fuzzyrand._clusterings.options import InputOptions
from fuzzyrand._clusterings.treatment import Cut, Largest, Rounded

from ...examples import examples
from .blocked import compare_in_blocks, in_blocks, observed_in_blocks, random_sizes

#: Few draws: both routes make the same ones.
QUICK = Precision(tol=0.1)

MODELS = ["perm", "cat", "num", "all", "fit", "sym", "flat", "generalised", "mixed", "empirical"]


def clusterings(rng, n):
    """Hard and fuzzy clusterings of the same points."""
    soft = rng.dirichlet(rng.uniform(0.4, 3.0, 3), n)
    cut = rng.dirichlet(rng.uniform(0.4, 3.0, 4), n)
    cut[cut < 0.05] = 0.0
    cut[rng.random(n) < 0.3] = np.eye(4)[1]
    cut /= cut.sum(axis=1, keepdims=True)
    return {
        "hard": rng.integers(4, size=n),
        "other": np.array(["x", "y", "z"], dtype=object)[rng.integers(3, size=n)],
        "soft": soft,
        "cut": cut,
    }


def brute_ndc(first, second):
    n = len(first)
    agreements = [
        (side[:, None] == side[None]).astype(float)
        if side.ndim == 1
        else 1.0 - 0.5 * np.abs(side[:, None] - side[None]).sum(axis=2)
        for side in (first, second)
    ]
    upper = np.triu_indices(n, 1)
    return 1.0 - np.abs(agreements[0] - agreements[1])[upper].mean()


def assert_same(found, expected):
    error = found.error_bound + expected.error_bound + 1e-10
    if expected.stderr > 0.0:  # the same draws, up to the rounding of sums
        error += 1e-6
    assert found.adjusted == pytest.approx(expected.adjusted, abs=error)
    assert found.exact == expected.exact
    assert found.n == expected.n
    assert found.clusterings == expected.clusterings


@examples(3)
@given(st.integers(0, 10**6))
def test_every_model_and_pair_of_kinds(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 60))
    sides = clusterings(rng, n)
    sizes = random_sizes(rng, n, int(rng.integers(1, 6)))
    for first, second in [("hard", "other"), ("soft", "hard"), ("other", "cut"), ("soft", "cut")]:
        given = sides[first], sides[second]
        observed = observed_in_blocks(*given, sizes)
        assert observed.error_bound < 1e-6
        brute = 1.0 - brute_ndc(*given)
        assert observed.value == pytest.approx(brute, abs=observed.error_bound + 1e-14)
        for model in MODELS:
            try:
                expected = fr.compare(*given, model=model, tol=QUICK.tol)
            except fr.FuzzyRandError as error:
                with pytest.raises(type(error)):
                    compare_in_blocks(*given, sizes, model=model)
                continue
            assert_same(compare_in_blocks(*given, sizes, model=model, effort=QUICK), expected)


@pytest.mark.parametrize("model", ["fit", "sym", "generalised", "mixed"])
@pytest.mark.parametrize("treatment", [Cut(0.03), Rounded(2), Largest(3)])
def test_rows_that_were_treated(treatment, model):
    rng = np.random.default_rng(5)
    rows = treatment.applied(rng.dirichlet([0.6, 0.2, 0.9, 0.3, 0.4], 160), axis=1)
    if isinstance(treatment, Cut):  # with a stray, which no fit must take for the limit
        rows[0] = [0.4, 0.6 - 1e-7, 1e-7, 0.0, 0.0]
    labels = rng.integers(3, size=160)
    expected = fr.compare(rows, labels, model=model, tol=QUICK.tol)
    found = compare_in_blocks(rows, labels, [50, 1, 29, 80], model=model, effort=QUICK)
    (law, same), field = (c.laws[0] for c in (found, expected)), next(iter(treatment.to_dict()))
    assert law[field] == same[field]
    assert law[field] == pytest.approx(treatment.to_dict()[field], rel=0.1)
    assert found.expected == pytest.approx(expected.expected, abs=1e-6)
    assert found.notes[0] == expected.notes[0]


@pytest.mark.parametrize("index", ["brouwer", "consistency", "belief", "jousselme", "frobenius"])
@pytest.mark.parametrize("pair", [("soft", "cut"), ("hard", "soft"), ("hard", "other")])
def test_every_index(index, pair):
    rng = np.random.default_rng(3)
    sides = clusterings(rng, 50)
    first, second = (sides[name] for name in pair)
    for model in ("perm", "empirical"):
        if index == "frobenius" and model == "empirical":
            continue
        expected = fr.compare(first, second, index=index, model=model, maximum="self")
        found = compare_in_blocks(first, second, [20, 1, 29], index, model, maximum="self")
        assert_same(found, expected)
        assert found.notes == expected.notes


@pytest.mark.parametrize("index", [fr.NDC(p=2), fr.NDC(q=2), fr.NDC(p=np.inf, q=1.5)])
def test_other_norms_and_powers(index):
    rng = np.random.default_rng(4)
    sides = clusterings(rng, 40)
    expected = fr.compare(sides["soft"], sides["cut"], index=index, model="perm")
    found = compare_in_blocks(sides["soft"], sides["cut"], [13, 27], index, "perm")
    assert found.adjusted == pytest.approx(expected.adjusted, abs=1e-8)


def test_large_precision_loses_no_digits():
    # Rows that are nearly the same: a difference of mean squares would have no digits left.
    rng = np.random.default_rng(5)
    rows = rng.dirichlet(np.full(3, 1e9), 400)
    expected = fr.compare(rows, rows[:, ::-1].copy(), model="fit")
    found = compare_in_blocks(rows, rows[:, ::-1].copy(), [100, 250, 50], model="fit")
    assert found.laws[0]["concentrations"] == pytest.approx(
        expected.laws[0]["concentrations"], rel=1e-4
    )


def test_one_hot_rows_are_hard():
    labels = np.array([0, 2, 1, 1, 2, 0])
    found = compare_in_blocks(np.eye(4)[labels], labels, [2, 4], model="perm")
    assert found.adjusted == 1.0
    assert found.clusterings == ("hard, 4 clusters", "hard, 3 clusters")


def test_noise_is_a_cluster():
    labels = np.array([-1, 0, 1, 1, -1, 0, 1])
    first, _ = in_blocks([labels, labels], [3, 4], InputOptions(noise=-1))
    assert (first.noise.points, first.noise.cluster, first.noise.label) == (2, 0, "-1")


@pytest.mark.parametrize(
    "options",
    [
        {"possibilistic": True},
        {"missing": "drop"},
        {"missing": "noise"},
        {"noise": -1, "noise_as": "drop"},
        {"noise": -1, "noise_as": "singletons"},
    ],
)
def test_what_one_block_cannot_know_is_refused(options):
    labels = np.arange(4)
    with pytest.raises(fr.NotApplicableError, match="not available for clusterings in blocks"):
        in_blocks([labels, labels], [2, 2], InputOptions(**options))


@pytest.mark.parametrize("model", ["kernel", "mixture", fr.Custom(lambda rows: None)])
def test_models_that_need_all_rows_are_refused(model):
    rng = np.random.default_rng(0)
    soft = rng.dirichlet([1, 1, 1], 30)
    with pytest.raises(fr.NotApplicableError, match="all points of the clustering in one place"):
        compare_in_blocks(soft, soft[::-1].copy(), [10, 20], model=model)


def test_a_correction_that_draws_as_many_points_is_refused():
    soft = np.random.default_rng(0).dirichlet([1, 1, 1], 30)
    with pytest.raises(fr.NotApplicableError, match="bias='corrected'"):
        compare_in_blocks(soft, soft[::-1].copy(), [30], model=fr.Fit(bias="corrected"))


@pytest.mark.parametrize("name", ["codes", "dense", "strongest", "filled", "without_zeros"])
def test_rows_in_blocks_are_never_an_array(name):
    rows = in_blocks([np.arange(4), np.arange(4)], [4])[0].rows
    with pytest.raises(fr.NotApplicableError, match="in blocks"):
        getattr(rows, name)


def test_sampled_pairs_of_fuzzy_clusterings():
    rng = np.random.default_rng(8)
    z = np.sort(rng.integers(3, size=4000))  # sorted by cluster
    soft = rng.standard_gamma(1.0 + 5.0 * np.eye(3)[z])
    other = rng.standard_gamma(0.5 + 4.0 * np.eye(3)[np.where(rng.random(4000) < 0.3, 0, z)])
    soft, other = (x / x.sum(axis=1, keepdims=True) for x in (soft, other))
    expected = fr.compare(soft, other, model="perm")
    found = compare_in_blocks(soft, other, [1000] * 4, model="perm", effort=Precision(pairs=10**6))
    assert expected.exact
    assert 0.0 < found.stderr < 0.02
    assert abs(found.adjusted - expected.adjusted) < 4.0 * found.stderr
    again = compare_in_blocks(soft, other, [1000] * 4, model="perm", effort=Precision(pairs=10**6))
    assert again.adjusted == found.adjusted
    assert "random groups" in found.computed["observed"]


@pytest.mark.parametrize("kind", ["hard", "soft"])
def test_partitions_of_different_comparisons_are_refused(kind):
    """They were compared by the arrays of the first one: a clustering scored 0 with itself."""
    pytest.importorskip("dask.array", reason="needs dask")
    import dask.array as da

    rng = np.random.default_rng(0)
    given = clusterings(rng, 400)

    def one_of(first, second):
        pair = (
            da.from_array(given[name], chunks=(100, -1)[: given[name].ndim])
            for name in (first, second)
        )
        return fr.compare(*pair).analysis.sides

    one, other = one_of(kind, "cut")[0].partition, one_of("other", kind)[1].partition
    assert fr.compare(one, one).adjusted == 1.0
    with pytest.raises(fr.NotApplicableError, match="come from different comparisons"):
        fr.compare(one, other)
