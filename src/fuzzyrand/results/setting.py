"""The objects that a result was computed from: index, model, laws and effort."""

from __future__ import annotations

from dataclasses import dataclass

from .._base.effort import Effort
from .._laws.base import Law
from .._laws.side import Side
from ..indices import Index
from ..models import Model


@dataclass(frozen=True, eq=False, repr=False)
class Setting:
    """The objects that a comparison was computed from, for reports, plots and further analysis.

    It holds the clusterings themselves, and is therefore not pickled with a result.

    Attributes
    ----------
    index : Index
        The index.
    model : Model
        The random model.
    sides : pair of Side
        The two clusterings, each with the law of its pairs.
    laws : pair of Law
        The law of each side under the model; for a fixed side, that of its observed pairs.
    effort : Effort
        Accuracy and seed.
    """

    index: Index
    model: Model
    sides: tuple[Side, Side]
    laws: tuple[Law, Law]
    effort: Effort

    def swapped(self) -> Setting:
        """Return the same setting with its sides exchanged."""
        return Setting(self.index, self.model, self.sides[::-1], self.laws[::-1], self.effort)
