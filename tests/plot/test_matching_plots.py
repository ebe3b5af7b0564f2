"""Pictures of matched clusters: partners face each other and have one colour."""

import itertools
import sys

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand.plot import _style

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def pair(k, n=900):
    """Two hard clusterings, of which the second has another order and a cluster more."""
    rng = np.random.default_rng(k)
    a = np.concatenate([np.arange(k), rng.integers(k, size=n - k)])
    b = np.where(rng.random(n) < 0.9, (a + 1) % k, rng.integers(k, size=n))
    b[np.flatnonzero(a == 0)[::3]] = k
    return a, b


def drawn(axes):
    axes.figure.canvas.draw()
    return axes


@pytest.mark.parametrize("k", [3, 60, 90])
def test_partners_are_on_the_diagonal(k):
    matching = fr.match(*pair(k))
    axes = drawn(fr.plot.overlap(matching))
    shares = np.asarray(axes.images[0].get_array())
    assert shares.shape == (k, k + 1)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    np.testing.assert_array_equal(shares[:, :k].argmax(axis=1), np.arange(k))
    assert len(axes.patches) == k  # a frame each
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == ([str(i) for i in range(k)] if k <= 80 else [])
    cells = [text.get_text() for text in axes.texts]
    amounts = matching.overlap[:, [j for _, j in matching.pairs] + matching.unmatched[1]]
    assert cells == ([f"{x:.0f}" for x in amounts.ravel() if x > 0] if k <= 20 else [])


@pytest.mark.parametrize("k", [3, 60, 90])
def test_a_flow_has_names_at_both_ends(k):
    matching = fr.match(*pair(k))
    axes = drawn(fr.plot.flow(matching))
    texts = [text for text in axes.texts if not text.get_text().startswith("the ")]
    assert [t.get_text() for t in axes.texts if t not in texts] == ["the first", "the second"]
    names = [text.get_text() for text in texts]
    if k > 80:
        assert names == []
        return
    assert names[:k] == matching.names[0]
    right = [name for name in names[k:] if name != str(k)]
    assert right == [matching.names[1][j] for _, j in matching.pairs]
    assert names[k + 1] == str(k)  # beside the cluster that it was split from
    heights = np.array([text.get_window_extent().height for text in texts])
    for start, end in ((0, k), (k, len(names))):
        places = np.array([text.get_window_extent().y0 for text in texts[start:end]])
        assert (np.diff(places) < -0.6 * heights[start]).all()  # no name hides another


def test_sides_have_the_names_that_are_given():
    matching = fr.match([0, 1, 1], [1, 0, 0])
    files = "truth.csv", "$found$.csv"
    flow = fr.plot.flow(matching, names=files)
    assert {"truth.csv", r"\$found\$.csv"} <= {text.get_text() for text in flow.texts}
    axes = matching.plot(names=files)
    assert axes.get_ylabel() == "clusters of truth.csv"
    assert axes.get_xlabel() == r"clusters of \$found\$.csv"
    assert fr.plot.overlap(matching).get_xlabel() == "clusters of the second"


@pytest.mark.parametrize("prefix", ["", "b", "a cluster with the number "])
def test_names_below_an_overlap_do_not_touch(prefix):
    a, b = pair(60)
    axes = drawn(fr.plot.overlap(fr.match(a, [f"{prefix}{label}" for label in b])))
    boxes = [label.get_window_extent() for label in axes.get_xticklabels()]
    assert len(boxes) == 61
    assert all(left.x1 <= right.x0 for left, right in itertools.pairwise(boxes))


def test_amounts_that_round_to_nothing_are_not_written():
    soft = np.array([[0.999, 0.001]] * 5 + [[0.0, 1.0]] * 5)
    axes = fr.plot.overlap(fr.match(soft, np.repeat([0, 1], 5)))
    assert [text.get_text() for text in axes.texts] == ["5.0", "5.0"]


def test_bands_of_partners_are_drawn_on_top():
    a, b = pair(3)
    matching = fr.match(a, b)
    axes = drawn(fr.plot.flow(matching))
    bands = [patch for patch in axes.patches if patch.get_alpha() is not None]
    assert [band.get_alpha() for band in bands[-3:]] == [0.7] * 3
    assert {band.get_alpha() for band in bands[:-3]} == {0.45}


def test_thin_bands_are_left_out_and_said_so():
    a = np.repeat([0, 1], 500)
    b = a.copy()
    b[0] = 1
    axes = drawn(fr.plot.flow(fr.match(a, b)))
    assert axes.get_xlabel() == "1 thin band with 0.1% of the overlap left out"
    assert fr.plot.flow(fr.match(a, a)).get_xlabel() == ""


@pytest.mark.parametrize("k", [3, 60])
def test_memberships_have_one_colour_a_cluster(k):
    rng = np.random.default_rng(0)
    soft = rng.dirichlet([0.2] * k, 300)
    order = rng.permutation(k)
    runs = {"first": soft, "$second$": soft[:, order]}
    axes = fr.plot.memberships(runs)
    drawn(axes[0])
    assert [ax.get_ylabel() for ax in axes] == ["first", r"\$second\$"]
    (tops, colours), again = (
        ([p.get_data().values for p in ax.patches], [p.get_facecolor() for p in ax.patches])
        for ax in axes
    )
    np.testing.assert_allclose(tops, again[0])
    assert colours == again[1]
    assert len(set(colours)) == k
    assert (axes[0].get_legend() is None) == (k > 20)


def test_points_are_ordered_by_main_cluster_and_membership():
    soft = np.array([[0.2, 0.8], [0.9, 0.1], [0.4, 0.6], [0.7, 0.3]])
    (ax,) = fr.plot.memberships(fr.align([soft]))
    np.testing.assert_allclose(ax.patches[0].get_data().values, [0.9, 0.7, 0.2, 0.4])


def test_points_are_in_the_order_of_the_reference_or_of_a_named_run():
    soft = np.array([[0.2, 0.8], [0.9, 0.1], [0.4, 0.6], [0.7, 0.3]])
    runs = {"labels": [0, 0, 1, 1], "soft": soft}
    by_reference = fr.plot.memberships(fr.align(runs, reference="soft"))
    np.testing.assert_allclose(by_reference[1].patches[0].get_data().values, [0.9, 0.7, 0.2, 0.4])
    assert "the order of soft" in by_reference[-1].get_xlabel()
    by_name = fr.plot.memberships(fr.align(runs, reference="soft"), order_by="labels")
    np.testing.assert_allclose(by_name[0].patches[0].get_data().values, [1, 1, 0, 0])
    outside = fr.plot.memberships(fr.align(runs, reference=soft))
    assert "the order of labels" in outside[-1].get_xlabel()
    (ax,) = fr.plot.memberships([soft], order_by=0)
    np.testing.assert_allclose(ax.patches[0].get_data().values, [0.9, 0.7, 0.2, 0.4])
    with pytest.raises(fr.UnknownNameError, match="unknown order_by 'hard'"):
        fr.plot.memberships(runs, order_by="hard")


def test_many_points_share_bars():
    labels = np.arange(5001) % 3
    (ax,) = fr.plot.memberships({"many": labels})
    assert ax.patches[0].get_data().values.size == 2000
    assert "2.5 points a bar" in ax.get_xlabel()


def test_groups_stand_side_by_side():
    soft = np.array([[0.2, 0.8], [0.9, 0.1], [0.4, 0.6], [0.7, 0.3]])
    axes = fr.plot.memberships({"a": soft, "b": soft}, groups=["north", "south", "south", "north"])
    np.testing.assert_allclose(axes[0].patches[0].get_data().values, [0.7, 0.2, 0.9, 0.4])
    assert [label.get_text() for label in axes[1].get_xticklabels()] == ["north", "south"]
    assert [line.get_xdata()[0] for ax in axes for line in ax.lines] == [2.0, 2.0]
    assert axes[1].get_xlabel() == "4 points, by 2 groups and the order of a; 2 clusters"
    with pytest.raises(fr.InputError, match="groups has 3 rows, but there are 4 points"):
        fr.plot.memberships([soft], groups=[1, 1, 2])


def test_groups_of_points_that_were_left_out():
    alignment = fr.align([[0, 1, None, 1], [0, 1, 1, 0]], missing="drop")
    axes = fr.plot.memberships(alignment, groups=list("xyzx"))
    assert [label.get_text() for label in axes[1].get_xticklabels()] == ["x", "y"]


def test_names_of_many_groups_do_not_touch():
    rng = np.random.default_rng(0)
    sizes = rng.integers(1, 60, size=60)
    groups = np.repeat([f"population {place}" for place in range(60)], sizes)
    (ax,) = fr.plot.memberships([rng.dirichlet([0.2] * 4, len(groups))], groups=groups)
    drawn(ax)
    boxes = [label.get_window_extent() for label in ax.get_xticklabels()]
    assert len(boxes) == 60
    assert all(left.x1 <= right.x0 for left, right in itertools.pairwise(boxes))


def test_where_there_is_no_room_the_smallest_groups_have_no_name():
    rng = np.random.default_rng(0)
    sizes = rng.permutation(np.arange(1, 81))
    groups = np.repeat([f"population {size}" for size in sizes], sizes)
    _, ax = plt.subplots(figsize=(3.0, 2.0))
    fr.plot.memberships([rng.dirichlet([0.2] * 4, len(groups))], ax, groups=groups)
    shown = [int(label.get_text().split()[-1].split("…")[-1]) for label in ax.get_xticklabels()]
    assert sorted(shown) == list(range(81 - len(shown), 81))
    assert f"{80 - len(shown)} small groups have no name" in ax.get_xlabel().replace("\n", " ")


def test_few_points_with_ids_are_named():
    pd = pytest.importorskip("pandas")
    soft = pd.DataFrame([[0.2, 0.8], [0.9, 0.1]], index=["Ada", "Bo"])
    (ax,) = fr.plot.memberships({"soft": soft})
    assert [label.get_text() for label in ax.get_xticklabels()] == ["Bo", "Ada"]
    assert not fr.plot.memberships({"soft": soft.to_numpy()})[0].get_xticklabels()


def test_axes_of_ones_own():
    _, (top, bottom) = plt.subplots(2)
    assert fr.plot.memberships([[0, 1, 1], [1, 0, 0]], axes=[top, bottom]).tolist() == [
        top,
        bottom,
    ]
    with pytest.raises(fr.InputError, match="2 axes for 1 clusterings"):
        fr.plot.memberships([[0, 1, 1]], axes=[top, bottom])
    matching = fr.match([0, 1, 1], [1, 0, 0])
    assert fr.plot.flow(matching, ax=top) is top
    assert fr.plot.overlap(matching, ax=bottom) is bottom


@pytest.mark.parametrize("count", [1, 8, 9, 20, 21, 60, 200])
def test_colours_differ(count):
    from matplotlib.colors import to_rgb

    for style in ("default", "dark_background"):
        with plt.style.context(style):
            assert len({to_rgb(colour) for colour in _style.palette(count)}) == count


def test_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    matching = fr.match([0, 1, 1], [1, 0, 0])
    for draw in (
        lambda: fr.plot.flow(matching),
        lambda: fr.plot.overlap(matching),
        lambda: fr.plot.memberships([[0, 1, 1]]),
    ):
        with pytest.raises(fr.MissingExtraError, match="pip install"):
            draw()
