"""Tails of Pearson's type III law, which can match a permutation law in its first three moments.

Statistics that are sums over pairs of points have a skewed law under permutations, even for many
points, so a normal law would give wrong tail probabilities.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import gammainc, gammaincc, ndtr

from ..._base.types import FloatArray

#: Skewness below which an expansion around the normal law is more accurate than SciPy.
SMALL_SKEWNESS = 3e-3


def pearson3_tail(z: npt.ArrayLike, skewness: float) -> FloatArray:
    """Return P(Z >= z) for a law of Pearson's type III with mean 0 and variance 1.

    Parameters
    ----------
    z : float or array
        Start of the tail.
    skewness : float
        E[Z^3]. The law is that of a shifted and scaled Gamma variable, reflected if the skewness is
        negative; it is normal if the skewness is 0.

    Returns
    -------
    array
        Probabilities, in the shape of ``z``.
    """
    z = np.asarray(z, dtype=np.float64)
    if abs(skewness) < SMALL_SKEWNESS:
        return _nearly_normal_tail(z, skewness)
    shape = 4.0 / skewness**2
    gamma = np.maximum(shape + 2.0 * z / skewness, 0.0)
    return np.asarray(gammaincc(shape, gamma) if skewness > 0.0 else gammainc(shape, gamma))


def _nearly_normal_tail(z: FloatArray, skewness: float) -> FloatArray:
    """Return the tail from Temme's uniform expansion of the incomplete gamma functions."""
    # Beyond 0.1, the tail is 0 or 1.
    x = np.clip(0.5 * z * skewness, -0.1, 0.1)
    y = z * (1.0 + x * (-1.0 / 3.0 + x * (7.0 / 36.0 - x * 73.0 / 540.0)))
    density = np.exp(-0.5 * y**2) / np.sqrt(2.0 * np.pi)
    return np.asarray(ndtr(-y) + 0.5 * skewness * density * (-1.0 / 3.0 + x / 12.0))
