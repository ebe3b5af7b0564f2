"""The permutation model, which keeps everything but the order of the points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .._laws.base import Law
from .._laws.side import Side
from .base import Model


@dataclass(frozen=True)
class Perm(Model):
    """The permutation model: the same memberships, dealt out to the points anew.

    Number and sizes of the clusters, and every single row, stay as they are. One- and two-sided
    versions coincide. For two hard clusterings it gives the adjusted Rand index of Hubert and
    Arabie (1985), for fuzzy ones the adjusted concordance index of D'Ambrosio et al. (2021).
    """

    name: ClassVar[str] = "perm"
    assumption: ClassVar[str] = "the same memberships, shuffled over the points"
    use: ClassVar[str] = "to compare with published values"
    recipe: ClassVar[str] = (
        "Keep every membership exactly as it is, but deal them out to the points anew, like "
        "shuffled cards."
    )
    question: ClassVar[str] = (
        "Given precisely these memberships, are the points they were given to alike in both "
        "clusterings? This is the classical adjusted Rand index, so it compares with published "
        "values."
    )
    keeps_rows: ClassVar[bool] = True
    shuffles: ClassVar[bool] = True

    def law(self, side: Side) -> Law:
        return side.pairs_law
