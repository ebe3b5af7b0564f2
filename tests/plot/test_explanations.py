"""Plots of explanations."""

import itertools

import numpy as np
import pytest

import fuzzyrand as fr

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def _closed_figures():
    yield
    plt.close("all")


def explained(k, n=300):
    rng = np.random.default_rng(k)
    labels = rng.integers(k, size=n)
    return fr.explain(labels, np.where(rng.random(n) < 0.7, labels, 0), model="perm")


def test_worst_points_are_drawn_last():
    result = explained(3)
    xy = np.random.default_rng(0).normal(size=(300, 2))
    axes = fr.plot.points(xy, result)
    (dots,) = axes.collections
    assert np.array_equal(dots.get_array(), np.sort(result.points)[::-1])
    worst = result.worst(1)[0].position
    assert result.points[worst] == dots.get_array()[-1]
    assert len(axes.figure.axes) == 2  # with a colour bar


def test_points_that_were_left_out_are_not_drawn():
    a, b = [0, 0, None, 1, 1, 1], [0, 0, 0, 0, 1, 1]
    result = fr.explain(a, b, missing="drop", model="perm")
    _, ax = plt.subplots()
    axes = fr.plot.points(np.arange(12.0).reshape(6, 2), result, ax=ax)
    assert axes is ax
    assert 4.0 not in axes.collections[0].get_offsets()[:, 0]


@pytest.mark.parametrize("shape", [(300,), (300, 3), (200, 2)])
def test_wrong_coordinates_are_refused(shape):
    with pytest.raises(fr.InputError, match="xy has"):
        fr.plot.points(np.zeros(shape), explained(3))


def test_few_clusters_have_names_and_sizes():
    result = explained(3)
    first, _second = fr.plot.clusters(result)
    shown = [label.get_text() for label in first.get_yticklabels()]
    order = np.argsort(result.clusters[0], kind="stable")
    assert shown == [f"{c} ({result.sizes[0][c]:.0f})" for c in order]


def test_sixty_clusters_have_names_that_do_not_touch():
    result = explained(60, n=3000)
    for ax in fr.plot.clusters(result):
        ax.figure.canvas.draw()
        boxes = [label.get_window_extent() for label in ax.get_yticklabels()]
        assert len(boxes) == 60
        assert all(upper.y0 >= lower.y1 for upper, lower in itertools.pairwise(boxes))


def test_dots_are_scores_on_lines_from_the_adjusted_index():
    result = explained(20, n=3000)
    for ax, scores, sizes in zip(
        fr.plot.clusters(result), result.clusters, result.sizes, strict=True
    ):
        lines, dots = ax.collections
        order = np.argsort(scores, kind="stable")
        np.testing.assert_allclose(dots.get_offsets()[:, 0], scores[order])
        ends = np.array([segment[:, 0] for segment in lines.get_segments()])
        np.testing.assert_allclose(ends[:, 0], result.adjusted)
        np.testing.assert_allclose(ends[:, 1], scores[order])
        assert np.array_equal(np.argsort(dots.get_sizes()), np.argsort(sizes[order]))
        # Nothing is cut in two: the dashed line is behind everything.
        assert ax.lines[-1].get_zorder() < min(lines.get_zorder(), dots.get_zorder())


def test_many_clusters_have_no_names():
    result = explained(90, n=3000)
    axes = fr.plot.clusters(result, names=("truth", "found"))
    assert [ax.get_title("left") for ax in axes] == ["truth, 90 clusters", "found, 90 clusters"]
    assert not axes[0].get_yticklabels()
    _, given = plt.subplots(1, 2)
    assert fr.plot.clusters(result, axes=given)[1] is given[1]


@pytest.mark.parametrize("moved", [0.0, 0.02, 0.4])
def test_colours_span_the_scores(moved):
    rng = np.random.default_rng(0)
    labels = rng.integers(3, size=400)
    result = fr.explain(labels, np.where(rng.random(400) < moved, 0, labels))
    axes = fr.plot.points(rng.normal(size=(400, 2)), result)
    low, high = axes.collections[0].get_clim()
    assert high == result.points.max()
    # Where all are alike, small differences do not get all colours.
    assert low == pytest.approx(min(result.points.min(), high - 0.1))


def test_very_many_points_share_hexagons(monkeypatch):
    monkeypatch.setattr("fuzzyrand.plot._explanations.HEXAGONS", 200)
    result = explained(3)
    xy = np.random.default_rng(0).normal(size=(300, 2))
    axes = fr.plot.points(xy, result)
    (cells,) = axes.collections
    means = np.asarray(cells.get_array())
    assert means.min() >= result.points.min()
    assert means.max() <= result.points.max()
    assert "mean score" in axes.figure.axes[1].get_ylabel()
