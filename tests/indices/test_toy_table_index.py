"""An index of tables in a few lines: every function takes it."""

from itertools import permutations

import numpy as np
import pytest

import fuzzyrand as fr


class Purity(fr.TableIndex):
    """The share of points in the largest cell of each cluster of the second clustering."""

    measures = "The index is the share of points that are in the majority of their cluster."

    def __init__(self):
        super().__init__("purity")

    def discordance(self, table, constants):
        return 1.0 - table.matrix.max(axis=0).sum() / table.n


def purity(a, b):
    table = np.zeros((max(a) + 1, max(b) + 1))
    np.add.at(table, (a, b), 1)
    return table.max(axis=0).sum() / len(a)


A, B = np.array([0, 0, 1, 1, 2, 2]), np.array([0, 0, 0, 1, 1, 1])
RNG = np.random.default_rng(0)
LABELS = RNG.integers(3, size=60)
OTHERS = np.where(RNG.random(60) < 0.6, LABELS, RNG.integers(3, size=60))


def test_few_points_in_all_orders():
    exact = np.mean([purity(A, B[list(order)]) for order in permutations(range(6))])
    c = fr.compare(A, B, index=Purity())
    assert (c.observed, c.exact) == (purity(A, B), True)
    assert c.expected == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("model", ["perm", "cat", "num"])
def test_many_points_by_drawn_tables(model):
    c = fr.compare(LABELS, OTHERS, index=Purity(), model=model, tol=0.005)
    assert 0.0 < c.stderr <= 0.005
    if model == "perm":
        drawn = [purity(LABELS, RNG.permutation(OTHERS)) for _ in range(2000)]
        error = np.hypot(np.std(drawn) / np.sqrt(2000), c.computed["expected_stderr"])
        assert abs(c.expected - np.mean(drawn)) < 4.0 * error


def test_every_function_takes_it():
    soft = RNG.dirichlet([0.5] * 3, 60)
    index = Purity()
    assert fr.significance(LABELS, OTHERS, index=index, draws=99).pvalue == 0.01
    interval = fr.confidence_interval(LABELS, OTHERS, index=index, tol=0.01)
    assert interval.low < interval.adjusted < interval.high
    assert fr.pairwise([LABELS, OTHERS, soft], index=index, tol=0.02).adjusted.shape == (3, 3)
    assert fr.similarity(LABELS, soft, index=index) < 1.0
    with pytest.raises(fr.NotApplicableError, match="not a mean over points"):
        fr.explain(LABELS, OTHERS, index=index)
