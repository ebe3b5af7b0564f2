"""Where two clusterings disagree, as reports tell it: overlaps, clusters, points, pictures."""

import pickle
import re
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import fuzzyrand as fr
from fuzzyrand._analysis import analysis as computing
from fuzzyrand._methods.explanation.explain import explanation_of
from fuzzyrand._methods.explanation.wallace import wallace_of
from fuzzyrand.plot._charts.flow import FlowChart
from fuzzyrand.plot._charts.overlap import OverlapChart
from fuzzyrand.report import comparison_report, explanation_report
from fuzzyrand.report.disagreement import MORE_POINTS, POINTS

from ..reports import EVIL, HARD, LONG, OTHER, SOFT, SOFTER, Outline, Tables, made, report, sixty


def explained_page(result, names=("one.csv", "two.csv")):
    return explanation_report(result, names=names, command="fuzzyrand explain")


def section(html):
    """The part of a comparison report that says where the clusterings disagree."""
    start = html.index("<h2>Where they disagree</h2>")
    return html[start : html.index("</section>", start)]


@pytest.mark.parametrize(
    ("first", "second", "options"),
    [
        (HARD, OTHER, {"index": "rand"}),
        (HARD, SOFT, {"fixed": "first", "model": "fit"}),
        (SOFT, SOFTER, {}),
        (SOFT, SOFTER, {"index": "brouwer", "model": "fit"}),
        (SOFT, SOFTER, {"index": "jousselme"}),
        (np.where(HARD.codes == 2, -1, HARD.codes), SOFT, {"noise": -1, "noise_as": "singletons"}),
        (np.where(HARD.codes == 2, -1, HARD.codes), OTHER, {"noise": -1, "noise_as": "drop"}),
    ],
    ids=["hard", "one side fixed", "fuzzy", "brouwer", "jousselme", "noise alone", "noise dropped"],
)
def test_the_numbers_are_those_of_the_explanation(first, second, options):
    options = {"model": "perm", "tol": 0.01, **options}
    result = fr.explain(first, second, **options)
    table = fr.compare(first, second, **{**options, "model": [options["model"]]})
    partitions = table[0].analysis.partitions
    page = comparison_report(table, *partitions, names=("one.csv", "two.csv"), command="x")
    for html in (section(page), explained_page(result)):
        tables = Tables(html)
        listed = [row for rows in tables.of("points") for row in rows[1:]]
        worst = result.worst(len(listed))
        assert [row[0] for row in listed] == [str(point.id) for point in worst]
        assert [row[1] for row in listed] == [f"{point.score:z.2f}" for point in worst]
        _same_belonging([row[2] for row in listed], [point.first for point in worst])
        _same_belonging([row[3] for row in listed], [point.second for point in worst])
        for side, rows in enumerate(tables.of("least")):
            scores = dict(zip(result.names[side], result.clusters[side], strict=True))
            assert [row[2] for row in rows[1:]] == [f"{scores[row[0]]:z.2f}" for row in rows[1:]]
            assert [float(row[2]) for row in rows[1:]] == sorted(float(row[2]) for row in rows[1:])
        (overlap,) = tables.of("overlap")
        _same_overlap(overlap, result)
        text = Outline(html).text
        assert result.wallace.sentence in text
        assert result.difference_sentence in text


def _same_belonging(shown, told):
    for cell, belongs in zip(shown, told, strict=True):
        if isinstance(belongs, str):
            assert cell == belongs
            continue
        strongest = [(name, share) for name, share in belongs.items() if share >= 0.005]
        words = ", ".join(f"{name} {share:.2f}" for name, share in strongest[:3])
        assert cell == words + ", …" * (len(strongest) > 3)


def _same_overlap(table, result):
    """The cells are the overlaps, with the columns in the order of their partners."""
    names, matching = result.names, result.matching
    rows = [names[0].index(row[0]) for row in table[1:-1]]
    columns = [names[1].index(name) for name in table[0][1:-1]]
    partners = min(len(matching.pairs), len(rows))
    assert list(zip(rows, columns, strict=False))[:partners] == matching.pairs
    decimals = 0 if (result.overlap == result.overlap.round()).all() else 1
    for row, cells in zip(rows, table[1:-1], strict=True):
        amounts = [*result.overlap[row, columns], result.overlap[row].sum()]
        assert cells[1:] == [f"{amount:,.{decimals}f}" if amount else "0" for amount in amounts]


def test_partners_are_marked():
    cells = re.findall(r'<td class="num cell( partner)?"', made("explained, hard"))
    result = fr.explain(HARD, OTHER, model="perm")
    assert cells.count(" partner") == len(result.matching.pairs) == 3
    assert len(cells) == result.overlap.size
    marked = re.findall(r'cell partner"[^>]*>([\d,]+)<', made("explained, hard"))
    assert [int(number) for number in marked] == [result.overlap[p] for p in result.matching.pairs]


def test_sixty_clusters_are_a_heat_map():
    first, second = sixty()
    for html in (section(made("sixty clusters")), made("explained, sixty")):
        assert not Tables(html).of("overlap")
        assert html.count('<svg class="heat overlaps"') == 1
        drawn = html[html.index('<svg class="heat overlaps"') :].partition("</svg>")[0]
        frames = re.search(r'<path class="frames" d="([^"]*)"', drawn)[1]
        assert frames.count("M") == len(fr.match(first, second).pairs) == 60
        assert drawn.count("topic ") >= 120  # names and titles of rows
        cells = "".join(re.findall(r'fill-opacity="[\d.]+" d="([^"]*)"', drawn))
        shares = OverlapChart.of(fr.match(first, second)).shares
        assert cells.count("M") == np.count_nonzero(np.round(20 * shares))
        assert len(drawn) < 60_000
    listed = Tables(section(made("sixty clusters"))).of("least")
    assert [len(rows) - 1 for rows in listed] == [8, 8]
    assert "52 more have higher scores" in Outline(section(made("sixty clusters"))).text
    assert made("explained, sixty").count('<svg class="heat flow"') == 1


def test_of_hundreds_of_clusters_the_largest_are_shown():
    rng = np.random.default_rng(0)
    first = rng.integers(130, size=3000)
    html = explained_page(fr.explain(first, first % 110, model="perm"))
    text = " ".join(Outline(html).text.split())
    assert "Only the largest clusters are shown; 30 of one.csv and 10 of two.csv are left" in text
    assert '<svg class="heat flow"' not in html
    chart = OverlapChart.of_largest(fr.match(first, first % 110), 100)
    kept = np.bincount(first)[chart.rows]
    assert kept.min() >= np.delete(np.bincount(first), chart.rows).max()
    assert chart.amounts.shape == (100, 100)


def test_empty_clusters_are_left_out_of_the_overlaps():
    sparse = fr.Partition.from_labels(HARD.codes, clusters=9)
    html = report(sparse, OTHER, ["perm"])
    (overlap,) = Tables(html).of("overlap")
    assert len(overlap) == 1 + 3 + 1
    assert "Empty clusters (6 and 0) are left out." in " ".join(Outline(html).text.split())


def test_more_points_open_with_a_click_up_to_a_number():
    rng = np.random.default_rng(0)
    first = rng.integers(4, size=3000)
    second = np.where(rng.random(3000) < 0.3, rng.integers(4, size=3000), first)
    ids = [f"point {i}" for i in range(3000)]
    result = fr.explain(pd.Series(first, ids), pd.Series(second, ids), model="perm")
    html = explained_page(result)
    shown, more = Tables(html).of("points")
    assert [row[0] for row in shown[1:] + more[1:]] == [p.id for p in result.worst(1020)]
    assert (len(shown) - 1, len(more) - 1) == (POINTS, MORE_POINTS) == (20, 1000)
    assert html.index("<details>") > html.index(shown[-1][0])
    assert "<summary>1,000 more points</summary>" in html
    assert "fuzzyrand explain --points FILE writes the scores of all 3,000" in Outline(html).text
    assert len(html) < 400_000


def test_points_that_are_seen_alike_are_not_listed():
    html = made("explained, the same")
    assert not Tables(html).of("points")
    assert "No point has a score below 1" in html
    result = fr.explain(list("aaabbbb"), list("xxxyyyz"), model="perm")
    (rows,) = Tables(explained_page(result)).of("points")
    assert [int(row[0]) for row in rows[1:]] == [6, 3, 4, 5]
    assert "Points are numbered from 0." in Outline(explained_page(result)).text


def test_hostile_names_of_points_and_clusters_arrive_as_text():
    html = made("explained, evil")
    outline = Outline(html)
    assert outline.elements["script"] == 1
    assert "img" not in outline.elements
    (points, more) = Tables(html).of("points")
    assert any(row[0].startswith("<script") for row in points + more)
    titles = [value for name, value in outline.attributes if name == "title"]
    assert f"{LONG}0" in titles
    assert any(title.startswith(EVIL) for title in titles)


def test_an_index_that_is_no_mean_over_pairs_says_so():
    html = made("no agreements")
    assert "is not a mean over points, so points and clusters have no scores" in section(html)
    assert not Tables(html).of("points")


def test_a_result_from_a_file_has_such_a_section():
    table = pickle.loads(pickle.dumps(fr.compare(HARD, OTHER, model=["perm"])))
    html = comparison_report(table, HARD, OTHER, names=("a", "b"), command="x")
    assert "Where they disagree" in html
    again = pickle.loads(pickle.dumps(fr.explain(HARD, OTHER, model="perm")))
    assert len(Tables(explained_page(again)).of("overlap")) == 1


def test_the_model_of_the_scores_is_named():
    html = " ".join(Outline(section(made("hard"))).text.split())
    c = fr.compare(HARD, OTHER, model="perm", index="rand")
    assert f"the adjusted index ({c.adjusted:z.4f} under perm)" in html
    assert "Under the other models the scores differ, but not their order." in html


def test_the_order_of_scores_is_the_same_under_all_models():
    scores = [fr.explain(SOFT, SOFTER, model=m, tol=0.01).points for m in ("perm", "fit", "flat")]
    orders = [np.argsort(each, kind="stable").tolist() for each in scores]
    assert orders[0] == orders[1] == orders[2]


def test_a_maximum_below_1_is_not_that_of_the_scores():
    html = " ".join(Outline(section(made("not reflexive"))).text.split())
    assert "A score of 1 is perfect agreement here" in html
    c = fr.compare(SOFT, SOFTER, model="perm", index="brouwer", tol=0.01)
    assert f"the adjusted index ({c.adjusted:z.4f} under perm)" in html


def test_noise_without_company_has_no_cluster_but_a_word():
    html = made("noise")
    (overlap,) = Tables(html).of("overlap")
    assert len(overlap) == 1 + 2 + 1
    cells = {row[2] for rows in Tables(html).of("points") for row in rows[1:]}
    assert cells == {"0", "1", "noise"}


def test_overlaps_where_all_is_noise_are_left_out():
    noise, other = fr.as_partition([0, 0, -1, -1]), fr.as_partition([-1, -1, 1, 1])
    result = fr.explain(noise, other, noise=-1, noise_as="singletons", model="perm")
    html = explained_page(result)
    assert "The overlaps of clusters are not shown" in html
    assert "<svg" not in html


def test_an_existing_comparison_is_not_computed_again(monkeypatch):
    table = fr.compare(SOFT, SOFTER, model=["fit"], tol=0.01)
    expected = fr.explain(SOFT, SOFTER, model="fit", tol=0.01)

    def once(original):
        """Refuse to compute something of the clusterings again, but not of their labels."""

        def compute(sides, *more, **options):
            assert all(side.partition.is_hard for side in sides)
            return original(sides, *more, **options)

        return compute

    for name in ("expected_discordance", "Observed"):
        monkeypatch.setattr(computing, name, once(getattr(computing, name)))
    result = explanation_of(table[0].analysis)
    assert result.comparison == table[0]
    np.testing.assert_array_equal(result.points, expected.points)
    assert result.to_dict()["wallace"] == expected.to_dict()["wallace"]


def test_quick_wallace_indices_are_near_those_of_all_pairs():
    effort = fr.Effort(budget=fr.Budget(quick_pairs=1000, quick_cluster_pairs=1 << 5))
    sides = fr.compare(SOFT, SOFTER, model="perm", effort=effort).analysis.sides
    exact, quick = wallace_of(sides), wallace_of(sides, quick=True)
    for name in ("first", "second"):
        one, two = getattr(exact, name), getattr(quick, name)
        assert one.stderr == 0.0
        assert 0.0 < two.stderr < 0.05
        assert abs(one.adjusted - two.adjusted) < 5.0 * two.stderr
    html = report(SOFT, SOFTER, ["perm"], effort=effort)
    assert "These indices come from random pairs, with a Monte Carlo error of" in html


class FuzzyOnly(fr.Perm):
    """A model of the user's own that fails on hard clusterings."""

    name = "fuzzy only"

    def law(self, side):
        assert side.partition.memberships.shape  # AttributeError for a hard one
        return super().law(side)


def test_a_model_that_knows_no_hard_clusterings_is_explained_all_the_same():
    result = fr.explain(SOFT, SOFTER, model=FuzzyOnly())
    assert result.hardened_model == "perm"
    assert result.adjusted == pytest.approx(fr.explain(SOFT, SOFTER, model="perm").adjusted)


# --- bands ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_bands_fill_their_blocks_in_order(seed):
    rng = np.random.default_rng(seed)
    first, second = rng.integers(4, size=60), rng.dirichlet([0.5] * 5, 60)
    matching = fr.match(first, second)
    chart = FlowChart.of(matching, 0.05)
    overlap = matching.overlap
    for side, blocks in enumerate(chart.sides):
        starts = {block.cluster: block for block in blocks}
        for band in chart.bands:
            cluster = (band.first, band.second)[side]
            block = starts[cluster]
            # Above a band are the overlaps with the clusters that stand higher on the other side.
            higher = []
            for other in chart.sides[1 - side]:
                if other.cluster == (band.second, band.first)[side]:
                    break
                higher.append(other.cluster)
            row = overlap[cluster] if side == 0 else overlap[:, cluster]
            assert band.tops[side] == pytest.approx(block.start + row[higher].sum())
            assert band.width == overlap[band.first, band.second]
        for above, below in pairwise(blocks):
            assert below.start >= above.start + above.size
    hidden = overlap.sum() - sum(band.width for band in chart.bands)
    assert chart.lost * overlap.sum() == pytest.approx(hidden, abs=1e-9)
    assert chart.hidden == np.count_nonzero(overlap) - len(chart.bands)


def test_every_band_is_drawn_in_the_colour_of_its_first_cluster():
    html = made("explained, hard")
    drawn = html[html.index('<svg class="heat flow"') :].partition("</svg>")[0]
    matching = fr.match(HARD, OTHER)
    named = fr.explain(HARD, OTHER).names[1]  # like their partners
    bands = re.findall(r'<title>([^<]*)</title><path fill="(#\w+)"', drawn)
    assert len(bands) == len(FlowChart.of(matching, 0.0).bands)
    colours = {}
    for title, colour in bands:
        first, second, number = re.fullmatch(r"(\d) to (\d): (\d+)", title).groups()
        assert matching.overlap[int(first), named.index(second)] == int(number)
        assert colours.setdefault(first, colour) == colour
    assert len(set(colours.values())) == 3
    assert drawn.count('class="alone"') == 1  # four clusters, three partners
