"""Reference data: as many rows as the data and as spread out, but without clusters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ..._base.errors import ParameterError, unknown_name
from ..._base.types import FloatArray
from ..._base.wording import Option, Sentence
from .data import count_rows, like, numbers_of

#: The references that have a name.
NAMES = ("auto", "uniform", "normal")


class Reference(Protocol):
    """A distribution that data without clusters are drawn from."""

    @property
    def name(self) -> str:
        """Short name."""

    @property
    def words(self) -> str:
        """The reference in a few words."""

    def draw(self, data: Any, rng: np.random.Generator) -> Any:
        """Draw data of the same kind and size."""


@dataclass(frozen=True, eq=False)
class Axes:
    """Principal axes of data.

    Attributes
    ----------
    centre : array
        Mean of the rows.
    scores : array
        Rows in the coordinates of the axes, which are uncorrelated.
    axes : array
        The axes, in rows.
    """

    centre: FloatArray
    scores: FloatArray
    axes: FloatArray

    @classmethod
    def of(cls, numbers: FloatArray) -> Axes:
        """Find the axes of some rows."""
        centre = numbers.mean(axis=0)
        left, lengths, axes = np.linalg.svd(numbers - centre, full_matrices=False)
        return cls(centre, left * lengths, axes)

    def back(self, scores: FloatArray) -> FloatArray:
        """Return rows in the coordinates of the data."""
        return np.asarray(scores @ self.axes + self.centre)


class Uniform:
    """Rows spread evenly over the smallest box around the data along their principal axes."""

    name = "uniform"
    words = "rows spread evenly over a box around the data"

    def __init__(self, numbers: FloatArray) -> None:
        self.axes = Axes.of(numbers)
        scores = self.axes.scores
        self.low, self.high, self.shape = scores.min(axis=0), scores.max(axis=0), scores.shape

    def draw(self, data: Any, rng: np.random.Generator) -> Any:
        """Draw data of the same kind and size."""
        return like(data, self.axes.back(rng.uniform(self.low, self.high, size=self.shape)))


class Normal:
    """Rows of one normal distribution with the mean and the covariances of the data."""

    name = "normal"
    words = "rows of one normal distribution with the covariances of the data"

    def __init__(self, numbers: FloatArray) -> None:
        self.axes = Axes.of(numbers)
        self.shape, self.spread = self.axes.scores.shape, self.axes.scores.std(axis=0)

    def draw(self, data: Any, rng: np.random.Generator) -> Any:
        """Draw data of the same kind and size."""
        return like(data, self.axes.back(rng.normal(0.0, self.spread, size=self.shape)))


@dataclass(frozen=True, eq=False)
class Own:
    """Rows from a function of the data and of a random generator."""

    function: Callable[[Any, np.random.Generator], Any]
    name: str = "custom"
    words: str = "data from your function"

    def draw(self, data: Any, rng: np.random.Generator) -> Any:
        """Call the function, and check how many rows it returns."""
        drawn = self.function(data, rng)
        if count_rows(drawn) != count_rows(data):
            raise ParameterError(
                "{parameter} returned {m} rows for data of {n}; expected the same number.",
                parameter=Option("reference"),
                m=count_rows(drawn),
                n=count_rows(data),
            )
        return drawn


def as_reference(reference: Any, data: Any) -> tuple[Reference | None, tuple[Sentence, ...]]:
    """Return the reference that was asked for, and notes if there is none.

    Parameters
    ----------
    reference : "auto", "uniform", "normal", callable or None
        What was asked for; "auto" is uniform where the data are a matrix of numbers.
    data : rows
        The data.
    """
    if reference is None:
        return None, (NOT_COMPARED,)
    if callable(reference):
        return Own(reference), ()
    if not (isinstance(reference, str) and reference in NAMES):
        raise unknown_name("reference", reference, NAMES)
    numbers = numbers_of(data)
    if numbers is None:
        if reference == "auto":
            return None, (NO_NUMBERS, NOT_COMPARED)
        raise ParameterError(
            "{parameter} needs data that are a matrix of finite numbers. Give a function that "
            "returns data like these without clusters, f(X, generator), or {none}.",
            parameter=Option("reference", reference),
            none=Option("reference", None),
        )
    return (Normal if reference == "normal" else Uniform)(numbers), ()


NO_NUMBERS = Sentence.of(
    "The data are not a matrix of finite numbers, so no reference data can be drawn; a function "
    "as {reference} can draw them.",
    reference=Option("reference"),
)
NOT_COMPARED = Sentence.of(
    "Nothing was compared with data without clusters: these values cannot show whether the data "
    "have any, and best is None."
)
