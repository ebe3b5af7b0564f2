"""Distributions of a membership row, from which models with independent points draw.

A distribution draws rows, and returns moments of two independent rows if there is a closed form
(None if there is not).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .._base.estimate import Moment
from .._base.types import FloatArray, IntArray
from . import dirichlet_moments as dirichlet
from .information_moments import ColumnMoments

#: A difference of two numbers of about 1 that has fewer than about six correct digits.
LOST = 1e-9


class RowDistribution(ABC):
    """A distribution on the simplex."""

    @abstractmethod
    def sample(self, rng: np.random.Generator, size: int) -> FloatArray:
        """Draw ``size`` rows, shape (size, k)."""

    @abstractmethod
    def describe(self) -> str:
        """Describe the distribution in one line."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return the parameters as plain Python values."""

    def columns(self, rng: np.random.Generator, size: int) -> FloatArray:
        """Draw ``size`` rows as the columns of a (k, size) array."""
        return np.ascontiguousarray(self.sample(rng, size).T)

    @property
    def key(self) -> bytes:
        """Bytes that identify the distribution, used to sort distributions."""
        return self.sample(np.random.default_rng(0), 16).tobytes()

    def mean(self) -> FloatArray | None:
        """Return E[X]."""
        return None

    def products(self) -> FloatArray | None:
        """Return the matrix E[X X']."""
        return None

    def column_moments(self) -> ColumnMoments | None:
        """Return the moments of each entry; NaN for the third and fourth if they are not known."""
        mean, products = self.mean(), self.products()
        if mean is None or products is None:
            return None
        unknown = np.full(mean.size, np.nan)
        return ColumnMoments(mean, np.maximum(np.diag(products) - mean**2, 0.0), unknown, unknown)

    def mean_direction(self) -> tuple[FloatArray, float] | None:
        """Return E[X / |X|], and a bound on, or an estimate of, the length of its error."""
        return None

    def mean_l1_agreement(self) -> Moment | None:
        """Return E[1 - |X - Y|_1 / 2] for two independent rows."""
        return None

    def dot_moments(self) -> tuple[float, float] | None:
        """Return E[X.Y] and E[(X.Y)^2] for two independent rows."""
        mean, products = self.mean(), self.products()
        if mean is None or products is None:
            return None
        return float(mean @ mean), float(np.einsum("ij,ij->", products, products))

    def mean_square_distance(self) -> float | None:
        """Return E|X - Y|^2 for two independent rows: twice the total variance."""
        mean, products = self.mean(), self.products()
        if mean is None or products is None:
            return None
        distance = 2.0 * float(np.trace(products) - mean @ mean)
        # For nearly equal rows, this difference of two nearly equal numbers is mostly rounding.
        return distance if distance > LOST else None


@dataclass(frozen=True, eq=False)
class Categorical(RowDistribution):
    """A one-hot row: cluster i with probability ``p[i]``."""

    p: FloatArray

    def codes(self, rng: np.random.Generator, size: int) -> IntArray:
        """Draw the clusters of ``size`` points."""
        return rng.choice(self.p.size, size=size, p=self.p / self.p.sum())

    def sample(self, rng: np.random.Generator, size: int) -> FloatArray:
        rows = np.zeros((size, self.p.size))
        rows[np.arange(size), self.codes(rng, size)] = 1.0
        return rows

    def mean(self) -> FloatArray:
        return self.p

    def products(self) -> FloatArray:
        return np.diag(self.p)

    def column_moments(self) -> ColumnMoments:
        return ColumnMoments.of_shares(self.p / self.p.sum())

    def mean_direction(self) -> tuple[FloatArray, float]:
        return self.p, 0.0

    def mean_l1_agreement(self) -> Moment:
        return Moment(float(self.p @ self.p))

    def describe(self) -> str:
        return f"categorical, proportions {shorten(self.p)}"

    def to_dict(self) -> dict[str, Any]:
        return {"distribution": "categorical", "proportions": self.p.tolist()}


@dataclass(frozen=True, eq=False)
class Identical(RowDistribution):
    """The same row for every point: a Dirichlet distribution of infinite precision."""

    row: FloatArray

    def sample(self, rng: np.random.Generator, size: int) -> FloatArray:
        return np.tile(self.row, (size, 1))

    def mean(self) -> FloatArray:
        return self.row

    def products(self) -> FloatArray:
        return np.outer(self.row, self.row)

    def mean_direction(self) -> tuple[FloatArray, float]:
        return self.row / np.sqrt(self.row @ self.row), 0.0

    def mean_l1_agreement(self) -> Moment:
        return Moment(1.0)

    def describe(self) -> str:
        return f"every point the same row {shorten(self.row)}"

    def to_dict(self) -> dict[str, Any]:
        return {"distribution": "identical", "row": self.row.tolist()}


@dataclass(frozen=True, eq=False)
class Dirichlet(RowDistribution):
    """A Dirichlet distribution; a cluster with concentration 0 is never used."""

    alpha: FloatArray

    def sample(self, rng: np.random.Generator, size: int) -> FloatArray:
        rows = np.zeros((size, self.alpha.size))
        used = self.alpha > 0
        rows[:, used] = dirichlet_columns(rng, self.alpha[used], size).T
        return rows

    def columns(self, rng: np.random.Generator, size: int) -> FloatArray:
        # Agreements depend neither on the order of clusters nor on unused ones. Sorting makes the
        # draws independent of how the clusters are numbered.
        return dirichlet_columns(rng, self.concentrations, size)

    @property
    def concentrations(self) -> FloatArray:
        """The nonzero concentrations in decreasing order."""
        return np.asarray(np.sort(self.alpha[self.alpha > 0])[::-1])

    @property
    def key(self) -> bytes:
        return self.concentrations.tobytes()

    def mean(self) -> FloatArray:
        return np.asarray(self.alpha / self.alpha.sum())

    def products(self) -> FloatArray:
        total = self.alpha.sum()
        return np.asarray(
            (np.outer(self.alpha, self.alpha) + np.diag(self.alpha)) / (total * (total + 1.0))
        )

    def column_moments(self) -> ColumnMoments:
        steps, total = np.arange(4.0), self.alpha.sum()
        factors = (self.alpha[:, None] + steps) / (total + steps)
        return ColumnMoments.of_raw(*np.cumprod(factors, axis=1).T)

    def mean_direction(self) -> tuple[FloatArray, float]:
        direction = np.zeros(self.alpha.size)
        used = self.alpha > 0
        direction[used], error = dirichlet.mean_direction(self.alpha[used])
        return direction, error

    def mean_l1_agreement(self) -> Moment:
        return Moment(dirichlet.mean_l1_agreement(self.concentrations))

    def dot_moments(self) -> tuple[float, float]:
        return dirichlet.dot_moments(self.concentrations)

    def mean_square_distance(self) -> float:
        return dirichlet.mean_square_distance(self.concentrations)

    def describe(self) -> str:
        total = float(self.alpha.sum())
        if np.ptp(self.alpha) == 0:
            return f"Dirichlet, all {self.alpha.size} concentrations {self.alpha[0]:.4g}"
        return f"Dirichlet, concentrations {shorten(self.alpha)}, precision {total:.4g}"

    def to_dict(self) -> dict[str, Any]:
        return {"distribution": "dirichlet", "concentrations": self.alpha.tolist()}


class ClusterSizes(NamedTuple):
    """Expected numbers of clusters of each size, in a random hard clustering of any other kind."""

    sizes: IntArray
    numbers: FloatArray


def dirichlet_columns(rng: np.random.Generator, alpha: FloatArray, size: int) -> FloatArray:
    """Draw Dirichlet rows as the columns of a (k, size) array.

    ``alpha`` has shape (k,), or (k, size) if each row has its own concentrations; some but not all
    of these may be 0. Gamma variables with a small shape underflow to 0, and a row of zeros cannot
    be normalised. A Gamma(a) is a Gamma(a + 1) times U^(1/a), so logarithms are used instead.
    """
    rows = np.empty((alpha.shape[0], size))
    small = bool(alpha.min() < 1.0)
    shapes = alpha + 1.0 if small else alpha
    rng.standard_gamma(shapes if alpha.ndim == 2 else shapes[:, None], size=rows.shape, out=rows)
    if small:
        np.log(rows, out=rows)
        powers = rng.standard_exponential(rows.shape)
        with np.errstate(divide="ignore", over="ignore"):
            powers /= alpha if alpha.ndim == 2 else alpha[:, None]
        rows -= powers
        rows -= rows.max(axis=0)
        np.exp(rows, out=rows)
    rows /= rows.sum(axis=0)
    return rows


def shorten(values: FloatArray, most: int = 6) -> str:
    """Format the first few numbers of a vector."""
    numbers = ", ".join(f"{v:.4g}" for v in values[:most])
    return f"({numbers}{', …' if values.size > most else ''})"
