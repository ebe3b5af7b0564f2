"""One side of a comparison."""

import fuzzyrand as fr
from fuzzyrand._base.effort import Effort
from fuzzyrand._laws.side import Side
from fuzzyrand.indices import INDICES

TOY = fr.toy_clusterings()


def test_laws_of_a_side_are_shared():
    side = Side(fr.as_partition(TOY["high_fuzzy"]), INDICES["ndc"], Effort())
    assert side.law(fr.Perm()) is side.pairs_law
    assert side.law(fr.Empirical()).observed is side.pairs_law
    assert side.law(fr.Fit()) is side.law(fr.Fit())
