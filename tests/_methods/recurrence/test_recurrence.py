"""recurrence() against plain definitions on random runs."""

import json
import pickle
from itertools import pairwise, permutations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array

import fuzzyrand as fr
from fuzzyrand._clusterings.options import InputOptions
from fuzzyrand._clusterings.points.joined import read_joined
from fuzzyrand._methods.recurrence import columns as columns_module
from fuzzyrand._methods.recurrence import shuffles
from fuzzyrand._methods.recurrence.columns import Columns
from fuzzyrand._methods.recurrence.consensus import improve_matching, products_of
from fuzzyrand._methods.recurrence.families import family_of, likeness
from fuzzyrand._methods.recurrence.firmness import point_firmness
from fuzzyrand._methods.recurrence.shuffles import (
    _drawn_tail,
    families_by_chance,
    may_recur,
    runs_of_families,
)
from fuzzyrand._methods.recurrence.sums import RunSums

from ...examples import examples
from ...strategies import fuzzy, hard
from . import plain


@st.composite
def several_runs(draw, most=4):
    """Runs of points that may differ, as frames with ids, and a weight for each point."""
    n = draw(st.integers(4, 16))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    ids = [f"p{i}" for i in rng.permutation(n)]
    alike = draw(st.booleans())  # runs that have all points, in the same order
    runs = []
    for _ in range(draw(st.integers(2, most))):
        kind = hard(n) if draw(st.booleans()) else fuzzy(n)
        data = draw(kind)
        frame = (pd.Series if data.ndim == 1 else pd.DataFrame)(data, index=ids)
        if not alike:
            kept = rng.permutation(n)[: rng.integers(n // 2 + 2, n + 1)]
            frame = frame.iloc[kept]
        runs.append(frame)
    weights = pd.Series(rng.uniform(0.2, 3.0, n) if draw(st.booleans()) else np.ones(n), index=ids)
    return runs, weights


def sums_of(runs, weights=None):
    joined, of_points = read_joined(runs, InputOptions()).weighted(weights)
    partitions = list(joined.partitions.values())
    return joined, RunSums.of(Columns(partitions, joined.rows, joined.n, of_points))


@examples(30)
@given(several_runs(), st.sampled_from([7, 10_000]))
def test_sums_give_the_plain_values(drawn, cells):
    runs, weights = drawn
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns_module, "CELLS", cells)  # one block, or several
        joined, sums = sums_of(runs, weights)
        firmness = point_firmness(sums_of(runs, weights)[1])
    adjusted = sums.adjusted
    present = set().union(*(run.index for run in runs))
    mean = weights[list(present)].mean()
    scores = {point: [] for point in joined.points}
    for i, first in enumerate(runs):
        for j, second in enumerate(runs[:i]):
            common = [point for point in joined.points if point in first.index]
            common = [point for point in common if point in second.index]
            a, b = (
                plain.memberships(run)[run.index.get_indexer(common)] for run in (first, second)
            )
            value, of_points = plain.adjusted_and_scores(a, b, weights[common].to_numpy() / mean)
            assert adjusted[i, j] == pytest.approx(value, abs=1e-9)
            assert adjusted[j, i] == adjusted[i, j]
            for point, score in zip(common, of_points, strict=True):
                scores[point].append(score)
    expected = [np.mean(scores[point]) if scores[point] else np.nan for point in joined.points]
    np.testing.assert_allclose(firmness, expected, atol=1e-8)


@examples(30)
@given(several_runs(most=5))
def test_families_are_those_of_plain_linkage(drawn):
    runs, weights = drawn
    _, sums = sums_of(runs, weights)
    every = np.arange(sums.columns.size)
    columns = [
        (run.index, column, weights[run.index].to_numpy())
        for run, data in ((run, plain.memberships(run)) for run in runs)
        for column in data.T
    ]
    # Labels that do not occur have a column here, and none in a Partition.
    kept = [c for c in columns if c[1].any() or len(c[1]) == 0]
    occupied = sums.sums[every, sums.columns.groups[sums.columns.run]] > 0
    found = likeness(sums.overlaps, every[occupied], every[occupied]).correlation
    expected = plain.correlations(kept)
    np.testing.assert_allclose(
        found[~np.eye(len(found), dtype=bool)], expected[~np.eye(len(found), dtype=bool)], atol=1e-7
    )
    np.fill_diagonal(found, 1.0)
    run = sums.columns.run[occupied]
    assert plain.same_groups(family_of(sums.overlaps)[occupied], plain.families(found, run))


@examples(20)
@given(st.integers(0, 2**32 - 1), st.integers(2, 3), st.integers(2, 4), st.booleans())
def test_consensus_reaches_the_smallest_sum_of_squares_of_similar_runs(seed, k, count, is_hard):
    rng = np.random.default_rng(seed)
    truth = rng.integers(k, size=12)
    runs = []
    for _ in range(count):
        moved = np.where(rng.random(12) < 0.2, rng.integers(k, size=12), truth)
        labels = rng.permutation(k)[moved]
        labels[:k] = np.arange(k)
        rows = np.eye(k)[labels]
        runs.append(labels if is_hard else 0.7 * rows + 0.3 * rng.dirichlet(np.ones(k), 12))
    result = fr.recurrence(runs, draws=19)
    best = plain.smallest_sum_of_squares([plain.memberships(run) for run in runs])
    assert result.sum_of_squares >= best - 1e-9
    assert result.sum_of_squares <= best + 1e-9


@pytest.mark.parametrize("kind", ["planted", "unrelated", "different K"])
def test_consensus_is_no_worse_than_alternation_from_random_starts(kind):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        if kind == "planted":
            runs = plain.planted(rng, 8, fuzzy=seed % 2 == 1, n=90)[2]
        else:
            ks = [5] * 6 if kind == "unrelated" else rng.integers(2, 7, size=6)
            runs = [rng.dirichlet([0.3] * k, 60) for k in ks]
        result = fr.recurrence(runs, draws=19)
        rows = [plain.memberships(run) for run in runs]
        others = [plain.alternating_sum_of_squares(rows, rng) for _ in range(5)]
        assert result.sum_of_squares <= min(others) + 1e-8


@pytest.mark.parametrize("seed", [3, 10])
def test_consensus_of_unstable_runs_is_no_worse_than_forty_random_starts(seed):
    # With seed 10, all starts at runs end in a worse place than the best of the random ones.
    cluster = pytest.importorskip("sklearn.cluster")
    rng = np.random.default_rng(seed)
    data = rng.normal(size=(80, 2)) * [3.0, 1.0]
    methods = [cluster.KMeans(5, n_init=1, init="random", random_state=i) for i in range(16)]
    runs = [method.fit_predict(data) for method in methods]
    rows = [plain.memberships(run) for run in runs]
    others = [plain.alternating_sum_of_squares(rows, rng) for _ in range(40)]
    assert fr.recurrence(runs, draws=19).sum_of_squares <= min(others) + 1e-8


@examples(12)
@given(several_runs(most=6))
def test_sum_of_squares_never_rises_and_is_that_of_the_consensus(drawn):
    runs, weights = drawn
    joined, sums = sums_of(runs, weights)
    every = range(len(runs))
    for start in every:
        squares = improve_matching(
            products_of(sums, sums.columns, every), sums.columns, start
        ).squares
        assert all(later <= earlier + 1e-9 for earlier, later in pairwise(squares))
    result = fr.recurrence(runs, weights=weights, draws=19)
    consensus = result.consensus
    rows = dict(zip(list(consensus.ids), plain.rows_of(consensus), strict=True))
    total = 0.0
    for run, places in zip(joined.partitions.values(), joined.rows, strict=True):
        ids = [joined.points[i] for i in (range(joined.n) if places is None else places)]
        own, mean = plain.rows_of(run), np.array([rows[point] for point in ids])
        own = np.pad(own, [(0, 0), (0, mean.shape[1] - own.shape[1])])
        w = weights[ids].to_numpy() / weights[joined.points].mean()
        distances = np.array([[w @ (x - y) ** 2 for y in mean.T] for x in own.T])
        total += distances[linear_sum_assignment(distances)].sum()
    assert result.sum_of_squares == pytest.approx(total, abs=1e-8)


def test_consensus_is_nearer_to_the_truth_than_the_median_run():
    rng = np.random.default_rng(3)
    for is_fuzzy in (False, True):
        truth, _, runs = plain.planted(rng, 12, fuzzy=is_fuzzy)
        clear = truth < 4
        result = fr.recurrence(runs)
        each = [fr.adjusted_similarity(truth[clear], np.asarray(run)[clear]) for run in runs]
        own = plain.rows_of(result.consensus)[clear]
        assert fr.adjusted_similarity(truth[clear], own.argmax(axis=1)) > np.median(each)


@pytest.mark.parametrize("is_fuzzy", [False, True])
@pytest.mark.parametrize("count", [5, 20])
def test_planted_families_are_found(is_fuzzy, count):
    rng = np.random.default_rng(count)
    truth, half, runs = plain.planted(rng, count, fuzzy=is_fuzzy)
    assert plain.found_as_planted(fr.recurrence(runs), truth, half)


@pytest.mark.simulation
@pytest.mark.parametrize("is_fuzzy", [False, True])
@pytest.mark.parametrize(("count", "repeats"), [(5, 100), (12, 100), (50, 40)])
def test_planted_families_are_found_in_19_of_20_repeats(is_fuzzy, count, repeats):
    right = 0
    for seed in range(repeats):
        truth, half, runs = plain.planted(np.random.default_rng(seed), count, fuzzy=is_fuzzy)
        right += plain.found_as_planted(fr.recurrence(runs), truth, half)
    assert right >= 0.95 * repeats


def test_families_of_noise_are_called_chance():
    rng = np.random.default_rng(0)
    called = 0
    for _ in range(12):  # few points, in which chance finds partners
        result = fr.recurrence([rng.integers(4, size=12) for _ in range(6)], draws=39)
        called += bool(result.recurring)
        assert result.expected.shape == (len(result.families),)
        pairs = [f for f in result.families if f.runs > 1]
        assert all(f.expected > 0.0 for f in pairs if f.by_chance)
    assert called <= 3  # at most 5% in the long run; 3 of 12 or fewer in 99.8% of all such tests


def noisy_runs(seed, moved, clear):
    rng, truth, runs = np.random.default_rng(seed), np.arange(300) % 5, []
    for _ in range(12):
        labels = np.where(rng.random(300) < moved, rng.integers(5, size=300), truth)
        runs.append(clear * np.eye(5)[labels] + (1 - clear) * rng.dirichlet([0.5] * 5, 300))
    return runs


def test_runs_in_which_families_may_be_missed_have_a_note():
    clear = fr.recurrence(noisy_runs(0, 0.05, 0.7), draws=19)
    assert [f.runs for f in clear.families] == [12] * 5
    assert not clear.notes
    hidden = fr.recurrence(noisy_runs(3, 0.4, 0.45), draws=19)
    assert not hidden.recurring
    assert any("too noisy" in note for note in hidden.notes)
    # Noise at which some families are found, and some are not.
    some = [fr.recurrence(noisy_runs(seed, 0.3, 0.45), draws=19) for seed in range(6)]
    assert any(0 < sum(f.runs > 6 for f in result.recurring) < 5 for result in some)
    assert all(any("noisy" in note for note in result.notes) for result in some)


def test_what_is_expected_by_chance_is_what_shuffled_runs_have():
    rng = np.random.default_rng(1)
    runs = [np.repeat([0, 1, 2], [3, 3, 9]) for _ in range(5)]
    chance = families_by_chance(sums_of(runs)[1], 200, rng)
    seen = []
    for _ in range(200):
        _, sums = sums_of([rng.permutation(run) for run in runs])
        seen.append(runs_of_families(family_of(sums.overlaps), sums.columns.run, 5))
    for count in range(1, 6):
        values = np.array(seen)[:, count - 1]
        error = np.hypot(chance.stderr(count), values.std() / np.sqrt(values.size))
        assert abs(values.mean() - chance.expected(count)) <= 4.0 * error


def test_many_points_need_no_shuffles_and_agree_with_them():
    rng = np.random.default_rng(2)
    _, sums = sums_of([rng.integers(3, size=3000) for _ in range(4)])
    assert not may_recur(sums).any()
    chance = families_by_chance(sums, 19, rng)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shuffles, "NEGLIGIBLE", 0.0)
        shuffled = families_by_chance(sums, 19, rng)
    np.testing.assert_array_equal(chance.counts, shuffled.counts)


@examples(15)
@given(st.integers(0, 2**32 - 1), st.integers(2, 4), st.booleans())
def test_bounds_on_partners_by_chance_hold(seed, k, is_hard):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 8))  # few enough to shuffle in all ways
    orders = np.array(list(permutations(range(n))))
    runs = [rng.integers(k, size=n) for _ in range(2)]
    if not is_hard:
        runs[0] = rng.dirichlet([0.2] * k, n)
    first, second = (plain.memberships(run) for run in runs)
    for x, y in product(first.T, second.T):
        p, q = x.mean(), y.mean()
        t = 0.5 * n * x.std() * y.std()
        reached = np.mean(y[orders] @ x >= n * p * q + t)
        for tail in (
            _drawn_tail(np.array(n * p * q + t), np.array(n * q), np.array(p)),
            2.0 * np.exp(-(t**2) / max(4.0 * n * p * q + 2.0 * t, 1e-300)),
        ):
            assert t == 0.0 or reached <= tail + 1e-12


def test_many_small_hard_clusters_need_no_shuffles():
    rng = np.random.default_rng(0)
    _, sums = sums_of([rng.permutation(np.arange(6400) % 128) for _ in range(3)])
    assert not may_recur(sums).any()


def test_a_cluster_that_splits_has_its_parts_as_children():
    truth = np.repeat([0, 1, 2, 3], [60, 40, 20, 20])
    two, three = np.minimum(truth, 1), np.minimum(truth, 2)
    result = fr.recurrence({"a": two, "b": two, "c": three, "d": three, "e": truth})
    assert [f.runs for f in result.families] == [5, 5, 3, 1]
    parent, part = result.families[1], result.families[2]
    assert parent.members == [("a", 1), ("b", 1), ("c", 1), ("d", 1), ("e", 1)]
    assert part.members == [("c", 2), ("d", 2), ("e", 2)]
    assert (parent.children, parent.splits_at) == ((2,), 3)
    assert all(not f.children for f in result.families if f is not parent)
    # A third of a cluster of half of the points is too unlike it to continue its family.
    thirds = np.repeat([0, 1, 2, 3], [60, 20, 20, 20])
    halves = np.minimum(thirds, 1)
    result = fr.recurrence([halves, halves, thirds, thirds])
    assert [f.runs for f in result.families] == [4, 2, 2, 2, 2]
    assert (result.families[1].children, result.families[1].splits_at) == ((2, 3, 4), 4)


def test_modes_are_runs_that_are_alike():
    rng = np.random.default_rng(5)
    first, second = rng.integers(3, size=(2, 200))
    runs = {f"run {i}": (first if i % 3 else second) for i in range(9)}
    result = fr.recurrence(runs)
    assert [mode.share for mode in result.modes] == pytest.approx([6 / 9, 3 / 9])
    assert result.modes[1].runs == ["run 0", "run 3", "run 6"]
    assert result.modes[0].sum_of_squares == pytest.approx(0.0, abs=1e-9)
    assert fr.adjusted_similarity(result.modes[0].consensus, first) == 1.0
    assert fr.adjusted_similarity(result.modes[1].consensus, second) == 1.0


@pytest.mark.parametrize("weights", [None, "some"])
def test_order_of_points_and_form_of_runs_do_not_matter(weights):
    rng = np.random.default_rng(6)
    _, _, runs = plain.planted(rng, 5, fuzzy=True, n=60)
    w = None if weights is None else rng.uniform(0.5, 2.0, 60)
    plainly = fr.recurrence(runs, weights=w)
    ids = [f"p{i}" for i in range(60)]
    frames = {}
    for number, run in enumerate(runs):
        frames[str(number)] = pd.DataFrame(run, index=ids).iloc[rng.permutation(60)]
    series = None if w is None else pd.Series(w, index=ids).iloc[rng.permutation(60)]
    joined = fr.recurrence(frames, weights=series)
    assert [f.members for f in joined.families] == [f.members for f in plainly.families]
    order = [ids.index(point) for point in joined.ids]
    np.testing.assert_allclose(joined.points, plainly.points[order])
    assert [{int(p[1:]) for p in f.core} for f in joined.families] == [
        set(f.core) for f in plainly.families
    ]


def test_sparse_runs_and_noise_are_those_of_dense_ones():
    rng = np.random.default_rng(7)
    rows = [np.round(rng.dirichlet([0.1] * 4, 50), 2) for _ in range(4)]
    rows = [each / each.sum(axis=1, keepdims=True) for each in rows]
    dense, sparse = fr.recurrence(rows), fr.recurrence([csr_array(each) for each in rows])
    np.testing.assert_allclose(dense.points, sparse.points)
    labels = [np.where(rng.random(50) < 0.2, -1, rng.integers(3, size=50)) for _ in range(4)]
    alone = fr.recurrence(labels, noise=-1, noise_as="singletons")
    unique = [np.where(run < 0, 10 + np.arange(50), run) for run in labels]
    np.testing.assert_allclose(alone.points, fr.recurrence(unique).points)
    assert not any(-1 in [c for _, c in f.members] for f in alone.families)
    assert alone.consensus.noise_is_singletons
    dropped = fr.recurrence(labels, noise=-1, noise_as="drop")
    series = [pd.Series(run).loc[run >= 0] for run in labels]
    series = [s.set_axis([f"p{i}" for i in s.index]) for s in series]
    left = fr.recurrence(series)
    by_id = dict(zip(left.ids, left.points.tolist(), strict=True))
    np.testing.assert_allclose(dropped.points, [by_id[f"p{i}"] for i in range(50)])
    assert dropped.adjusted[0, 1] == pytest.approx(
        fr.adjusted_similarity(labels[0], labels[1], noise=-1, noise_as="drop")
    )


def test_trivial_and_empty_clusters_do_no_harm():
    whole, halves = np.zeros(10, dtype=int), np.repeat([0, 1], 5)
    result = fr.recurrence([whole, whole, halves])
    assert [f.runs for f in result.families] == [2, 1, 1]
    assert result.families[0].by_chance  # a cluster of all points recurs however they are shuffled
    empty = np.column_stack([np.eye(2)[halves], np.zeros(10)])
    soft = 0.9 * empty + 0.05 * np.array([1, 1, 0])
    result = fr.recurrence([soft, soft])
    assert [f.runs for f in result.families] == [2, 2]
    nothing = np.full(10, -1)
    result = fr.recurrence([nothing, halves, halves], noise=-1, noise_as="singletons")
    assert [f.runs for f in result.families] == [2, 2]
    assert result.cluster_counts == (0, 2, 2)


def test_bad_input_is_refused_in_words():
    with pytest.raises(fr.InputError, match="at least two runs, got 1"):
        fr.recurrence([[0, 1, 1]])
    with pytest.raises(fr.InputError, match=r"has 3 points and .* has 2"):
        fr.recurrence([[0, 1, 1], [0, 1]])
    with pytest.raises(fr.ParameterError, match="alike must be"):
        fr.recurrence([[0, 1, 1], [0, 1, 1]], alike=90)
    with pytest.raises(fr.InputError, match=r"entry 1 of weights is -1\.0"):
        fr.recurrence([[0, 1, 1], [0, 1, 1]], weights=[1, -1, 2])
    with pytest.raises(fr.InputError, match="weights has 2 rows"):
        fr.recurrence([[0, 1, 1], [0, 1, 1]], weights=[1, 2])
    with pytest.raises(fr.InputError, match="one number for each point"):
        fr.recurrence([[0, 1, 1], [0, 1, 1]], weights="heavy")
    apart = [pd.Series([0, 1, 1], index=list("abc")), pd.Series([0, 1, 1], index=list("cde"))]
    with pytest.raises(fr.InputError, match="'0' and '1' share 1 point,"):
        fr.recurrence(apart)
    twice = [pd.Series([0, 1, 1], index=list("abb")), pd.Series([0, 1, 1], index=list("abc"))]
    with pytest.raises(fr.InputError, match="repeat: 'b'"):
        fr.recurrence(twice)


def test_result_can_be_kept_and_tabulated():
    rng = np.random.default_rng(8)
    _, _, runs = plain.planted(rng, 6, fuzzy=True, n=90)
    result = fr.recurrence(runs, draws=19)
    again = pickle.loads(pickle.dumps(result))
    np.testing.assert_array_equal(again.points, result.points)
    assert again.modes[0].consensus.n == 90
    assert json.loads(json.dumps(result.to_dict()))["n"] == 90
    for what in ("families", "clusters", "points", "runs"):
        frame, polars = result.to_frame(what), result.to_frame(what, backend="polars")
        assert list(frame.columns) == polars.columns
        assert len(frame) == len(polars) > 0
    assert len(result.to_frame("points")) == 90
    with pytest.raises(fr.UnknownNameError, match="'families', 'clusters', 'points', 'runs'"):
        result.to_frame("family")
    assert str(result) == str(fr.recurrence(runs, draws=19))


@pytest.mark.parametrize("by_ids", [False, True])
def test_points_of_weight_0_are_left_out(by_ids):
    rng = np.random.default_rng(11)
    ids = [f"p{i}" for i in range(60)]
    truth = np.repeat([0, 1, 2], 20)
    runs = {}
    for number in range(5):
        labels = np.where(rng.random(60) < 0.1, rng.integers(3, size=60), truth)
        rows = rng.permutation(60)[: 60 - number] if by_ids else np.arange(60)
        runs[str(number)] = pd.Series(labels[rows], index=[ids[i] for i in rows])
        if not by_ids:
            runs[str(number)] = labels
    weights = pd.Series(np.where(rng.random(60) < 0.2, 0.0, rng.gamma(2.0, size=60)), index=ids)
    kept = weights[weights > 0.0].index
    found = fr.recurrence(runs, weights=weights if by_ids else weights.to_numpy(), draws=19)
    less = {
        name: run[run.index.isin(kept)] if by_ids else run[weights.to_numpy() > 0.0]
        for name, run in runs.items()
    }
    wanted = fr.recurrence(
        less, weights=weights[kept] if by_ids else weights[kept].to_numpy(), draws=19
    )
    assert found.adjusted == pytest.approx(wanted.adjusted, abs=1e-12)
    firmness = dict(zip(wanted.ids, wanted.points, strict=True))
    numbers = np.flatnonzero(weights.to_numpy() > 0.0).tolist()
    names = found.ids if by_ids else [numbers.index(number) for number in found.ids]
    mine = dict(zip(names, found.points, strict=True))
    assert mine == pytest.approx(firmness, abs=1e-12)
    assert f"{60 - len(kept)} points of weight 0 were left out." in found.notes


def test_runs_need_points_that_count():
    runs = {"a": [0, 0, 1, 1], "b": [0, 1, 1, 1]}
    with pytest.raises(fr.InputError, match="only 1 of 4 points have a weight above 0"):
        fr.recurrence(runs, weights=[0, 0, 1, 0])
    runs = {"a": pd.Series([0, 0, 1, 1], list("abcd")), "b": pd.Series([0, 1, 1], list("abc"))}
    with pytest.raises(fr.InputError, match="the run 'b' has 1 point of a weight above 0"):
        fr.recurrence(runs, weights=pd.Series([1, 0, 0, 1], list("abcd")))
