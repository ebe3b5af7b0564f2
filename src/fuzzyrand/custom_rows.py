"""Distributions that users hand in, checked at the door."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any

import numpy as np

from ._types import FloatArray
from .distributions import Dirichlet, RowDistribution
from .errors import ParameterError

#: How far a row's sum may lie from 1 and still be called rounding.
SUM_TOLERANCE = 1e-6
#: Draws that a mean and a covariance are checked with, and standard errors they may lie off.
CHECKED_DRAWS, CHECKED_ERRORS = 4096, 8.0


def as_rows(distribution: Any) -> RowDistribution:
    """A row distribution from whatever draws rows.

    Dirichlet distributions of SciPy become our own, with all their closed forms.
    """
    if isinstance(distribution, RowDistribution):
        return distribution
    if _is_scipy_dirichlet(distribution):
        return Dirichlet(np.asarray(distribution.alpha, dtype=np.float64))
    if callable(getattr(distribution, "sample", None)):
        return CustomRows(distribution, distribution.sample)
    if callable(getattr(distribution, "rvs", None)):
        rvs = distribution.rvs
        return CustomRows(distribution, lambda rng, size: rvs(size=size, random_state=rng))
    raise ParameterError(
        f"cannot draw rows from {distribution!r}; expected an object with a method "
        "sample(rng, size) that returns a (size, clusters) array, or a frozen SciPy distribution."
    )


def _is_scipy_dirichlet(distribution: Any) -> bool:
    # By name: importing scipy.stats takes a second, and whoever has such an object has done so.
    kind = type(distribution)
    return kind.__module__.startswith("scipy.stats") and kind.__name__ == "dirichlet_frozen"


class CustomRows(RowDistribution):
    """A distribution known by its sampler, and by its mean and covariance if it gives them."""

    def __init__(self, distribution: Any, draw: Callable[[np.random.Generator, int], Any]) -> None:
        self.distribution = distribution
        self._draw = draw
        self._lock = Lock()  # batches are drawn on several threads; users need not care
        self._mean, self._products = self._checked_moments()

    def sample(self, rng: np.random.Generator, size: int) -> FloatArray:
        with self._lock:
            rows = np.array(self._draw(rng, size), dtype=np.float64)
        if rows.ndim != 2 or rows.shape[0] != size or rows.shape[1] == 0:
            raise ParameterError(
                f"{self.distribution!r} drew an array of shape {rows.shape} where ({size}, "
                "clusters) was asked for: a row for each point."
            )
        sums = rows.sum(axis=1)
        bad = np.flatnonzero(~((np.abs(sums - 1.0) <= SUM_TOLERANCE) & (rows.min(axis=1) >= -1e-9)))
        if bad.size:
            row = rows[bad[0]]
            raise ParameterError(
                f"{self.distribution!r} drew the row {np.round(row, 6).tolist()}, which is not on "
                "the simplex: memberships are not negative and sum to 1."
            )
        np.maximum(rows, 0.0, out=rows)
        return np.asarray(rows / rows.sum(axis=1, keepdims=True))

    def _checked_moments(self) -> tuple[FloatArray | None, FloatArray | None]:
        """E[X] and E[X X'], where the distribution gives mean() and cov(): checked by its draws."""
        rows = self.sample(np.random.default_rng(0), CHECKED_DRAWS)
        mean, covariance = (self._asked(name) for name in ("mean", "cov"))
        if mean is None or covariance is None:
            return None, None
        k = rows.shape[1]
        if mean.shape != (k,) or covariance.shape != (k, k):
            raise ParameterError(
                f"{self.distribution!r} draws rows of {k} clusters, but its mean() has shape "
                f"{mean.shape} and its cov() {covariance.shape}; expected ({k},) and ({k}, {k})."
            )
        products = covariance + np.outer(mean, mean)
        drawn = np.concatenate([rows, (rows[:, :, None] * rows[:, None, :]).reshape(-1, k * k)], 1)
        told = np.concatenate([mean, products.ravel()])
        spread = drawn.std(axis=0) / np.sqrt(CHECKED_DRAWS) + 1e-9
        off = np.abs(drawn.mean(axis=0) - told) / spread
        if off.max() > CHECKED_ERRORS:
            raise ParameterError(
                f"mean() and cov() of {self.distribution!r} do not fit what it draws: "
                f"{CHECKED_DRAWS} draws have a moment of {drawn.mean(axis=0)[off.argmax()]:.4g} "
                f"where they say {told[off.argmax()]:.4g}."
            )
        return mean, products

    def _asked(self, name: str) -> FloatArray | None:
        method = getattr(self.distribution, name, None)
        return np.asarray(method(), dtype=np.float64) if callable(method) else None

    def mean(self) -> FloatArray | None:
        return self._mean

    def products(self) -> FloatArray | None:
        return self._products

    def describe(self) -> str:
        return f"rows drawn by {type(self.distribution).__name__}"

    def to_dict(self) -> dict[str, Any]:
        return {"distribution": type(self.distribution).__name__}
