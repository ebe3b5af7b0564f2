"""Functions of users: what they are given, and how their failures are told."""

import numpy as np
import pytest

import fuzzyrand as fr


def test_functions_cannot_change_what_they_get():
    def in_place(u, v):
        np.minimum(u, v, out=v)
        return v.sum(axis=1)

    with pytest.raises(fr.ParameterError, match="agreement failed with ValueError"):
        fr.CustomIndex(in_place, lambda a, b: 1 - np.abs(a - b))
    with pytest.raises(fr.ParameterError, match="concordance failed"):
        fr.CustomIndex(lambda u, v: (u * v).sum(axis=1), lambda a, b: 1 if a == b else 0)
    with pytest.raises(fr.UnknownNameError, match="CustomIndex"):
        fr.similarity([0, 1], [0, 1], index=in_place)
