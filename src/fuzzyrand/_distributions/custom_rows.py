"""Distributions written by users, with checks on what they return."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from threading import Lock
from typing import Any

import numpy as np

from .._base.errors import ParameterError
from .._base.types import FloatArray
from .._base.user_code import call_user
from .row_distributions import Dirichlet, RowDistribution

#: Deviation of the sum of a row from 1 that is accepted as rounding.
SUM_TOLERANCE = 1e-6
#: Number of draws used to check a mean and a covariance, and the largest accepted deviation, in
#: standard errors of the mean of these draws.
CHECKED_DRAWS, CHECKED_ERRORS = 4096, 8.0


def draws_rows(distribution: Any) -> bool:
    """Return whether an object has a method that draws rows."""
    return any(callable(getattr(distribution, name, None)) for name in ("sample", "rvs"))


def is_fit(distribution: Any) -> bool:
    """Return whether an object is a function from memberships to a distribution."""
    if not callable(distribution) or draws_rows(distribution) or isinstance(distribution, type):
        return False
    return _arguments(distribution) == 1


def _arguments(function: Any) -> int:
    """Return the number of arguments that a function requires."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # Some compiled functions have no signature.
        return 1
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(p.kind in positional and p.default is p.empty for p in parameters)


def as_rows(distribution: Any) -> RowDistribution:
    """Make a row distribution from an object that draws rows.

    SciPy's Dirichlet distribution becomes a :class:`Dirichlet`, which has closed forms.
    """
    if isinstance(distribution, RowDistribution):
        return distribution
    if isinstance(distribution, type):
        raise ParameterError(
            f"{distribution.__name__} is a class; give an object of it, {distribution.__name__}()."
        )
    if _is_scipy_dirichlet(distribution):
        return Dirichlet(np.asarray(distribution.alpha, dtype=np.float64))
    if callable(getattr(distribution, "sample", None)):
        return CustomRows(distribution, distribution.sample)
    if callable(getattr(distribution, "rvs", None)):
        rvs = distribution.rvs
        return CustomRows(distribution, lambda rng, size: rvs(size=size, random_state=rng))
    if callable(distribution) and _arguments(distribution) == 2:
        return CustomRows(distribution, distribution)
    raise ParameterError(
        f"cannot draw rows from {distribution!r}; expected an object with a method "
        "sample(rng, size) that returns a (size, clusters) array, or a frozen SciPy distribution."
    )


def _is_scipy_dirichlet(distribution: Any) -> bool:
    # The check is by name, because importing scipy.stats takes a second.
    kind = type(distribution)
    return kind.__module__.startswith("scipy.stats") and kind.__name__ == "dirichlet_frozen"


class CustomRows(RowDistribution):
    """A distribution defined by a sampler, with its mean and covariance if it provides them."""

    def __init__(self, distribution: Any, draw: Callable[[np.random.Generator, int], Any]) -> None:
        self.distribution = distribution
        self._draw = draw
        self._lock = Lock()  # Batches are drawn on several threads.
        self._clusters: tuple[int, ...] = ()  # The number of clusters, once rows have been drawn.
        self._mean, self._products = self._checked_moments()

    def sample(self, rng: np.random.Generator, size: int) -> FloatArray:
        with self._lock:
            rows = call_user(self._draw, "sampler", rng, size)
        expected = self._clusters or rows.shape[-1:]
        if rows.ndim != 2 or rows.shape != (size, *expected) or rows.shape[1] == 0:
            clusters = self._clusters[0] if self._clusters else "clusters"
            raise ParameterError(
                f"{self.distribution!r} drew an array of shape {rows.shape} where ({size}, "
                f"{clusters}) was asked for: a row for each point."
            )
        self._clusters = expected
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
        """Return E[X] and E[X X'] if the distribution has mean() and cov(); check them by draws."""
        rows = self.sample(np.random.default_rng(0), CHECKED_DRAWS)
        mean, covariance = (self._moment(name) for name in ("mean", "cov"))
        if mean is None or covariance is None:
            return None, None
        k = rows.shape[1]
        if mean.shape != (k,) or covariance.shape != (k, k):
            raise ParameterError(
                f"{self.distribution!r} draws rows of {k} clusters, but its mean() has shape "
                f"{mean.shape} and its cov() {covariance.shape}; expected ({k},) and ({k}, {k})."
            )
        products = covariance + np.outer(mean, mean)
        stated = np.vstack([mean, products])
        drawn = np.vstack([rows.mean(axis=0), rows.T @ rows / CHECKED_DRAWS])
        # The variance of a number between 0 and 1 with mean m is at most m (1 - m).
        spread = np.sqrt(np.clip(stated * (1.0 - stated), 0.0, None) / CHECKED_DRAWS)
        off = np.abs(drawn - stated) - CHECKED_ERRORS * spread
        if not off.max() <= 1e-6:
            at = np.unravel_index(np.argmax(off), off.shape)
            raise ParameterError(
                f"mean() and cov() of {self.distribution!r} do not fit what it draws: "
                f"{CHECKED_DRAWS} draws have a moment of {drawn[at]:.4g} where they say "
                f"{stated[at]:.4g}."
            )
        return mean, products

    def _moment(self, name: str) -> FloatArray | None:
        method = getattr(self.distribution, name, None)
        return call_user(method, f"{name}()") if callable(method) else None

    def mean(self) -> FloatArray | None:
        return self._mean

    def products(self) -> FloatArray | None:
        return self._products

    def describe(self) -> str:
        return f"rows drawn by {type(self.distribution).__name__}"

    def to_dict(self) -> dict[str, Any]:
        return {"distribution": type(self.distribution).__name__}
