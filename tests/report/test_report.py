"""Reports: what they say, what they escape, and what a real browser makes of them."""

import pickle
import re
import sys
from dataclasses import replace
from importlib.resources import files
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from jinja2 import UndefinedError

import fuzzyrand as fr
from fuzzyrand._api.pairwise import Pairwise
from fuzzyrand._base.effort import Precision
from fuzzyrand._base.naming import shorten
from fuzzyrand.indices import as_index
from fuzzyrand.models import MODELS, as_model
from fuzzyrand.models._laws.distance import atoms_of
from fuzzyrand.models._laws.side import Side, prepare_sides
from fuzzyrand.plot._charts import BinnedLaw
from fuzzyrand.plot._charts.heat import similar_first
from fuzzyrand.report import comparison_report, pairwise_report, rendering
from fuzzyrand.report.comparison import DRAWS, side_laws
from fuzzyrand.report.rendering import percent, printable
from fuzzyrand.results.model_check import LEVELS

from ..reports import EVIL, HARD, KINDS, LONG, OTHER, SOFT, SOFTER, Outline, made, report, runs

#: All that the reports use: none that fetches or runs anything, and nothing a name smuggled in.
KNOWN_ATTRIBUTES = re.compile(
    "lang|charset|http-equiv|content|name|class|style|title|scope|tabindex|role|aria-label|"
    "aria-hidden|width|height|viewbox|preserveaspectratio|transform|text-anchor|fill-opacity|fill|"
    "[xy][12]?|c[xy]|r|d"
)


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_is_whole_escaped_and_fetches_nothing(kind):
    page = Outline(made(kind))
    assert page.elements["script"] == page.elements["style"] == page.elements["h1"] == 1
    assert not {"img", "link", "iframe", "object", "a"} & set(page.elements)
    assert all(KNOWN_ATTRIBUTES.fullmatch(name) for name, _ in page.attributes)
    assert not re.search(r"url\(|@import|https?://", made(kind))
    assert not re.search(r"\b(nan|inf|Infinity)\b", page.text + str(page.attributes))
    policy = next(v for _, v in page.attributes if v and v.startswith("default-src"))
    assert policy.startswith("default-src 'none'; ")


@pytest.mark.parametrize("kind", KINDS)
def test_every_picture_says_what_it_shows_and_has_a_table(kind):
    html = made(kind)
    pictures = re.findall(r'<svg class="(?:plot|heat)[^>]*>', html)
    assert len(pictures) == html.count('role="img"') >= 1
    assert all(re.search(r'aria-label="[^"]{10,}"', picture) for picture in pictures)
    assert html.count("<table") >= 1


@pytest.mark.parametrize("kind", ["evil names", "three"])
def test_user_text_arrives_as_it_was_written(kind):
    page = Outline(made(kind))
    assert EVIL in page.text
    assert LONG in page.text or LONG in [value for _, value in page.attributes]


def test_what_no_file_can_hold_is_replaced():
    html = report(HARD, OTHER, ["perm"], ("bad\udcff\x00name", "line\nbreak\u202e"))
    assert html.encode("utf-8")
    assert "bad\ufffd\ufffdname" in html
    assert "\x00" not in html
    assert "\u202e" not in html


def test_a_comparison_says_the_answer_the_numbers_and_how_they_came_about():
    found = fr.compare(HARD, SOFT, model=["perm", "fit", fr.Mixture(components=2)], fixed="first")
    command = "fuzzyrand compare truth.csv soft.csv --fixed first"
    html = comparison_report(found, HARD, SOFT, names=("truth.csv", "soft.csv"), command=command)
    text = Outline(html).text
    assert found["perm"].sentence in text  # that of the first model
    for c in found:
        for part in (f"{c.expected:.4f}", f"{c.adjusted:.4f}", c.model, c.computed["expected"]):
            assert part in text
        assert c.laws[1]["text"] in text
    assert f"{found.observed:.4f}" in text
    assert "The first clustering is fixed" in text
    assert MODELS["mixture"].question in text
    assert command in text
    assert f"fuzzyrand {fr.__version__}" in text


def test_sampled_values_have_their_monte_carlo_error():
    found = fr.compare(SOFT, SOFTER, model=["fit", "perm"], tol=0.01)
    html = comparison_report(found, SOFT, SOFTER, names=("a", "b"), command="x")
    assert f'<td class="num">{found["fit"].stderr:.1g}</td>' in html
    assert '<td class="num">exact</td>' in html
    assert '<th scope="col" class="num">Monte Carlo error</th>' in html
    assert "standard error" not in html


def test_notes_and_models_left_out_are_told():
    assert "of a fuzzy clustering with itself is below 1:" in made("not reflexive")
    assert "the mean index of each clustering with itself" in made("not reflexive")
    assert "Without a value" in made("nine models")
    assert "does not use the co-membership of pairs" in made("no agreements")


def test_a_model_of_ones_own_is_not_taken_for_a_namesake():
    flat = MODELS["flat"].rows(SOFT, Precision())
    html = report(SOFT, SOFT, [fr.Custom(flat, name="fit")])
    assert fr.Custom.recipe in html
    assert fr.Fit.recipe not in html


def test_every_model_and_index_is_explained():
    recipes = {(model.recipe, model.question) for model in MODELS.values()}
    assert len(recipes) == len(MODELS)
    measures = {index.measures for index in fr.indices.INDICES.values()}
    assert len(measures) == len(fr.indices.INDICES)
    assert fr.Index.measures not in measures


@pytest.mark.parametrize(
    "model",
    [
        "fit",
        "sym",
        "flat",
        "generalised",
        "mixed",
        "kernel",
        "empirical",
        fr.Mixture(components=2),
        fr.Fit(resolution=1e-3),
        fr.Custom(MODELS["flat"].rows(SOFTER, Precision())),
    ],
    ids=str,
)
@pytest.mark.parametrize("index", ["ndc", fr.NDC(2, 1.5)], ids=str)
def test_the_law_drawn_is_the_law_that_was_used(model, index):
    c = fr.compare(SOFT, SOFTER, model=model, index=index, tol=0.05)
    (side,) = prepare_sides([SOFTER], as_index(index), Precision())
    wanted = atoms_of(side.law(as_model(model)), Precision(), DRAWS)
    drawn = side_laws(c)[1].model
    shares, wanted_shares = (BinnedLaw.of(law).shares for law in (drawn, wanted))
    np.testing.assert_allclose(shares, wanted_shares, atol=1e-12)
    np.testing.assert_allclose(drawn.quantiles(LEVELS), wanted.quantiles(LEVELS), atol=1e-12)


def test_laws_of_hard_sides_are_two_bars():
    c = fr.compare(HARD, OTHER, model="cat")
    for side, partition in zip(side_laws(c), (HARD, OTHER), strict=True):
        together = partition.same_cluster_pairs / partition.pairs
        observed, model = (BinnedLaw.of(law).shares for law in (side.observed, side.model))
        assert observed[-1] == pytest.approx(together, abs=1e-12)
        assert observed[1:-1].sum() == 0.0
        drawn = ((partition.sizes / partition.n) ** 2).sum()
        assert model[-1] == pytest.approx(drawn, abs=1e-12)


def test_a_side_that_stays_and_one_whose_rows_are_shuffled_have_no_outline():
    fixed = side_laws(fr.compare(SOFT, HARD, model="fit", fixed="first"))
    assert (fixed[0].model, fixed[0].fixed) == (None, True)
    assert (fixed[1].model is None, fixed[1].fixed) == (False, False)
    hard = side_laws(fr.compare(HARD, OTHER, model="fit", fixed="second"))
    assert [side.fixed for side in hard] == [side.model is None for side in hard] == [False, True]
    for partition in (HARD, SOFT):
        kept = side_laws(fr.compare(partition, OTHER, model="perm"))
        assert [(side.model, side.kept) for side in kept] == [(None, True)] * 2
    html = report(SOFT, OTHER, ["perm"])
    assert "the same under the model" in html
    assert "outline" not in html.partition("<body>")[2]
    assert '<path class="bars"' in html


class Blurred(fr.Model):
    """A model of the user's own: rows of the clustering, moved towards equal memberships."""

    name = "blurred"
    assumption = "independent random memberships, fuzzier than those here"
    use = "in tests"

    def law(self, side):
        blurred = fr.as_partition(0.5 * side.partition.memberships + 0.5 / side.partition.k)
        return Side(blurred, side.index, side.effort).pairs_law


@pytest.mark.parametrize(
    "model",
    [
        "kernel",
        "empirical",
        fr.Custom(MODELS["flat"].rows(SOFT, Precision()), name="own"),
        Blurred(),
    ],
    ids=str,
)
def test_every_model_has_its_outline(model):
    html = report(SOFT, SOFTER, [model], tol=0.05)
    assert html.count('<path class="outline"') == 2
    assert f"under the model <bdi>{getattr(model, 'name', model)}</bdi>" in html
    assert "not drawn" not in html
    assert "not shown" not in html


def test_a_result_from_a_file_has_the_same_page():
    table = fr.compare(SOFT, SOFTER, model=["perm", "fit"], tol=0.05)
    pages = [
        comparison_report(each, SOFT, SOFTER, names=("a", "b"), command="x")
        for each in (table, pickle.loads(pickle.dumps(table)))
    ]
    assert pages[0] == pages[1]
    result = fr.pairwise([SOFT, SOFTER, HARD], model="perm")
    loaded = pickle.loads(pickle.dumps(result))
    assert pairwise_report(loaded, command="x") == pairwise_report(result, command="x")


def test_without_jinja_it_says_what_to_install(monkeypatch):
    table = fr.compare(HARD, OTHER, model=["perm"])
    rendering.environment.cache_clear()
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(fr.MissingExtraError) as refusal:
        comparison_report(table, HARD, OTHER, names=("a", "b"), command="x")
    assert str(refusal.value) == 'reports need Jinja2: pip install "fuzzyrand[report]".'


def test_templates_escape_everything_and_miss_nothing():
    jinja = rendering.environment()
    assert jinja.autoescape is True
    with pytest.raises(UndefinedError):
        jinja.from_string("{{ nothing }}").render()
    assert jinja.from_string("{{ x }}").render(x="<\x00>") == "&lt;\ufffd&gt;"
    for name in jinja.list_templates():
        source, _, _ = jinja.loader.get_source(jinja, name)
        assert not re.search(r"\|\s*safe\b|autoescape|Markup", source)


def test_text_from_users_is_clean_wherever_it_stands():
    bad = "x\udcff\x00<i>\u202e"
    labels = fr.as_partition([f"{bad}{i % 3}" for i in range(12)])
    index = fr.CustomIndex(
        lambda u, v: np.minimum(u, v).sum(axis=1), lambda a, b: 1.0 - abs(a - b), name=bad
    )
    model = fr.Custom(MODELS["flat"].rows(labels, Precision()), name=bad)
    pages = [
        report(labels, labels, [model], (bad, bad), index=index, tol=0.1),
        pairwise_report(
            fr.pairwise({bad: labels, f"{bad}2": HARD.codes[:12]}, model=model, tol=0.1),
            command=bad,
        ),
    ]
    for html in pages:
        assert html.encode("utf-8")
        assert "<i>\ufffd" not in html
        assert all(c.isprintable() or c == "\n" for c in html)


def test_sizes_and_fuzziness_are_counted():
    rows = fr.as_partition([[0.995, 0.005], [0.6, 0.4], [0.95, 0.05], [0.2, 0.8], [0.5, 0.5]])
    text = Outline(report(rows, fr.as_partition([0, 0, 0, 1, 1]), ["perm"])).text
    for part in ("above 0.99120%", "0.9 to 0.99120%", "0.7 to 0.9120%", "0.5 to 0.7120%"):
        assert part in text
    assert "0.5 or less120%" in text
    assert "Mean 0.769" in text
    assert "03.265%" in text  # cluster 0 has 3.245 of 5
    assert "0360%" in text  # the label 0: three of five points


def test_many_clusters_are_summed_up():
    assert "180 more" in Outline(made("many clusters")).text


def test_empty_clusters_are_told():
    sparse = fr.Partition.from_labels(HARD.codes, clusters=9)
    html = report(sparse, HARD, ["perm"])
    assert "9 clusters, 6 of them empty" in html
    assert html.count(">not used<") == 6


def test_clusters_have_the_names_that_they_were_given():
    labels = fr.as_partition([EVIL, LONG, "", EVIL])
    soft = np.array([0.5, 0.9, 0.1, 0.3])
    frame = fr.as_partition(pd.DataFrame({"topic a": soft, "b": 1.0 - soft}))
    html = report(labels, frame, ["perm"])
    text = Outline(html).text
    assert f"{shorten(EVIL, 28)}250%" in text  # two of four points
    assert f'<bdi title="{LONG}">{shorten(LONG, 28)}</bdi>' in html
    assert "“”125%" in text
    assert "topic a1.845%" in text
    assert "Clusters are numbered" not in text
    assert "Clusters are numbered as the columns are, from 0." in made("many clusters")


def test_many_clusterings_are_ordered_by_likeness():
    result = fr.pairwise(runs(40), model="perm")
    families = [result.rows[i].split("/")[1] for i in similar_first(result.adjusted)]
    assert sum(a != b for a, b in pairwise(families)) == 4
    html = pairwise_report(result, command="x")
    heat = re.findall(r'text-anchor="end">runs/(family-\d)/', html)
    assert heat == families


def test_an_index_that_is_not_reflexive_is_noted_whoever_comes_first():
    result = fr.pairwise(
        {"hard": HARD, "soft": SOFT}, model="perm", index="brouwer", maximum="self"
    )
    selves = result["soft", "soft"].self_similarities
    html = pairwise_report(result, command="x")
    said = f"with itself is below 1: 1.0000 for the first and {selves[0]:.4f} for the second"
    assert said in html


def test_a_reference_is_not_compared_with_itself():
    result = fr.pairwise(runs(6), reference="runs/family-0/00.csv", model="perm")
    others = [(c.adjusted, n) for n, c in zip(result.columns, result.comparisons[0], strict=True)]
    best = max(pair for pair in others if pair[1] != "runs/family-0/00.csv")
    assert (
        f"The most alike is {best[1]} ({best[0]:.2f})"
        in Outline(pairwise_report(result, command="x")).text
    )


@pytest.mark.parametrize(
    ("reference", "fixed", "told"),
    [
        (
            "a",
            "first",
            "The clustering a is fixed, as a known truth would be; only the one ",
        ),
        ("a", "second", "Each clustering compared with a is fixed"),
        (None, "first", "In each pair the clustering of the row is fixed"),
        (None, "second", "In each pair the clustering of the column is fixed"),
    ],
)
def test_the_side_that_stays_is_named(reference, fixed, told):
    clusterings = {"a": HARD, "b": OTHER}
    result = fr.pairwise(clusterings, reference=reference, model="num", fixed=fixed)
    text = Outline(pairwise_report(result, command="x")).text
    assert told in text
    assert ("which of the two is the row" in text) == (reference is None)
    both = fr.pairwise(clusterings, reference=reference, model="num")
    assert "is fixed" not in pairwise_report(both, command="x")


def test_no_side_stays_where_points_are_shuffled():
    result = fr.pairwise([HARD, OTHER], model="perm", fixed="first")
    assert "is fixed" not in pairwise_report(result, command="x")
    for models, told in (["perm"], False), (["perm", "num"], True):
        table = fr.compare(HARD, OTHER, model=models, fixed="first")
        html = comparison_report(table, HARD, OTHER, names=("a", "b"), command="x")
        assert ("clustering is fixed" in html) is told


def test_values_computed_in_one_way_are_counted_together():
    c = fr.compare(SOFT, SOFTER, model="perm")
    hows = [f"Monte Carlo, {1000 * draws:,} co-memberships" for draws in range(1, 13)]
    hows += ["quadrature"] * 2
    sampled = tuple(replace(c, computed={**c.computed, "expected": how}) for how in hows)
    names = tuple(f"run {i}" for i in range(len(hows)))
    html = pairwise_report(Pairwise(("truth",), names, (sampled,)), command="x")
    text = Outline(html).text
    assert "all pairsMonte Carlo, 1,000 to 12,000 co-memberships12" in text
    assert "all pairsquadrature2" in text


def test_the_order_of_two_of_one_row_and_of_ties():
    assert similar_first(np.array([[1.0, 0.2], [0.2, 1.0]])).tolist() == [0, 1]
    assert similar_first(np.array([[0.1, 0.9, 0.5]])).tolist() == [1, 2, 0]
    assert sorted(similar_first(np.ones((5, 5))).tolist()) == [0, 1, 2, 3, 4]


def test_short_forms():
    assert shorten("x" * 100, 20).count("x") == 19
    assert printable("a\tb") == "a b"
    assert [percent(v) for v in (0.00001, 0.005, 0.994)] == ["<0.01%", "0.5%", "99.4%"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_what_is_behind_it(scheme):
    """WCAG's contrast: 4.5 for text, 3 for lines and shapes."""
    style = files("fuzzyrand.report").joinpath("style.css").read_text()
    colours = {}
    for block in re.findall(r":root \{(.*?)\}", style, re.S)[: 1 if scheme == "light" else 2]:
        colours |= dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", block))

    def luminance(colour):
        parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
        linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return linear @ [0.2126, 0.7152, 0.0722]

    def contrast(one, two):
        low, high = sorted(luminance(colours[each]) for each in (one, two))
        return (high + 0.05) / (low + 0.05)

    text = [("ink", "paper"), ("soft", "paper"), ("soft", "panel"), ("blue", "paper")]
    text += [("on-blue", "blue"), ("on-orange", "orange")]
    assert min(contrast(*pair) for pair in text) >= 4.5
    assert contrast("orange", "paper") >= 3.0
