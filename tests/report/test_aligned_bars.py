"""The bars of many clusterings in a report: their colours, their heights, and what is left out."""

import re

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand.report import aligned_bars as drawing
from fuzzyrand.report import pairwise_report
from fuzzyrand.report.aligned_bars import BARS, HEIGHT, aligned_bars

from ..reports import EVIL, HARD, LONG, OTHER, SOFT, SOFTER, Outline, made


def bars(runs, **options):
    result = fr.pairwise(runs, **{"model": "perm", **options})
    return aligned_bars(result, result.columns)


def heights(path):
    """The height of each bar of a path, as a share."""
    steps = re.findall(r"([HV])(\d+)", path)
    assert path.startswith(f"M0 {HEIGHT}")
    assert path.endswith(f"V{HEIGHT}z")
    x, y, out = 0, HEIGHT, []
    for kind, number in steps[:-1]:
        if kind == "H":
            out += [(HEIGHT - y) / HEIGHT] * (int(number) - x)
            x = int(number)
        else:
            y = int(number)
    return np.array(out)


def test_bars_are_the_memberships_in_a_common_order():
    runs = {"a": SOFT, "b": SOFT.memberships[:, [2, 0, 1]], "c": SOFT.memberships[:, [1, 2, 0]]}
    drawn = bars(runs)
    assert drawn.reference == "a"  # all are the same
    main = SOFT.memberships.argmax(axis=1)
    order = np.lexsort((-SOFT.memberships.max(axis=1), main))
    tops = np.cumsum(SOFT.memberships[order], axis=1)
    for stack in drawn.stacks:
        assert [colour for colour, _ in stack.paths] == [c for c, _ in drawn.legend][::-1]
        found = np.column_stack([heights(path) for _, path in stack.paths][::-1])
        np.testing.assert_allclose(found, tops, atol=0.5 / HEIGHT + 1e-12)
    assert drawn.bars == drawn.points == drawn.sampled == 80


def test_neighbours_share_a_bar_where_there_are_many_points():
    rng = np.random.default_rng(0)
    soft = rng.dirichlet([0.5, 0.5, 0.5], 1000)
    drawn = bars({"a": soft, "b": soft})
    assert drawn.bars == BARS
    top = heights(drawn.stacks[0].paths[-1][1])  # of the first cluster
    assert top.size == BARS
    assert top.mean() == pytest.approx(soft[:, 0].mean(), abs=0.01)


def test_of_many_points_a_sample_is_drawn(monkeypatch):
    monkeypatch.setattr(drawing, "POINTS", 50)
    clusterings = {"hard": HARD, "soft": SOFT, "other": OTHER}
    result = fr.pairwise(clusterings, model="perm")
    drawn = aligned_bars(result, result.columns)
    assert (drawn.points, drawn.sampled, drawn.bars) == (80, 50, 50)
    text = " ".join(Outline(pairwise_report(result, command="x")).text.split())
    assert "Of 80 points, a random sample of 50 is drawn." in text


def test_clusterings_with_many_clusters_have_no_bars():
    rng = np.random.default_rng(0)
    many = rng.integers(13, size=80)
    assert bars({"a": many, "b": many % 12}) is None
    assert bars({"a": many % 12, "b": many % 12}) is not None
    assert bars({"alone": HARD}) is None


def test_more_than_thirty_clusterings_are_left_out():
    html = made("forty")
    assert html.count('<div class="stack">') == 30
    assert "10 more clusterings are not drawn." in html


def test_a_reference_comes_first_and_sets_the_order():
    drawn = bars({"b": OTHER, "c": SOFT}, reference=HARD)
    assert [stack.name for stack in drawn.stacks] == ["reference", "b", "c"]
    assert drawn.reference == "reference"
    assert len(drawn.stacks[0].paths) == 3  # no points are in a fourth
    inside = bars({"a": HARD, "b": OTHER, "c": SOFT}, reference="b")
    assert sorted(stack.name for stack in inside.stacks) == ["a", "b", "c"]
    assert inside.reference == "b"


def test_noise_is_nobodys_colour():
    noisy = np.where(HARD.codes == 2, -1, HARD.codes)
    drawn = bars({"a": noisy, "b": noisy, "c": noisy}, noise=-1, noise_as="singletons")
    assert len(drawn.legend) == 2
    top = heights(drawn.stacks[0].paths[0][1])
    assert top.mean() == pytest.approx(np.mean(HARD.codes != 2))


def test_memberships_that_sum_to_more_than_1_stay_inside():
    loose = fr.Partition.from_memberships(np.full((10, 3), 0.9), possibilistic=True)
    drawn = bars({"a": loose, "b": loose})
    assert heights(drawn.stacks[0].paths[0][1]).max() == 1.0


def test_names_are_escaped_and_pictures_described():
    outline = Outline(made("three"))
    labels = [value for name, value in outline.attributes if name == "aria-label"]
    told = [label for label in labels if label.startswith("Memberships in ")]
    assert len(told) == 3
    assert any(EVIL in label for label in told)
    assert any(LONG in label for label in told)


def test_the_medoid_is_named_with_its_mean():
    clusterings = {"a": HARD, "b": SOFT, "c": SOFTER, "d": OTHER}
    result = fr.pairwise(clusterings, model="perm")
    text = " ".join(Outline(pairwise_report(result, command="x")).text.split())
    mean = result.means[result.columns.index(result.medoid)]
    assert f"Most typical: {result.medoid} (mean adjusted index {mean:z.2f})." in text
    assert "Most typical" not in made("a reference")
    assert "Most typical" not in made("alone")
    fixed = fr.pairwise(clusterings, model="fit", fixed="first", tol=0.01)
    text = " ".join(Outline(pairwise_report(fixed, command="x")).text.split())
    assert ", over both directions)." in text


def test_individuals_are_named_in_the_order_of_their_bars():
    pd = pytest.importorskip("pandas")
    soft = pd.DataFrame([[0.2, 0.8], [0.9, 0.1], [0.6, 0.4]], index=["Ada", "<Bo>", "Cy"])
    page = pairwise_report(fr.pairwise({"soft": soft, "again": soft}), command="")
    assert "&lt;Bo&gt;, Cy, Ada</p>" in page
    assert page.count("<title>Cy</title>") == 2  # one in each row
    unnamed = pairwise_report(fr.pairwise({"a": soft.to_numpy(), "b": [0, 1, 1]}), command="")
    assert "Points from left to right" not in unnamed
