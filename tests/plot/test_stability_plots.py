"""Plots of stability."""

import numpy as np
import pytest

import fuzzyrand as fr

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
plt = pytest.importorskip("matplotlib.pyplot")
cluster = pytest.importorskip("sklearn.cluster")


@pytest.fixture(autouse=True)
def _closed_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def result():
    rng = np.random.default_rng(0)
    X = np.array([[0, 0], [8, 0], [4, 7]])[np.arange(90) % 3] + rng.normal(size=(90, 2))
    return fr.stability(lambda k: cluster.KMeans(k, n_init=2), X, [2, 3, 4], repeats=8)


@pytest.mark.parametrize("style", ["default", "dark_background"])
def test_values_means_and_reference_are_drawn(result, style):
    with plt.style.context(style):
        axes = result.plot()
        dots = [line for line in axes.lines if line.get_marker() == "."]
        for x, (line, values) in enumerate(zip(dots, result.scores.values(), strict=True)):
            assert line.get_ydata().tolist() == values.tolist()
            assert np.abs(line.get_xdata() - x).max() < 0.5
        (squares,) = (line for line in axes.lines if line.get_marker() == "s")
        assert squares.get_ydata() == pytest.approx([*result.reference_means.values()])
        circles = [line for line in axes.lines if line.get_marker() == "o"][:3]
        filled = [line.get_markerfacecolor() == line.get_color() for line in circles]
        assert filled == [k == result.best for k in result.values]
        assert axes.get_title("left") == "best: 3 clusters"
        ground = np.array(matplotlib.colors.to_rgb(axes.get_facecolor()))
        for line in (squares, *circles):
            assert np.abs(np.array(matplotlib.colors.to_rgb(line.get_color())) - ground).max() > 0.3


def test_without_reference_and_in_given_axes():
    values = fr.stability(
        lambda k, x: np.argsort(np.argsort(x)) * k // len(x), np.arange(40.0), [2, 3], repeats=3
    )
    _, ax = plt.subplots()
    assert fr.plot.stability(values, ax) is ax
    assert ax.get_title("left").startswith("most stable")
    assert not any(line.get_marker() == "s" for line in ax.lines)


def test_firmness_is_drawn_below(result):
    _, below = result.plot().figure.axes
    for dots, (k, firm) in zip(below.collections, result.firmness.items(), strict=True):
        drawn = dots.get_offsets()
        assert sorted(drawn[:, 1]) == pytest.approx(sorted(firm))
        assert np.abs(drawn[:, 0] - result.values.index(k)).max() < 0.5
    areas = below.collections[0].get_sizes()
    sizes = result.clusterings[2].sizes[np.argsort(-result.firmness[2], kind="stable")]
    assert np.array_equal(np.argsort(areas), np.argsort(sizes))
    firm = below.collections[1]  # three planted clusters
    assert (firm.get_facecolors() == firm.get_edgecolors()).all()
    assert [text.get_text() for text in below.get_xticklabels()] == ["2", "3", "4"]


def test_another_parameter_is_named_with_the_numbers_of_clusters():
    x = np.random.default_rng(0).normal(size=60)
    swept = fr.stability(
        lambda width, x: np.floor(x / width), x, [0.5, 4.0], parameter="width", repeats=5,
        reference=lambda x, rng: rng.permutation(x),
    )  # fmt: skip
    top, below = swept.plot().figure.axes
    labels = [text.get_text() for text in below.get_xticklabels()]
    assert labels == [f"{width:g}\n({swept.numbers[width]})" for width in (0.5, 4.0)]
    assert below.get_xlabel() == "width (number of clusters)"
    assert top.get_xlabel() == ""
    assert fr.plot.firmness(swept, plt.subplots()[1]).get_xlabel() == below.get_xlabel()
