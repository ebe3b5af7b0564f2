"""Comparisons and tables of them, as people and programs see them."""

import dataclasses
import html
import json

import numpy as np
import pytest

import fuzzyrand as fr

from ..clusterings import RUNS, nearly_even

TOY = fr.toy_clusterings()


def test_a_comparison_is_frozen_and_complete():
    c = fr.compare(TOY["uneven_low_fuzzy"], TOY["high_fuzzy"], model="sym")
    with pytest.raises(dataclasses.FrozenInstanceError):
        c.adjusted = 1.0
    assert (c.index, c.model, c.fixed, c.n) == ("ndc", "sym", None, 9)
    assert not c.exact
    assert 0 < c.stderr <= 5e-4
    assert c.adjusted == pytest.approx((c.observed - c.expected) / (1 - c.expected), abs=1e-12)
    assert json.loads(json.dumps(c.to_dict()))["adjusted"] == c.adjusted


def test_a_comparison_prints_as_a_short_table_and_a_sentence():
    c = fr.compare(TOY["uneven_hard"], TOY["uneven_low_fuzzy"], model="fit", fixed="first")
    text = str(c)
    assert len(text.splitlines()) <= 7
    assert max(map(len, text.splitlines())) <= 94
    for part in (
        "9 points",
        "observed",
        "expected by chance",
        "adjusted",
        "first clustering fixed",
        "exact",
    ):
        assert part in text
    assert f"{c.adjusted:.4f}" in text
    assert "of the gap between chance" in text
    assert "Chance: the second clustering replaced by" in c.sentence


@pytest.mark.parametrize("model", ["perm", "cat"])
def test_a_side_is_called_fixed_only_where_it_makes_a_difference(model):
    a, b = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]
    results = (
        fr.explain(a, b, model=model, fixed="first"),
        fr.pairwise([a, b], model=model, fixed="first"),
        fr.compare(a, b, model=[model], fixed="first"),
        fr.significance(a, b, model=model, fixed="first"),
    )
    for result in results:
        assert ("fixed" in str(result)) is (model == "cat")


@pytest.mark.parametrize(
    ("a", "b", "model", "words"),
    [
        ("even_hard", "even_hard", "perm", "agree on every pair"),
        ("even_hard", "uneven_hard", "num", "agree less (0.500) than expected by chance"),
        ("high_fuzzy", "even_low_fuzzy", "perm", "agree about as much as expected by chance"),
        ("even_hard", "even_low_fuzzy", "fit", "close 95% of the gap between chance"),
    ],
)
def test_the_sentence_says_what_the_number_means(a, b, model, words):
    assert words in fr.compare(TOY[a], TOY[b], model=model).sentence


def test_the_sentence_where_chance_gives_perfect_agreement():
    assert (
        "Random clusterings match perfectly, too."
        in fr.compare([0, 0, 0], [1, 1, 1], model="perm").sentence
    )


def test_several_models_at_once():
    table = fr.compare(TOY["even_hard"], TOY["high_fuzzy"], model=["perm", fr.Fit(), "sym"])
    assert table.models == ["perm", "fit", "sym"]
    assert len(table) == 3
    for c in table:
        alone = fr.compare(TOY["even_hard"], TOY["high_fuzzy"], model=c.model)
        assert alone == c == table[c.model]
    assert table[0] is table["perm"]
    assert table[-1].model == "sym"
    with pytest.raises(KeyError, match="it has perm, fit, sym"):
        table["flat"]
    assert json.loads(json.dumps(table.to_dict()))["observed"] == table.observed
    words = " ".join(str(table).split())
    assert all(f" {c.model}: {c.assumption}" in words for c in table)
    assert "perm=" in repr(table)


def test_html_is_escaped_and_has_the_number():
    c = fr.compare(TOY["even_hard"], TOY["high_fuzzy"], model=fr.Fit(estimator="moments"))
    shown = c._repr_html_()
    assert f"<b>{c.adjusted:.4f}</b>" in shown
    assert "&#x27;moments&#x27;" in shown
    named = fr.pairwise({"<script>": RUNS["soft"]}, model="perm")._repr_html_()
    assert "<script>" not in named


@pytest.mark.parametrize("models", ["perm", ["perm", "cat"]])
def test_notebooks_show_notes_once(models):
    result = fr.compare([0, 0, 1, -1, -1], [0, 0, 1, 1, 1], model=models)
    assert any("the label -1" in note for note in result.notes)
    for note in result.notes:
        assert result._repr_html_().count(f"<p>Note: {html.escape(note)}</p>") == 1


def test_nothing_is_minus_zero():
    c = dataclasses.replace(fr.compare([0, 0, 1, 1], [0, 1, 0, 1]), expected=-1e-9, adjusted=-1e-9)
    table = fr.ComparisonTable([c])
    for shown in (str(c), str(table), repr(table), table._repr_html_()):
        assert "-0.0" not in shown


def test_a_loose_bound_is_not_called_exact():
    rng = np.random.default_rng(0)
    u, v = nearly_even(rng, 1600, 1e-12), nearly_even(rng, 1600, 1e-12)
    c = fr.compare(u, v, model="perm")
    assert not c.exact
    assert c.error_bound > 1e-5
    assert "at most" in str(c)


def test_the_main_comparison_of_a_table_is_the_first():
    rng = np.random.default_rng(0)
    rows = [rng.dirichlet([1, 1, 1], 30) for _ in range(2)]
    assert fr.compare(*rows, model=["sym", "perm"]).main.model == "sym"
    assert fr.compare(*rows, model="every").main.model == "perm"
