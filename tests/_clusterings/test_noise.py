"""Noise points: as a cluster, as singletons, dropped; and what rows lack to a sum of 1."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

import fuzzyrand as fr

from ..examples import examples

KW = {"tol": 2e-3}


def private(rows: np.ndarray) -> np.ndarray:
    """Give what each row lacks to a sum of 1 a column of its own."""
    lacking = 1.0 - rows.sum(axis=1)
    return np.hstack([rows, np.diag(lacking)])


def lacking_rows(rng: np.random.Generator, n: int, k: int) -> np.ndarray:
    """Return rows that sum to less than 1, some to 1 and some to 0."""
    # What a row lacks is more than the rounding that is not taken for noise.
    rows = (1.0 - 1e-5) * rng.dirichlet(np.full(k + 1, 0.7), n)[:, :k]
    rows[rng.random(n) < 0.2] = 0.0
    whole = rng.random(n) < 0.2
    rows[whole] = rng.dirichlet(np.ones(k), int(whole.sum()))
    rows[0, 0], rows[0, 1:] = 0.5, 0.0
    return rows


def labels_with_noise(rng: np.random.Generator, n: int) -> np.ndarray:
    labels = rng.integers(-1, 3, n)
    labels[:3] = [-1, 0, 1]
    return labels


def alone(labels: np.ndarray) -> np.ndarray:
    """Return labels in which every -1 is a cluster of its own."""
    out = labels.copy()
    out[labels == -1] = 100 + np.arange(np.count_nonzero(labels == -1))
    return out


@given(st.integers(0, 10**6))
@examples(25)
def test_hard_noise_is_what_one_would_make_of_the_labels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(8, 30))
    a, b = labels_with_noise(rng, n), labels_with_noise(rng, n)
    both = (a != -1) & (b != -1)
    if np.count_nonzero(both) < 2 or len({*zip(a[both], b[both], strict=True)}) < 2:
        return
    for model in ("perm", "all"):
        kw = {"model": model, "index": "ndc"}
        by_hand = fr.compare(alone(a), alone(b), **kw)
        got = fr.compare(a, b, noise=-1, noise_as="singletons", **kw)
        assert got.adjusted == pytest.approx(by_hand.adjusted, abs=1e-12)
    for model in ("perm", "cat", "num", "sym", "fit"):
        try:
            by_hand = fr.compare(a[both], b[both], model=model)
        except fr.NotApplicableError:
            continue
        got = fr.compare(a, b, noise=-1, noise_as="drop", model=model)
        assert got.adjusted == by_hand.adjusted
        assert got.n == np.count_nonzero(both)
        as_is = fr.compare(a, b, model=model)
        kept = fr.compare(a, b, noise=-1, noise_as="cluster", model=model)
        assert kept.adjusted == as_is.adjusted


@pytest.mark.parametrize("model", ["cat", "fit", "mixture"])
def test_points_drawn_as_noise_are_together_with_nobody(model: str) -> None:
    a, b = [0, 0, 1, 1, -1, -1, -1, 0], [0, 0, 1, 1, 1, -1, 0, 0]
    q1, q2 = (3 / 8) ** 2 + (2 / 8) ** 2, (4 / 8) ** 2 + (3 / 8) ** 2
    c = fr.compare(a, b, noise=-1, noise_as="singletons", model=model)
    assert c.expected == pytest.approx(q1 * q2 + (1 - q1) * (1 - q2), abs=1e-12)


@pytest.mark.parametrize("index", ["ndc", "brouwer", "consistency", "belief", "jousselme"])
@given(st.integers(0, 10**6))
@examples(10)
def test_soft_noise_alone_is_a_column_for_every_point(index: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 14))
    u, v, labels = lacking_rows(rng, n, 3), lacking_rows(rng, n, 2), labels_with_noise(rng, n)
    kw = {"index": index, "model": "perm"}
    noise = {"missing": "noise", "noise_as": "singletons", "noise": -1}
    for first, second, one, two in (
        (u, v, private(u), private(v)),
        (u, labels, private(u), alone(labels)),
        (labels, v, alone(labels), private(v)),
    ):
        got, by_hand = fr.compare(first, second, **kw, **noise), fr.compare(one, two, **kw)
        assert got.observed == pytest.approx(by_hand.observed, abs=1e-12)
        assert got.expected == pytest.approx(by_hand.expected, abs=1e-12)


@pytest.mark.parametrize("index", ["ndc", "brouwer", "jousselme"])
def test_sampled_pairs_treat_noise_alone_as_all_pairs_do(index: str) -> None:
    rng = np.random.default_rng(1)
    u, v = lacking_rows(rng, 1500, 4), lacking_rows(rng, 1500, 3)
    kw = {"index": index, "model": "perm", "missing": "noise", "noise_as": "singletons"}
    exact = fr.compare(u, v, **kw)
    sampled = fr.compare(u, v, effort=fr.Effort(pairs=60_000), **kw)
    assert (sampled.computed["observed_stderr"] > 0.0) == (index == "ndc")  # others by moments
    gap = abs(sampled.observed - exact.observed)
    assert gap <= 5.0 * sampled.computed["observed_stderr"] + 1e-12


def test_a_survey_of_all_pairs_equals_a_plain_loop_with_noise_alone() -> None:
    rng = np.random.default_rng(2)
    u, v = lacking_rows(rng, 1600, 3), lacking_rows(rng, 1600, 3)
    got = fr.similarity(u, v, missing="noise", noise_as="singletons")
    total = 0.0
    for i in range(1600):
        a = np.minimum(u[i], u[i + 1 :]).sum(axis=1)
        b = np.minimum(v[i], v[i + 1 :]).sum(axis=1)
        total += np.abs(a - b).sum()
    assert got == pytest.approx(1.0 - total / (1600 * 1599 / 2), abs=1e-9)


@pytest.mark.parametrize("model", ["fit", "generalised", "mixture", "kernel", "mixed", "empirical"])
def test_models_of_rows_draw_noise_that_nobody_shares(model: str) -> None:
    """The law of a pair, against rows drawn from the same fit by hand."""
    rng = np.random.default_rng(3)
    u = rng.dirichlet([1.0, 2.0, 0.5, 1.0], 80)[:, :3]
    labels = [0] * 60 + [1] * 20
    c = fr.compare(
        u, labels, model=model, missing="noise", noise_as="singletons", fixed="second", **KW
    )
    full = np.column_stack([u, 1.0 - u.sum(axis=1)])
    analysis = fr.compare(full, labels, model=model, **KW).analysis
    distribution = analysis.model.rows(analysis.partitions[0], analysis.effort)
    x, y = (distribution.sample(rng, 60_000) for _ in range(2))
    agreements = np.minimum(x, y)[:, :3].sum(axis=1)
    q = (60 * 59 + 20 * 19) / (80 * 79)
    discordance = q * (1 - agreements) + (1 - q) * agreements
    error = discordance.std() / np.sqrt(60_000)
    if model == "empirical":  # exact, with a row now and then drawn twice
        assert c.exact
    assert c.expected == pytest.approx(
        1.0 - discordance.mean(), abs=5 * error + 5 * c.computed["expected_stderr"]
    )


def test_noise_as_a_cluster_is_one_more_column() -> None:
    rng = np.random.default_rng(4)
    u, v = lacking_rows(rng, 30, 3), lacking_rows(rng, 30, 2)
    full = [np.column_stack([x, (1.0 - x.sum(axis=1)).round(12)]) for x in (u, v)]
    for model in ("perm", "fit", "sym"):
        got = fr.compare(u, v, missing="noise", model=model)
        assert got.adjusted == pytest.approx(fr.compare(*full, model=model).adjusted, abs=5e-3)


@pytest.mark.parametrize("model", ["num", "sym", "flat", fr.Custom(lambda m: m)])
def test_models_that_count_clusters_refuse_noise_alone(model: object) -> None:
    with pytest.raises(fr.NotApplicableError, match="treated as singletons"):
        fr.compare([0, 0, 1, -1], [0, 1, 1, 0], noise=-1, noise_as="singletons", model=model)


@pytest.mark.parametrize("index", ["frobenius", fr.NDC(p=2)])
def test_indices_without_a_meaning_for_soft_noise_alone_refuse(index: object) -> None:
    u = [[0.5, 0.2], [0.1, 0.9], [0.3, 0.3]]
    with pytest.raises(fr.NotApplicableError, match="treated as singletons"):
        fr.compare(u, u, index=index, model="perm", missing="noise", noise_as="singletons")


def test_rows_of_nan_and_missing_labels_are_dropped_from_both() -> None:
    u = np.array([[0.5, 0.5], [np.nan, np.nan], [0.1, 0.9], [0.9, 0.1], [0.4, 0.6]])
    labels = ["a", "b", None, "a", "b"]
    c = fr.compare(u, labels, missing="drop", model="perm")
    keep = [0, 3, 4]
    by_hand = fr.compare(u[keep], [labels[i] for i in keep], model="perm")
    assert c.adjusted == pytest.approx(by_hand.adjusted, abs=1e-14)
    assert c.n == 3
    assert any("2 points were left out" in note for note in c.notes)
    with pytest.raises(fr.InputError, match="missing='drop'"):
        fr.compare(u, labels, model="perm")
    with pytest.raises(fr.InputError, match="not a finite number"):
        fr.compare([[0.5, np.nan], [0.5, 0.5]], [0, 1], missing="drop")


EMPTY = [float("nan")] * 3


def _large_sparse(rows):
    """The same rows among many others and with more columns, so that they are not made full."""
    empty = np.where(np.isnan(rows).all(axis=1), np.nan, 0.0)
    rows = np.column_stack([rows, np.tile(empty[:, None], 5)])
    return csr_array(np.vstack([rows, np.eye(8)[np.arange(2**17) % 8]]))


@pytest.mark.parametrize(
    "form",
    [
        lambda rows: [None if np.isnan(row).all() else list(row) for row in rows],
        lambda rows: [[None if np.isnan(x) else x for x in row] for row in rows],
        lambda rows: np.array([[None if np.isnan(x) else x for x in row] for row in rows]),
        lambda rows: [np.ma.masked_invalid(row) for row in rows],
        lambda rows: np.ma.masked_invalid(rows),
        lambda rows: pd.DataFrame(rows).astype(object).where(~np.isnan(rows), None),
        lambda rows: pd.DataFrame(rows, dtype="Float64"),
        lambda rows: pl.DataFrame(np.asarray(rows), schema=list("pqr")).fill_nan(None),
        lambda rows: csr_array(rows),
        _large_sparse,
    ],
)
def test_empty_rows_of_any_kind_are_dropped(form) -> None:
    rows = np.array([[0.2, 0.3, 0.5], EMPTY, [0.7, 0.3, 0.0], [0.1, 0.1, 0.8], EMPTY])
    partition = fr.as_partition(form(rows), missing="drop")
    assert np.flatnonzero(partition.absent).tolist() == [1, 4]
    kept = np.flatnonzero(~partition.absent)[:3]
    assert partition.take(kept).rows.dense[:, :3] == pytest.approx(rows[[0, 2, 3]])
    with pytest.raises(fr.InputError, match=r"row 1\b"):
        fr.as_partition(form(rows))
    rows[3, 1] = np.nan  # a row that is empty in part only
    with pytest.raises(fr.InputError, match=r"row 3\b"):
        fr.as_partition(form(rows), missing="drop")


def test_missing_labels_may_be_noise() -> None:
    labels, other = [0, 0, None, 1, 1, None], [0, 0, 1, 1, 1, 0]
    named = [0, 0, -1, 1, 1, -1]
    for noise_as in ("cluster", "singletons", "drop"):
        got = fr.compare(labels, other, missing="noise", noise_as=noise_as, model="perm")
        by_hand = fr.compare(named, other, noise=-1, noise_as=noise_as, model="perm")
        assert got.adjusted == by_hand.adjusted


@pytest.mark.parametrize("noise_as", ["cluster", "singletons", "drop"])
def test_labelled_and_missing_noise_are_the_same_noise(noise_as: str) -> None:
    labels = [0, 0, 0, 0, 1, 1, 1, 1, -1, -1, -1, None, None]
    named = [-1 if label is None else label for label in labels]
    other = [0, 0, 0, 1, 1, 1, 1, 0, 2, 2, 0, 1, 0]
    options = {"model": "perm", "noise": -1, "noise_as": noise_as}
    both = fr.compare(labels, other, missing="noise", **options)
    alone = fr.compare(named, other, **options)
    assert (both.n, both.adjusted) == (alone.n, pytest.approx(alone.adjusted))
    assert both.notes[0] == alone.notes[0]


def test_points_are_dropped_after_indexes_are_aligned() -> None:
    rng = np.random.default_rng(5)
    ids = [f"p{i}" for i in range(40)]
    a = pd.Series(labels_with_noise(rng, 40), index=ids)
    b = pd.Series(labels_with_noise(rng, 40), index=ids)
    soft = pd.DataFrame(rng.dirichlet(np.ones(3), 40), index=ids)
    soft.iloc[7] = np.nan
    shuffled = rng.permutation(40)
    kw = {"noise": -1, "noise_as": "drop", "missing": "drop", "model": "perm"}
    for second in (b, soft):
        got = fr.compare(a, second.iloc[shuffled], **kw)
        assert got.adjusted == pytest.approx(fr.compare(a, second, **kw).adjusted, abs=1e-14)
        first, _ = got.analysis.partitions
        assert len(first.ids) == got.n


def test_pairwise_drops_the_same_points_from_all() -> None:
    rng = np.random.default_rng(6)
    runs = {name: labels_with_noise(rng, 50) for name in "abc"}
    keep = np.all([labels != -1 for labels in runs.values()], axis=0)
    got = fr.pairwise(runs, noise=-1, noise_as="drop", model="perm")
    by_hand = fr.pairwise({name: x[keep] for name, x in runs.items()}, model="perm")
    np.testing.assert_array_equal(got.adjusted, by_hand.adjusted)
    reference = labels_with_noise(rng, 50)
    keep &= reference != -1
    got = fr.pairwise(runs, reference=reference, noise=-1, noise_as="drop", model="perm")
    by_hand = fr.pairwise(
        {name: x[keep] for name, x in runs.items()}, reference=reference[keep], model="perm"
    )
    np.testing.assert_array_equal(got.adjusted, by_hand.adjusted)


def test_a_partition_remembers_its_labels_for_noise() -> None:
    a, b = np.array([-1, 0, 0, 1, 1, -1]), np.array([0, 0, 0, 1, 1, 1])
    kw = {"noise": -1, "noise_as": "singletons", "model": "perm"}
    parts = fr.compare(fr.as_partition(a), fr.as_partition(b), **kw)
    assert parts.adjusted == fr.compare(a, b, **kw).adjusted
    texts = fr.compare(a.astype(str), b.astype(str), **kw)
    assert texts.adjusted == parts.adjusted


def test_every_result_says_how_noise_was_treated() -> None:
    a, b = [-1, -1, 0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1, -1, 1]
    said = {
        noise_as: " ".join(fr.compare(a, b, noise=-1, noise_as=noise_as, model="perm").notes)
        for noise_as in ("cluster", "singletons", "drop")
    }
    assert (
        "2 of 8 points of the first clustering are noise points (label -1), counted as"
        in said["cluster"]
    )
    assert "1 of 8 points of the second clustering are noise points" in said["singletons"]
    assert "no two of them count as together" in said["singletons"]
    assert "and were left out" in said["drop"]
    assert "3 points were left out" in said["drop"]
    u = [[0.5, 0.2], [0.1, 0.9], [0.3, 0.3], [0.2, 0.8]]
    soft = fr.compare(u, [0, 1, 0, 1], missing="noise", model="perm").notes
    assert any("17.5% of the membership of the first clustering is noise" in n for n in soft)
    nobody = fr.compare([0, 0, 1, 1], [0, 1, 1, 1], noise="Noise", model="perm").notes
    assert all("has no noise points (label Noise)" in note for note in nobody)
    assert len(nobody) == 2
    assert "are noise points" in fr.check_model(a, "cat", noise=-1).notes[0]


@pytest.mark.parametrize(
    ("labels", "noted"),
    [
        ([-1, 0, 0, 1], True),
        (["-1", "0", "0", "1"], True),
        ([-1.0, 0.0, 0.0, 1.0], True),
        ([-1, 0, 0, 0], True),
        ([-1, 1, 1, -1], False),
        ([0, 1, 1, 2], False),
        ([-1, -1, -1, -1], True),
        (["-1", "a", "a", "b"], True),
        (["-1", "1", "1", "1"], False),
    ],
)
def test_a_label_of_minus_one_that_nobody_named_is_noted(labels: list, noted: bool) -> None:
    notes = fr.compare(labels, [0, 0, 1, 1], model="perm").notes
    assert any("noise=-1" in note for note in notes) == noted


def test_contradictions_are_refused() -> None:
    a = [0, 0, 1, 1]
    with pytest.raises(fr.ParameterError, match="name its label"):
        fr.compare(a, a, noise_as="drop")
    with pytest.raises(fr.UnknownNameError, match="singletons"):
        fr.compare(a, a, noise=-1, noise_as="singleton")
    with pytest.raises(fr.UnknownNameError, match="missing"):
        fr.compare(a, a, missing="skip")
    with pytest.raises(fr.ParameterError, match="choose one"):
        fr.compare([[0.5, 0.2], [0.5, 0.5]], [0, 1], missing="noise", normalize=True)
    with pytest.raises(fr.InputError, match="partly noise"):
        fr.compare([[0.5, 0.2], [0.5, 0.5]], [0, 1], missing="noise", noise_as="drop")
    with pytest.raises(fr.ParameterError, match=r"noise must be one label.*got ndarray"):
        fr.compare(a, a, noise=np.array([-1]))
    for value in (False, np.nan, len):
        with pytest.raises(fr.ParameterError, match="noise must be one label"):
            fr.compare(a, a, noise=value)
    for name in ("normalize", "possibilistic"):
        with pytest.raises(fr.ParameterError, match=f"{name} must be True or False, got 'no'"):
            fr.compare(a, a, **{name: "no"})
    with pytest.raises(fr.ParameterError, match="got list"):
        fr.advise(a, a, noise=[-1, 5])
    with pytest.raises(fr.InputError, match="0 of 2 points are left"):
        fr.compare([-1, 0], [0, -1], noise=-1, noise_as="drop")
    # The sum of the last row exceeds 1 by rounding, as some of HDBSCAN do.
    whole = np.nextafter(1.0, 2.0)
    for rows in ([[0.5, 0.2], [0.5, 0.5]], [[0.5, 0.2], [0.0, whole]]):
        with pytest.raises(fr.InputError, match="missing='noise'"):
            fr.compare(rows, [0, 1])
    with pytest.raises(fr.InputError) as caught:
        fr.compare([[0.5, 0.2], [0.5, 0.6]], [0, 1])
    assert "noise" not in str(caught.value)


def test_treatments_of_one_clustering_differ() -> None:
    """What is at stake: the same labels give different numbers, so the treatment must be said."""
    rng = np.random.default_rng(8)
    truth = np.repeat([0, 1, 2], 60)
    found = np.where(rng.random(180) < 0.35, -1, truth)
    values = [
        fr.compare(truth, found, noise=-1, noise_as=noise_as, model="perm").adjusted
        for noise_as in ("cluster", "singletons", "drop")
    ]
    for one, two in itertools.combinations(values, 2):
        assert abs(one - two) > 0.05
    assert values[2] == 1.0


@pytest.mark.parametrize(
    ("labels", "noise", "points"),
    [
        ([-1, 0, 0, 1], "-1.0", 1),
        ([-1, 0, 0, 1], "-1e0", 1),
        (np.array([-1.0, 0.0, 0.0, 1.0]), "-1", 1),
        (["-1", "0", "0", "-1.0"], "-1.0", 1),
        (["01", "1", "1", "2"], 1, 2),
        ([True, False, False, False], "1", 0),
        ([2**53 + 1, 5, 5, 6], str(2**53), 0),
        ([0, 1, 1, 2], "sNaN", 0),
    ],
)
def test_a_noise_label_matches_equal_numbers(labels: list, noise: object, points: int) -> None:
    """A text that is no label itself is the label that is the same number."""
    notes = fr.compare(labels, [0, 0, 1, 1], model="perm", noise=noise).notes
    said = "the first clustering has no noise points"
    if points:
        said = f"{points} of 4 points of the first clustering are noise points"
    assert any(note.startswith(said) for note in notes), notes
