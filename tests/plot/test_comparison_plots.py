"""Pictures with Matplotlib: what is drawn is what was found."""

import sys

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._base.errors import MissingExtraError
from fuzzyrand.plot._charts.heat import similar_first
from fuzzyrand.plot._style import ground

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")

RNG = np.random.default_rng(2)
SOFT, SOFTER = RNG.dirichlet([0.4, 0.6, 0.5], 60), RNG.dirichlet([2.0, 1.0, 1.0], 60)
HARD, OTHER = RNG.integers(3, size=60), RNG.integers(2, size=60)
RUNS = {"soft": SOFT, "$hard$": HARD, "a very long name of a clustering, indeed": OTHER}
#: Dollars would start mathematics, and the middle of long names is left out.
SHOWN = {
    "soft": "soft",
    "$hard$": r"\$hard\$",
    "a very long name of a clustering, indeed": "a very lo…clustering, indeed",
}


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def drawn(axes):
    """Laid out in full, which is where labels that cannot be drawn would fail."""
    axes.figure.canvas.draw()
    return axes


def texts(axes):
    return [text.get_text() for text in axes.texts]


def test_a_comparison_has_a_line_a_model():
    table = fr.compare(SOFT, SOFTER, model=["perm", "flat", "sym"], tol=0.01)
    axes = drawn(fr.plot.comparison(table))
    assert [label.get_text() for label in axes.get_yticklabels()] == table.models
    assert texts(axes)[:3] == [f"{c.adjusted:.3f}" for c in table]
    thick = [line.get_xdata() for line in axes.lines if line.get_linewidth() == 5.0]
    np.testing.assert_allclose(thick, [(c.expected, c.observed) for c in table])
    low, high = axes.get_xlim()
    assert low < min(c.expected for c in table)
    assert high > 1.0


def test_one_comparison_is_a_table_of_one():
    c = fr.compare(HARD, OTHER, model="num")
    axes = drawn(fr.plot.comparison(c))
    assert texts(axes)[0] == f"{c.adjusted:.3f}"
    assert f"observed {c.observed:.3f}" in [t.get_text() for t in axes.get_legend().get_texts()]


def test_less_than_chance_has_a_colour_of_its_own():
    labels = np.repeat(np.arange(5), 5)
    c = fr.compare(labels, np.tile(np.arange(5), 5), model="perm")
    assert c.adjusted < 0
    (bar,) = [line for line in fr.plot.comparison(c).lines if line.get_linewidth() == 5.0]
    assert bar.get_color() == ground().model


def test_a_heat_map_is_ordered_unless_told_otherwise():
    result = fr.pairwise(RUNS, model="perm")
    for order in (True, False):
        axes = drawn(fr.plot.pairwise(result, order=order))
        place = similar_first(result.adjusted) if order else np.arange(3)
        values = result.adjusted[np.ix_(place, place)]
        np.testing.assert_allclose(axes.images[0].get_array(), values)
        assert texts(axes) == [f"{value + 0.0:.2f}" for value in np.round(values.ravel(), 2)]
        shown = [label.get_text() for label in axes.get_yticklabels()]
        assert shown == [SHOWN[result.rows[i]] for i in place]


def test_a_reference_stands_upright():
    result = fr.pairwise(RUNS, reference="soft", model="perm")
    axes = drawn(fr.plot.pairwise(result))
    values = axes.images[0].get_array()
    assert values.shape == (3, 1)
    np.testing.assert_allclose(values[:, 0], np.sort(result.adjusted[0])[::-1])


def test_many_clusterings_have_no_numbers_and_very_many_no_names():
    labels = {str(i): np.roll(HARD, i) for i in range(61)}
    some = fr.plot.pairwise(fr.pairwise(dict(list(labels.items())[:20]), model="perm"))
    assert texts(some) == []
    assert len(some.get_yticks()) == 20
    assert len(fr.plot.pairwise(fr.pairwise(labels, model="perm")).get_yticks()) == 0


def test_axes_of_the_caller_are_used():
    _, axes = plt.subplots()
    for drawing in (
        lambda ax: fr.plot.comparison(fr.compare(HARD, OTHER, model="perm"), ax),
        lambda ax: fr.plot.pairwise(fr.pairwise(RUNS, model="perm"), ax),
        lambda ax: fr.plot.simplex(SOFT, ax),
        lambda ax: fr.plot.laws(fr.check_model(SOFT), ax),
    ):
        assert drawing(axes) is axes


def test_without_matplotlib_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(MissingExtraError, match=r"fuzzyrand\[plot\]"):
        fr.plot.simplex(SOFT)
