"""The objects that a result was computed from: index, model, distributions and effort."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .._base.effort import Precision
from .._base.types import FloatArray
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
        The two clusterings, each with the distribution of its co-memberships.
    laws : pair of Law
        The distribution of each side under the model; for a fixed side, that of its observed pairs.
    effort : Precision
        Accuracy and seed.
    discordances : array or None
        Mean discordance of the pairs of each point, if it was computed with the observed index.
    """

    index: Index
    model: Model
    sides: tuple[Side, Side]
    laws: tuple[Law, Law]
    effort: Precision
    discordances: FloatArray | None = None

    def swapped(self) -> Setting:
        """Return the same setting with its sides exchanged."""
        return replace(self, sides=self.sides[::-1], laws=self.laws[::-1])
