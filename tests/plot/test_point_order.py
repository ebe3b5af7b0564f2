"""Plots match coordinates and groups with the points by their index, as clusterings are matched."""

import numpy as np
import pytest

import fuzzyrand as fr

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
plt = pytest.importorskip("matplotlib.pyplot")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

N = 40
RNG = np.random.default_rng(0)
IDS = [f"cell-{i}" for i in range(N)]
A, B = RNG.integers(3, size=N), RNG.integers(3, size=N)
XY = np.column_stack([np.arange(N), RNG.normal(size=N)])
SHUFFLED = RNG.permutation(N)


@pytest.fixture(autouse=True)
def _closed_figures():
    yield
    plt.close("all")


def score_at(axes):
    """Score by first coordinate, which is the number of the point."""
    (dots,) = axes.collections
    return dict(zip(dots.get_offsets()[:, 0].tolist(), dots.get_array().tolist(), strict=True))


def expected_scores():
    return dict(zip(XY[:, 0].tolist(), fr.explain(A, B, model="perm").points, strict=True))


@pytest.mark.parametrize("index", [IDS, None, range(100, 100 + N)])
@pytest.mark.parametrize("first", [True, False])
def test_points_have_their_own_colours(index, first):
    labels = pd.Series(A, index=index) if first else A
    others = pd.Series(B, index=index)
    xy = pd.DataFrame(XY, index=index).iloc[SHUFFLED]
    result = fr.explain(labels, others, model="perm")
    assert score_at(fr.plot.points(xy, result)) == pytest.approx(expected_scores())


def test_points_without_an_index_are_matched_by_position():
    result = fr.explain(pd.Series(A, index=IDS), pd.Series(B, index=IDS), model="perm")
    by_position = (
        XY,
        XY.tolist(),
        pl.DataFrame(XY),
        pd.DataFrame(XY),  # row numbers are no ids beside texts
    )
    for xy in by_position:
        assert score_at(fr.plot.points(xy, result)) == pytest.approx(expected_scores())
    plain = fr.explain(A, B, model="perm")
    for xy in (XY, pd.DataFrame(XY, index=IDS)):
        assert score_at(fr.plot.points(xy, plain)) == pytest.approx(expected_scores())


@pytest.mark.parametrize("index", [IDS, None, range(100, 100 + N)])
@pytest.mark.parametrize("shuffled", [False, True])
def test_points_that_were_left_out_may_be_among_them(index, shuffled):
    noisy = np.where(np.arange(N) % 5 == 0, -1, A)
    labels, others = pd.Series(noisy, index=index), pd.Series(B, index=index)
    result = fr.explain(labels, others, noise=-1, noise_as="drop", model="perm")
    kept = np.flatnonzero(noisy >= 0)
    expected = dict(zip(kept.tolist(), result.points, strict=True))
    xy = pd.DataFrame(XY, index=index)
    xy = xy.iloc[SHUFFLED] if shuffled else xy
    assert score_at(fr.plot.points(xy, result)) == pytest.approx(expected)
    assert score_at(fr.plot.points(XY, result)) == pytest.approx(expected)
    if index is None and not shuffled:
        named = pd.DataFrame(XY, index=IDS)  # no ids beside row numbers
        assert score_at(fr.plot.points(named, result)) == pytest.approx(expected)


def test_a_part_of_a_table_is_found_in_it():
    table = pd.DataFrame({"a": A, "b": B, "x": XY[:, 0], "y": XY[:, 1]})
    part = table[table["a"] > 0]
    result = fr.explain(part["a"], part["b"], model="perm")
    drawn = score_at(fr.plot.points(table[["x", "y"]], result))
    assert drawn == pytest.approx(dict(zip(part["x"].tolist(), result.points, strict=True)))


def test_other_points_are_refused():
    result = fr.explain(pd.Series(A, index=IDS), pd.Series(B, index=IDS), model="perm")
    other = [*IDS[:-1], "cell-x"]
    with pytest.raises(fr.InputError, match=r"xy lacks 'cell-39'.*to_numpy"):
        fr.plot.points(pd.DataFrame(XY, index=other), result)
    twice = pd.DataFrame(np.vstack([XY, XY[:1]]), index=[*IDS, "cell-0"])
    with pytest.raises(fr.InputError, match="ids of xy repeat"):
        fr.plot.points(twice, result)
    numbered = fr.explain(pd.Series(A), pd.Series(B), model="perm")
    with pytest.raises(fr.InputError, match="xy has 39 rows, but there are 40 points"):
        fr.plot.points(pd.DataFrame(XY[:-1]), numbered)
    longer = pd.DataFrame(np.vstack([XY, XY]))
    with pytest.raises(fr.InputError, match="xy has 80 rows, but there are 40 points"):
        fr.plot.points(longer, numbered)


@pytest.mark.parametrize("aligned", [False, True])
def test_groups_are_matched_by_index(aligned):
    group = np.where(np.arange(N) < 10, "few", "many")
    runs = {"a": pd.Series(A, index=IDS), "b": pd.Series(B, index=IDS)}
    given = fr.align(runs) if aligned else runs
    in_order = fr.plot.memberships(given, groups=group)
    expected = [patch.get_data().values for ax in in_order for patch in ax.patches]
    shuffled = pd.Series(group, index=IDS).iloc[SHUFFLED[::-1]]
    by_index = fr.plot.memberships(given, groups=shuffled)
    drawn = [patch.get_data().values for ax in by_index for patch in ax.patches]
    names = [label.get_text() for label in by_index[-1].get_xticklabels()]
    assert names == ["few", "many"]  # in the order of the points, not of the argument
    for one, two in zip(drawn, expected, strict=True):
        assert one.tolist() == two.tolist()
    with pytest.raises(fr.InputError, match="groups lacks 'cell-0'"):
        fr.plot.memberships(given, groups=shuffled.rename({"cell-0": "cell-x"}))


def test_ids_are_told_rather_than_row_numbers():
    """Row numbers beside texts are matched by order, and the texts name the points."""
    numbered, named = pd.Series(A), pd.Series(B, index=IDS)
    for pair in ((numbered, named), (named, numbered)):
        assert fr.explain(*pair, model="perm").worst(1)[0].id in IDS
        assert fr.align(list(pair)).to_frame().index.tolist() == IDS
