"""The observed index: every fast route against the definition, and large routes to each other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzzyrand as fr

from ... import brute
from ...clusterings import alike_pair
from ...strategies import two_clusterings


@given(two_clusterings())
def test_ndc_is_its_definition(pair):
    a, b = pair
    exact = brute.index(brute.memberships(a), brute.memberships(b))
    assert fr.similarity(a, b) == pytest.approx(exact, abs=1e-12)


@given(
    two_clusterings(),
    st.sampled_from([1.0, 1.5, 2.0, 3.0, np.inf]),
    st.sampled_from([1, 1.5, 2, 3]),
)
def test_general_ndc_is_its_definition(pair, p, q):
    a, b = pair
    exact = brute.index(brute.memberships(a), brute.memberships(b), p, q)
    assert fr.similarity(a, b, index=fr.NDC(p=p, q=q)) == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("share_hard", [0.0, 0.6])
def test_sorting_and_visiting_agree_on_many_points(share_hard):
    u, v = alike_pair(1, 3000, 7, share_hard)
    labels = u.argmax(axis=1)
    by_sorting = fr.similarity(labels, v)
    # A power that differs from 1 by rounding only sends the same question through the pairs.
    by_visiting = fr.similarity(labels, v, index=fr.NDC(q=1.0 + 1e-15))
    assert by_sorting == pytest.approx(by_visiting, abs=1e-12)
