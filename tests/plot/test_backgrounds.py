"""Plots on light and dark backgrounds: all that is drawn can be seen."""

import numpy as np
import pytest

import fuzzyrand as fr

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
plt = pytest.importorskip("matplotlib.pyplot")

STYLES = ("default", "dark_background")


@pytest.fixture(autouse=True)
def _closed_figures():
    yield
    plt.close("all")


def luminance(colour):
    """Relative luminance as WCAG 2 defines it."""
    rgb = np.array(matplotlib.colors.to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(colour, other):
    light, dark = sorted([luminance(colour), luminance(other)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


def clusterings(k=3, n=300):
    rng = np.random.default_rng(k)
    soft = rng.dirichlet([0.2] * k, size=n)
    return soft, 0.7 * soft + 0.3 * rng.dirichlet([0.2] * k, size=n), rng.normal(size=(n, 2))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("k", [3, 60])
def test_scores_can_be_seen(style, k):
    soft, other, xy = clusterings(k)
    result = fr.explain(soft, other, model="perm")
    with plt.style.context(style):
        axes = fr.plot.points(xy, result)
        (dots,) = axes.collections
        ground = axes.get_facecolor()
        low, middle, alike = (contrast(dots.cmap(x), ground) for x in (0.0, 0.5, 1.0))
        assert low > middle > 3.0  # what disagrees stands out
        assert middle > alike > 1.5
        for ax in fr.plot.clusters(result):
            (dots,) = (each for each in ax.collections if hasattr(each, "get_sizes"))
            assert min(contrast(dot, ground) for dot in dots.get_facecolors()) > 3.0
            line = ax.lines[-1]
            assert line.get_linestyle() == "--"
            assert contrast(line.get_color(), ground) > 7.0


@pytest.mark.parametrize("style", STYLES)
def test_nulls_can_be_seen(style):
    test = fr.significance(*clusterings()[:2], draws=99)
    with plt.style.context(style):
        axes = fr.plot.significance(test)
        for line in axes.lines:
            if not line.get_label().startswith("_"):
                assert contrast(line.get_color(), axes.get_facecolor()) > 4.5


@pytest.mark.parametrize("style", STYLES)
def test_bands_of_sixty_clusters_can_be_seen(style):
    soft, other, _ = clusterings(60)
    with plt.style.context(style):
        axes = fr.plot.flow(fr.match(soft, other))
        blocks = [patch for patch in axes.patches if patch.get_alpha() is None]
        assert len(blocks) == 120
        assert min(contrast(block.get_facecolor(), axes.get_facecolor()) for block in blocks) > 1.05
        if style == "dark_background":
            dim = [contrast(block.get_facecolor(), "black") for block in blocks]
            assert min(dim) > 2.0


@pytest.mark.parametrize("style", STYLES)
def test_comparisons_can_be_seen(style):
    soft, other, _ = clusterings()
    table = fr.compare(soft, other, model=["perm", "fit"])
    with plt.style.context(style):
        axes = fr.plot.comparison(table)
        circles = [line for line in axes.lines if line.get_marker() == "o"]
        assert len(circles) == 2
        assert all(contrast(c.get_color(), axes.get_facecolor()) > 7.0 for c in circles)
        assert all(contrast(c.get_color(), c.get_markerfacecolor()) > 7.0 for c in circles)


def test_an_observed_value_far_away_is_an_arrow():
    halves = np.repeat([0, 1], 400)
    test = fr.significance(halves, halves, draws=99)
    axes = fr.plot.significance(test)
    assert test.z > 200.0
    low, high = axes.get_xlim()
    assert low <= test.null.min()
    assert test.null.max() <= high < 0.5
    assert f"1.000\nz = {test.z:,.0f}" in [text.get_text() for text in axes.texts]


def test_an_observed_value_near_by_is_a_line():
    rng = np.random.default_rng(0)
    a = rng.integers(3, size=100)
    test = fr.significance(a, np.where(rng.random(100) < 0.3, a, 0), draws=99)
    axes = fr.plot.significance(test)
    low, high = axes.get_xlim()
    assert low < test.tested < high
    assert [text.get_text() for text in axes.texts] == []


def test_the_normal_law_is_that_of_the_draws_where_few_points_are_drawn():
    soft, other, _ = clusterings(60)
    few = fr.Effort(budget=fr.Budget(shuffled_points=100, kept_pairs=1000))
    test = fr.significance(soft, other, draws=99, effort=few)
    assert test.points == 100 < test.n
    axes = fr.plot.significance(test)
    normal = next(line for line in axes.lines if line.get_label() == "normal")
    places = normal.get_xdata()
    assert places.mean() == pytest.approx(test.null.mean(), abs=1e-9)
    assert np.ptp(places) == pytest.approx(8.0 * test.null.std())
    assert f"{test.points:,} random points" in axes.get_xlabel()
