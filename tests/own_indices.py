"""Indices from functions of one's own, whose values are known from built-in ones."""

import numpy as np

import fuzzyrand as fr


def own_ndc():
    """As ``ndc``, but nobody knows its moments."""
    return fr.CustomIndex(
        lambda u, v: np.minimum(u, v).sum(axis=1), lambda a, b: 1.0 - np.abs(a - b), "own"
    )


def own_dots():
    """As ``consistency``, but nobody knows its moments."""
    return fr.CustomIndex(
        lambda x, y: (x * y).sum(axis=1), lambda a, b: a * b + (1.0 - a) * (1.0 - b), "own dots"
    )
