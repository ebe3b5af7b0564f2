"""What was done to rows of memberships after they were computed.

Memberships are rarely stored as they were computed. Topic models drop topics below 0.01, files hold
two or three decimals, and lists keep the ten largest entries of each row. Rows are then rescaled to
sum to 1. A zero only says that an entry was below some limit. A treatment knows this limit, and
treats the rows that a model draws in the same way.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from .._base.estimate import FINEST
from .._base.types import FloatArray
from .sparse_rows import SparseRows


class Treatment(ABC):
    """What was done to the rows of a clustering."""

    @abstractmethod
    def limits(self, rows: FloatArray | SparseRows) -> float | FloatArray:
        """Return the limit below which zeros lie: a number, or a column with one for each row."""

    def stretch(self, k: int) -> Literal[-1, 0, 1]:
        """Return how rows of k clusters were stretched when they were rescaled.

        Returns
        -------
        int
            0 if they were not, -1 if limits apply to rows before they were stretched, 1 if limits
            apply (or nearly apply) to the result.
        """
        return 1

    def applied(self, rows: FloatArray, axis: int) -> FloatArray:
        """Treat rows in the same way; the axis is that of the clusters."""
        return rows

    def describe(self) -> str:
        """Describe what is done to random rows, in a few words."""
        return ""

    def to_dict(self) -> dict[str, Any]:
        """Return the parameters as plain Python values."""
        return {}


@dataclass(frozen=True)
class AsRead(Treatment):
    """Nothing: rows are as they were computed. Smaller entries than the limit are not known."""

    limit: float = FINEST

    def limits(self, rows: FloatArray | SparseRows) -> float:
        return self.limit

    def stretch(self, k: int) -> Literal[-1, 0, 1]:
        return 0


@dataclass(frozen=True)
class Cut(Treatment):
    """Entries below a limit were set to zero, and rows rescaled."""

    limit: float

    def limits(self, rows: FloatArray | SparseRows) -> float:
        return self.limit

    def stretch(self, k: int) -> Literal[-1, 0, 1]:
        # Small entries must not sum to 1 or more, whatever they were.
        return -1 if self.limit * k < 1.0 else 1

    def applied(self, rows: FloatArray, axis: int) -> FloatArray:
        return _rescaled(np.where(rows < self.limit, 0.0, rows), rows, axis)

    def describe(self) -> str:
        return f"entries below {self.limit:.3g} set to 0"

    def to_dict(self) -> dict[str, Any]:
        return {"cut": self.limit}


@dataclass(frozen=True)
class Rounded(Treatment):
    """Entries were rounded to some decimals, and rows rescaled."""

    decimals: int

    @property
    def limit(self) -> float:
        """Half a unit of the last decimal."""
        return 0.5 / 10.0**self.decimals

    def limits(self, rows: FloatArray | SparseRows) -> float:
        return self.limit

    def applied(self, rows: FloatArray, axis: int) -> FloatArray:
        return _rescaled(np.round(rows, self.decimals), rows, axis)

    def describe(self) -> str:
        return f"rounded to {self.decimals} decimal{'s' * (self.decimals > 1)}"

    def to_dict(self) -> dict[str, Any]:
        return {"decimals": self.decimals}


@dataclass(frozen=True)
class Largest(Treatment):
    """Only the largest entries of each row were kept, and rows rescaled."""

    entries: int

    def limits(self, rows: FloatArray | SparseRows) -> FloatArray:
        """Return the smallest entry that was kept of each row.

        This is the last of ``entries`` numbers in decreasing order and is at most 1/``entries``,
        which also bounds the limit of the few rows that have fewer positive entries.
        """
        if isinstance(rows, SparseRows):
            smallest = rows.smallest
        else:
            smallest = np.min(rows, axis=1, where=rows > 0.0, initial=1.0)
        return np.minimum(smallest, 1.0 / self.entries)[:, None]

    def applied(self, rows: FloatArray, axis: int) -> FloatArray:
        left_out = rows.shape[axis] - self.entries
        if left_out <= 0:
            return rows
        last = np.take(np.partition(rows, left_out, axis=axis), [left_out], axis=axis)
        return _rescaled(np.where(rows < last, 0.0, rows), rows, axis)

    def describe(self) -> str:
        return f"truncated to the {self.entries} largest entries"

    def to_dict(self) -> dict[str, Any]:
        return {"largest": self.entries}


def _rescaled(treated: FloatArray, rows: FloatArray, axis: int) -> FloatArray:
    """Rescale treated rows to sum to 1; a row of which nothing is left keeps its largest entry."""
    sums = treated.sum(axis=axis, keepdims=True)
    if not sums.all():
        treated = np.where(sums > 0.0, treated, rows == rows.max(axis=axis, keepdims=True))
        sums = treated.sum(axis=axis, keepdims=True)
    return np.asarray(treated / sums)
