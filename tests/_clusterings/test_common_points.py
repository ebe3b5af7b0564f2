"""points="common": points are matched by ids, and those that one clustering lacks are left out."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import fuzzyrand as fr
from fuzzyrand.report import comparison_report, explanation_report, pairwise_report
from tests.examples import examples

RNG = np.random.default_rng(5)
N = 60
IDS = [f"p{i}" for i in range(N)]
LABELS = pd.Series(RNG.integers(3, size=N), index=IDS)
SOFT = pd.DataFrame(RNG.dirichlet([0.5, 0.5, 0.5], size=N), index=IDS, columns=list("xyz"))
FIRST = LABELS.iloc[2:]
SECOND = SOFT.sample(frac=1.0, random_state=3).drop(["p7", "p8", "p9", "p10"])
BOTH = [key for key in FIRST.index if key in SECOND.index]
COMMON = {"points": "common"}


def test_the_value_is_that_of_the_points_both_have():
    by_hand = fr.compare(FIRST[BOTH], SECOND.loc[BOTH])
    result = fr.compare(FIRST, SECOND, **COMMON)
    assert result.adjusted == by_hand.adjusted
    assert (result.n, result.left_out) == (len(BOTH), (4, 2))
    assert by_hand.left_out == (0, 0)
    assert result.swapped().left_out == (2, 4)


def _forms(ids, labels, k):
    """Yield a clustering in all forms of rows, with ids."""
    rows = np.eye(k)[labels]
    fuzzy = 0.8 * rows + 0.2 / k
    yield pd.Series(labels, index=ids)
    yield pd.DataFrame(fuzzy, index=ids)
    part = np.where(rows > 0, 1.0, 0.0)
    part[0] = fuzzy[0]
    few = sparse.csr_array(part)
    yield pd.DataFrame.sparse.from_spmatrix(few, index=ids)
    yield dict(zip(ids, labels.tolist(), strict=True))


@st.composite
def two_point_sets(draw):
    n = draw(st.integers(5, 12))
    pool = [f"q{i}" for i in range(n)]
    sides = []
    for _ in range(2):
        ids = draw(st.permutations(pool))[: draw(st.integers(max(3, n // 2 + 1), n))]
        labels = np.array(draw(st.lists(st.integers(0, 2), min_size=len(ids), max_size=len(ids))))
        sides.append((list(ids), labels))
    return sides


@examples(25)
@given(two_point_sets(), st.integers(0, 3), st.integers(0, 3))
def test_any_subsets_in_any_order_and_form(sides, one, two):
    (ids_a, labels_a), (ids_b, labels_b) = sides
    both = [key for key in ids_a if key in set(ids_b)]
    if len(both) < 2:
        with pytest.raises(fr.InputError, match="in all clusterings"):
            fr.similarity(pd.Series(labels_a, ids_a), pd.Series(labels_b, ids_b), **COMMON)
        return
    a, b = list(_forms(ids_a, labels_a, 3))[one], list(_forms(ids_b, labels_b, 3))[two]
    result = fr.similarity(a, b, **COMMON)

    def rows(ids, labels, form):
        places = [ids.index(key) for key in both]
        soft = 0.8 * np.eye(3)[labels] + 0.2 / 3
        part = np.eye(3)[labels]
        part[0] = soft[0]
        return (np.eye(3)[labels], soft, part, np.eye(3)[labels])[form][places]

    expected = fr.similarity(rows(ids_a, labels_a, one), rows(ids_b, labels_b, two))
    assert result == pytest.approx(expected, abs=1e-12)


def test_every_function_takes_it():
    pair = (FIRST, SECOND)
    cut = (FIRST[BOTH], SECOND.loc[BOTH])
    assert fr.similarity(*pair, **COMMON) == fr.similarity(*cut)
    assert fr.expected_similarity(*pair, **COMMON) == fr.expected_similarity(*cut)
    assert fr.adjusted_similarity(*pair, **COMMON) == fr.adjusted_similarity(*cut)
    table = fr.compare(*pair, model=["perm", "flat"], **COMMON)
    assert table.left_out == (4, 2)
    assert table.to_dict()["left_out"] == [4, 2]
    test = fr.significance(*pair, draws=49, **COMMON)
    assert (test.left_out, test.adjusted) == ((4, 2), fr.adjusted_similarity(*cut))
    assert test.to_dict()["left_out"] == [4, 2]
    interval = fr.confidence_interval(FIRST, (SECOND, LABELS), **COMMON)
    assert interval.left_out == (4, 2, 6)
    assert interval.adjusted == fr.confidence_interval(cut[0], (cut[1], LABELS[BOTH])).adjusted
    assert fr.match(*pair, **COMMON).left_out == (4, 2)
    assert fr.match(*pair, **COMMON).pairs == fr.match(*cut).pairs
    runs = {"a": FIRST, "b": SECOND, "c": LABELS}
    result = fr.pairwise(runs, **COMMON)
    assert result.left_out == {"a": 4, "b": 2, "c": 6}
    assert result.to_dict()["left_out"] == result.left_out
    assert np.array_equal(
        result.adjusted, fr.pairwise({k: v.loc[BOTH] for k, v in runs.items()}).adjusted
    )
    assert fr.pairwise({"b": SECOND}, reference=FIRST, **COMMON).left_out == {
        "reference": 4,
        "b": 2,
    }
    assert fr.align(runs, **COMMON).left_out == {"a": 4, "b": 2, "c": 6}
    assert "6 of c" in str(fr.align(runs, **COMMON))
    assert fr.advise(*pair, **COMMON).left_out == (4, 2)
    assert 'points="common"' in fr.advise(*pair, **COMMON).call
    assert "--common" in fr.advise(*pair, **COMMON).command


def test_counts_are_told_everywhere():
    result = fr.compare(FIRST, SECOND, **COMMON)
    assert "Left out, not in all clusterings: 4 points of the first, 2 of the second" in str(result)
    assert result.to_dict()["left_out"] == [4, 2]
    assert (
        "4 of the 58 points of the first clustering (6.9%) and 2 of the 56" in result.methods_text()
    )
    assert pickle.loads(pickle.dumps(result)).left_out == (4, 2)
    (note,) = [note for note in result.notes if "left out" in note]
    assert note.startswith("4 of the 58 points of the first clustering (6.9%) were left out")
    few = fr.compare(LABELS, LABELS.iloc[1:], **COMMON)  # 1 of 60: less than 5%
    assert few.left_out == (1, 0)
    assert not [note for note in few.notes if "left out" in note]
    assert "1 point of the first" in str(few)


def test_reports_tell_it():
    table = fr.compare(FIRST, SECOND, model=["perm"], **COMMON)
    sides = table[0].analysis.partitions
    page = comparison_report(table, *sides, names=("a", "b"), command="x", methods=True)
    assert "4 of its 58 points (6.9%) were left out" in page
    explained = fr.explain(FIRST, SECOND, **COMMON)
    page = explanation_report(explained, names=("a", "b"), command="x")
    assert "Which clusters lost points" in page
    whole = explanation_report(fr.explain(LABELS, SOFT), names=("a", "b"), command="x")
    assert "Which clusters lost points" not in whole
    page = pairwise_report(fr.pairwise({"a": FIRST, "b": SECOND}, **COMMON), command="x")
    assert "4 points of a, 2 of b" in page


def test_explanations_show_the_share_of_each_cluster():
    first = pd.Series(list("aaabbbcc"), index=range(10, 18))
    second = first.drop([10, 16, 17])  # all of c, and a third of a
    result = fr.explain(first, second, **COMMON)
    frame = result.to_frame("left_out")
    assert frame["cluster"].tolist() == ["a", "b", "c"]
    assert frame["share"].tolist() == pytest.approx([1 / 3, 0.0, 1.0])
    assert result.names[0] == ["a", "b"]
    assert "c 100% of 2 points; a 33% of 3 points" in str(result)
    assert result.to_dict()["left_out"]["clusters"]["left_out"] == [1.0, 0.0, 2.0]


def test_clusters_without_points_left_are_no_clusters():
    first = pd.Series(list("aaabbbcc"), index=range(10, 18))
    second = pd.Series([0, 0, 1, 1, 2, 2], index=range(10, 16))
    result = fr.compare(first, second, model="num", **COMMON)
    assert result.adjusted == fr.adjusted_similarity(
        list("aaabbb"), [0, 0, 1, 1, 2, 2], model="num"
    )


def test_noise_and_missing_points_are_dropped_after_matching():
    first = pd.Series([0, 0, -1, 1, 1, 2, 2, 0.0], index=list("abcdefgh"))
    second = pd.Series([1, 1, 1, 0, np.nan, 0, 0], index=list("hgfedcb"))
    result = fr.compare(first, second, noise=-1, noise_as="drop", missing="drop", **COMMON)
    kept = ["b", "e", "f", "g", "h"]  # not a (only in the first), c (noise), d (missing)
    assert result.n == 5
    assert result.left_out == (1, 0)
    assert result.adjusted == fr.adjusted_similarity(first[kept], second[kept])


def test_groups_may_have_further_points():
    groups = pd.Series(np.arange(N) // 2, index=IDS)
    cut = fr.confidence_interval(FIRST[BOTH], SECOND.loc[BOTH], groups=groups[BOTH])
    both = fr.confidence_interval(FIRST, SECOND, groups=groups, **COMMON)
    assert (both.low, both.high) == (cut.low, cut.high)


def test_row_numbers_and_numbers_of_a_part():
    whole = LABELS.reset_index(drop=True)
    part = SOFT.reset_index(drop=True)[whole.to_numpy() != 1]
    result = fr.compare(whole, part, **COMMON)
    assert result.left_out == (int((whole == 1).sum()), 0)
    nodes = fr.compare({0: "a", 1: "a", 2: "b", 3: "b"}, {0: 1, 1: 1, 2: 2}, **COMMON)
    assert nodes.left_out == (1, 0)  # keys of dicts are ids, even 0, 1, 2


REFUSED = {
    "no ids": ((LABELS.to_numpy(), SECOND), r"first clustering has none. Give it as a pandas"),
    "repeated": ((LABELS.rename({"p1": "p2"}), SECOND), r"id 'p2' occurs more than once in the f"),
    "counted": (
        (LABELS.reset_index(drop=True), SECOND.reset_index(drop=True)),
        r"indexes only count the rows.*Set an index",
    ),
    "text and numbers": (
        (LABELS, pd.Series([0, 1, 1], index=[1, 2, 3])),
        r"no point is in all.*ids that are text, and others have numbers",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case):
    pair, message = REFUSED[case]
    with pytest.raises(fr.InputError, match=message):
        fr.compare(*pair, **COMMON)


def test_the_default_names_the_option():
    with pytest.raises(fr.InputError, match=r"They share 54 ids; points='common' compares"):
        fr.compare(FIRST, SECOND)
    same_number = LABELS.rename({"p0": "z"})
    with pytest.raises(fr.InputError, match=r"They share 59 ids; points='common'"):
        fr.compare(LABELS, same_number)
    with pytest.raises(fr.InputError, match=r"pd.Series\(labels, index=ids\), and points='common'"):
        fr.compare([0, 0, 1], [0, 0, 1, 1])
    with pytest.raises(fr.UnknownNameError, match=r"'same', 'common'"):
        fr.compare(FIRST, SECOND, points="all")


def test_dask_is_refused():
    dask_array = pytest.importorskip("dask.array", reason="dask is an extra")
    with pytest.raises(fr.NotApplicableError, match=r"matched by position.*how='inner'"):
        fr.compare(dask_array.from_array(LABELS.to_numpy()), SECOND, **COMMON)
