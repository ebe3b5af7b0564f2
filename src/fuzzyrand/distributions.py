"""Distributions of one membership row: what a model with independent points draws from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ._types import FloatArray


@dataclass(frozen=True, eq=False)
class Categorical:
    """A one-hot row: cluster i with probability ``p[i]``."""

    p: FloatArray

    def sample(self, rng: np.random.Generator, size: int) -> FloatArray:
        """Draw ``size`` rows, shape (size, k)."""
        return np.eye(self.p.size)[rng.choice(self.p.size, size=size, p=self.p / self.p.sum())]

    def describe(self) -> str:
        """One line for people."""
        return f"categorical, proportions {shorten(self.p)}"

    def to_dict(self) -> dict[str, Any]:
        """Parameters as plain Python values."""
        return {"distribution": "categorical", "proportions": self.p.tolist()}


@dataclass(frozen=True, eq=False)
class Identical:
    """The same row for every point: the limit of a Dirichlet of infinite precision."""

    row: FloatArray

    def sample(self, rng: np.random.Generator, size: int) -> FloatArray:
        """``size`` copies of the row."""
        return np.tile(self.row, (size, 1))

    def describe(self) -> str:
        """One line for people."""
        return f"every point the same row {shorten(self.row)}"

    def to_dict(self) -> dict[str, Any]:
        """Parameters as plain Python values."""
        return {"distribution": "identical", "row": self.row.tolist()}


@dataclass(frozen=True, eq=False)
class Dirichlet:
    """A row from a Dirichlet distribution; a concentration of 0 is a cluster never used."""

    alpha: FloatArray

    def sample(self, rng: np.random.Generator, size: int) -> FloatArray:
        """Draw ``size`` rows, shape (size, k)."""
        rows = np.zeros((size, self.alpha.size))
        used = self.alpha > 0
        rows[:, used] = dirichlet_columns(rng, self.alpha[used], size).T
        return rows

    def describe(self) -> str:
        """One line for people."""
        total = float(self.alpha.sum())
        if np.ptp(self.alpha) == 0:
            return f"Dirichlet, all {self.alpha.size} concentrations {self.alpha[0]:.4g}"
        return f"Dirichlet, concentrations {shorten(self.alpha)}, precision {total:.4g}"

    def to_dict(self) -> dict[str, Any]:
        """Parameters as plain Python values."""
        return {"distribution": "dirichlet", "concentrations": self.alpha.tolist()}


RowDistribution = Categorical | Identical | Dirichlet


def dirichlet_columns(rng: np.random.Generator, alpha: FloatArray, size: int) -> FloatArray:
    """Draw Dirichlet rows as the columns of a (k, size) array, for any positive ``alpha``.

    Gammas of a small shape underflow to 0, and a row of zeros cannot be normalised. A
    Gamma(a) is a Gamma(a + 1) times U^(1/a), so their logarithms never underflow.
    """
    rows = np.empty((alpha.size, size))
    small = bool(alpha.min() < 1.0)
    for column, a in zip(rows, alpha, strict=True):
        rng.standard_gamma(a + 1.0 if small else a, out=column)
    if small:
        np.log(rows, out=rows)
        powers = rng.standard_exponential(rows.shape)
        powers /= alpha[:, None]
        rows -= powers
        rows -= rows.max(axis=0)
        np.exp(rows, out=rows)
    rows /= rows.sum(axis=0)
    return rows


def shorten(values: FloatArray, most: int = 6) -> str:
    """The first few numbers of a vector."""
    shown = ", ".join(f"{v:.4g}" for v in values[:most])
    return f"({shown}{', …' if values.size > most else ''})"
