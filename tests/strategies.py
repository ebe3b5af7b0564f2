"""Random clusterings for property tests."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st


@st.composite
def hard(draw, n):
    """A label vector of n points."""
    k = draw(st.integers(1, 6))
    return np.array(draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n)))


@st.composite
def fuzzy(draw, n):
    """Memberships: some rows soft, some one-hot, some with zeros, some repeated."""
    k = draw(st.integers(2, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    concentration = draw(st.sampled_from([0.05, 0.3, 1.0, 10.0]))
    rows = rng.standard_gamma(concentration, size=(n, k)) + 1e-30
    rows[rng.random((n, k)) < draw(st.sampled_from([0.0, 0.4]))] = 0.0
    rows[rows.sum(axis=1) == 0.0, 0] = 1.0
    hard_share = draw(st.sampled_from([0.0, 0.5]))
    one_hot = rng.random(n) < hard_share
    rows[one_hot] = np.eye(k)[rng.integers(k, size=one_hot.sum())]
    if draw(st.booleans()):
        rows[n // 2 :] = rows[: n - n // 2]
    return rows / rows.sum(axis=1, keepdims=True)


@st.composite
def two_clusterings(draw, kinds=("hard", "fuzzy")):
    """Two clusterings of the same points, hard or fuzzy."""
    n = draw(st.integers(2, 25))
    of = {"hard": hard(n), "fuzzy": fuzzy(n)}
    first = draw(of[draw(st.sampled_from(kinds))])
    second = draw(of[draw(st.sampled_from(kinds))])
    return first, second
