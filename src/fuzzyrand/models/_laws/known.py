"""Laws that are known exactly: hard clusters, and identical rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._base.estimate import Moment
from ..._distributions.atoms import Atoms, Bracket
from ..._distributions.rows import Categorical, Identical
from .base import Law


class Bernoulli(Law):
    """The law of hard clusters: agreement 1 with probability q, otherwise 0."""

    kind = "bernoulli"
    binary = True

    def __init__(self, q: float, reason: str, rows: Categorical | None = None) -> None:
        self.q = q
        self.reason = reason
        self.rows = rows

    @property
    def mean(self) -> Moment:
        return Moment(self.q)

    @property
    def square(self) -> Moment:
        return Moment(self.q)

    def bracket(self) -> Bracket:
        return Bracket.exactly(Atoms(np.array([0.0, 1.0]), np.array([1.0 - self.q, self.q])))

    def describe(self) -> str:
        return f"{self.reason}; a pair is together with probability {self.q:.4g}"

    def to_dict(self) -> dict[str, Any]:
        extra = self.rows.to_dict() if self.rows is not None else {}
        return {"law": self.kind, "probability": self.q, **extra}


class Constant(Law):
    """The law of identical rows: every pair has the same agreement."""

    kind = "constant"

    def __init__(self, value: float, rows: Identical) -> None:
        self.value = value
        self.rows = rows

    @property
    def mean(self) -> Moment:
        return Moment(self.value)

    @property
    def square(self) -> Moment:
        return Moment(self.value**2)

    def bracket(self) -> Bracket:
        return Bracket.exactly(Atoms(np.array([self.value]), np.ones(1)))

    def describe(self) -> str:
        return f"{self.rows.describe()}; every pair agrees by {self.value:.4g}"

    def to_dict(self) -> dict[str, Any]:
        return {"law": self.kind, "agreement": self.value, **self.rows.to_dict()}
