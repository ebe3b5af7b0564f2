"""The resolution of memberships: the size below which an entry was not kept.

Soft memberships are rarely raw. Topic models drop topics below 0.01, files hold two or three
decimals, lists of the ten largest are scaled to sum to 1. A zero then says that an entry lay below
some limit, and the smallest entry that is not zero is an estimate of that limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from .._base.types import FloatArray

#: The spacing of doubles at 1: no resolution is finer.
FINEST = 2.2e-16
#: A limit this small changes no agreement by anything that matters, so that nothing is cut.
HARMLESS = 1e-8
#: Rows of k clusters must keep an entry when they are cut, so that the limit stays below 1/k; and
#: the likelihood takes what lies below a limit as small, which holds up to half of that.
LARGEST_CUT, LARGEST_FITTED = 0.99, 0.5


@dataclass(frozen=True)
class Resolution:
    """A limit below which memberships are known only to lie below it.

    Attributes
    ----------
    size : float
        What a fit takes for the limit.
    cut : float
        Where random rows are cut to be like these.
    zeros : float
        Share of the memberships that are zero.
    inferred : bool
        Whether it was found in the memberships, not given.
    """

    size: float
    cut: float
    zeros: float = 0.0
    inferred: bool = False

    @property
    def cuts(self) -> bool:
        """Whether random rows must be cut there, too, to be like these."""
        return self.zeros > 0.0 and self.cut > HARMLESS


def resolution_of(memberships: FloatArray, given: float | Literal["auto"]) -> Resolution:
    """Return the resolution of memberships: the one given, or the one that their zeros tell.

    Examples
    --------
    >>> resolution_of(np.array([[0.99, 0.01, 0.0], [0.4, 0.3, 0.3]]), "auto").size
    0.01
    """
    k = memberships.shape[1]
    positive = memberships > 0.0
    zeros = 1.0 - np.count_nonzero(positive) / positive.size
    if given != "auto":
        return Resolution(float(given), float(given), zeros)
    if zeros == 0.0 or not _shows_a_cut(positive):
        return Resolution(FINEST, FINEST, zeros)
    smallest = float(np.min(memberships, where=positive, initial=1.0))
    size, cut = (max(min(smallest, most / k), FINEST) for most in (LARGEST_FITTED, LARGEST_CUT))
    return Resolution(size, cut, zeros, inferred=True)


def _shows_a_cut(positive: npt.NDArray[np.bool_]) -> bool:
    """Whether zeros stand where a small membership could have been.

    Not where a cluster has no members at all; and a row in one cluster entirely may simply be
    hard, so that only zeros in rows of at least two clusters count.
    """
    used = np.count_nonzero(positive.any(axis=0))
    entries = positive.sum(axis=1)
    return bool(((entries > 1) & (entries < used)).any())
