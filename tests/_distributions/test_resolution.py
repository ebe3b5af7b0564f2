"""What was done to memberships, as their zeros tell."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand._base.estimate import FINEST
from fuzzyrand._clusterings.rows import DenseRows
from fuzzyrand._clusterings.sparse_rows import SparseRows
from fuzzyrand._clusterings.treatment import AsRead, Cut, Largest, Rounded
from fuzzyrand._distributions.resolution import treatment_of

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


def largest(rows, entries):
    """Keep so many entries of each row."""
    kept = np.where(rows < np.sort(rows, axis=1)[:, [-entries]], 0.0, rows)
    return kept / kept.sum(axis=1, keepdims=True)


def with_strays(rows, size, number=1):
    """Replace the first zero of some rows by a small entry."""
    rows = rows.copy()
    for row in rows[(rows == 0.0).any(axis=1)][:number]:
        rows[(rows == row).all(axis=1), np.flatnonzero(row == 0.0)[0]] = size
    return rows / rows.sum(axis=1, keepdims=True)


#: What pure noise scored when zeros were taken literally: from -0.93 to 0.40. The last number is
#: the most that it may score now.
PANEL = [
    (50, 1, cut, 0.01, 0.02),
    (50, 5, cut, 0.01, 0.02),
    (10, 3, cut, 0.01, 0.01),
    (10, 3, cut, 0.1, 0.03),
    (10, 10, cut, 0.05, 0.02),
    (3, 3, cut, 0.05, 0.02),
    (50, 5, rounded, 3, 0.01),
    (10, 3, rounded, 2, 0.01),
    (10, 1, rounded, 2, 0.01),
    (3, 1, rounded, 2, 0.01),
    (2, 1, rounded, 2, 0.02),
    (10, 10, rounded, 1, 0.03),
    (20, 3, largest, 5, 0.02),
    (50, 1, largest, 8, 0.02),
    (50, 3, largest, 8, 0.02),
    (50, 10, largest, 10, 0.02),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("k", "precision", "spoil", "how", "most", "model"),
    [*((*row, "fit") for row in PANEL), *((*row, "sym") for row in PANEL[2::4])],
)
def test_noise_that_was_cut_or_rounded_scores_zero(k, precision, spoil, how, most, model):
    first, second = (spoil(rows, how) for rows in noise(k, precision, 2000, seed=1))
    c = fr.compare(first, second, model=model, tol=2e-3)
    # Noise of 2,000 points scatters about 0 by itself: perm, which has no bias, says how far.
    by_chance = fr.compare(first, second, model="perm").adjusted
    assert abs(c.adjusted - by_chance) < most
    said = {cut: 'treated as "below', rounded: "look rounded", largest: f"their {how} largest"}
    assert sum(said[spoil] in note for note in c.notes) == 2, "of each side"


@pytest.mark.slow
def test_a_stray_entry_does_not_hide_a_cut():
    first, second = (with_strays(cut(x, 0.01), 1e-9) for x in noise(10, 3, 2000, seed=1))
    c = fr.compare(first, second, model="fit", tol=2e-3)
    assert abs(c.adjusted) < 0.02
    assert c.laws[0]["cut"] == pytest.approx(0.01, rel=0.05)


@pytest.mark.parametrize("form", [np.asarray, np.float32, sp.csr_array])
@pytest.mark.parametrize("decimals", [1, 2, 3, 4])
@pytest.mark.parametrize("k", [2, 3, 10, 50])
def test_decimals_are_recognised_although_rows_were_rescaled(k, decimals, form):
    for seed in range(3):
        rows = noise(k, 1.0, 300, seed)[0].round(decimals)
        rows = rows[rows.sum(axis=1) > 0.0]
        found = fr.as_partition(form(rows), normalize=True).rows
        assert treatment_of(found, "auto") == Rounded(decimals)


@pytest.mark.parametrize(("k", "m"), [(3, 2), (20, 5), (50, 8), (50, 10)])
def test_lists_of_the_largest_entries_are_recognised(k, m):
    for precision in (0.5, 3.0, 20.0):
        rows = largest(noise(k, precision, 200, seed=2)[0], m)
        assert treatment_of(DenseRows(rows), "auto") == Largest(m)
        rows[0] = np.eye(k)[0]
        assert treatment_of(DenseRows(rows), "auto") == Largest(m), "few have fewer"
        rows[1] = 1.0 / k
        assert treatment_of(DenseRows(rows), "auto") != Largest(m), "one has more"


@given(fuzzy(25), st.floats(1e-3, 0.2))
def test_no_entry_lies_between_zero_and_the_limit_of_a_cut(rows, limit):
    spoiled = cut(rows, min(limit, 0.9 / rows.shape[1]))
    found = treatment_of(DenseRows(spoiled), "auto")
    if isinstance(found, Cut):
        assert found.limit <= spoiled[spoiled > 0.0].min()


@given(
    st.integers(0, 2**32 - 1), st.integers(2, 12), st.sampled_from([1e-4, 1e-3, 0.01, 0.1, 1, 9])
)
def test_draws_are_left_as_they_are(seed, k, concentration):
    """Small entries down to 1e-300, and zeros that underflowed, are no sign of a cut."""
    rng = np.random.default_rng(seed)
    logs = np.log(rng.random((200, k))) / concentration + np.log(rng.standard_gamma(2.0, (200, k)))
    rows = np.exp(logs - logs.max(axis=1, keepdims=True))
    rows /= rows.sum(axis=1, keepdims=True)
    found = treatment_of(DenseRows(rows), "auto")
    assert isinstance(found, AsRead)
    assert found.limit < 1e-8


def test_what_is_no_sign_of_a_cut():
    rng = np.random.default_rng(0)
    raw = rng.dirichlet([1.0, 1.0, 1.0], 50)
    assert treatment_of(DenseRows(raw), "auto") == AsRead()
    empty = np.column_stack([raw, np.zeros(50)])
    assert treatment_of(DenseRows(empty), "auto") == AsRead(), "a cluster that nobody belongs to"
    partly_hard = np.vstack([raw, np.eye(3)])
    assert treatment_of(DenseRows(partly_hard), "auto") == AsRead(), "hard rows among fuzzy ones"
    underflow = np.vstack([raw, [[1.0 - 1e-30, 1e-30, 0.0]]])
    assert treatment_of(DenseRows(underflow), "auto") == AsRead(), "an entry that underflowed"
    coarse = np.vstack([rounded(rng.dirichlet([9.0, 9.0, 9.0], 50), 2), np.eye(3)])
    assert treatment_of(DenseRows(coarse), "auto") == AsRead(), "hard rows among rounded ones"
    assert treatment_of(DenseRows(rounded(raw[:, :2] + 0.2, 2)), "auto") == AsRead(), (
        "nothing was lost"
    )


@pytest.mark.parametrize("number", [1, 5])
@pytest.mark.parametrize("size", [1e-300, 1e-9, 1e-3])
def test_strays_below_a_cut(number, size):
    rows = with_strays(cut(noise(10, 3, 500, seed=0)[0], 0.02), size, number)
    assert treatment_of(DenseRows(rows), "auto").limit == pytest.approx(0.02, rel=0.05)
    many = with_strays(cut(noise(10, 3, 500, seed=0)[0], 0.02), size, 400)
    assert treatment_of(DenseRows(many), "auto").limit < 0.01, "these are no strays"


@given(st.integers(0, 2**32 - 1))
def test_sparse_rows_say_the_same(seed):
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet(np.full(6, 0.4), 60)
    spoiled = [cut(rows, 0.05), rounded(rows, 2), largest(rows, 3)]
    spoiled.append(with_strays(spoiled[0], 1e-6))
    for each in spoiled:
        found = treatment_of(DenseRows(each), "auto")
        assert treatment_of(SparseRows.of_dense(each), "auto") == found
        assert not isinstance(found, AsRead)


def test_a_number_sets_it():
    first, second = (cut(rows, 0.02) for rows in noise(5, 2, 300, seed=0))
    c = fr.compare(first, second, model=fr.Fit(resolution=0.02), tol=0.01)
    assert c.laws[0]["cut"] == 0.02
    assert not any("treated as" in note for note in c.notes), "nothing was inferred"
    finest = fr.compare(first, second, model=fr.Fit(resolution=FINEST), tol=0.01)
    assert "cut" not in finest.laws[0]


@pytest.mark.parametrize("model", ["fit", "sym", "mixed", "mixture", "generalised", "kernel"])
def test_random_rows_are_treated_as_well(model):
    options = {"model": model, "tol": 0.02}
    first, second = noise(6, 2, 200, seed=3)
    c = fr.compare(cut(first, 0.05), rounded(second, 1), **options)
    by_limit, by_decimals = (
        law.rows.sample(np.random.default_rng(0), 500) for law in c.analysis.laws
    )
    assert by_limit[by_limit > 0.0].min() >= c.laws[0]["cut"]
    assert c.laws[1]["decimals"] == 1
    assert treatment_of(DenseRows(by_decimals), "auto") == Rounded(1)
    c = fr.compare(largest(first, 3), second, **options)
    drawn = c.analysis.laws[0].rows.columns(np.random.default_rng(0), 500)
    assert (drawn > 0.0).sum(axis=0).max() == 3
    assert c.laws[0]["largest"] == 3


def test_much_that_is_lost_is_noted():
    """Of 50 entries of about the same size, five were kept: the rest is a guess."""
    first, second = (largest(rows, 5) for rows in noise(50, 20, 300, seed=0))
    notes = fr.compare(first, second, model="fit", tol=0.02).notes
    assert any("'perm'" in note and "'empirical'" in note for note in notes)
    first, second = (largest(rows, 8) for rows in noise(50, 1, 300, seed=0))
    notes = fr.compare(first, second, model="fit", tol=0.02).notes
    assert not any("'empirical'" in note for note in notes)
