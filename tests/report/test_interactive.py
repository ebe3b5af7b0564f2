"""Pages to explore: their numbers, what they hold, and what a hand does with them in a browser."""

import csv
import json
import pickle
import re
import sys
from html import unescape

import numpy as np
import pytest
from hypothesis import given

import fuzzyrand as fr
from fuzzyrand.report import interactive_report, pair_data
from fuzzyrand.report.coordinates import principal_components
from fuzzyrand.report.pair_data import PairData, shown_points
from fuzzyrand.report.recurrence_explorer import run_places

from .. import browser
from ..examples import examples
from ..reports import EVIL, LONG, evil_points, runs
from ..strategies import two_clusterings

pytest.importorskip("altair", reason="no Altair here: the interactive pages are not tested")


def chart_of(page):
    """The charts of a page, as Vega-Lite."""
    return json.loads(re.search(r'id="chart">(.*?)</script>', page, re.DOTALL)[1])


def variables(chart):
    return {param["name"]: param.get("value") for param in chart["params"]}


def values(chart):
    """The columns of the points, and those of the cells of the table."""
    return chart["data"]["values"]


def soft_and_hard(n=60, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=n)
    soft = rng.dirichlet([0.4] * 4, n)
    soft[np.arange(n), truth] += 0.6
    return np.array(["red", "green", "blue"])[truth], soft / soft.sum(axis=1, keepdims=True)


@examples(5)
@given(two_clusterings())
def test_scores_and_indices_are_those_of_explain_under_every_model(pair):
    try:
        result = fr.explain(*pair, tol=0.01)
    except fr.NotApplicableError:  # such as one cluster on both sides
        return
    explored = PairData.of(result, ("a", "b"))
    points = np.array(explored.points["discordance"])
    for c in explored.comparisons:
        own = fr.explain(*pair, model=c.model, tol=0.01)
        chance = explored.chance[c.model]
        scores = 1.0 - points / chance if chance > 1e-12 else np.ones(points.size)
        error = max(1e-6, 6.0 * own.comparison.stderr)
        np.testing.assert_allclose(scores, own.points, rtol=error, atol=error)
        assert explored.adjusted(c) == pytest.approx(own.adjusted, abs=error)


@pytest.mark.parametrize("options", [{}, {"index": "mi"}, {"weights": np.arange(1.0, 61.0)}])
def test_a_page_holds_the_numbers_of_its_result(options):
    truth, soft = soft_and_hard()
    table = fr.compare(truth, soft, model=["perm", "fit", "sym"], **options)
    chart = chart_of(interactive_report(table))
    known, (points, cells) = variables(chart), values(chart)
    assert known["model"] == "perm"
    assert list(known["chance"]) == table.models
    for c in table:
        own = fr.explain(truth, soft, model=c.model, **options)
        scores = 1.0 - np.array(points["discordance"]) / known["chance"][c.model]
        np.testing.assert_allclose(scores, own.points, rtol=1e-6, atol=1e-6)
        assert known["adjusted"][c.model] == pytest.approx(c.adjusted, abs=1e-12)
    own = fr.explain(truth, soft, **options)
    assert points["id"] == [str(place) for place in range(60)]
    found = list(zip(cells["row"], cells["column"], cells["overlap"], strict=True))
    for row, column, overlap in found:
        if row >= 0 and column >= 0:
            assert overlap == pytest.approx(own.overlap[row, column], rel=1e-5)
        else:
            side, cluster = (0, row) if column < 0 else (1, column)
            assert overlap == pytest.approx(own.sizes[side][cluster], rel=1e-5)
    means = [mean for mean in cells["mean"] if mean is not None]
    scores = 1.0 - np.array(means) / known["chance"]["perm"]
    wanted = np.concatenate(own.clusters)
    np.testing.assert_allclose(np.sort(scores), np.sort(wanted), atol=1e-4)
    strongest = [clusters[0] for clusters in points["in_second"]]
    assert strongest == soft.argmax(axis=1).tolist()


def test_scores_of_an_index_that_is_measured_against_itself():
    truth, soft = soft_and_hard()
    result = fr.compare(truth, soft, index="brouwer", model=["perm", "fit"], maximum="self")
    explored = PairData.of(result, ("a", "b"))
    assert result.main.maximum < 1.0
    for c in explored.comparisons:
        own = fr.explain(truth, soft, index="brouwer", model=c.model)
        assert explored.adjusted(c) == pytest.approx(own.adjusted, abs=1e-9)


def test_of_many_points_the_lowest_and_some_others_are_shown(monkeypatch):
    scores = np.random.default_rng(0).normal(size=300)
    assert shown_points(scores).tolist() == list(range(300))
    monkeypatch.setattr(pair_data, "POINTS", 100)
    monkeypatch.setattr(pair_data, "LOWEST", 50)
    shown = shown_points(scores)
    assert len(set(shown.tolist())) == 100
    assert set(np.argsort(scores)[:50]) <= set(shown.tolist())
    assert shown.tolist() == shown_points(scores).tolist()
    truth, soft = soft_and_hard(300)
    result = fr.explain(truth, soft)
    page = interactive_report(result)
    assert "100 of 300 points" in page
    assert result.own_notes
    assert all(str(remark).lower() in unescape(page).lower() for remark in result.own_notes)
    points, cells = values(chart_of(page))
    assert len(points["id"]) == 100
    assert sum(
        amount for amount, row in zip(cells["overlap"], cells["mean"], strict=True) if row is None
    ) == pytest.approx(300, rel=1e-4)


def test_places_are_principal_components_and_points_are_told_apart():
    rng = np.random.default_rng(1)
    u, v = rng.dirichlet([1, 1, 1], 40), rng.dirichlet([1, 2], 40)
    joined = np.hstack([u, v])
    left, lengths, _ = np.linalg.svd(joined - joined.mean(axis=0), full_matrices=False)
    wanted = left[:, :2] * lengths[:2]
    found = principal_components([fr.as_partition(u), fr.as_partition(v)])
    np.testing.assert_allclose(np.abs(found), np.abs(wanted), atol=1e-9)
    labels = rng.integers(3, size=200)
    places = principal_components([fr.as_partition(labels), fr.as_partition(labels)])
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2) + 9.0 * np.eye(200)
    assert gaps.min() > 0.005 * np.ptp(places)
    same = labels[:, None] == labels[None]
    assert gaps[~same].min() > gaps[same & (gaps < 9)].max() / 2
    assert principal_components([fr.as_partition(np.zeros(5))]).shape == (5, 2)


def test_given_places_are_matched_by_ids():
    import pandas as pd

    truth, soft = soft_and_hard(20)
    ids = [f"p{i}" for i in range(20)]
    xy = pd.DataFrame(np.arange(40.0).reshape(20, 2), index=ids)
    result = fr.explain(pd.Series(truth, ids), pd.DataFrame(soft, ids))
    points, _ = values(chart_of(interactive_report(result, xy=xy.sample(frac=1, random_state=0))))
    assert points["id"] == ids
    assert points["x"] == xy[0].tolist()
    assert points["y"] == xy[1].tolist()
    with pytest.raises(fr.InputError, match=r"expected two coordinates for each point, \(20, 2\)"):
        result.explore(np.zeros((20, 3)))


def test_covers_noise_and_one_cluster_have_pages_too():
    cover = fr.as_cover(np.array([[1, 0], [1, 1], [0, 1], [0, 0], [1, 1], [0, 1]]))
    other = fr.as_cover(np.array([[1, 0], [1, 0], [0, 1], [0, 1], [1, 1], [0, 1]]))
    points, _ = values(chart_of(interactive_report(fr.explain(cover, other, index="omega"))))
    assert points["in_first"] == [[0], [0, 1], [1], [], [0, 1], [1]]
    noisy = fr.explain([0, 0, 1, 1, -1, -1], [0, 0, 0, 1, 1, 1], noise=-1, noise_as="singletons")
    chart = chart_of(interactive_report(noisy))
    assert variables(chart)["first_names"][values(chart)[0]["in_first"][4][0]] == "noise"
    same = fr.explain([0, 0, 1, 1], [0, 0, 1, 1])
    assert set(values(chart_of(interactive_report(same)))[0]["discordance"]) == {0.0}


def test_of_many_clusters_the_largest_are_in_the_table():
    labels = np.repeat(np.arange(40), np.arange(2, 42))
    page = interactive_report(fr.explain(labels, labels))
    assert "10 of the first clustering and 10 of the second are not in it" in unescape(page)
    points, cells = values(chart_of(page))
    assert set(cells["row"]) == {*range(10, 40), -1}
    assert len(points["id"]) == labels.size


def test_a_page_holds_everything_and_fetches_nothing():
    page = interactive_report(fr.explain(*evil_points()), names=(EVIL, LONG), command=EVIL)
    assert len(page) < 1.3e6
    assert "<script>alert" not in page
    assert "default-src 'none'; " in page
    assert "unsafe-eval" not in page
    # Names of languages and of Vega's own pages, which nothing loads.
    named = set(re.findall(r"https?://([\w.-]+)", page))
    assert named <= {"www.w3.org", "vega.github.io", "github.com"}
    assert not re.search(r"<[^>]*\b(src|href)\s*=\s*[\"']?https?:", page)
    assert variables(chart_of(page))["first_names"][:2] == [LONG, EVIL] or EVIL in str(
        chart_of(page)
    )


def test_what_no_file_can_hold_does_no_harm():
    page = interactive_report(fr.explain(list("aabb"), list("xxxy")), names=("\udcff", "b\x00"))
    assert page.encode("utf-8")


def test_errors_say_what_to_do(monkeypatch, tmp_path):
    truth, soft = soft_and_hard()
    result = fr.compare(truth, soft)
    with pytest.raises(fr.ParameterError, match="add interactive=True"):
        result.report(tmp_path / "page.html", xy=np.zeros((60, 2)))
    with pytest.raises(fr.NotApplicableError, match="not a mean over points"):
        fr.compare(truth, soft, index="frobenius").explore()
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(fr.MissingExtraError, match=r'pip install "fuzzyrand\[interactive\]"'):
        result.explore()
    monkeypatch.undo()
    from fuzzyrand.report.vega import vega_scripts

    vega_scripts.cache_clear()
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(fr.MissingExtraError, match=r'pip install "fuzzyrand\[interactive\]"'):
        result.report(tmp_path / "page.html", interactive=True)
    assert not (tmp_path / "page.html").exists()


def test_notebooks_get_a_chart():
    import altair as alt

    truth, soft = soft_and_hard()
    for result in (fr.compare(truth, soft), fr.explain(truth, soft), fr.recurrence(runs(6))):
        chart = result.explore()
        assert isinstance(chart, alt.ConcatChart)
        assert len(chart.to_dict()["concat"]) == 4
        again = pickle.loads(pickle.dumps(result)).explore()
        assert again.to_dict()["data"] == chart.to_dict()["data"]


# --- in a browser --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def chromium():
    if browser.find() is None:
        pytest.skip("no Chromium or no Playwright here; nobody explores the pages")
    with browser.Browser() as started:
        yield started


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A result on two clusterings, one on many runs, and their pages."""
    folder = tmp_path_factory.mktemp("pages")
    truth, soft = soft_and_hard()
    result, many = fr.explain(truth, soft), fr.recurrence(runs(12))
    result.report(folder / "two.html", interactive=True, names=("truth", "soft"))
    many.report(folder / "runs.html", interactive=True)
    evil = interactive_report(fr.explain(*evil_points()), names=(EVIL, LONG), command=EVIL)
    (folder / "evil.html").write_text(evil, encoding="utf-8")
    return {"two": result, "runs": many, "folder": folder}


#: Position and size of a chart on the screen.
PLACE = """
(name) => {
  let found;
  const walk = (mark, x, y) => {
    if (mark.marktype !== "group") return;
    for (const item of mark.items) {
      const [left, top] = [x + (item.x || 0), y + (item.y || 0)];
      const { width, height } = item;
      if (mark.name === `${name}_group`) found = { x: left, y: top, width, height };
      item.items.forEach((inner) => walk(inner, left, top));
    }
  };
  walk(view.scenegraph().root, ...view.origin());
  const box = document.querySelector("#view canvas").getBoundingClientRect();
  const { left, top } = view.padding();
  return { ...found, x: found.x + box.left + left, y: found.y + box.top + top };
}
"""


#: The points of the map, as they are drawn.
DOTS = """
() => view.scenegraph().root.items[0].items.find((mark) => mark.name === "map_group").items[0].items
  .find((mark) => mark.name === "map_marks")
  .items.map(({ datum, x, y, opacity }) => ({ point: datum.point, x, y, opacity }))
"""
#: All texts of marks, from top to bottom.
TEXTS = """
() => {
  const found = [];
  const walk = (mark) => {
    for (const item of mark.items) {
      if (mark.marktype === "group") item.items.forEach(walk);
      else if (mark.marktype === "text" && mark.role === "mark") found.push(item.text);
    }
  };
  walk(view.scenegraph().root);
  return found;
}
"""
READY = "() => window.view && document.querySelector('#count').textContent"


class Hand:
    """What somebody does with a page."""

    def __init__(self, chromium, path, **options):
        chromium.open(path, **{"height": 2400, **options})
        self.browser, self.page = chromium, chromium.page
        self.page.wait_for_function(READY)

    @property
    def ids(self):
        return self.page.locator("#list tbody tr td:first-child").all_text_contents()

    @property
    def dots(self):
        return self.page.evaluate(DOTS)

    @property
    def count(self):
        return self.page.text_content("#count")

    def at(self, chart, x, y):
        box = self.page.evaluate(PLACE, chart)
        return box["x"] + x * box["width"], box["y"] + y * box["height"]

    def settle(self):
        self.page.evaluate("view.runAsync().then(() => new Promise(requestAnimationFrame))")
        self.page.wait_for_timeout(50)

    def drag(self, chart, start, end):
        self.page.mouse.move(*self.at(chart, *start))
        self.page.mouse.down()
        self.page.mouse.move(*self.at(chart, *end), steps=4)
        self.page.mouse.up()
        self.settle()

    def click(self, chart, x, y):
        self.page.mouse.click(*self.at(chart, x, y))
        self.settle()

    def press(self, button):
        self.page.click(f"#{button}")
        self.page.wait_for_function(READY)
        self.settle()


@pytest.mark.parametrize("name", ["two", "runs", "evil"])
def test_a_browser_shows_the_pages_without_a_network(name, chromium, pages):
    for width, dark in ((1200, False), (390, True)):
        hand = Hand(chromium, pages["folder"] / f"{name}.html", width=width, dark=dark)
        hand.page.context.set_offline(True)
        hand.page.reload()
        hand.page.wait_for_function(READY)
        hand.page.context.set_offline(False)
        assert hand.browser.complaints == []
        assert hand.browser.requests == []
        root = "document.documentElement"
        assert chromium.run(f"{root}.scrollWidth - {root}.clientWidth") <= 0
        canvas, box = chromium.run(
            "['#view canvas', '#view']"
            ".map((part) => document.querySelector(part).getBoundingClientRect().width)"
        )
        assert 0.7 * box < canvas <= box
        # Not even long names make the charts smaller than they were drawn.
        assert chromium.run("document.querySelector('canvas').width / devicePixelRatio") <= box + 1
        assert chromium.run("view.signal('paper')") == ("#14171b" if dark else "#ffffff")
        assert hand.count.startswith("All ")


def test_names_with_markup_do_no_harm(chromium, pages):
    hand = Hand(chromium, pages["folder"] / "evil.html")
    said = []
    hand.page.once("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    for chart in ("map", "overlaps"):
        hand.page.mouse.move(*hand.at(chart, 0.3, 0.4))
        hand.page.mouse.move(*hand.at(chart, 0.2, 0.3))
        hand.settle()
        hand.page.locator("#vg-tooltip-element.visible").wait_for()
    hand.click("overlaps", 0.2, 0.3)
    assert "chosen" in hand.count
    assert said == []
    assert chromium.run("document.images.length") == 0
    assert hand.browser.complaints == []


def test_the_list_begins_with_the_lowest_scores(chromium, pages):
    hand, result = Hand(chromium, pages["folder"] / "two.html"), pages["two"]
    assert hand.count == "All 60 points"
    assert hand.ids == [str(p) for p in np.argsort(result.points, kind="stable")]
    scores = hand.page.locator("#list tbody tr td:nth-child(2)").all_text_contents()
    assert [float(score) for score in scores[:3]] == pytest.approx(
        np.sort(result.points)[:3], abs=1e-4
    )


def test_dragging_over_scores_chooses_points_in_all_charts(chromium, pages):
    hand, result = Hand(chromium, pages["folder"] / "two.html"), pages["two"]
    hand.drag("histogram", (0.02, 0.5), (0.5, 0.6))
    low, high = chromium.run("view.signal('scores').low")
    wanted = np.flatnonzero((result.points >= low) & (result.points <= high))
    assert 0 < wanted.size < 60
    assert sorted(map(int, hand.ids)) == wanted.tolist()
    assert hand.count == f"{wanted.size} chosen points"
    faint = [dot for dot in hand.dots if dot["opacity"] < 0.5]
    assert {dot["point"] for dot in faint} == set(range(60)) - set(wanted.tolist())
    hand.press("clear")
    assert hand.count == "All 60 points"


def test_a_click_on_a_cell_or_a_cluster_lists_its_points(chromium, pages):
    hand, result = Hand(chromium, pages["folder"] / "two.html"), pages["two"]
    first, second = (side.rows.strongest for side in result.partitions)
    chart = PairData.of(result, ("a", "b")).overlap
    rows, columns = len(chart.rows) + 1, len(chart.columns) + 1
    hand.click("overlaps", 0.5 / columns, 0.3 / rows)
    both = (first == chart.rows[0]) & (second == chart.columns[0])
    assert sorted(map(int, hand.ids)) == np.flatnonzero(both).tolist()
    hand.click("overlaps", 1 - 0.5 / columns, 1.3 / rows)  # all of a row
    assert sorted(map(int, hand.ids)) == np.flatnonzero(first == chart.rows[1]).tolist()
    hand.click("overlaps", 1.5 / columns, 1 - 0.3 / rows)  # all of a column
    assert sorted(map(int, hand.ids)) == np.flatnonzero(second == chart.columns[1]).tolist()


def test_the_pointer_shows_memberships_and_an_area_chooses(chromium, pages):
    hand, result = Hand(chromium, pages["folder"] / "two.html"), pages["two"]
    before = chromium.run("view.signal('hover').point[0]")
    assert before == result.points.argmin()
    points = PairData.of(result, ("a", "b")).points
    target = int(np.argmax(points["x"]))
    box = hand.page.evaluate(PLACE, "map")
    (dot,) = [dot for dot in hand.dots if dot["point"] == target]
    hand.page.mouse.move(box["x"] + dot["x"] - 30, box["y"] + dot["y"])
    hand.page.mouse.move(box["x"] + dot["x"], box["y"] + dot["y"])
    hand.settle()
    assert chromium.run("view.signal('hover').point[0]") == target
    said = hand.page.locator("#vg-tooltip-element tr").all_text_contents()
    cluster = result.names[0][result.partitions[0].rows.strongest[target]]
    assert said[0] == f"point{target}"
    assert said[1].endswith(f"{result.points[target]:.4f}".replace("-", "−"))
    assert said[2] == f"truth{cluster}"
    written = hand.page.evaluate(TEXTS)
    row = result.partitions[1].rows.dense[target]
    names = result.names[1]
    order = [c for c in np.argsort(-row, kind="stable") if row[c] >= 0.005]
    assert f"{cluster}: 1" in written
    assert [text for text in written if re.fullmatch(r".*: 0\.\d+", text)] == [
        f"{names[c]}: {float(f'{row[c]:.3g}'):.3f}".rstrip("0") for c in order
    ]
    hand.drag("map", (0.02, 0.02), (0.5, 0.98))
    low, high = chromium.run("view.signal('area').x")
    bottom, top = chromium.run("view.signal('area').y")
    places = zip(points["x"], points["y"], strict=True)
    inside = [i for i, (x, y) in enumerate(places) if low <= x <= high and bottom <= y <= top]
    assert 0 < len(inside) < 60
    assert sorted(map(int, hand.ids)) == inside


def test_the_menu_changes_the_model_of_everything(chromium, pages):
    hand, result = Hand(chromium, pages["folder"] / "two.html"), pages["two"]
    truth, soft = soft_and_hard()
    for model in ("flat", "fit"):
        hand.page.select_option("#menu select", model)
        hand.settle()
        own = fr.explain(truth, soft, model=model)
        facts = hand.page.locator("[data-model]:not([hidden]) .facts dd").first.text_content()
        assert facts.startswith(f"{own.adjusted:.4f}")
        scores = hand.page.locator("#list tbody tr td:nth-child(2)").all_text_contents()
        np.testing.assert_allclose([float(s) for s in scores], np.sort(own.points), atol=6e-5)
    assert result.comparison.model == "perm"


def test_what_is_chosen_can_be_copied_and_saved(chromium, pages, tmp_path):
    hand, result = Hand(chromium, pages["folder"] / "two.html"), pages["two"]
    hand.drag("histogram", (0.02, 0.5), (0.4, 0.5))
    hand.page.click("#copy")
    hand.page.locator("#said", has_text="Copied.").wait_for()
    assert chromium.run("navigator.clipboard.readText()").split("\n") == hand.ids
    with hand.page.expect_download() as download:
        hand.page.click("#save")
    download.value.save_as(tmp_path / "points.csv")
    with (tmp_path / "points.csv").open(newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    assert head == ["point", "score", "truth", "soft"]
    assert [row[0] for row in rows] == hand.ids
    for row in rows:
        assert float(row[1]) == pytest.approx(result.points[int(row[0])], abs=1e-6)


def test_families_runs_and_points_are_linked(chromium, pages):
    hand, result = Hand(chromium, pages["folder"] / "runs.html"), pages["runs"]
    families = [f.number for f in result.families if f.runs > 1]
    hand.click("families", 0.5 / 12, 0.5 / len(families))
    assert chromium.run("view.signal('cell').family") == [families[0]]
    assert sorted(map(int, hand.ids)) == np.flatnonzero(result.home == families[0]).tolist()
    hand.press("clear")
    hand.drag("histogram", (0.02, 0.5), (0.5, 0.5))
    low, high = chromium.run("view.signal('scores').low")
    wanted = np.flatnonzero((result.points >= low) & (result.points <= high))
    assert sorted(map(int, hand.ids)) == wanted.tolist()
    hand.drag("run_map", (0.05, 0.05), (0.6, 0.9))
    low, high = chromium.run("view.signal('runs').run_x")
    bottom, top = chromium.run("view.signal('runs').run_y")
    x, y = run_places(result.adjusted).T
    inside = (low <= x) & (x <= high) & (bottom <= y) & (y <= top)
    assert 0 < inside.sum() < 12
    kept = {c.run for c in result.clusters} & {result.runs[i] for i in np.flatnonzero(inside)}
    bright = chromium.run(
        "() => view.scenegraph().root.items[0].items.find((m) => m.name === 'families_group')"
        ".items[0].items.find((m) => m.name === 'families_marks').items"
        ".filter((i) => i.opacity > 0.2).map((i) => i.datum.run_name)"
    )
    assert set(bright) <= kept
