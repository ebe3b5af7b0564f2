"""Custom indices whose values are known from built-in ones."""

import numpy as np

import fuzzyrand as fr


def own_ndc():
    """Like ``ndc``, but without known moments."""
    return fr.CustomIndex(
        lambda u, v: np.minimum(u, v).sum(axis=1), lambda a, b: 1.0 - np.abs(a - b), "own"
    )


def own_dots():
    """Like ``consistency``, but without known moments."""
    return fr.CustomIndex(
        lambda x, y: (x * y).sum(axis=1), lambda a, b: a * b + (1.0 - a) * (1.0 - b), "own dots"
    )
