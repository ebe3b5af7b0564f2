"""The random streams: one for each purpose, so that no two purposes share random numbers."""

from __future__ import annotations

from enum import IntEnum


class Stream(IntEnum):
    """Purpose of random numbers; the value is part of the seed."""

    #: Agreements of the first and of the second law of an expectation by Monte Carlo.
    FIRST_LAW = 1
    SECOND_LAW = 2
    #: Pairs of points, where there are too many to visit.
    PAIRS = 3
    #: Agreements that show how far a model lies from a clustering.
    MISFIT = 4
    #: Clusterings drawn from a model, to see which distances are typical of it.
    TYPICAL = 5
    #: Pairs that show how much a mean agreement depends on the points.
    NOTES = 6
    #: Pairs of a clustering with itself.
    SELF_PAIRS = 8
    #: Clusterings drawn from fitted laws and fitted again.
    REDRAWS = 7
    #: Partners of each point, where there are too many pairs to visit.
    POINTS = 9
    #: Rows and points that show how much single points move an adjusted index.
    INFLUENCES = 11
    #: Clusterings drawn from a model, to see which adjusted indices are chance.
    SIGNIFICANCE = 12
    #: Points in random order, and what else a permutation test draws.
    PERMUTATIONS = 10
    #: Pairs that explain a comparison, where there are too many to visit.
    EXPLANATIONS = 13
    #: Subsamples of rows, reference data, and seeds of clusterings of them.
    STABILITY = 14
