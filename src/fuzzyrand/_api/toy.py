"""The five toy clusterings of DeWolfe and Andrews: nine points, three clusters."""

from __future__ import annotations

import numpy as np

from .._base.types import FloatArray


def toy_clusterings() -> dict[str, FloatArray]:
    """Return the five toy clusterings of DeWolfe and Andrews, by name.

    All have nine points in three clusters. Two clusterings are nearly hard, with a membership of
    0.98 in one cluster and 0.01 in the others: one has even and the other uneven cluster sizes. Two
    are the hard versions of these. In the fifth, all memberships are close to one third.

    Returns
    -------
    dict of str to ndarray
        Memberships of shape (9, 3), under the names "uneven_low_fuzzy", "even_low_fuzzy",
        "high_fuzzy", "uneven_hard" and "even_hard".

    References
    ----------
    .. [1] DeWolfe, R., J. L. Andrews, Random models for fuzzy clustering similarity measures,
           arXiv:2312.10270, Section 5.2.

    Examples
    --------
    >>> toy = toy_clusterings()
    >>> toy["high_fuzzy"][0].tolist()
    [0.34, 0.33, 0.33]
    """
    uneven = np.eye(3)[[0, 0, 0, 0, 0, 0, 1, 0, 2]]
    even = np.eye(3)[[0, 0, 0, 1, 1, 1, 2, 2, 2]]
    high = [
        [0.34, 0.33, 0.33],
        [0.36, 0.32, 0.32],
        [0.40, 0.25, 0.35],
        [0.33, 0.34, 0.33],
        [0.32, 0.32, 0.36],
        [0.25, 0.40, 0.35],
        [0.33, 0.33, 0.34],
        [0.32, 0.32, 0.36],
        [0.35, 0.40, 0.25],
    ]
    return {
        "uneven_low_fuzzy": np.where(uneven == 1.0, 0.98, 0.01),
        "even_low_fuzzy": np.where(even == 1.0, 0.98, 0.01),
        "high_fuzzy": np.array(high),
        "uneven_hard": uneven,
        "even_hard": even,
    }
