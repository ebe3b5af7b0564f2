"""Options for reading clusterings."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._base.budget import DEFAULT_BUDGET, Budget
from .._base.errors import ParameterError, unknown_name
from .._base.wording import Option

TREATMENTS = ("cluster", "singletons", "drop")
MISSING = ("noise", "drop")
POINTS = ("same", "common")


@dataclass(frozen=True)
class InputOptions:
    """Options common to all functions that read clusterings.

    Attributes
    ----------
    normalize : bool
        Divide each row of memberships by its sum.
    possibilistic : bool
        Accept rows that do not sum to 1.
    noise : label, optional
        The label of noise points in hard clusterings.
    noise_as : "cluster", "singletons" or "drop"
        Treatment of noise.
    missing : None, "noise" or "drop"
        Treatment of incomplete points. "noise" counts a row's shortfall from a sum of 1, and a
        point without a label, as noise; "drop" leaves out points without any memberships or label;
        None refuses all of these.
    points : "same" or "common"
        Whether all clusterings must have the same points, or points that one of them lacks are left
        out of the others.
    weights : sequence, array, series or None
        How much each point counts; None if all count alike.
    budget : Budget
        Limits of what is read as a whole, and of what is stored as a full matrix.
    """

    normalize: bool = False
    possibilistic: bool = False
    noise: Any = None
    noise_as: str = "cluster"
    missing: str | None = None
    points: str = "same"
    weights: Any = None
    budget: Budget = DEFAULT_BUDGET

    def __post_init__(self) -> None:
        if self.noise_as not in TREATMENTS:
            raise unknown_name("value of noise_as", self.noise_as, TREATMENTS, parameter="noise_as")
        if self.missing is not None and self.missing not in MISSING:
            raise unknown_name("value of missing", self.missing, MISSING, parameter="missing")
        if self.points not in POINTS:
            raise unknown_name("value of points", self.points, POINTS, parameter="points")
        for name in ("normalize", "possibilistic"):
            if not isinstance(getattr(self, name), bool | np.bool_):
                raise ParameterError(
                    "{parameter} must be True or False, got {value!r}.",
                    parameter=Option(name),
                    value=getattr(self, name),
                )
        if not _is_label(self.noise):
            raise ParameterError(
                "{parameter} must be one label, such as -1 or 'noise', or None; got {kind}. To "
                "mark single points as noise, give them such a label in the clustering.",
                parameter=Option("noise"),
                kind=f"{self.noise!r}"
                if isinstance(self.noise, bool | float)
                else type(self.noise).__name__,
            )
        if self.noise_as != "cluster" and self.noise is None and self.missing != "noise":
            raise ParameterError(
                "{parameter} says how noise is treated, but not what noise is: name its label "
                "with {noise}, or count what rows lack to a sum of 1 as noise with {missing}.",
                parameter=Option("noise_as", self.noise_as),
                noise=Option("noise", -1),
                missing=Option("missing", "noise"),
            )
        for name in ("normalize", "possibilistic"):
            if self.missing == "noise" and getattr(self, name):
                raise ParameterError(
                    "{parameter} and {other} treat rows that do not sum to 1 in different ways; "
                    "choose one of them.",
                    parameter=Option("missing", "noise"),
                    other=Option(name, True),
                )


def _is_label(noise: Any) -> bool:
    """Return whether this can be a noise label; False would be taken for the label 0."""
    if isinstance(noise, bool | np.bool_) or callable(noise) or not isinstance(noise, Hashable):
        return False
    return noise == noise  # NaN is no label
