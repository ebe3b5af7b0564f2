"""The report of many clusterings."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest

import fuzzyrand as fr
from fuzzyrand._api.pairwise import Pairwise
from fuzzyrand.report import pairwise_report
from fuzzyrand.results.ordering import similar_first

from ..reports import HARD, OTHER, SOFT, SOFTER, Outline, runs


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
    assert f"like itself: those here are {selves[0]:.4f} to 1.0000" in html


def test_a_reference_is_not_compared_with_itself():
    result = fr.pairwise(runs(6), reference="runs/family-0/00.csv", model="perm")
    others = [(c.adjusted, n) for n, c in zip(result.columns, result.comparisons[0], strict=True)]
    best = max(pair for pair in others if pair[1] != "runs/family-0/00.csv")
    assert (
        f"Most like it is {best[1]} ({best[0]:.2f})"
        in Outline(pairwise_report(result, command="x")).text
    )


@pytest.mark.parametrize(
    ("reference", "fixed", "told"),
    [
        (
            "a",
            "first",
            "The clustering a is taken as given, as a known truth would be; only the one ",
        ),
        ("a", "second", "Each clustering compared with a is taken as given"),
        (None, "first", "In each pair the clustering of the row is taken as given"),
        (None, "second", "In each pair the clustering of the column is taken as given"),
    ],
)
def test_the_side_that_stays_is_named(reference, fixed, told):
    clusterings = {"a": HARD, "b": OTHER}
    result = fr.pairwise(clusterings, reference=reference, model="num", fixed=fixed)
    text = Outline(pairwise_report(result, command="x")).text
    assert told in text
    assert ("which of two is the row" in text) == (reference is None)
    both = fr.pairwise(clusterings, reference=reference, model="num")
    assert "taken as given" not in pairwise_report(both, command="x")


def test_rows_and_columns_are_told_apart_only_where_it_matters():
    result = fr.pairwise([HARD, OTHER], model="perm", fixed="first")
    html = pairwise_report(result, command="x")
    assert "taken as given" in html
    assert "which of two is the row" not in html


def test_values_computed_in_one_way_are_counted_together():
    c = fr.compare(SOFT, SOFTER, model="perm")
    hows = [f"Monte Carlo, {1000 * draws:,} agreements" for draws in range(1, 13)]
    hows += ["quadrature"] * 2
    sampled = tuple(replace(c, computed={**c.computed, "expected": how}) for how in hows)
    names = tuple(f"run {i}" for i in range(len(hows)))
    html = pairwise_report(Pairwise(("truth",), names, (sampled,)), command="x")
    text = Outline(html).text
    assert "all pairsMonte Carlo, 1,000 to 12,000 agreements12" in text
    assert "all pairsquadrature2" in text
