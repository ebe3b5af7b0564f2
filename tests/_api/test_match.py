"""Matching of clusters: what was permuted, split or merged is found again."""

import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand._clusterings.matching.overlap import overlap_of

from ..examples import examples
from ..strategies import two_clusterings

pd = pytest.importorskip("pandas")


def one_hot(clustering):
    x = np.asarray(clustering)
    return x if x.ndim == 2 else (x[:, None] == np.unique(x)).astype(float)


@given(two_clusterings())
@examples(60)
def test_the_overlap_is_that_of_plain_loops(clusterings):
    a, b = map(one_hot, clusterings)
    matching = fr.match(*clusterings)
    plain = [
        [sum(u * v for u, v in zip(a[:, i], b[:, j], strict=True)) for j in range(b.shape[1])]
        for i in range(a.shape[1])
    ]
    np.testing.assert_allclose(matching.overlap, plain, atol=1e-9)
    assert matching.overlap.sum() == pytest.approx(len(a))
    assert 0.0 < matching.share <= 1.0 + 1e-12


@given(two_clusterings())
@examples(60)
def test_every_cluster_is_in_one_pair_or_in_none(clusterings):
    matching = fr.match(*clusterings)
    for side, k in enumerate(matching.overlap.shape):
        matched = [pair[side] for pair in matching.pairs]
        assert sorted(matched + matching.unmatched[side]) == list(range(k))
    assert all(matching.overlap[pair] > 0.0 for pair in matching.pairs)
    json.dumps(matching.to_dict())
    assert str(matching)


@given(st.integers(0, 2**32 - 1), st.integers(2, 9), st.sampled_from([0.1, 1.0, 5.0]))
@examples(60)
def test_permuted_columns_with_noise_are_found_again(seed, k, concentration):
    rng = np.random.default_rng(seed)
    a = rng.dirichlet([concentration] * k, 400)
    order = rng.permutation(k)
    b = a[:, order] * np.exp(0.02 * rng.standard_normal(a.shape))
    b /= b.sum(axis=1, keepdims=True)
    matching = fr.match(a, b)
    assert [i for i, _ in matching.pairs] == list(range(k))
    assert [order[j] for _, j in matching.pairs] == list(range(k))
    np.testing.assert_allclose(matching.relabel()[:, order], b, atol=1e-12)
    # Hard ones, with one label in twenty at random.
    hard = rng.permutation(np.arange(400) % k)
    noisy = np.where(rng.random(400) < 0.05, rng.integers(k, size=400), hard)
    np.testing.assert_array_equal(fr.match(hard, order[noisy]).relabel(), noisy)


def test_split_and_merged_clusters_are_told():
    a = np.repeat([0, 1, 2], [50, 30, 20])
    b = np.repeat([2, 3, 1, 0, 1], [30, 20, 28, 22, 0])
    # Cluster 0 of a was split into 2 and 3 of b; cluster 0 of b takes two points of 1.
    matching = fr.match(a, b)
    assert matching.pairs == [(0, 2), (1, 1), (2, 0)]
    assert matching.unmatched == ([], [3])
    (split,) = matching.splits
    assert (split.side, split.cluster, split.into, split.share) == ("b", 3, 0, 1.0)
    (back,) = fr.match(b, a).splits
    assert (back.side, back.cluster, back.into) == ("a", 3, 0)
    assert "Cluster 3 of the second clustering is inside cluster 0 of the first." in str(matching)
    mixed = np.where(np.arange(100) < 85, 5, 6)
    (most,) = fr.match(np.repeat([0, 1, 2], [50, 35, 15]), mixed).splits
    assert (most.side, most.cluster, most.into, most.share) == ("a", 1, 0, 1.0)


def test_a_cluster_that_is_spread_out():
    a = np.repeat([0, 1, 2], 12)
    b = np.where(np.tile([0, 1, 1], 12), a, 3)
    (split,) = fr.match(a, b).splits
    assert split.share == pytest.approx(1 / 3)
    assert "is spread over several clusters; its largest part (33%)" in str(split)


def test_clusters_without_overlap_are_no_pair():
    a = [[1, 0, 0], [0.5, 0.5, 0], [0.2, 0.8, 0]]
    matching = fr.match(a, a)
    assert matching.pairs == [(0, 0), (1, 1)]
    assert matching.unmatched == ([2], [2])
    assert matching.splits == []  # they are empty
    assert matching.relabel().shape == (3, 4)


def test_labels_keep_their_types():
    assert fr.match([5, 5, 7], [0, 0, 1]).relabel().tolist() == [5, 5, 7]
    assert fr.match(["x", "x", "y"], [1, 1, 0]).relabel().tolist() == ["x", "x", "y"]
    # The label of a cluster without a partner is free, or another is found.
    assert fr.match([0, 0, 0, 1], [9, 9, 8, 7]).relabel().tolist() == [0, 0, 8, 1]
    relabelled = fr.match([0, 0, 0, 1], [5, 5, 1, 7]).relabel().tolist()
    assert relabelled[0] == relabelled[1] == 0
    assert relabelled[3] == 1
    assert relabelled[2] not in (0, 1)
    assert fr.match(list("xxxy"), list("zzyw")).relabel().tolist() == ["x", "x", "y (b)", "y"]


@pytest.mark.parametrize("form", ["partition", "list", "array", "series"])
def test_labels_come_back_as_they_came(form):
    labels = [3, 3, 1, 1, 2]
    made = {
        "partition": fr.as_partition,
        "list": list,
        "array": np.array,
        "series": lambda x: pd.Series(x, index=list("vwxyz"), name="found"),
    }[form](labels)
    out = fr.match(list("aabbc"), made).relabel()
    if form == "partition":
        assert list(out.names) == ["a", "b", "c"]
        assert out.codes.tolist() == [0, 0, 1, 1, 2]
    elif form == "series":
        pd.testing.assert_series_equal(out, pd.Series(list("aabbc"), list("vwxyz"), name="found"))
    else:
        assert isinstance(out, np.ndarray)
        assert out.tolist() == list("aabbc")


def test_memberships_come_back_as_they_came():
    a = np.array([[0.8, 0.2], [0.7, 0.3], [0.1, 0.9]])
    frame = pd.DataFrame(a[:, ::-1], index=list("xyz"), columns=["p", "q"])
    first = pd.DataFrame(a, index=list("xyz"), columns=["one", "two"])
    out = fr.match(first, frame.iloc[::-1]).relabel()  # in the order of the first
    pd.testing.assert_frame_equal(out, first)
    partition = fr.match(first, fr.as_partition(frame)).relabel()
    assert list(partition.names) == ["one", "two"]
    np.testing.assert_allclose(partition.memberships, a)
    one_hot_rows = [[0, 1], [0, 1], [1, 0]]
    assert fr.match([0, 0, 1], one_hot_rows).relabel().tolist() == [[1, 0], [1, 0], [0, 1]]


def test_an_index_keeps_the_names_of_its_levels():
    index = pd.MultiIndex.from_product([["u", "v"], [0, 1]], names=["site", "number"])
    first = pd.Series([0, 0, 1, 1], index=index)
    out = fr.match(first, pd.Series([5, 5, 6, 6], index=index[::-1])).relabel()
    pd.testing.assert_index_equal(out.index, index)
    assert out.tolist() == [0, 0, 1, 1]


def test_frames_of_pairs_and_of_overlaps(monkeypatch):
    matching = fr.match(["x", "x", "y"], [1, 1, 0])
    assert matching.to_frame()["b"].tolist() == ["1", "0"]
    assert matching.to_frame("overlap").loc["x", "1"] == 2.0
    with pytest.raises(fr.UnknownNameError, match="pairs"):
        matching.to_frame("pears")
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(fr.MissingExtraError, match="pip install pandas"):
        matching.to_frame()


def test_results_can_be_pickled():
    matching = pickle.loads(pickle.dumps(fr.match(["x", "x", "y"], [1, 1, 0])))
    assert matching.relabel().tolist() == ["x", "x", "y"]


def test_noise_alone_has_no_partner():
    a, b = [0, 0, 1, 1, -1, -1], [1, 1, 0, -1, 0, -1]
    matching = fr.match(a, b, noise=-1, noise_as="singletons")
    assert matching.overlap.tolist() == [[0.0, 2.0], [1.0, 0.0]]
    assert matching.relabel().tolist() == [0, 0, 1, -1, 1, -1]
    partition = fr.match(a, fr.as_partition(b), noise=-1, noise_as="singletons").relabel()
    assert partition.codes.tolist() == [0, 0, 1, 2, 1, 3]
    assert partition.noise_is_singletons
    dropped = fr.match(a, pd.Series(b), noise=-1, noise_as="drop").relabel()
    assert dropped.to_dict() == {0: 0, 1: 0, 2: 1}
    soft = [[0.9, 0.0], [0.5, 0.5], [0.1, 0.6]]
    lacking = fr.match(soft, [[0.0, 0.8], [0.5, 0.5], [0.7, 0.3]], missing="noise",
                       noise_as="singletons").relabel()  # fmt: skip
    np.testing.assert_allclose(lacking, [[0.8, 0, 0.2], [0.5, 0.5, 0], [0.3, 0.7, 0]], atol=1e-12)


def test_a_table_that_would_be_too_large_is_refused():
    with pytest.raises(fr.NotApplicableError, match="25,000,000 overlaps"):
        fr.match(np.arange(5000), np.arange(5000))
    two = fr.as_partition([0, 1])
    with pytest.raises(fr.NotApplicableError, match="2 clusters with 2"):
        overlap_of(two, two, most=3)


def test_nothing_but_noise():
    a, b = [0, 0, -1, -1], [-1, -1, 0, 0]
    with pytest.raises(fr.NotApplicableError, match="every point is noise"):
        fr.match(a, b, noise=-1, noise_as="singletons")
    alignment = fr.align([a, b, [-1] * 4], noise=-1, noise_as="singletons")
    assert alignment.order == {"0": (0,), "1": (1,), "2": ()}
    assert alignment.runs["2"].tolist() == [[0.0, 0.0]] * 4


def test_other_refusals():
    with pytest.raises(fr.InputError, match="3 points"):
        fr.match([0, 1, 1], [0, 1])
    with pytest.raises(fr.ParameterError, match="noise_as"):
        fr.match([0, 1], [0, 1], noise_as="drop")
    with pytest.raises(fr.InputError, match="sum"):
        fr.match([[0.5, 0.2], [0.1, 0.1]], [0, 1])


def test_many_pairs_are_printed_in_part():
    labels = np.repeat(np.arange(60), 2)
    text = str(fr.match(labels, np.where(np.arange(120) % 2, labels, labels + 60)))
    assert "and 20 more pairs" in text
    assert "and 50 more clusters without a match" in text


# --- many clusterings ----------------------------------------------------------------------------


def series(rng, n=600):
    """Runs with K = 2..5 in which a cluster is split at a time, in random orders, and the truth."""
    five = rng.choice(5, size=n, p=[0.3, 0.25, 0.2, 0.15, 0.1])
    merged = {5: five}
    for k, (gone, into) in zip((4, 3, 2), ((4, 0), (3, 1), (2, 0)), strict=True):
        merged[k] = np.where(merged[k + 1] == gone, into, merged[k + 1])
    runs = {}
    for k in (2, 3, 4, 5):
        order = rng.permutation(k)
        soft = np.eye(k)[order[merged[k]]] * 4 + rng.gamma(0.3, size=(n, k))
        runs[f"K={k}"] = soft / soft.sum(axis=1, keepdims=True)
    return runs, {f"K={k}": merged[k] for k in merged}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("reference", [None, "K=2", "K=3", "K=4", "K=5"])
def test_a_series_keeps_its_colours(seed, reference):
    runs, truth = series(np.random.default_rng(seed))
    alignment = fr.align(runs, reference=reference)
    assert {matrix.shape for matrix in alignment.runs.values()} == {(600, 5)}
    assert alignment.reference in runs
    assert reference in (None, alignment.reference)
    colours = {}
    for name, labels in alignment.labels.items():
        # A cluster that is there before and after a split has one column throughout.
        for cluster in np.unique(truth[name]):
            column = np.bincount(labels[truth[name] == cluster]).argmax()
            assert colours.setdefault(cluster, column) == column
    assert len(set(colours.values())) == 5


def soft_copy(labels, k, rng, noise=0.3):
    """Return memberships near hard ones, with columns in a random order."""
    soft = 4.0 * np.eye(k)[rng.permutation(k)[labels]] + rng.gamma(noise, size=(len(labels), k))
    return soft / soft.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("reference", [None, "K=2", "K=4", "K=6"])
def test_a_series_of_random_splits_changes_one_colour_at_a_time(seed, reference):
    """Every split hands the column on to the larger part, and all other clusters keep theirs."""
    rng = np.random.default_rng(seed)
    sizes = rng.permutation([200, 160, 130, 100, 80, 60])
    merged = {6: np.repeat(np.arange(6), sizes)}
    for k in (5, 4, 3, 2):  # two random clusters become one
        first, second = rng.choice(k + 1, size=2, replace=False)
        joined = np.where(merged[k + 1] == second, first, merged[k + 1])
        merged[k] = np.unique(joined, return_inverse=True)[1]
    runs = {f"K={k}": soft_copy(merged[k], k, rng) for k in (2, 3, 4, 5, 6)}
    runs |= {f"K={k} again": soft_copy(merged[k], k, rng) for k in (2, 3, 4, 5, 6)}
    alignment = fr.align(runs, reference=reference)
    assert len(alignment.names) == 6
    columns = {k: alignment.labels[f"K={k}"] for k in merged}
    for k in merged:
        assert np.mean(columns[k] == alignment.labels[f"K={k} again"]) > 0.95
    for k in (2, 3, 4, 5):
        for cluster in range(k):
            members = merged[k] == cluster
            parts, counts = np.unique(merged[k + 1][members], return_counts=True)
            largest = members & (merged[k + 1] == parts[counts.argmax()])
            before = np.bincount(columns[k][members]).argmax()
            assert np.bincount(columns[k + 1][largest]).argmax() == before


def test_clusters_that_hardly_overlap_do_not_share_a_column():
    """Without a rule, what is left over on both sides would be the same cluster."""
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(5), 40)
    three = soft_copy(np.array([0, 1, 2, 2, 2])[truth], 3, rng, noise=0.02)
    four = soft_copy(np.array([0, 0, 1, 2, 3])[truth], 4, rng, noise=0.02)
    assert len(fr.match(three, four).pairs) == 3
    alignment = fr.align({"three": three, "four": four})
    assert len(alignment.names) == 5
    labels = {name: [int(run[40 * part]) for part in range(5)]
              for name, run in alignment.labels.items()}  # fmt: skip
    assert labels["four"][0] in labels["three"][:2]
    assert not set(labels["four"][2:]) & set(labels["three"][:2])
    assert labels["three"][2] in labels["four"][2:]


def test_a_column_that_was_gone_comes_back():
    truth = np.repeat(np.arange(4), [40, 30, 20, 10])
    small, gone = np.where(truth == 3, 1, 0), np.array([0, 1, 2, 0])[truth]
    alignment = fr.align({"2": small, "3": gone, "4": truth})
    columns = {name: labels[[0, 40, 70, 90]].tolist() for name, labels in alignment.labels.items()}
    assert columns["4"][3] == columns["2"][3]
    assert columns["3"][3] == columns["3"][0]
    assert columns["4"][:3] == columns["3"][:3]


def test_without_a_reference_fewest_clusters_come_first():
    five, two = [0, 1, 2, 3, 4, 4], [1, 1, 1, 0, 0, 0]
    assert fr.align({"five": five, "two": two}).reference == "two"
    noise = [-1] * 6
    mixed = fr.align({"none": noise, "two": two}, noise=-1, noise_as="singletons")
    assert mixed.reference == "two"
    only = fr.align({"none": noise}, noise=-1, noise_as="singletons")
    assert only.order == {"none": ()}


def test_order_and_matrices_agree():
    runs, _ = series(np.random.default_rng(1))
    alignment = fr.align(list(runs.values()), reference=1)
    assert list(alignment.runs) == ["0", "1", "2", "3"]
    assert alignment.reference == "1"
    assert alignment.order["1"] == (0, 1, 2)
    for (name, matrix), given_run in zip(alignment.runs.items(), runs.values(), strict=True):
        np.testing.assert_allclose(matrix[:, list(alignment.order[name])], given_run)
        assert matrix.sum() == pytest.approx(600)
    assert len(str(alignment).splitlines()) == 6
    json.dumps(alignment.to_dict())


def test_another_clustering_as_reference():
    alignment = fr.align({"a": [1, 1, 0], "b": [0, 0, 1]}, reference=["x", "x", "y"])
    assert alignment.reference == "reference"
    assert alignment.names == ["x", "y"]
    assert alignment.order == {"a": (1, 0), "b": (0, 1)}
    assert set(alignment.runs) == {"a", "b"}


def test_leftovers_that_are_not_alike_have_their_own_columns():
    whole = np.zeros(40, dtype=int)
    one, other = whole.copy(), whole.copy()
    one[:10], other[-10:] = 1, 1
    alignment = fr.align({"whole": whole, "one": one, "other": other}, reference="whole")
    assert alignment.order["one"][1] != alignment.order["other"][1]
    assert len(alignment.names) == 3


def test_noise_has_no_column():
    alignment = fr.align([[0, 0, 1, -1], [1, 1, 0, 0]], noise=-1, noise_as="singletons",
                         reference=0)  # fmt: skip
    assert alignment.labels["0"].tolist() == [0, 0, 1, -1]
    assert alignment.runs["0"].sum(axis=1).tolist() == [1, 1, 1, 0]


def test_align_refuses():
    with pytest.raises(fr.UnknownNameError, match="reference"):
        fr.align({"a": [0, 1]}, reference="b")
    with pytest.raises(fr.InputError, match="at least one"):
        fr.align([])
    with pytest.raises(fr.InputError, match="dict or a list"):
        fr.align("runs")


def test_an_alignment_as_frames():
    ids = ["p", "q", "r", "s"]
    first = pd.Series(list("xxyy"), index=ids)
    soft = pd.DataFrame([[0.1, 0.9], [0.2, 0.8], [0.7, 0.3], [1.0, 0.0]], index=ids)
    alignment = fr.align({"hard": first, "soft": soft}, reference="hard")
    frame = alignment.to_frame()
    assert frame.index.tolist() == ids
    assert frame.to_dict("list") == {"hard": list("xxyy"), "soft": list("xxyy")}
    rows = alignment.to_frame("soft")
    assert (rows.index.tolist(), rows.columns.tolist()) == (ids, ["x", "y"])
    np.testing.assert_array_equal(rows.to_numpy(), soft.to_numpy()[:, ::-1])
    with pytest.raises(fr.FuzzyRandError, match="sort"):
        alignment.to_frame("sort")
    noisy = fr.align({"a": [0, 0, 1, -1], "b": [0, 0, 1, 1]}, noise=-1, noise_as="singletons")
    frame = noisy.to_frame()
    assert frame["a"].isna().tolist() == [False, False, False, True]
    assert frame["a"].tolist()[:3] == ["0", "0", "1"]


NOISY = [-1, -1, 0, 0, 0, 1, 1, 1, 2, 2]
OTHER = [0, 0, 0, 0, 0, 1, 1, 1, -1, 2]
TREATED = {
    "cluster": "counted as one cluster.",
    "singletons": "and no two of them count as together.",
    "drop": "and were left out.",
}


@pytest.mark.parametrize("noise_as", TREATED)
def test_matchings_and_alignments_say_how_noise_was_treated(noise_as):
    options = {"noise": -1, "noise_as": noise_as}
    compared = fr.compare(NOISY, OTHER, model="perm", **options)
    matching = fr.match(NOISY, OTHER, **options)
    assert matching.notes == compared.notes
    told = (
        f"2 of 10 points of the first clustering are noise points (label -1), {TREATED[noise_as]}"
    )
    assert matching.notes[0] == told
    alignment = fr.align({"x": NOISY, "y": OTHER, "z": [1] * 10}, **options)
    told = (
        "2 of 3 runs, worst x: 2 of 10 points of the 'x' clustering are noise points (label -1), "
    )
    assert told + TREATED[noise_as] in alignment.notes
    for result in (matching, alignment):
        assert all(f"Note: {note}" in " ".join(str(result).split()) for note in result.notes)
        assert result.to_dict()["notes"] == list(result.notes)
        assert result.notes[0].replace("'", "&#x27;") in " ".join(result._repr_html_().split())


def test_nothing_is_said_about_noise_that_is_not_there():
    assert fr.match([0, 0, 1], [0, 1, 1]).notes == ()
    assert fr.align([[0, 0, 1], [0, 1, 1]]).notes == ()
    assert (
        "the label -1 (1 of 3 points) counts as a cluster"
        in fr.match([0, 0, 1], [0, -1, 1]).notes[0]
    )


@given(st.integers(0, 10**6))
def test_the_share_of_a_clustering_with_itself(seed):
    rng = np.random.default_rng(seed)
    soft, other = rng.dirichlet(np.ones(3), 12), rng.dirichlet(np.full(4, 0.2), 12)
    matching = fr.match(soft, other)
    assert matching.self_shares == pytest.approx(
        (fr.match(soft, soft).share, fr.match(other, other).share), abs=1e-12
    )
    assert fr.match(soft, [0, 1] * 6).self_shares[1] == 1.0


def test_a_fuzzy_clustering_with_itself_is_explained():
    soft = np.array([[0.5, 0.5], [1.0, 0.0], [0.0, 1.0], [0.75, 0.25]])
    matching = fr.match(soft, soft)
    shown = " ".join(str(matching).split())
    assert "with 78% of the overlap" in shown
    assert (
        "100% cannot be reached. Matched with itself, the first clustering has 78% and the second "
        "78%." in shown
    )
    assert matching.to_dict()["self_shares"] == {"a": 0.78125, "b": 0.78125}
    noisy = fr.match(0.8 * soft, soft, missing="noise", noise_as="singletons")
    assert noisy.self_shares[0] == pytest.approx(0.78125)  # noise overlaps with nothing
