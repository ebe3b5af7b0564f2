"""Intervals and null distributions, by themselves and on the chart of models."""

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand.report import comparison_report

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
plt = pytest.importorskip("matplotlib.pyplot")

RNG = np.random.default_rng(0)
TRUTH = RNG.integers(3, size=90)
METHODS = {
    name: np.where(RNG.random(90) < kept, TRUTH, RNG.integers(3, size=90))
    for name, kept in {"poor": 0.0, "good": 0.9, "fair": 0.6}.items()
}


@pytest.fixture(autouse=True)
def _closed_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def benchmark():
    return fr.pairwise({"truth": TRUTH, **METHODS}, reference="truth", confidence=0.9)


def labels(axes):
    return [label.get_text() for label in axes.get_yticklabels()]


def legend(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


def reaches(axes):
    """The ends of the intervals that are drawn."""
    return [tuple(line.get_xdata()) for line in axes.lines if line.get_linewidth() == 2.0]


def test_a_benchmark_is_sorted_and_has_a_line_for_chance(benchmark):
    axes = fr.plot.interval(benchmark)
    assert labels(axes) == ["good", "fair", "poor"]
    found = {pair[1]: one for pair, one in benchmark.intervals.items()}
    assert reaches(axes) == [(found[name].low, found[name].high) for name in labels(axes)]
    (chance,) = (line for line in axes.lines if line.get_linestyle() == "--")
    assert chance.get_xdata() == [0.0, 0.0]
    assert axes.get_title("left") == "90% intervals under perm"
    written = [text.get_text() for text in axes.texts]
    good = found["good"]
    assert written[0] == f"{good.adjusted:.2f} [{good.low:.2f}, {good.high:.2f}]"
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    filled = [dot.get_markerfacecolor() == dot.get_color() for dot in dots]
    assert filled == [not found[name].low <= 0.0 <= found[name].high for name in labels(axes)]


def test_differences_all_pairs_and_single_intervals(benchmark):
    axes = fr.plot.interval(benchmark, differences=True)
    assert labels(axes)[0] == "good − poor" or labels(axes)[-1] == "poor − good"
    assert "no difference" in axes.get_xlabel()
    every = fr.pairwise(METHODS, confidence=0.95)
    assert sorted(labels(fr.plot.interval(every))) == [
        "good and fair",
        "poor and fair",
        "poor and good",
    ]
    one = fr.confidence_interval(TRUTH, METHODS["good"])
    _, ax = plt.subplots()
    assert one.plot(ax) is ax
    assert reaches(ax) == [(one.low, one.high)]
    assert labels(fr.plot.interval({"mine": one})) == ["mine"]
    with pytest.raises(fr.NotApplicableError, match="confidence"):
        fr.plot.interval(fr.pairwise(METHODS))
    with pytest.raises(fr.NotApplicableError, match="reference"):
        fr.plot.interval(every, differences=True)


def test_interval_and_null_stand_in_the_row_of_their_model():
    truth, fair = fr.as_partition(TRUTH), fr.as_partition(METHODS["fair"])
    table = fr.compare(truth, fair, model=["num", "perm"])
    test = fr.significance(truth, fair, draws=199)
    interval = fr.confidence_interval(truth, fair)
    axes = table.plot(interval=interval, test=test)
    c = table["perm"]

    def on_track(adjusted):
        return c.expected + adjusted * (c.maximum - c.expected)

    (ends,) = (line for line in axes.lines if line.get_linewidth() == 1.6)
    np.testing.assert_allclose(ends.get_xdata(), [on_track(end) for end in interval])
    assert list(ends.get_ydata()) == [1, 1]
    bars = axes.patches
    assert min(bar.get_x() for bar in bars) == pytest.approx(on_track(test.null.min()))
    assert max(bar.get_x() + bar.get_width() for bar in bars) == pytest.approx(
        on_track(test.null.max())
    )
    low, high = axes.get_xlim()
    assert low < on_track(test.null.min())
    assert high > 1.0
    assert legend(axes)[-2:] == ["95% interval", f"{test.draws:,} shuffles"]
    beside = "\n".join(text.get_text() for text in axes.texts)
    assert f"{interval.low:.2f} to {interval.high:.2f}\np ≤ {test.pvalue:.2g}" in beside
    page = comparison_report(
        table, truth, fair, names=("a", "b"), command="", test=test, interval=interval
    )
    assert page.count('class="null"') == len(bars)
    assert page.count('class="sure"') == 3
    assert f"{interval.low:.2f} to {interval.high:.2f}; p ≤ {test.pvalue:.2g}" in page
    assert "null distribution: 199 shuffles" in page


def test_an_interval_of_another_model_is_refused():
    c = fr.compare(TRUTH, METHODS["good"], model="num")
    with pytest.raises(fr.ParameterError, match="adjusted by perm"):
        c.plot(interval=fr.confidence_interval(TRUTH, METHODS["good"]))
    with pytest.raises(fr.ParameterError, match="adjusted by perm"):
        c.plot(test=fr.significance(TRUTH, METHODS["good"], draws=19))


def test_a_null_says_how_many_draws_it_shows():
    test = fr.significance(TRUTH, METHODS["good"], draws=99)
    assert legend(test.plot())[0] == "99 shuffles"
    every = fr.significance([0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 1, 0])
    axes = every.plot()
    assert legend(axes) == ["all 5,040 permutations", f"observed {every.tested:.3f}"]
    # Few values are possible, and each has a bar with its share.
    assert sum(bar.get_height() for bar in axes.patches) == pytest.approx(1.0)
    assert axes.get_title("left") == f"p = {every.pvalue:.2g} under perm"
