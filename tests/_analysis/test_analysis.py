"""An analysis computes everything once, and results that were pickled are like others."""

import pickle

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._analysis import Analysis, analyse_models
from fuzzyrand._analysis import analysis as module
from fuzzyrand._base.effort import Precision
from fuzzyrand._cli import main
from fuzzyrand._methods.inference.intervals import interval_of
from fuzzyrand._methods.inference.significance import significance_of
from fuzzyrand.indices import as_index
from fuzzyrand.models import as_model
from fuzzyrand.report import comparison_report
from fuzzyrand.results import Comparison

RNG = np.random.default_rng(1)
SOFT, OTHER = (fr.as_partition(RNG.dirichlet([0.7] * 3, 40)) for _ in range(2))
HARD = fr.as_partition(RNG.integers(3, size=40))


@pytest.fixture
def calls(monkeypatch):
    """Names of what was computed of the clusterings themselves, in order."""
    found = []

    def counted(name):
        original = getattr(module, name)

        def compute(sides, *more, **options):
            found.append(name)
            return original(sides, *more, **options)

        return compute

    for name in ("expected_discordance", "Observed"):
        monkeypatch.setattr(module, name, counted(name))
    return found


def analysed(a, b, model, index="ndc", **options):
    return Analysis.of((a, b), as_index(index), as_model(model), Precision(), **options)


def test_nothing_is_computed_before_it_is_used(calls):
    analysis = analysed(SOFT, OTHER, "fit")
    assert calls == []
    assert analysis.expected.value > 0.0
    assert calls == ["Observed", "expected_discordance"]  # the goal depends on what is observed


def test_what_was_computed_is_used_again(calls):
    analysis = analysed(SOFT, OTHER, "perm")
    comparison = Comparison.of(analysis)
    significance_of(analysis, "greater", 99)
    interval_of(comparison, 0.95, None)
    assert calls == ["Observed", "expected_discordance"]
    assert str(comparison)


def test_models_share_what_is_observed(calls):
    sides = analysed(SOFT, OTHER, "perm").sides
    models = [as_model(name) for name in ("perm", "fit", "flat")]
    analyses, refusals = analyse_models(sides, models)
    assert [str(analysis.model) for analysis in analyses] == ["perm", "fit", "flat"]
    assert refusals == {}
    assert calls == ["Observed"] + ["expected_discordance"] * 3


@pytest.mark.parametrize("model", ["perm", "fit"])
def test_a_command_compares_once(calls, tmp_path, model, capsys):
    for name, rows in (("a.csv", SOFT.rows.dense), ("b.csv", OTHER.rows.dense)):
        np.savetxt(tmp_path / name, rows, delimiter=",")
    a, b, page = (str(tmp_path / name) for name in ("a.csv", "b.csv", "page.html"))
    test = ["--test", "--draws", "99"]
    command = ["compare", a, b, "--model", model, *test, "--confidence", "0.95", "--html", page]
    main(command)
    assert "adjusted" in capsys.readouterr().out
    # The test is by shuffles, whose expectation is that of perm.
    of_perm = [] if model == "perm" else ["expected_discordance"]
    # The page shows the strongest clusters as well, whose two calls are theirs alone.
    hardened = ["Observed", "expected_discordance"]
    assert sorted(calls) == sorted(["Observed", "expected_discordance", *of_perm, *hardened])


@pytest.mark.parametrize("index", ["ndc", "mi", "brouwer"])
@pytest.mark.parametrize("pair", [(SOFT, OTHER), (HARD, SOFT), (HARD, HARD)], ids=str)
@pytest.mark.parametrize("options", [{}, {"maximum": "self"}, {"fixed": "first"}], ids=str)
def test_pickled_results_are_like_others(pair, index, options):
    result = fr.compare(*pair, index=index, model="cat" if pair[1].is_hard else "fit", **options)
    again = pickle.loads(pickle.dumps(result))
    assert str(again) == str(result)
    assert again == result
    assert again.to_dict() == result.to_dict()
    assert again.methods_text() == result.methods_text()
    pages = [
        comparison_report(fr.ComparisonTable([each]), *pair, names=("a", "b"), command="x")
        for each in (result, again)
    ]
    assert pages[0] == pages[1]


def test_exchanged_clusterings_have_the_same_notes():
    many = fr.as_partition(np.arange(40) // 2)
    found = fr.pairwise({"a": SOFT, "b": many}, model="perm").comparisons
    notes = [str(found[i][j].notes) for i, j in ((0, 1), (1, 0))]
    exchanged = notes[0].replace("first", "X").replace("second", "first").replace("X", "second")
    assert exchanged == notes[1]
