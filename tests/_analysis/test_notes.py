"""What a reader must know before quoting a number."""

import numpy as np
import pytest

import fuzzyrand as fr

LABELS = np.random.default_rng(0).integers(3, size=1000)


def test_all_expects_far_more_clusters_than_there_are():
    c = fr.compare(LABELS, np.roll(LABELS, 1), model="all")
    said = [note for note in c.notes if "all draws about" in note]
    assert len(said) == 2
    assert "about 190 clusters" in said[0]
    assert "model='num'" in said[0]
    alike = np.arange(1000) // 6
    assert fr.compare(alike, alike[::-1], model="all").notes == ()


def test_notes_are_printed_and_kept():
    c = fr.compare(LABELS, np.roll(LABELS, 1), model="all")
    assert all(f"Note: {note[:40]}" in str(c) for note in c.notes)
    assert c.to_dict()["notes"] == list(c.notes)
    table = fr.compare(LABELS, np.roll(LABELS, 1), model=["perm", "all"])
    assert table.notes == c.notes
    assert table["perm"].notes == ()


def test_nothing_to_say_of_plain_data():
    rng = np.random.default_rng(2)
    first = rng.dirichlet([2.0, 3.0, 4.0], 400)
    second = 0.5 * first + 0.5 * rng.dirichlet([1.0, 1.0, 1.0], 400)
    for model in ("perm", "fit", "sym", "flat"):
        assert fr.compare(first, second, model=model, tol=5e-3).notes == ()


def test_an_index_that_is_not_one_with_itself():
    rng = np.random.default_rng(3)
    first, second = (rng.dirichlet([1.0, 1.0], 100) for _ in range(2))
    (note,) = fr.compare(first, second, index="brouwer", model="perm").notes
    assert "with itself is below 1" in note
    assert "maximum='self'" in note


@pytest.mark.parametrize("model", ["fit", "sym"])
def test_topics_that_were_cut(model):
    rng = np.random.default_rng(4)
    topics = [rng.dirichlet(np.full(20, 0.1), 500) for _ in range(2)]
    cut = [np.where(rows < 0.01, 0.0, rows) for rows in topics]
    rounded = [np.round(rows, 2) for rows in topics]
    lists = [np.where(rows < np.sort(rows, axis=1)[:, -3:-2], 0.0, rows) for rows in topics]
    for treated, said in (
        (cut, "hardly any of the others is below 0.01"),
        (rounded, "rounded to multiples of 0.01"),
        (lists, "truncated to their 3 largest"),
    ):
        notes = fr.compare(*treated, model=model, normalize=True, tol=5e-3).notes
        assert sum(said in note for note in notes) == 2, "one for each side"
