"""Plots of clusters that recur."""

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand.plot._charts.bands import LANES, Bands

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
plt = pytest.importorskip("matplotlib.pyplot")

THREE, FOUR = np.repeat([0, 1, 2], [30, 20, 10]), np.repeat([0, 1, 2, 3], [20, 10, 20, 10])


@pytest.fixture(autouse=True)
def _closed_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def result():
    return fr.recurrence({"d": FOUR, "a": THREE, "b": THREE, "c": FOUR, "e": THREE})


def test_lanes_are_families_and_bars_are_sizes(result):
    chart = Bands.of(result)
    assert chart.runs == ["a", "b", "e", "d", "c"]
    assert [(level.clusters, level.first, level.runs) for level in chart.levels] == [
        (3, 0, 3),
        (4, 3, 2),
    ]
    assert [lane.label for lane in chart.lanes] == [f"family {i}" for i in range(4)]
    part = chart.lanes[3]
    assert part.detail == "2 of 5 runs, part of 0"
    assert [(bar.place, bar.run, bar.size) for bar in part.bars] == [(3, "d", 10), (4, "c", 10)]
    assert len({lane.scale for lane in chart.lanes}) == 1
    for lane in chart.lanes:
        assert max(bar.size for bar in lane.bars) * lane.scale <= lane.height + 1e-12
    tops = [lane.middle - 0.5 * lane.height for lane in chart.lanes]
    bottoms = [lane.middle + 0.5 * lane.height for lane in chart.lanes]
    assert all(top >= bottom for top, bottom in zip(tops[1:], bottoms, strict=False))
    assert bottoms[-1] == pytest.approx(1.0)
    # The larger part of the first family is less like its other members than they are.
    first = [bar.opacity for bar in chart.lanes[0].bars]
    assert first[0] > first[3]
    assert all(bar.opacity == 1.0 for bar in chart.lanes[1].bars)


@pytest.mark.parametrize("style", ["default", "dark_background"])
def test_bars_are_drawn_and_can_be_seen(result, style):
    with plt.style.context(style):
        axes = result.plot()
        chart = Bands.of(result)
        assert len(axes.patches) == sum(len(lane.bars) for lane in chart.lanes)
        drawn = [(p.get_x() + 0.5 * p.get_width(), p.get_height()) for p in axes.patches]
        expected = [(b.place, b.size * lane.scale) for lane in chart.lanes for b in lane.bars]
        np.testing.assert_allclose(drawn, expected)
        ground = np.array(matplotlib.colors.to_rgb(axes.get_facecolor()))
        for bar in axes.patches:
            assert (
                np.abs(np.array(matplotlib.colors.to_rgb(bar.get_facecolor())) - ground).max()
                > 0.15
            )
        assert [label.get_text() for label in axes.get_xticklabels()] == chart.runs
        axes.figure.canvas.draw()


def test_many_runs_families_and_chance():
    rng = np.random.default_rng(0)
    truth = rng.integers(20, size=400)
    runs = [np.where(rng.random(400) < 0.1, 20 + i % 2, truth) for i in range(50)]
    result = fr.recurrence(runs, draws=19)
    assert [lane.label for lane in Bands.of(result).lanes][LANES] == "other families"
    axes = fr.plot.recurrence(result, plt.subplots()[1])
    assert axes.get_xticks().size == 0  # no room for 50 names
    noise = fr.recurrence([rng.integers(3, size=12) for _ in range(5)])
    lanes = Bands.of(noise).lanes
    assert any(lane.detail.endswith("as by chance") for lane in lanes)
    assert all((lane.colour is None) == ("chance" in lane.detail or "once" in lane.label)
               for lane in lanes)  # fmt: skip


def test_names_with_dollars_are_no_mathematics():
    result = fr.recurrence({"$a$_{": THREE, "b$": FOUR})
    fr.plot.recurrence(result).figure.canvas.draw()
