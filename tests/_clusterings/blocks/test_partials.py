"""Partial results of blocks add up to the result of the whole, in any grouping and order."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzyrand._base.errors import InputError
from fuzzyrand._base.estimate import FINEST
from fuzzyrand._clusterings.blocks.block_tables import Gram, TableTask
from fuzzyrand._clusterings.blocks.source import (
    ArraySource,
    BlockPlace,
    SideReader,
    add_up,
    cuts_of,
    pairs_of,
)
from fuzzyrand._clusterings.blocks.statistics import (
    HardOrFuzzySums,
    LogSums,
    OwnProducts,
    RowSums,
    ShareSums,
    SizeCounts,
)
from fuzzyrand._clusterings.blocks.surveys import LabelSurvey, RowSummary, RowSurvey, Take
from fuzzyrand._clusterings.blocks.value_bins import ValueBins
from fuzzyrand._clusterings.options import InputOptions
from fuzzyrand._clusterings.treatment import Cut, Largest

from ...examples import examples
from .blocked import random_sizes


def rows_with_zeros(rng, n, k):
    rows = rng.dirichlet(np.full(k, 0.6), n)
    rows[rows < 0.05] = 0.0
    rows[rng.random(n) < 0.3] = np.eye(k)[0]
    return rows / rows.sum(axis=1, keepdims=True)


def tasks(rng, rows, codes):
    """Questions, and the clusterings that each is about."""
    k, clusters = rows.shape[1], int(codes.max()) + 1
    sizes = np.bincount(codes, minlength=clusters).astype(float)
    bins = ValueBins.over(rows[:5], rows.min(axis=0), rows.max(axis=0), sizes)
    others = rng.permutation(codes)
    return [
        (LogSums(Cut(0.07)), (rows,)),
        (ShareSums(Largest(2)), (rows,)),
        (HardOrFuzzySums(Largest(2), tuple(rows.mean(axis=0))), (rows,)),
        (SizeCounts(), (rows,)),
        (RowSums(), (rows,)),
        (OwnProducts(64), (rows,)),
        (bins, (rows, codes)),
        (Gram(k, clusters), (rows, codes)),
        (Gram(k, k), (rows, rows)),
        (TableTask(clusters, clusters), (codes, others)),
    ]


def same(one, two):
    for mine, more in zip(one, two, strict=True):
        np.testing.assert_allclose(mine, more, rtol=1e-12, atol=1e-12)


@examples(25)
@given(st.integers(0, 10**6), st.integers(3, 40), st.integers(2, 4))
def test_partial_results_add_up_in_any_order_and_grouping(seed, n, k):
    rng = np.random.default_rng(seed)
    rows, codes = rows_with_zeros(rng, n, k), rng.integers(3, size=n)
    for task, chunks in tasks(rng, rows, codes):
        whole = task.partial(BlockPlace(0, 0), *chunks)
        cuts = np.sort(rng.choice(np.arange(1, n), 2, replace=False)) if n > 2 else [1, 2]
        parts = [
            task.partial(BlockPlace(b, 0), *(np.split(chunk, cuts)[b] for chunk in chunks))
            for b in range(3)
        ]
        for order in itertools.permutations(range(3)):
            a, b, c = (parts[place] for place in order)
            same(task.combined(task.combined(a, b), c), whole)
            same(task.combined(a, task.combined(b, c)), whole)


@examples(25)
@given(st.integers(0, 10**6), st.integers(4, 40))
def test_the_first_look_says_the_same_in_any_blocks(seed, n):
    rng = np.random.default_rng(seed)
    rows = rows_with_zeros(rng, n, 3)
    task = RowSurvey("clustering", InputOptions(), None, FINEST)
    whole = task.partial(BlockPlace(0, 0), (rows, 0))
    cuts = np.sort(rng.choice(np.arange(1, n), 3, replace=False))
    starts = [0, *cuts]
    parts = [
        task.partial(BlockPlace(b, 0), (part, start))
        for b, (part, start) in enumerate(zip(np.split(rows, cuts), starts, strict=True))
    ]
    halves = task.combined(parts[2], parts[0]), task.combined(parts[3], parts[1])
    merged = task.combined(*halves)
    for name in RowSummary.__dataclass_fields__:
        mine, more = getattr(merged, name), getattr(whole, name)
        if name == "fault":
            assert mine is more is None
        else:
            np.testing.assert_allclose(mine, more, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(whole.spread / n, rows.var(axis=0), atol=1e-15)


def test_labels_of_any_kind_are_counted():
    task = LabelSurvey("clustering")
    one = task.partial(BlockPlace(0, 0), (np.array(["b", "a", "b"], dtype=object), 0))
    two = task.partial(BlockPlace(1, 3), (np.array(["c", "b"], dtype=object), 3))
    assert (
        task.combined(one, two).counts == task.combined(two, one).counts == {"a": 1, "b": 3, "c": 1}
    )


def test_the_first_fault_is_told_by_its_row_in_the_whole():
    task = RowSurvey("clustering", InputOptions(), None, FINEST)
    good = np.full((4, 2), 0.5)
    bad = good.copy()
    bad[2, 1] = 0.9
    parts = [
        task.partial(BlockPlace(b, 4 * b), (part, 4 * b)) for b, part in enumerate([good, bad, bad])
    ]
    for order in itertools.permutations(parts):
        fault = add_up(task, order).fault
        assert isinstance(fault, InputError)
        assert fault.row == 6


@pytest.mark.parametrize("seed", range(3))
def test_rows_are_taken_in_the_order_asked_for(seed):
    rng = np.random.default_rng(seed)
    rows = rng.random((50, 2))
    source = ArraySource([rows], random_sizes(rng, 50, 7))
    wanted = rng.choice(50, 20, replace=False)
    task = Take.rows(wanted, source.starts)
    asked = [SideReader(0, lambda chunk, start: chunk)]
    partial = source.fold(task, asked, "", task.blocks)
    np.testing.assert_array_equal(Take.in_order(partial)[0], rows[wanted])


def test_pairs_of_blocks_are_visited_once_each():
    for blocks in (1, 5, 8, 19):
        found = pairs_of(blocks)
        assert sorted(found) == [(i, j) for i in range(blocks) for j in range(i, blocks)]


def test_blocks_are_cut_evenly():
    assert cuts_of([10, 3], 4) == [(0, 3), (3, 6), (6, 10), (10, 13)]
