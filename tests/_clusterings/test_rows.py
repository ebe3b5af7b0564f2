"""Every form of rows gives what a full matrix gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzzyrand as fr
from fuzzyrand._clusterings.blocks.source import ArraySource
from fuzzyrand._clusterings.blocks.together import BlockedForm, read_blocks
from fuzzyrand._clusterings.options import InputOptions
from fuzzyrand._clusterings.partition import read_partition
from fuzzyrand._clusterings.rows import DenseRows, LabelRows, Rows, SingleRows
from fuzzyrand._clusterings.sparse_rows import SparseRows

from ..examples import examples
from ..strategies import fuzzy, hard

#: No matrix is small enough to be converted to double precision.
FEW = fr.Budget(single_entries=10)


def codes_of(labels):
    return np.unique(labels, return_inverse=True)[1].reshape(-1)


class HalfRows(Rows):
    """Rows of two clusters, of which only the first column is stored: a form of its own."""

    def __init__(self, first):
        self.first = first

    @property
    def shape(self):
        return self.first.size, 2

    @property
    def dense(self):
        return np.stack([self.first, 1.0 - self.first], axis=1)

    def take(self, points):
        return HalfRows(self.first[points])


class PlainLabels(HalfRows):
    """Hard rows of two clusters in a form of their own, which knows no shortcut."""

    hard = True

    @property
    def codes(self):
        return (1.0 - self.first).astype(np.intp)

    def take(self, points):
        return PlainLabels(self.first[points])


def test_a_new_form_of_hard_rows():
    rng = np.random.default_rng(0)
    one, two = (PlainLabels(rng.integers(0, 2, 30).astype(float)) for _ in range(2))
    np.testing.assert_array_equal(one.products(two), one.dense.T @ two.dense)
    found = fr.compare(fr.Partition(one), fr.Partition(two))
    assert found.adjusted == fr.compare(one.codes, two.codes).adjusted


@st.composite
def forms(draw):
    """A full matrix, and the same rows in another form."""
    n = draw(st.integers(3, 12))
    form = draw(st.sampled_from(["labels", "sparse", "single", "half"]))
    if form == "labels":
        codes = codes_of(draw(hard(n)))
        rows = LabelRows(codes, int(codes.max()) + 1 + draw(st.integers(0, 2)))
        return DenseRows(np.eye(rows.k)[codes]), rows
    full = np.round(draw(fuzzy(n)), 1)
    if form == "sparse":
        return DenseRows(full), SparseRows.of_dense(full)
    if form == "single":
        single = full.astype(np.float32)
        sums = single.sum(axis=1, dtype=np.float64)
        return DenseRows(single / sums[:, None]), SingleRows(single, sums)
    first = full[:, 0]
    return DenseRows(np.stack([first, 1.0 - first], axis=1)), HalfRows(first)


@given(forms(), st.data())
def test_each_form_gives_what_a_full_matrix_gives(given_forms, data):
    full, rows = given_forms
    weights = np.array(data.draw(st.lists(st.floats(0.1, 3.0), min_size=full.n, max_size=full.n)))
    points = np.array(data.draw(st.lists(st.integers(0, full.n - 1), min_size=1, max_size=9)))
    assert rows.shape == full.shape
    assert rows.all_equal == full.all_equal
    assert rows.entries == full.entries
    assert rows.total_square == pytest.approx(full.total_square)
    for name in ("dense", "strongest", "largest", "filled", "squared_lengths", "variances"):
        np.testing.assert_allclose(getattr(rows, name), getattr(full, name), atol=1e-12)
    low, high = rows.extremes
    assert (low <= full.extremes[0]).all()
    assert (high >= full.extremes[1]).all()
    for made in (
        lambda x: x.take(points).dense,
        lambda x: x.take(slice(1, 3)).dense,
        lambda x: x.take(weights > 1.0).dense,
        lambda x: x.column(x.k - 1),
        lambda x: x.columns_in_order(points)(0),
        lambda x: x.sums(),
        lambda x: x.sums(weights),
        lambda x: x.squares(),
        lambda x: x.squares(weights),
        lambda x: x.times(np.arange(float(x.k))),
        lambda x: x.without_zeros.dense,
        lambda x: x.drop_last().dense,
        lambda x: x.reorder(np.arange(x.k)[::-1]).dense,
        lambda x: x.scale(weights).dense,
        lambda x: x.unit().dense,
    ):
        np.testing.assert_allclose(made(rows), made(full), atol=1e-12)


@pytest.mark.parametrize("index", ["ndc", "brouwer", "mi"])
@pytest.mark.parametrize("model", ["perm", "fit"])
def test_large_matrices_in_single_precision_are_kept_as_they_are(index, model):
    rng = np.random.default_rng(5)
    labels, soft = rng.integers(0, 3, 300), rng.dirichlet([1.0, 2.0, 1.0], 300).astype(np.float32)
    soft[::7] *= np.float32(1.0004)  # as far off from 1 as single precision may be
    for other in (labels, rng.dirichlet([2.0, 1.0], 300).astype(np.float32)):
        expected = fr.compare(soft, other, index=index, model=model)
        found = fr.compare(soft, other, index=index, model=model, effort=fr.Effort(budget=FEW))
        assert isinstance(found.analysis.partitions[0].rows, SingleRows)
        assert found.observed == pytest.approx(expected.observed, abs=1e-12)
        assert found.expected == pytest.approx(expected.expected, abs=1e-12)
    kept = found.analysis.partitions[0].rows.detach()
    before = kept.take(slice(None)).dense
    soft[:] = 0.0  # what is kept for longer has a copy of its own
    np.testing.assert_array_equal(kept.take(slice(None)).dense, before)


def test_single_precision_that_says_more_is_read_as_usual():
    def read(rows, **options):
        return read_partition(rows, InputOptions(budget=FEW, **options), "clustering")

    rng = np.random.default_rng(5)
    soft = rng.dirichlet([1.0, 1.0], 20).astype(np.float32)
    hard_rows = np.eye(2, dtype=np.float32)[rng.integers(0, 2, 20)]
    assert read(hard_rows).is_hard
    assert not isinstance(read(3 * soft, normalize=True).rows, SingleRows)
    assert read(soft / 2, possibilistic=True).possibilistic
    with pytest.raises(fr.InputError, match="row 3"):
        read(np.where(np.arange(20)[:, None] == 3, np.float32(2.0), soft))
    with pytest.raises(fr.InputError, match=r"row 0 .*sums to"):
        read(soft / 2)


@given(st.integers(3, 12).flatmap(lambda n: st.tuples(*[fuzzy(n), hard(n)] * 2)), st.booleans())
def test_products_of_any_two_forms(four, weighted):
    u, a, v, b = four
    n = len(u)
    weights = np.linspace(0.5, 1.5, n) if weighted else None
    pairs = [
        [
            (DenseRows(x), x),
            (SparseRows.of_dense(x), x),
            (LabelRows(y, y.max() + 1), np.eye(y.max() + 1)[y]),
        ]
        for x, y in ((u, codes_of(a)), (v, codes_of(b)))
    ]
    scaled = np.ones(n) if weights is None else weights
    for one, left in pairs[0]:
        for two, right in pairs[1]:
            found = one.products(two, weights)
            found = found if isinstance(found, np.ndarray) else found.toarray()
            np.testing.assert_allclose(found, left.T @ (right * scaled[:, None]), atol=1e-12)
            own = ((left**2).sum(axis=1) * (right**2).sum(axis=1)).sum()
            assert one.gram(two)[1] == pytest.approx(own)


@examples(20)
@given(st.integers(4, 12).flatmap(lambda n: st.tuples(fuzzy(n), fuzzy(n), hard(n), hard(n))))
def test_blocks_give_what_the_rows_in_memory_give(four):
    u, v, a, b = four
    a, b = codes_of(a), codes_of(b)
    arrays = (u, v, a, b)
    options = InputOptions()
    names = [
        BlockedForm(name, x.shape[1] if x.ndim == 2 else None)
        for name, x in zip("uvab", arrays, strict=True)
    ]
    source = ArraySource(arrays, [2, len(u) - 3, 1])
    blocked = [part.rows for part in read_blocks(source, names, options)]
    memory = [fr.as_partition(x).rows for x in arrays]
    for one, full in zip(blocked, memory, strict=True):
        assert one.shape == full.shape
        assert one.blocks == 3
        assert one.hard == full.hard
        np.testing.assert_allclose(one.sums(), full.sums(), atol=1e-12)
        np.testing.assert_allclose(one.take(np.array([2, 0])).dense, full.dense[[2, 0]], atol=1e-15)
        with pytest.raises(fr.NotApplicableError, match="in one place"):
            one.dense  # noqa: B018
        if not full.hard:
            np.testing.assert_allclose(one.squares(), full.squares(), atol=1e-12)
            np.testing.assert_allclose(one.variances, full.variances, atol=1e-12)
            np.testing.assert_allclose(one.unit().sums(), full.unit().sums(), atol=1e-12)
            assert one.unit().total_square == pytest.approx(full.unit().total_square)
            with pytest.raises(fr.NotApplicableError, match="in one place"):
                one.unit().squares()
        with pytest.raises(fr.NotApplicableError, match="in one place"):
            one.sums(np.ones(one.n))
        for two, other in zip(blocked, memory, strict=True):
            found, expected = (
                x if isinstance(x, np.ndarray) else x.toarray()
                for x in (one.products(two), full.products(other))
            )
            np.testing.assert_allclose(found, expected, atol=1e-12)
            if one.hard and two.hard:
                assert one.count_together(two)[:3] == full.count_together(other)[:3]


CASES = [("frobenius", "perm")] + [
    (index, model)
    for index in ("ndc", "brouwer", "belief", "jousselme", "mi")
    for model in ("perm", "fit", "generalised", "mixed", "empirical")
]


@pytest.mark.parametrize(("index", "model"), CASES)
def test_a_new_form_of_rows_needs_one_class(index, model):
    rng = np.random.default_rng(3)
    first, labels = rng.beta(2.0, 1.0, 40), rng.integers(0, 3, 40)
    full = np.stack([first, 1.0 - first], axis=1)
    toy, memory = fr.Partition(HalfRows(first)), fr.Partition(DenseRows(full))
    for other in (labels, rng.dirichlet([1.0, 1.0, 2.0], 40)):
        found, expected = (fr.compare(x, other, index=index, model=model) for x in (toy, memory))
        assert found.observed == pytest.approx(expected.observed, abs=1e-12)
        assert found.expected == pytest.approx(expected.expected, abs=1e-12)


def test_a_new_form_of_rows_is_tested_and_explained():
    rng = np.random.default_rng(3)
    first, labels = rng.beta(2.0, 1.0, 40), rng.integers(0, 3, 40)
    full = np.stack([first, 1.0 - first], axis=1)
    both = fr.Partition(HalfRows(first)), fr.Partition(DenseRows(full))
    tests = [fr.significance(x, labels, draws=99) for x in both]
    assert tests[0].pvalue == tests[1].pvalue
    ends = [fr.confidence_interval(x, labels) for x in both]
    assert (ends[0].low, ends[0].high) == pytest.approx((ends[1].low, ends[1].high), abs=1e-12)
    scores = [fr.explain(x, labels).points for x in both]
    np.testing.assert_allclose(*scores, atol=1e-12)
