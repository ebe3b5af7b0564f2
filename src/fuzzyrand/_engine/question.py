"""The parameters of a comparison of two clusterings, apart from the model."""

from __future__ import annotations

from dataclasses import dataclass

from .._base.effort import Precision
from .._inputs.partition import Partition
from .._laws.side import Side
from ..indices import Index
from ..models import Model
from ..models.registry import applicable_models


@dataclass(frozen=True)
class Question:
    """Parameters of a comparison of two clusterings, apart from the model.

    Attributes
    ----------
    index : Index
        The index.
    effort : Precision
        Requested accuracy and allowed work.
    fixed : None, "first" or "second"
        The side that the model does not randomise.
    maximum : None or "self"
        What corresponds to an adjusted index of 1: an index of 1, or the mean index of each
        clustering with itself.
    """

    index: Index
    effort: Precision
    fixed: str | None = None
    maximum: str | None = None

    def sides(self, *partitions: Partition) -> tuple[Side, ...]:
        """Prepare clusterings; refuse those for which the index is not defined."""
        self.index.require_applicable(*partitions)
        return tuple(Side(partition, self.index, self.effort) for partition in partitions)

    def randomised(self, sides: tuple[Side, Side]) -> list[Side]:
        """Return the sides that are not fixed."""
        return [
            side
            for side, name in zip(sides, ("first", "second"), strict=True)
            if name != self.fixed
        ]

    def applicable_models(self, sides: tuple[Side, Side]) -> list[Model]:
        """Return the models that can replace every side that is not fixed."""
        return applicable_models((s.partition for s in self.randomised(sides)), self.index)
