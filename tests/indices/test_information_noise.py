"""What unrelated clusterings score by mutual information, with few points in many clusters."""

import numpy as np
import pytest

import fuzzyrand as fr

MODELS = ("perm", "fit", "sym", "mixed", "empirical")


def fuzzy_noise(n, k, seed=0):
    return np.random.default_rng(seed).dirichlet(np.full(k, 1 / k), (2, n))


def test_the_mean_of_sparse_soft_tables_is_drawn_where_its_expansion_diverges():
    u, v = fuzzy_noise(60, 40)
    c = fr.compare(u, v, index="mi")
    assert c.stderr > 0.0
    rng = np.random.default_rng(1)
    shuffled = [fr.similarity(rng.permutation(u), v, index="mi") for _ in range(100)]
    error = np.std(shuffled, ddof=1) / np.sqrt(len(shuffled))
    # The error of the adjusted index exceeds that of the expected one by about 1 / (1 - expected).
    assert abs(c.expected - np.mean(shuffled)) < 5.0 * np.hypot(error, c.stderr)


@pytest.mark.parametrize("model", MODELS)
def test_fuzzy_noise_scores_zero_up_to_half_as_many_clusters_as_points(model):
    n, k = 60, 30
    scores = [
        fr.compare(*fuzzy_noise(n, k, seed), index="mi", model=model, tol=0.01).adjusted
        for seed in range(6)
    ]
    if model == "empirical":  # it repeats points, so that fewer are different
        assert 0.0 < np.mean(scores) < 0.15
    else:
        error = np.std(scores, ddof=1) / np.sqrt(len(scores))
        assert abs(np.mean(scores)) < 4.0 * error + 0.01


def test_a_fit_to_few_points_has_a_note_that_says_by_how_much_it_is_off():
    a, b = np.random.default_rng(0).integers(20, size=(2, 100))
    c = fr.compare(a, b, index="mi", model="cat")
    (note,) = c.notes
    assert note.startswith("cat was fitted to few points (100, in 20 clusters), which makes the")
    assert note.endswith("model='perm' needs no fit.")
    excess = float(note.split("by about ")[1].split(". ")[0])
    assert abs(c.adjusted - fr.compare(a, b, index="mi").adjusted - excess) < 0.006
    assert not fr.compare(a, b, index="mi").notes
    assert not fr.compare(a % 3, b % 3, index="mi", model="cat").notes


def test_a_model_that_repeats_points_has_a_note():
    u, v = fuzzy_noise(60, 30)
    c = fr.compare(u, v, index="mi", model="empirical")
    assert any(note.startswith("empirical may draw the same point twice") for note in c.notes)


def test_notes_of_a_model_that_is_judged_by_another():
    u, v = fuzzy_noise(80, 3)
    for note in fr.compare(u, v, index="mi", model="sym").notes:
        assert "does not describe" not in note
