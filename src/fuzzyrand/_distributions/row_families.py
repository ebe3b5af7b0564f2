"""Distributions of rows that are more flexible than a Dirichlet distribution.

Most of them provide E[X] and E[X X'], so means of dot products and of their squares remain exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import betainc, betaincinv

from .._base.estimate import Moment
from .._base.types import FloatArray, IntArray
from .._clusterings.treatment import AsRead, Treatment
from .._clusterings.weighting import Weighting
from .continuous import end_to_end_rule
from .information_moments import ColumnMoments
from .row_distributions import (
    Categorical,
    Dirichlet,
    Identical,
    RowDistribution,
    dirichlet_columns,
    shorten,
)

#: Number of components up to which closed forms are summed; with more, drawing is faster.
FEW_COMPONENTS = 16
#: Number of rows drawn to see what a treatment does to them.
SOME_ROWS = 1000
#: Largest accepted error of a quadrature.
LARGEST_ERROR = 1e-7


@dataclass(frozen=True, eq=False)
class GeneralisedDirichlet(RowDistribution):
    """The generalised Dirichlet distribution of Connor and Mosimann.

    The first cluster takes a share of the whole, the second a share of the remainder, and so on.
    The shares are independent; ``splits`` holds the distributions of (share, 1 - share).
    """

    splits: tuple[RowDistribution, ...]

    def columns(self, rng: np.random.Generator, size: int) -> FloatArray:
        rows = np.empty((len(self.splits) + 1, size))
        left = np.ones(size)
        for row, split in zip(rows, self.splits, strict=False):
            share, rest = split.sample(rng, size).T
            row[:] = share * left
            left *= rest
        rows[-1] = left
        return rows

    def sample(self, rng: np.random.Generator, size: int) -> FloatArray:
        return self.columns(rng, size).T

    def mean(self) -> FloatArray:
        return self._moments[0]

    def products(self) -> FloatArray:
        return self._moments[1]

    @cached_property
    def _moments(self) -> tuple[FloatArray, FloatArray]:
        """The moments E[X] and E[X X']."""
        k = len(self.splits) + 1
        mean, products = np.empty(k), np.empty((k, k))
        left, left_square = 1.0, 1.0  # Mean and mean square of the remainder.
        for j, split in enumerate(self.splits):
            shares, squares = split.mean(), split.products()
            assert shares is not None
            assert squares is not None
            mean[j] = left * shares[0]
            products[j, j] = left_square * squares[0, 0]
            # A later cluster takes a part of the remainder that is independent of this share.
            products[j, j + 1 :] = left_square * squares[0, 1]
            left, left_square = left * shares[1], left_square * squares[1, 1]
            products[:j, j] *= shares[0]
            products[:j, j + 1 :] *= shares[1]
        mean[-1] = left
        products[-1, -1] = left_square
        lower = np.tril_indices(k, -1)
        products[lower] = products.T[lower]
        return mean, products

    def describe(self) -> str:
        return f"generalised Dirichlet, mean {shorten(self.mean())} from large to small"

    def to_dict(self) -> dict[str, Any]:
        return {
            "distribution": "generalised dirichlet",
            "splits": [split.to_dict() for split in self.splits],
        }


@dataclass(frozen=True, eq=False)
class DirichletMixture(RowDistribution):
    """A mixture of Dirichlet distributions; ``alphas`` has one row for each component."""

    weights: FloatArray
    alphas: FloatArray
    #: Name of the distribution in descriptions.
    title: str = "mixture of Dirichlets"

    def columns(self, rng: np.random.Generator, size: int) -> FloatArray:
        chosen = rng.choice(self.weights.size, size=size, p=self.weights)
        return dirichlet_columns(rng, np.ascontiguousarray(self.alphas[chosen].T), size)

    def sample(self, rng: np.random.Generator, size: int) -> FloatArray:
        return self.columns(rng, size).T

    @cached_property
    def _precisions(self) -> FloatArray:
        return np.asarray(self.alphas.sum(axis=1))

    def mean(self) -> FloatArray:
        return np.asarray(self.weights / self._precisions @ self.alphas)

    def products(self) -> FloatArray:
        scale = self.weights / (self._precisions * (self._precisions + 1.0))
        return np.asarray((self.alphas.T * scale) @ self.alphas + np.diag(scale @ self.alphas))

    def mean_direction(self) -> tuple[FloatArray, float] | None:
        if self.weights.size > FEW_COMPONENTS:
            return None
        parts = [Dirichlet(alpha).mean_direction() for alpha in self.alphas]
        direction = sum(w * part for w, (part, _) in zip(self.weights, parts, strict=True))
        return np.asarray(direction), max(error for _, error in parts)

    def mean_l1_agreement(self) -> Moment | None:
        return self._mean_l1_agreement

    @cached_property
    def _mean_l1_agreement(self) -> Moment | None:
        """The value 1 - sum of E|X_i - Y_i| / 2, by quadrature of 2 F (1 - F).

        F is the distribution function of a coordinate, a mixture of Beta distributions. The error
        is estimated from the same rule for the integral of 1 - F, which is the known mean.
        """
        if self.weights.size > FEW_COMPONENTS:
            return None
        distance = error = 0.0
        for shapes, mean in zip(self.alphas.T, self.mean(), strict=True):
            rest = np.maximum(self._precisions - shapes, 0.0)
            inside = (shapes > 0.0) & (rest > 0.0)
            tails = np.array([1e-12, 1e-6, 1e-2, 0.5, 1 - 1e-2, 1 - 1e-6, 1 - 1e-12])
            breaks = betaincinv(shapes[inside, None], rest[inside, None], tails).ravel()
            t, w = end_to_end_rule(breaks[np.isfinite(breaks)])
            below = np.where(shapes == 0.0, 1.0, 0.0)[:, None] * np.ones(t.size)
            below[inside] = betainc(shapes[inside, None], rest[inside, None], t)
            above = self.weights @ (1.0 - below)
            distance += 2.0 * float(w @ (above * (1.0 - above)))
            error += 2.0 * abs(float(w @ above) - float(mean))
        return Moment(1.0 - 0.5 * distance, error + 1e-12) if error < LARGEST_ERROR else None

    def describe(self) -> str:
        if self.weights.size > FEW_COMPONENTS:
            return (
                f"{self.title} at {self.weights.size:,} rows, precision {self._precisions[0]:.4g}"
            )
        parts = "; ".join(
            f"{w:.2g} with precision {a:.3g}"
            for w, a in zip(self.weights, self._precisions, strict=True)
        )
        return f"{self.title}: {parts}"

    def to_dict(self) -> dict[str, Any]:
        if self.weights.size > FEW_COMPONENTS:
            return {
                "distribution": self.title,
                "components": self.weights.size,
                "precision": float(self._precisions[0]),
            }
        return {
            "distribution": self.title,
            "weights": self.weights.tolist(),
            "concentrations": self.alphas.tolist(),
        }


@dataclass(frozen=True, eq=False)
class HardOrFuzzy(RowDistribution):
    """A one-hot row with probability ``share``, otherwise a row of another distribution."""

    share: float
    hard: Categorical
    fuzzy: RowDistribution

    def sample(self, rng: np.random.Generator, size: int) -> FloatArray:
        hard, fuzzy = self.hard.sample(rng, size), self.fuzzy.sample(rng, size)
        return np.where((rng.random(size) < self.share)[:, None], hard, fuzzy)

    def _mixed(self, hard: FloatArray, fuzzy: FloatArray | None) -> FloatArray | None:
        return None if fuzzy is None else self.share * hard + (1.0 - self.share) * fuzzy

    def mean(self) -> FloatArray | None:
        return self._mixed(self.hard.mean(), self.fuzzy.mean())

    def products(self) -> FloatArray | None:
        return self._mixed(self.hard.products(), self.fuzzy.products())

    def mean_direction(self) -> tuple[FloatArray, float] | None:
        fuzzy = self.fuzzy.mean_direction()
        if fuzzy is None:
            return None
        return self.share * self.hard.p + (1.0 - self.share) * fuzzy[0], fuzzy[1]

    def mean_l1_agreement(self) -> Moment | None:
        mean, agreement = self.fuzzy.mean(), self.fuzzy.mean_l1_agreement()
        if mean is None or agreement is None:
            return None
        p, rest = self.hard.p, 1.0 - self.share
        # The agreement of a one-hot row with another row is the membership of the other row in
        # that cluster.
        value = self.share * (self.share * (p @ p) + 2.0 * rest * (p @ mean))
        return Moment(float(value) + rest**2 * agreement.value, agreement.error)

    def describe(self) -> str:
        return f"{self.share:.0%} hard rows ({self.hard.describe()}); else {self.fuzzy.describe()}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "distribution": "hard or fuzzy",
            "share": self.share,
            "hard": self.hard.to_dict(),
            "fuzzy": self.fuzzy.to_dict(),
        }


@dataclass(frozen=True, eq=False)
class ResampledRows(RowDistribution):
    """A row drawn from those of a clustering, each equally likely or in proportion to weights."""

    memberships: FloatArray
    weighting: Weighting | None = None

    def sample(self, rng: np.random.Generator, size: int) -> FloatArray:
        if self.weighting is not None:
            return self.memberships[self.weighting.draw(rng, size)]
        return self.memberships[rng.integers(self.memberships.shape[0], size=size)]

    def column_moments(self) -> ColumnMoments | None:
        return ColumnMoments.of_rows(self.memberships) if self.weighting is None else None

    def describe(self) -> str:
        return f"one of {self.memberships.shape[0]:,} rows"

    def to_dict(self) -> dict[str, Any]:
        return {"distribution": "resampled rows", "rows": self.memberships.shape[0]}


def in_place(rows: RowDistribution, order: IntArray) -> RowDistribution:
    """Return the distribution whose cluster ``order[j]`` is cluster j of ``rows``."""
    places = np.argsort(order)
    if isinstance(rows, Dirichlet):
        return Dirichlet(rows.alpha[places])
    if isinstance(rows, Categorical):
        return Categorical(rows.p[places])
    if isinstance(rows, Identical):
        return Identical(rows.row[places])
    return Reordered(rows, order)


@dataclass(frozen=True, eq=False)
class Reordered(RowDistribution):
    """The distribution whose cluster ``order[j]`` is cluster j of ``rows``.

    Agreements do not depend on the order of clusters, so :meth:`columns` does not reorder them.
    """

    rows: RowDistribution
    order: IntArray

    def columns(self, rng: np.random.Generator, size: int) -> FloatArray:
        return self.rows.columns(rng, size)

    @property
    def key(self) -> bytes:
        return self.rows.key

    def sample(self, rng: np.random.Generator, size: int) -> FloatArray:
        return self.rows.sample(rng, size)[:, self._places]

    @cached_property
    def _places(self) -> IntArray:
        return np.argsort(self.order)

    def mean(self) -> FloatArray | None:
        mean = self.rows.mean()
        return None if mean is None else mean[self._places]

    def products(self) -> FloatArray | None:
        products = self.rows.products()
        return None if products is None else products[np.ix_(self._places, self._places)]

    def mean_direction(self) -> tuple[FloatArray, float] | None:
        direction = self.rows.mean_direction()
        return None if direction is None else (direction[0][self._places], direction[1])

    def mean_l1_agreement(self) -> Moment | None:
        return self.rows.mean_l1_agreement()

    def describe(self) -> str:
        return self.rows.describe()

    def to_dict(self) -> dict[str, Any]:
        return {**self.rows.to_dict(), "order": self.order.tolist()}


@dataclass(frozen=True, eq=False)
class TreatedRows(RowDistribution):
    """Rows of another distribution, cut or rounded as the rows of a clustering were.

    Its moments have no closed form.
    """

    rows: RowDistribution
    treatment: Treatment

    def columns(self, rng: np.random.Generator, size: int) -> FloatArray:
        return self.treatment.applied(self.rows.columns(rng, size), axis=0)

    def sample(self, rng: np.random.Generator, size: int) -> FloatArray:
        return self.treatment.applied(self.rows.sample(rng, size), axis=1)

    @cached_property
    def lost(self) -> float:
        """Share of the memberships that the treatment takes away, estimated from some rows."""
        rows = self.rows.sample(np.random.default_rng(0), SOME_ROWS)
        return float(rows[self.treatment.applied(rows, axis=1) == 0.0].sum()) / SOME_ROWS

    @property
    def key(self) -> bytes:
        return self.rows.key + repr(self.treatment).encode()

    def describe(self) -> str:
        return f"{self.rows.describe()}; {self.treatment.describe()}"

    def to_dict(self) -> dict[str, Any]:
        return {**self.rows.to_dict(), **self.treatment.to_dict()}


def components_of(rows: RowDistribution | None) -> int:
    """Return the number of components of a mixture; 1 for any other distribution."""
    while isinstance(rows, TreatedRows | Reordered):
        rows = rows.rows
    return int(rows.weights.size) if isinstance(rows, DirichletMixture) else 1


def treated(rows: RowDistribution, treatment: Treatment) -> RowDistribution:
    """Treat the rows of a distribution as those of a clustering, if that makes a difference.

    Hard and identical rows have no small entries to lose.
    """
    if isinstance(treatment, AsRead) or isinstance(rows, Categorical | Identical):
        return rows
    return TreatedRows(rows, treatment)
