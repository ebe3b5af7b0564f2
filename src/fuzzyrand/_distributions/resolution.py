"""The resolution of memberships: the size below which entries were set to zero.

Memberships are rarely stored as they were computed. Topic models drop topics below 0.01, files hold
two or three decimals, and lists of the ten largest entries are rescaled to sum to 1. A zero then
means that an entry was below some limit, and the smallest entry that is not zero is an estimate of
that limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from .._base.estimate import FINEST
from .._base.types import FloatArray

#: Below this limit, cutting random rows would not change agreements noticeably.
HARMLESS = 1e-8
#: Largest limits, in units of 1/k for k clusters. A row that is cut must keep an entry, so the cut
#: stays below 1/k. The likelihood assumes that entries below the limit are small, which holds up to
#: half of that.
LARGEST_CUT, LARGEST_FITTED = 0.99, 0.5


@dataclass(frozen=True)
class Resolution:
    """A limit below which memberships are known only to lie below it.

    Attributes
    ----------
    size : float
        The limit that a fit uses.
    cut : float
        The limit below which entries of random rows are set to zero.
    zeros : float
        Share of the memberships that are zero.
    inferred : bool
        Whether the limit was estimated from the memberships, not given.
    """

    size: float
    cut: float
    zeros: float = 0.0
    inferred: bool = False

    @property
    def cuts(self) -> bool:
        """Whether random rows must be cut as well."""
        return self.zeros > 0.0 and self.cut > HARMLESS


def resolution_of(memberships: FloatArray, given: float | Literal["auto"]) -> Resolution:
    """Return the resolution of memberships: as given, or estimated from their entries.

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
    """Return whether zeros may come from small memberships that were cut.

    Only zeros in rows of at least two clusters count, because a row in a single cluster may simply
    be hard. Columns of empty clusters do not count either.
    """
    used = np.count_nonzero(positive.any(axis=0))
    entries = positive.sum(axis=1)
    return bool(((entries > 1) & (entries < used)).any())
