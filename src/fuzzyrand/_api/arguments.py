"""Checks of arguments that several functions share."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

from .._base.errors import ParameterError, UnknownNameError, unknown_name
from .._base.levels import HIGHEST_LEVEL, LOWEST_LEVEL
from .._base.wording import Option
from ..models import Model, as_model

ModelLike = str | Model


def as_fixed(fixed: Any) -> str | None:
    """Check the argument ``fixed``."""
    if fixed is None:
        return None
    if isinstance(fixed, str) and fixed.lower() in ("first", "second"):
        return fixed.lower()
    raise unknown_name("value of fixed", fixed, ("first", "second"), parameter="fixed")


def as_maximum(maximum: Any) -> str | None:
    """Check the argument ``maximum``; return None for 1."""
    if isinstance(maximum, str) and maximum.lower() == "self":
        return "self"
    if isinstance(maximum, Real) and not isinstance(maximum, bool) and maximum == 1:
        return None
    raise ParameterError(
        "{parameter} must be 1 or 'self', got {value!r}.",
        parameter=Option("maximum"),
        value=maximum,
    )


def as_draws(draws: Any) -> int | None:
    """Check the largest number of draws of a test; return None for "auto"."""
    if isinstance(draws, str) and draws.lower() == "auto":
        return None
    if isinstance(draws, Integral) and not isinstance(draws, bool) and int(draws) >= 19:
        return int(draws)
    raise ParameterError(
        "{parameter} must be 'auto' or a number of draws from 19 (which allow p = 0.05), got "
        "{value!r}.",
        parameter=Option("draws"),
        value=draws,
    )


def as_level(level: Any, name: str = "confidence") -> float:
    """Check a confidence level."""
    known = isinstance(level, Real) and not isinstance(level, bool)
    if known and LOWEST_LEVEL <= float(level) <= HIGHEST_LEVEL:
        return float(level)
    raise ParameterError(
        "{parameter} must lie between {lowest} and {highest}, got {value!r}; 0.95 is usual.",
        parameter=Option(name),
        lowest=LOWEST_LEVEL,
        highest=HIGHEST_LEVEL,
        value=level,
    )


def as_progress(progress: Any) -> bool:
    """Check whether progress bars are wanted."""
    if isinstance(progress, bool):
        return progress
    raise ParameterError(
        "{parameter} must be True or False, got {value!r}.",
        parameter=Option("progress"),
        value=progress,
    )


def as_models(models: Sequence[ModelLike]) -> list[Model]:
    """Check a list of models; no two may have the same name and options."""
    if not models:
        raise UnknownNameError("the list of models is empty; name at least one.")
    chosen = [as_model(model) for model in models]
    names = [str(model) for model in chosen]
    duplicate = next((name for name in names if names.count(name) > 1), None)
    if duplicate is not None:
        raise ParameterError(
            "two of the models are called {value!r}; name each once, and models of your own by "
            "Custom(..., name=...).",
            parameter=Option("model"),
            value=duplicate,
        )
    return chosen
