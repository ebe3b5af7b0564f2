"""Every plot returns axes, follows the caller's, and has text that does not overlap or get cut."""

import itertools

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand.plot._charts.spread_out import spread_out

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
plt = pytest.importorskip("matplotlib.pyplot")

RNG = np.random.default_rng(1)
LONG = [
    "request handlers of the web server",
    "parsing of configuration files",
    "numerical linear algebra routines",
]
NAMES = np.array(LONG)
LABELS = RNG.integers(3, size=120)
FIRST = NAMES[LABELS]
SECOND = NAMES[np.where(RNG.random(120) < 0.8, LABELS, 0)]
SOFT = RNG.dirichlet([0.3] * 3, size=120)
XY = RNG.normal(size=(120, 2))


@pytest.fixture(autouse=True)
def _closed_figures():
    yield
    plt.close("all")


def halves(k, x):
    return np.argsort(np.argsort(x)) * k // x.size


def results():
    runs = {f"{LONG[i % 3]} {i}": np.roll(LABELS, i) for i in range(6)}
    return {
        "comparison": fr.compare(SOFT, SOFT[::-1], model=["perm", "fit", "flat"]),
        "one comparison": fr.compare(SOFT, LABELS),
        "significance": fr.significance(FIRST, SECOND, draws=99),
        "interval": fr.confidence_interval(FIRST, SECOND),
        "check": fr.check_model(SOFT, "fit"),
        "pairwise": fr.pairwise(runs),
        "match": fr.match(FIRST, SECOND),
        "align": fr.align({"one": FIRST, "two": SECOND}),
        "explain": fr.explain(FIRST, SECOND),
        "recurrence": fr.recurrence(runs),
        "stability": fr.stability(halves, XY[:, 0], [2, 3], repeats=3, reference=None),
    }


@pytest.fixture(scope="module")
def found():
    return results()


#: Every plot that draws on one axes.
ONE = {
    "comparison": lambda r, ax: fr.plot.comparison(r["comparison"], ax),
    "interval": lambda r, ax: fr.plot.interval(r["interval"], ax),
    "significance": lambda r, ax: fr.plot.significance(r["significance"], ax),
    "laws": lambda r, ax: fr.plot.laws(r["check"], ax),
    "pairwise": lambda r, ax: fr.plot.pairwise(r["pairwise"], ax),
    "simplex": lambda r, ax: fr.plot.simplex(SOFT, ax),
    "overlap": lambda r, ax: fr.plot.overlap(r["match"], ax),
    "flow": lambda r, ax: fr.plot.flow(r["match"], ax, names=("truth.csv", "second run.csv")),
    "points": lambda r, ax: fr.plot.points(XY, r["explain"], ax),
    "recurrence": lambda r, ax: fr.plot.recurrence(r["recurrence"], ax),
    "stability": lambda r, ax: fr.plot.stability(r["stability"], ax),
    "firmness": lambda r, ax: fr.plot.firmness(r["stability"], ax),
}
SEVERAL = {
    "clusters": lambda r, axes: fr.plot.clusters(r["explain"], axes),
    "memberships": lambda r, axes: fr.plot.memberships(r["align"], axes),
}


def test_every_plot_is_tried():
    assert {*ONE, *SEVERAL} == set(fr.plot.__all__)


@pytest.mark.parametrize("name", ONE)
def test_axes_are_returned(found, name):
    from matplotlib.axes import Axes

    assert isinstance(ONE[name](found, None), Axes)
    _, ax = plt.subplots()
    assert ONE[name](found, ax) is ax


@pytest.mark.parametrize("name", SEVERAL)
def test_arrays_of_axes_are_returned(found, name):
    from matplotlib.axes import Axes

    axes = SEVERAL[name](found, None)
    assert isinstance(axes, np.ndarray)
    assert all(isinstance(ax, Axes) for ax in axes)


def test_every_result_with_a_picture_can_be_drawn(found):
    for result in found.values():
        first = np.ravel(np.asarray(result.plot(), dtype=object))[0]
        assert hasattr(first, "figure")


def test_explanations_are_drawn_at_coordinates_if_there_are_any(found):
    assert found["explain"].plot(XY).collections
    assert len(found["explain"].plot()) == 2


def boxes(axes):
    """Return the texts of a picture with their boxes, in pixels."""
    figure = axes.figure
    figure.canvas.draw()
    texts = [axes.xaxis.label, axes.yaxis.label, axes.title, axes._left_title]
    texts += axes.texts
    if axes.axison:
        for axis, place in ((axes.xaxis, 0), (axes.yaxis, 1)):
            low, high = sorted(axis.get_view_interval())
            texts += [
                label
                for label in axis.get_ticklabels()
                if low <= label.get_position()[place] <= high
            ]
    else:
        texts = axes.texts
    if axes.get_legend() is not None:
        texts += axes.get_legend().get_texts()
    return [
        (text.get_text(), text.get_window_extent())
        for text in texts
        if text.get_visible() and text.get_text().strip()
    ]


HALF = (3.6, 3.2)


@pytest.mark.parametrize("size", [None, HALF], ids=["wide", "half"])
@pytest.mark.parametrize("name", ONE)
def test_texts_are_in_the_picture_and_do_not_overlap(found, name, size):
    ax = None if size is None else plt.figure(figsize=size, layout="constrained").subplots()
    require_readable(ONE[name](found, ax))


@pytest.mark.parametrize("size", [None, HALF], ids=["wide", "half"])
def test_twenty_clusters_with_long_names_can_be_read(size):
    rng = np.random.default_rng(0)
    names = np.array([f"cluster of documents about subject {i}" for i in range(20)])
    first = rng.integers(20, size=1000)
    second = np.where(rng.random(1000) < 0.85, first, rng.integers(20, size=1000))

    def new(*grid):
        if size is None:
            return None
        return plt.figure(figsize=size, layout="constrained").subplots(*grid)

    result = fr.explain(names[first], names[second])
    require_readable(fr.plot.overlap(result.matching, new()))
    require_readable(fr.plot.flow(result.matching, new()))
    runs = {"the first run": names[first], "the second run": names[second]}
    for axes in (fr.plot.clusters(result, new(1, 2)), fr.plot.memberships(runs, new(2, 1))):
        for ax in axes:
            require_readable(ax)


def require_readable(axes):
    placed = boxes(axes)
    width, height = axes.figure.canvas.get_width_height()
    for text, box in placed:
        assert box.x0 > -2.0, text
        assert box.y0 > -2.0, text
        assert box.x1 < width + 2.0, text
        assert box.y1 < height + 2.0, text
    for (one, box), (other, another) in itertools.combinations(placed, 2):
        wide = min(box.x1, another.x1) - max(box.x0, another.x0)
        high = min(box.y1, another.y1) - max(box.y0, another.y0)
        assert wide < 1.5 or high < 1.5, (one, other)


def test_names_are_spread_as_little_as_it_takes():
    rng = np.random.default_rng(0)
    for _ in range(30):
        widths = rng.uniform(0.1, 1.0, size=8)
        places = np.sort(rng.uniform(0.0, 10.0, size=8))
        moved = spread_out(places, widths, 0.0, 10.0)
        gaps = np.diff(moved) - 0.5 * (widths[1:] + widths[:-1])
        assert gaps.min() > -1e-12
        assert moved[0] - 0.5 * widths[0] > -1e-12
        assert moved[-1] + 0.5 * widths[-1] < 10.0 + 1e-12
    far = np.arange(5.0)
    np.testing.assert_allclose(spread_out(far + 1.0, np.full(5, 0.5), 0.0, 10.0), far + 1.0)
