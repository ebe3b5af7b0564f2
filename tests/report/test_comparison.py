"""The report of a comparison: its answer, its numbers, and how they came about."""

import fuzzyrand as fr
from fuzzyrand.report import comparison_report
from fuzzyrand.report.words import MODEL_WORDS

from ..reports import HARD, SOFT, SOFTER, Outline, made


def test_a_comparison_says_the_answer_the_numbers_and_how_they_came_about():
    found = fr.compare(HARD, SOFT, model=["perm", "fit", fr.Mixture(components=2)], fixed="first")
    command = "fuzzyrand compare truth.csv soft.csv --fixed first"
    html = comparison_report(found, HARD, SOFT, names=("truth.csv", "soft.csv"), command=command)
    text = Outline(html).text
    assert found["fit"].sentence in text  # the default model's, where it was asked
    for c in found:
        for part in (f"{c.expected:.4f}", f"{c.adjusted:.4f}", c.model, c.computed["expected"]):
            assert part in text
        assert c.laws[1]["text"] in text
    assert f"{found.observed:.4f}" in text
    assert "The first clustering is taken as given" in text
    assert MODEL_WORDS["mixture"][1] in text
    assert command in text
    assert f"fuzzyrand {fr.__version__}" in text


def test_sampled_values_have_their_standard_error():
    found = fr.compare(SOFT, SOFTER, model=["fit", "perm"], tol=0.01)
    html = comparison_report(found, SOFT, SOFTER, names=("a", "b"), command="x")
    assert f'<td class="num">{found["fit"].stderr:.1g}</td>' in html
    assert '<td class="num">exact</td>' in html


def test_notes_and_models_left_out_are_told():
    assert "is below 1: here" in made("not reflexive")
    assert "agreement as of each with itself" in made("not reflexive")
    assert "Left out" in made("nine models")
    assert "has no agreement of single pairs" in made("no agreements")
