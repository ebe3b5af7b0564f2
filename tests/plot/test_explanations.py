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


def test_many_clusters_are_as_thick_as_they_are_large():
    result = explained(90, n=3000)
    axes = fr.plot.clusters(result)
    heights = [bar.get_height() for bar in axes[0].patches]
    assert sorted(heights) == pytest.approx(sorted(result.sizes[0]))
    _, given = plt.subplots(1, 2)
    assert fr.plot.clusters(result, axes=given)[1] is given[1]
