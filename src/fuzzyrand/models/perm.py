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
        "Keep all memberships exactly as they are, but shuffle them over the points."
    )
    question: ClassVar[str] = (
        "Given exactly these memberships, are the clusterings more alike than if the points had "
        "received them in random order? The classical adjusted Rand index is adjusted in this way, "
        "so that values can be compared with published ones."
    )
    keeps_rows: ClassVar[bool] = True
    shuffles: ClassVar[bool] = True

    def law(self, side: Side) -> Law:
        return side.pairs_law
