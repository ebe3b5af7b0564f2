"""Random models: from a clustering to the agreement law of a random one in its place."""

from __future__ import annotations

from typing import Any

from .._base.errors import UnknownNameError, unknown_name
from .._distributions.custom_rows import draws_rows
from .base import Model, Perm
from .dirichlet import Fit, Flat, Sym
from .hard import All, Cat, Num
from .rows import Custom, Empirical, Generalised, Kernel, Mixed, Mixture

__all__ = [
    "MODELS",
    "All",
    "Cat",
    "Custom",
    "Empirical",
    "Fit",
    "Flat",
    "Generalised",
    "Kernel",
    "Mixed",
    "Mixture",
    "Model",
    "Num",
    "Perm",
    "Sym",
    "as_model",
]

MODELS: dict[str, Model] = {
    model.name: model
    for model in (
        Perm(),
        Cat(),
        Num(),
        All(),
        Fit(),
        Sym(),
        Flat(),
        Generalised(),
        Mixture(),
        Kernel(),
        Mixed(),
        Empirical(),
    )
}


def as_model(model: Any) -> Model:
    """A model object from a name or from itself."""
    if isinstance(model, Model) and type(model) is not Model:
        return model
    if isinstance(model, str) and model.lower() in MODELS:
        return MODELS[model.lower()]
    if isinstance(model, type) and issubclass(model, Model) and model not in (Model, Custom):
        return model()
    if model == "every" or (isinstance(model, list | tuple) and model):
        raise UnknownNameError("several models at once are for compare(); here, name one.")
    if draws_rows(model):
        raise UnknownNameError(
            f"{model!r} is a distribution, not a model: Custom(distribution) makes it one."
        )
    raise unknown_name("model", model, MODELS)
