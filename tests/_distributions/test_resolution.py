"""Where memberships were cut, as their zeros tell."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand._distributions.resolution import FINEST, resolution_of

from ..strategies import fuzzy


def noise(k, precision, n, seed):
    """Two independent clusterings, drawn from one Dirichlet distribution."""
    rng = np.random.default_rng(seed)
    return [rng.dirichlet(np.full(k, precision / k), n) for _ in range(2)]


def cut(rows, limit):
    kept = np.where(rows < limit, 0.0, rows)
    return kept / kept.sum(axis=1, keepdims=True)


def rounded(rows, decimals):
    kept = np.round(rows, decimals)
    return kept / kept.sum(axis=1, keepdims=True)


#: What pure noise scored before zeros were looked at, from -0.93 to 0.40.
PANEL = [
    (50, 1, cut, 0.01, 0.03),
    (50, 5, cut, 0.01, 0.03),
    (10, 3, cut, 0.01, 0.03),
    (10, 3, cut, 0.1, 0.06),
    (3, 3, cut, 0.05, 0.03),
    (50, 5, rounded, 3, 0.03),
    (10, 3, rounded, 2, 0.03),
    (10, 1, rounded, 2, 0.03),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("k", "precision", "spoil", "how", "most", "model"),
    [*((*row, "fit") for row in PANEL), *((*row, "sym") for row in PANEL[2:5])],
)
def test_noise_that_was_cut_or_rounded_scores_zero(k, precision, spoil, how, most, model):
    first, second = (spoil(rows, how) for rows in noise(k, precision, 2000, seed=1))
    c = fr.compare(first, second, model=model, tol=2e-3)
    # Noise of 2,000 points scatters about 0 by itself: perm, which has no bias, says how far.
    by_chance = fr.compare(first, second, model="perm").adjusted
    assert abs(c.adjusted - by_chance) < most
    assert any("taken as cut off" in note for note in c.notes)


@given(fuzzy(12), st.floats(1e-3, 0.2))
def test_no_entry_lies_between_zero_and_the_limit(rows, limit):
    spoiled = cut(rows, min(limit, 0.9 / rows.shape[1]))
    resolution = resolution_of(spoiled, "auto")
    positive = spoiled[spoiled > 0.0]
    assert resolution.size <= max(positive.min(), FINEST)
    assert resolution.cut < 1.0 / rows.shape[1] or resolution.cut == FINEST


def test_what_is_no_sign_of_a_cut():
    rng = np.random.default_rng(0)
    raw = rng.dirichlet([1.0, 1.0, 1.0], 50)
    assert resolution_of(raw, "auto").size == FINEST
    empty = np.column_stack([raw, np.zeros(50)])
    assert resolution_of(empty, "auto").size == FINEST, "a cluster that nobody belongs to"
    partly_hard = np.vstack([raw, np.eye(3)])
    assert resolution_of(partly_hard, "auto").size == FINEST, "hard rows among fuzzy ones"
    underflow = np.vstack([raw, [[1.0 - 1e-30, 1e-30, 0.0]]])
    assert resolution_of(underflow, "auto").size == FINEST, "an entry that underflowed"


def test_a_number_sets_it():
    first, second = (cut(rows, 0.02) for rows in noise(5, 2, 300, seed=0))
    c = fr.compare(first, second, model=fr.Fit(resolution=0.02), tol=0.01)
    assert c.laws[0]["cut"] == 0.02
    assert not any("taken as cut off" in note for note in c.notes), "nothing was inferred"
    finest = fr.compare(first, second, model=fr.Fit(resolution=FINEST), tol=0.01)
    assert "cut" not in finest.laws[0]


def test_random_rows_are_cut_as_well():
    first, second = (cut(rows, 0.05) for rows in noise(4, 2, 200, seed=3))
    c = fr.compare(first, second, model="fit", tol=0.01)
    limit = c.laws[0]["cut"]
    drawn = c.setting.laws[0].rows.sample(np.random.default_rng(0), 2000)
    assert drawn.sum(axis=1) == pytest.approx(1.0)
    assert drawn[drawn > 0.0].min() >= limit
    columns = c.setting.laws[0].rows.columns(np.random.default_rng(0), 2000)
    assert columns[columns > 0.0].min() >= limit
