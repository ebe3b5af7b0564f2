"""Arguments that several functions take, checked in one place."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

from .._base.errors import ParameterError, UnknownNameError, unknown_name
from .._base.wording import Option
from ..models import Model, as_model

ModelLike = str | Model


def as_fixed(fixed: Any) -> str | None:
    """Check which side is fixed."""
    if fixed is None:
        return None
    if isinstance(fixed, str) and fixed.lower() in ("first", "second"):
        return fixed.lower()
    raise unknown_name("value of fixed", fixed, ("first", "second"), parameter="fixed")


def as_maximum(maximum: Any) -> str | None:
    """Check what an adjusted index of 1 stands for; None is an index of 1."""
    if isinstance(maximum, str) and maximum.lower() == "self":
        return "self"
    if isinstance(maximum, Real) and not isinstance(maximum, bool) and maximum == 1:
        return None
    raise ParameterError(
        "{parameter} must be 1 or 'self', got {value!r}.",
        parameter=Option("maximum"),
        value=maximum,
    )


def as_models(models: Sequence[ModelLike]) -> list[Model]:
    """Check a list of models, of which no two may print the same."""
    if not models:
        raise UnknownNameError("the list of models is empty; name at least one.")
    chosen = [as_model(model) for model in models]
    names = [str(model) for model in chosen]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ParameterError(
            "two of the models are called {value!r}; name each once, and models of your own by "
            "Custom(..., name=...).",
            parameter=Option("model"),
            value=twice,
        )
    return chosen
