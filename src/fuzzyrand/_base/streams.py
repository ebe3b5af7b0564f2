"""Random streams, one for each purpose, so that no two purposes share random numbers."""

from __future__ import annotations

from enum import IntEnum


class Stream(IntEnum):
    """Purpose of random numbers; the value is part of the seed."""

    #: Agreements drawn from the first and the second law for an expectation by Monte Carlo.
    FIRST_LAW = 1
    SECOND_LAW = 2
    #: Pairs of points, where there are too many to visit.
    PAIRS = 3
    #: Agreements drawn to measure the misfit between a model and a clustering.
    MISFIT = 4
    #: Clusterings drawn from a model to see which misfits are typical of it.
    TYPICAL = 5
    #: Pairs sampled to see how much a mean agreement depends on the points.
    NOTES = 6
    #: Pairs of a clustering with itself.
    SELF_PAIRS = 8
    #: Clusterings drawn from fitted laws and then refitted.
    REDRAWS = 7
    #: Partners of each point, where there are too many pairs to visit.
    POINTS = 9
    #: Rows and points drawn to see how much single points change an adjusted index.
    INFLUENCES = 11
    #: Clusterings drawn from a model to see which adjusted indices arise by chance.
    SIGNIFICANCE = 12
    #: Points in random order, and everything else that a permutation test draws.
    PERMUTATIONS = 10
    #: Pairs sampled to explain a comparison, where there are too many to visit.
    EXPLANATIONS = 13
    #: Subsamples of rows, reference data, and the seeds for clustering both.
    STABILITY = 14
    #: Contingency tables drawn for the expectation of an index of tables.
    TABLES = 15
    #: Points of runs in random order, to see which clusters recur by chance.
    RECURRENCE = 20
