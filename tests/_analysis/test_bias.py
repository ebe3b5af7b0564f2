"""The plug-in bias: said where it matters, and taken away where that is asked for."""

import re

import numpy as np
import pytest

import fuzzyrand as fr

CORRECTED = fr.Fit(bias="corrected")


def noise(n, k, precision, seed):
    rng = np.random.default_rng(seed)
    return [rng.dirichlet(np.full(k, precision / k), n) for _ in range(2)]


def mean_and_error(values):
    return np.mean(values), np.std(values, ddof=1) / np.sqrt(len(values))


@pytest.mark.parametrize(
    ("n", "k", "precision", "most"),
    [
        pytest.param(50, 20, 0.1, 0.03, marks=pytest.mark.slow),
        pytest.param(40, 30, 3.0, 0.03, marks=pytest.mark.simulation),
        pytest.param(40, 60, 1.0, 0.08, marks=pytest.mark.simulation),
    ],
)
def test_noise_scores_zero_once_corrected(n, k, precision, most):
    values = [
        fr.compare(*noise(n, k, precision, seed), model=CORRECTED, tol=5e-3).adjusted
        for seed in range(8)
    ]
    mean, error = mean_and_error(values)
    assert abs(mean) < most + 2.0 * error


@pytest.mark.parametrize("model", ["fit", "cat"])
def test_hard_noise(model):
    rng = np.random.default_rng(0)
    pairs = [rng.integers(40, size=(2, 60)) for _ in range(60)]
    plain = [fr.compare(*pair, model=model) for pair in pairs]
    mean, error = mean_and_error([c.adjusted for c in plain])
    assert mean > 10 * error, "the bias is there"
    said = [c for c in plain if any("too high by about" in note for note in c.notes)]
    assert len(said) == len(plain)
    corrected = [fr.compare(*pair, model=CORRECTED).adjusted for pair in pairs]
    mean, error = mean_and_error(corrected)
    assert abs(mean) < 4 * error


def test_the_note_says_how_large_it_is():
    first, second = noise(50, 20, 0.1, seed=1)
    c = fr.compare(first, second, model="fit", tol=5e-3)
    (note,) = (note for note in c.notes if "too high by about" in note)
    assert "few points (50, in 20 clusters)" in note
    assert "bias='corrected'" in note
    assert any("too high" in note for note in c.to_dict()["notes"])
    corrected = fr.compare(first, second, model=CORRECTED, tol=5e-3)
    assert not any("too high" in note for note in corrected.notes)
    assert "redraws" in corrected.computed["expected"]
    assert corrected.adjusted < c.adjusted


def said_excess(c):
    (note,) = (note for note in c.notes if "too high by about" in note)
    return note, float(re.search(r"about (\d\.\d\d)", note)[1])


def test_models_with_more_freedom_say_so_as_well():
    models = ["fit", "mixture", "mixed", "generalised"]
    fit, *others = fr.compare(*noise(50, 40, 0.3, seed=0), model=models, tol=5e-3)
    excess = said_excess(fit)[1]
    for c in others:
        note, said = said_excess(c)
        assert "few points (50, in 40 clusters)" in note
        assert "model='perm' needs no fit" in note
        # All rows are fuzzy and of one kind, so the models differ little.
        assert said == pytest.approx(excess, abs=0.03)
    first, second = noise(500, 3, 3.0, seed=0)
    assert all(not c.notes for c in fr.compare(first, second, model=models, tol=5e-3))


@pytest.mark.parametrize("model", ["cat", "empirical", "kernel"])
def test_points_drawn_twice_are_noted(model):
    """The sizes or the rows are known: the value without repeated points is that of perm."""
    rng = np.random.default_rng(0)
    for _ in range(5):
        first, second = rng.integers(10, size=60), rng.integers(3, size=60)
        if model != "cat":
            first, second = (rng.dirichlet(np.full(10, 0.3), 60) for _ in range(2))
        plain, shuffled = fr.compare(first, second, model=[model, "perm"], tol=1e-3)
        (note,) = (note for note in plain.notes if "too high by about" in note)
        said = float(re.search(r"about (\d\.\d\d)", note)[1])
        assert said == pytest.approx(plain.adjusted - shuffled.adjusted, abs=0.01)
        assert said >= 0.02


def test_a_fixed_side_of_identical_rows_adds_no_bias():
    rng = np.random.default_rng(4)
    rows, same = rng.dirichlet([1, 2, 1], 60), np.tile([0.2, 0.8], (60, 1))
    found, labels = (
        fr.compare(first, rows, fixed="first", model=CORRECTED) for first in (same, [0] * 60)
    )
    assert found.adjusted == pytest.approx(labels.adjusted, abs=1e-9)
    (note,) = fr.compare(same, rows, fixed="first").notes
    assert "all rows are identical" in note  # and no bias


def test_many_points_have_no_bias_to_speak_of():
    first, second = noise(3000, 5, 1.0, seed=0)
    assert fr.compare(first, second).notes == ()


def test_sym_of_hard_labels_has_none():
    rng = np.random.default_rng(1)
    first, second = rng.integers(10, size=(2, 40))
    plain, corrected = (
        fr.compare(first, second, model=fr.Sym(bias=b)) for b in ("plugin", "corrected")
    )
    assert plain.adjusted == corrected.adjusted
    assert plain.notes == ()


def test_only_known_values():
    with pytest.raises(fr.ParameterError, match="unknown bias of 'fit' 'corected'"):
        fr.Fit(bias="corected")
