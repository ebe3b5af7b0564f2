"""The built-in models by name, with options, and those that apply to a clustering."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from .._base.errors import NotApplicableError, ParameterError, UnknownNameError, unknown_name
from .._base.wording import Option
from .._clusterings.partition import Partition
from .._distributions.custom_rows import draws_rows
from ..indices import Index
from .base import Model
from .custom import Custom
from .dirichlet import Fit, Flat, Sym
from .hard import All, Cat, Num
from .perm import Perm
from .richer_rows import Empirical, Generalised, Kernel, Mixed, Mixture

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
    """Return a model object from a name, from itself or from its class."""
    if isinstance(model, Model) and type(model) is not Model:
        return model
    if isinstance(model, str) and model.lower() in MODELS:
        return MODELS[model.lower()]
    if isinstance(model, type) and issubclass(model, Model) and model not in (Model, Custom):
        return model()
    if (isinstance(model, str) and model == "every") or (isinstance(model, list | tuple) and model):
        raise UnknownNameError("several models at once are for compare(); here, name one.")
    if draws_rows(model):
        raise UnknownNameError(
            "{value!r} is a distribution, not a model: Custom(distribution) makes it one.",
            value=model,
        )
    raise unknown_name("model", model, MODELS)


@dataclass(frozen=True)
class EveryModel:
    """All models that apply, with the options that are set in those which have them."""

    options: Mapping[str, Any] = field(default_factory=dict)


def with_options(models: Sequence[Model], options: Mapping[str, Any]) -> list[Model]:
    """Return models with options; each option is set in the models that have it.

    Examples
    --------
    >>> [str(model) for model in with_options([Perm(), Fit()], {"resolution": 0.001})]
    ['perm', 'fit(resolution=0.001)']
    """
    option_names = [{each.name for each in fields(model) if each.init} for model in models]
    for name, value in options.items():
        if not any(name in names for names in option_names):
            raise ParameterError(
                "{parameter} is an option of {having}; {named} {have} no such option.",
                parameter=Option(name),
                value=value,
                having=", ".join(_models_with(name)) or "no model",
                named=", ".join(model.name for model in models),
                have="has" if len(models) == 1 else "have",
            )
    return [
        replace(model, **{name: value for name, value in options.items() if name in names})
        if names & options.keys()
        else model
        for model, names in zip(models, option_names, strict=True)
    ]


def _models_with(option: str) -> list[str]:
    return [
        name
        for name, model in MODELS.items()
        if option in {each.name for each in fields(model) if each.init}
    ]


def applicable_models(partitions: Iterable[Partition], index: Index) -> list[Model]:
    """Return the models that apply to all of the clusterings with an index."""
    given = list(partitions)
    hard = all(partition.is_hard for partition in given)
    models = []
    for model in MODELS.values():
        if hard and model.refines_cat:
            continue  # The model equals cat, which is listed already.
        try:
            for partition in given:
                model.require_applicable(partition, index)
        except NotApplicableError:
            continue
        models.append(model)
    return models
