"""One side of a comparison."""

import numpy as np

import fuzzyrand as fr
from fuzzyrand._base.effort import Precision
from fuzzyrand.indices import INDICES
from fuzzyrand.models._laws.side import Side

TOY = fr.toy_clusterings()


def test_laws_of_a_side_are_shared():
    side = Side(fr.as_partition(TOY["high_fuzzy"]), INDICES["ndc"], Precision())
    assert side.law(fr.Perm()) is side.pairs_law
    assert side.law(fr.Empirical()).observed is side.pairs_law
    assert side.law(fr.Fit()) is side.law(fr.Fit())


def test_models_that_come_to_the_same_share_a_law():
    rows = np.random.default_rng(0).dirichlet([2.0, 3.0, 4.0], 200)
    side = Side(fr.as_partition(rows), INDICES["ndc"], Precision())
    fit = side.law(fr.Fit())
    assert side.law(fr.Mixed()) is fit  # there are no hard rows
    assert side.law(fr.Sym()) is not fit
    assert side.law(fr.Generalised()) is not fit
