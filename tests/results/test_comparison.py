"""Comparisons, tables and matrices as people and programs see them."""

import dataclasses
import itertools
import json
import subprocess
import sys

import joblib
import numpy as np
import pytest

import fuzzyrand as fr

from .. import brute

TOY = fr.toy_clusterings()
RNG = np.random.default_rng(0)
RUNS = {
    "soft": brute.dirichlet_rows(RNG, [0.5] * 3, 60),
    "softer": brute.dirichlet_rows(RNG, [2.0] * 4, 60),
    "two": brute.dirichlet_rows(RNG, [0.7] * 2, 60),
    "hard": RNG.integers(3, size=60),
}


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
    for part in ("9 points", "observed", "expected by chance", "adjusted", "first fixed", "exact"):
        assert part in text
    assert f"{c.adjusted:.4f}" in text
    assert "of the way from chance" in text
    assert "in place of the second clustering" in c.sentence


@pytest.mark.parametrize(
    ("a", "b", "model", "words"),
    [
        ("even_hard", "even_hard", "perm", "the same of every pair"),
        ("even_hard", "uneven_hard", "num", "less alike than chance"),
        ("high_fuzzy", "even_low_fuzzy", "perm", "about as alike as chance"),
        ("even_hard", "even_low_fuzzy", "fit", "95% of the way from chance"),
    ],
)
def test_the_sentence_says_what_the_number_means(a, b, model, words):
    assert words in fr.compare(TOY[a], TOY[b], model=model).sentence


def test_where_chance_gives_perfect_agreement():
    assert "as well" in fr.compare([0, 0, 0], [1, 1, 1], model="perm").sentence


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
    assert all(f"\n  {c.model}: {c.assumption}" in str(table) for c in table)
    assert "perm=" in repr(table)


def test_the_fixed_side_of_a_symmetric_matrix():
    a, b = (fr.as_partition(TOY[name]) for name in ("even_hard", "high_fuzzy"))
    table = fr.pairwise({"a": a, "b": b}, model="perm", fixed="first")
    assert "rows fixed" in str(table)
    for (one, x), (two, y) in itertools.product((("a", a), ("b", b)), repeat=2):
        assert table[one, two] == fr.compare(x, y, model="perm", fixed="first")


RICHER = ["generalised", "mixture", "kernel", "mixed", "empirical"]


def test_every_model_that_applies():
    hard, soft = TOY["even_hard"], TOY["high_fuzzy"]
    every = ["perm", "cat", "num", "all", "fit", "sym", "flat"]
    assert fr.compare(hard, hard, model="every").models == every
    soft_models = ["perm", "fit", "sym", "flat", *RICHER]
    assert fr.compare(hard, soft, model="every").models == soft_models
    assert fr.compare(hard, soft, model="every", fixed="second").models == every
    loose = fr.compare(hard, soft * 0.5, model="every", possibilistic=True)
    assert loose.models == ["perm", "empirical"]


def test_models_are_named_with_their_options():
    c = fr.compare(TOY["even_hard"], TOY["high_fuzzy"], model=fr.Fit(estimator="moments"))
    assert c.model == "fit(estimator='moments')"
    assert fr.Fit(zeros="censored") == fr.Fit()
    assert fr.compare(TOY["even_hard"], TOY["high_fuzzy"], model=fr.Flat).model == "flat"


def test_html_is_escaped_and_has_the_number():
    c = fr.compare(TOY["even_hard"], TOY["high_fuzzy"], model=fr.Fit(estimator="moments"))
    html = c._repr_html_()
    assert f"<b>{c.adjusted:.4f}</b>" in html
    assert "&#x27;moments&#x27;" in html
    named = fr.pairwise({"<script>": RUNS["soft"]}, model="perm")._repr_html_()
    assert "<script>" not in named


@pytest.mark.parametrize("model", ["perm", "fit", "flat"])
@pytest.mark.parametrize("fixed", [None, "first"])
@pytest.mark.parametrize("n_jobs", [None, 2])
def test_pairwise_equals_compare(model, fixed, n_jobs):
    matrix = fr.pairwise(RUNS, model=model, fixed=fixed, n_jobs=n_jobs)
    assert matrix.rows == matrix.columns == tuple(RUNS)
    for a in RUNS:
        for b in RUNS:
            c = fr.compare(RUNS[a], RUNS[b], model=model, fixed=fixed)
            ours = matrix[a, b]
            assert ours.adjusted == pytest.approx(c.adjusted, abs=1e-12)
            assert ours.stderr == pytest.approx(c.stderr, abs=1e-12)
            assert ours.clusterings == c.clusterings
            assert ours.laws == c.laws
    assert np.diag(matrix.adjusted) == pytest.approx(1.0)


def test_pairwise_on_processes():
    threads = fr.pairwise(RUNS, model="fit")
    with joblib.parallel_config(backend="loky"):
        processes = fr.pairwise(RUNS, model="fit", n_jobs=2)
    assert (threads.adjusted == processes.adjusted).all()


def test_pairwise_with_a_reference():
    row = fr.pairwise(RUNS, reference="hard", fixed="first", model="sym")
    assert row.adjusted.shape == (1, 4)
    for name in RUNS:
        c = fr.compare(RUNS["hard"], RUNS[name], fixed="first", model="sym")
        assert row["hard", name].adjusted == c.adjusted
    outside = fr.pairwise(list(RUNS.values()), reference=RUNS["hard"], model="perm")
    assert outside.rows == ("reference",)
    assert outside.columns == ("0", "1", "2", "3")
    by_number = fr.pairwise(list(RUNS.values()), reference=3, model="perm")
    assert (by_number.adjusted == outside.adjusted).all()
    frame = row.to_frame()
    assert frame.loc["hard", "soft"] == row["hard", "soft"].adjusted
    assert "with hard under sym; reference fixed" in str(row)
    assert json.loads(json.dumps(row.to_dict()))["rows"] == ["hard"]
    with pytest.raises(KeyError, match="soft, softer"):
        row["hard", "nobody"]


def test_pairwise_fits_each_clustering_once(monkeypatch):
    calls = []
    original = fr.Fit.rows

    def counted(self, partition, effort):
        calls.append(partition)
        return original(self, partition, effort)

    monkeypatch.setattr(fr.Fit, "rows", counted)
    fr.pairwise(RUNS, model="fit")
    assert len(calls) == len(RUNS)


def test_pairwise_refuses_what_compare_refuses():
    with pytest.raises(fr.InputError, match="'a' has 3 points and 'b' has 2"):
        fr.pairwise({"a": [0, 1, 1], "b": [0, 1]})
    with pytest.raises(fr.InputError, match="row 0 of the clustering 'b' sums"):
        fr.pairwise({"a": [0, 1, 1], "b": np.full((3, 2), 0.4)})
    with pytest.raises(fr.InputError, match="no clusterings"):
        fr.pairwise([])
    with pytest.raises(fr.InputError, match="the reference has 2 points"):
        fr.pairwise({"a": [0, 1, 1]}, reference=[0, 1])
    with pytest.raises(fr.NotApplicableError):
        fr.pairwise(RUNS, model="num")


def _modules_after(code):
    script = f"import sys, numpy as np, fuzzyrand as fr; {code}; print('numba' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return run.stdout.strip()


def test_numba_is_not_imported_before_it_is_needed():
    many = "u = np.random.default_rng(0).dirichlet(np.ones(4), 5000); y = u.argmax(1); "
    assert _modules_after("pass") == "False"
    assert _modules_after(many + "fr.compare(y, y[::-1], model='every')") == "False"
    assert _modules_after(many + "fr.compare(y, u, model='every')") == "False"
    assert _modules_after(many + "fr.similarity(u, u[::-1])") == "True"


def test_the_demo_shows_the_main_job():
    run = [sys.executable, "-m", "fuzzyrand"]
    shown = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    assert shown.count("It depends on what chance means") == 6
    assert "178 points: hard, 3 clusters; fuzzy, 3 clusters; first fixed" in shown
    for model in ("perm", "fit", "sym", "flat"):
        assert shown.count(f"   {model}: ") == 2


def test_nothing_is_minus_zero():
    c = dataclasses.replace(fr.compare([0, 0, 1, 1], [0, 1, 0, 1]), expected=-1e-9, adjusted=-1e-9)
    table = fr.ComparisonTable([c])
    for shown in (str(c), str(table), repr(table), table._repr_html_()):
        assert "-0.0" not in shown
