"""Charts as data, and both renderers of them: Matplotlib and SVG show the same."""

import re
from dataclasses import replace

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._distributions.atoms import Atoms
from fuzzyrand.plot._charts import BINS, BinnedLaw, Cell, HeatMap, LawChart, ScaleChart
from fuzzyrand.plot._charts.axes import decimal_ticks, percent_ticks, round_step, round_values
from fuzzyrand.report import pairwise_report

from ..reports import HARD, OTHER, SOFT, SOFTER, every_comparison, report, runs


@pytest.mark.parametrize("rough", [1e-6, 0.02, 0.021, 0.5, 0.7, 3.0, 1234.0])
def test_steps_are_round_and_just_large_enough(rough):
    step = round_step(rough)
    assert rough * (1.0 - 1e-9) <= step <= 2.5 * rough
    assert f"{step:.0e}"[0] in "125"


def test_ticks_have_the_same_number_of_decimals():
    assert [tick.label for tick in decimal_ticks([0.0, 0.25, 1.0])] == ["0.00", "0.25", "1.00"]
    assert [tick.label for tick in percent_ticks([0.0, 0.005, 0.01])] == ["0.0%", "0.5%", "1.0%"]
    assert round_values(-0.31, 1.0, 6) == [0.0, 0.5, 1.0]


@pytest.mark.parametrize(
    ("first", "second", "model"),
    [(SOFT, SOFTER, "fit"), (HARD, OTHER, "num"), (HARD, HARD, "perm")],
)
def test_a_scale_holds_everything_with_some_marks(first, second, model):
    c = fr.compare(first, second, model=model, tol=0.01)
    chart = ScaleChart.of([c])
    assert chart.low < min(c.observed, c.expected)
    assert max(c.observed, c.maximum) <= chart.high == 1.0
    assert 3 <= len(chart.ticks) <= 8
    assert all(chart.low - 1e-12 <= tick.value <= 1.0 for tick in chart.ticks)


def test_intervals_are_drawn_where_they_can_be_seen():
    c = fr.compare(SOFT, SOFTER, model="sym", tol=0.01)
    for error, seen in ((0.0, False), (1e-5, False), (0.05, True)):
        computed = {**c.computed, "expected_stderr": error}
        (row,) = ScaleChart.of([replace(c, computed=computed)]).rows
        assert (row.interval is not None) == seen
    assert row.interval == pytest.approx((c.expected - 0.098, c.expected + 0.098))


def test_laws_side_by_side_have_one_height():
    even = Atoms(np.linspace(0.0, 1.0, 1001), np.full(1001, 1 / 1001))
    hard = Atoms(np.array([0.0, 1.0]), np.array([0.75, 0.25]))
    first, second = LawChart.side_by_side([(even, hard), (hard, None)])
    assert first.top == second.top == pytest.approx(1.08 * 0.75)
    assert first.observed.shares.size == BINS
    assert first.observed.shares.sum() == pytest.approx(1.0)
    assert second.model is None
    assert first.description == "mean agreement 0.500, under the model 0.250"
    # Rounding may put an agreement just outside of [0, 1].
    outside = Atoms(np.array([-1e-12, 1.0 + 1e-12]), np.array([0.5, 0.5]))
    assert BinnedLaw.of(outside).shares.sum() == 1.0


def test_cells_know_their_colour_and_text():
    assert Cell.of(-0.001).label == "0.00"
    assert (Cell.of(-3.0).strength, Cell.of(-3.0).below, Cell.of(-3.0).strong) == (1.0, True, True)
    assert (Cell.of(0.5).strength, Cell.of(0.5).below, Cell.of(0.5).strong) == (0.5, False, False)


def test_one_clustering_beside_a_reference_keeps_both_names():
    result = fr.pairwise({"other": OTHER}, reference=HARD, model="perm")
    chart = HeatMap.of(result)
    assert chart.upright
    assert (chart.rows, chart.columns) == (result.columns, result.rows)


def test_both_renderers_show_the_same_heat_map():
    pytest.importorskip("matplotlib").use("Agg")
    result = fr.pairwise(runs(12), model="perm")
    axes = fr.plot.pairwise(result)
    html = pairwise_report(result, command="x")
    drawn = re.findall(r'<text[^>]* text-anchor="middle">(-?\d\.\d\d)</text>', html)
    assert drawn == [text.get_text() for text in axes.texts]
    names = re.findall(r'<text class="called"[^>]*>([^<]*)<', html)
    assert names == [label.get_text() for label in axes.get_yticklabels()]


def test_both_renderers_show_the_same_scale():
    pytest.importorskip("matplotlib").use("Agg")
    table = fr.compare(SOFT, SOFTER, model=["perm", "flat"])
    axes = fr.plot.comparison(table)
    html = report(SOFT, SOFTER, ["perm", "flat"], tol=5e-4)
    values = re.findall(r">adjusted (-?\d\.\d{3})</text>", html)
    assert values == [text.get_text() for text in axes.texts][:2]
    ticks = re.findall(r'<line class="grid" x1="[\d.]+%" y1="26"[^>]*>\s*<text[^>]*>([^<]*)<', html)
    assert ticks == [label.get_text() for label in axes.get_xticklabels()]
    assert ScaleChart.of(every_comparison()).any_below
