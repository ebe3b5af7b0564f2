"""One clustering of a comparison, with its laws, each of which is computed once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ..._base.effort import Precision
from ..._clusterings.contingency import Together, WeightedTogether, weigh_pairs_together
from ..._clusterings.partition import Partition
from ..._pairs.table import CrossTabulation
from ...indices import Index, PairIndex
from .base import Law
from .distance import atoms_of, distance
from .observed_pairs import law_of_pairs
from .whole import WholeClustering

if TYPE_CHECKING:
    from ..base import Model


#: Names of the two sides of a comparison.
SIDES = ("first", "second")


class Side:
    """A clustering with the index and the effort of a comparison."""

    def __init__(self, partition: Partition, index: Index, effort: Precision) -> None:
        self.partition = partition
        self.index = index
        self.effort = effort
        self._laws: dict[Model, Law] = {}
        self._redrawn: dict[tuple[Model, int, int], Law] = {}
        self._distances: dict[int, float] = {}
        self._together: tuple[Side, Together | WeightedTogether] | None = None
        self._tabulated: tuple[Side, CrossTabulation] | None = None

    @cached_property
    def pairs_law(self) -> Law:
        """The law of the observed pairs."""
        if isinstance(self.index, PairIndex):
            return law_of_pairs(self.partition, self.index.agreement, self.effort)
        return WholeClustering(self.partition)

    def together(self, other: Side) -> Together | WeightedTogether:
        """Count the pairs that this and another hard clustering put together, only once.

        The same pass counts the sizes of the clusters, which then need no pass of their own.
        """
        first, second = self.partition, other.partition
        kept = self._together  # read once: pairwise() may ask from several threads
        if kept is None or kept[0] is not other:
            if first.weights is None:
                kept = other, first.rows.count_together(second.rows)
            else:
                cells = first.rows.cells(second.rows, first.weights)
                kept = other, weigh_pairs_together(cells)
            for partition, sizes in zip((first, second), kept[1].sizes, strict=True):
                partition.keep_sizes(sizes)
            self._together = kept
        return kept[1]

    def tabulated(self, other: Side) -> CrossTabulation:
        """Return this and another clustering with their contingency table, computed only once."""
        kept = self._tabulated  # read once, as above
        if kept is None or kept[0] is not other:
            kept = self._tabulated = other, CrossTabulation(self.partition, other.partition)
        return kept[1]

    def law(self, model: Model, *, fixed: bool = False) -> Law:
        """Return the law under a model, or that of the observed pairs if the side is fixed."""
        if fixed:
            return self.pairs_law
        if model not in self._laws:
            model.require_applicable(self.partition, self.index)
            law = model.law(self) if isinstance(self.index, PairIndex) else model.clustering(self)
            # Equivalent models, such as a mixture of one component and a fit, share a law and the
            # draws from it.
            known = (other for other in self._laws.values() if law.same_as(other))
            self._laws[model] = next(known, law)
        return self._laws[model]

    def distance_from(self, law: Law) -> float:
        """Return the distance between the law of the observed pairs and one of this side's laws."""
        key = id(law)  # the side keeps its laws, so that no other object gets this id
        if key not in self._distances:
            observed, modelled = (atoms_of(each, self.effort) for each in (self.pairs_law, law))
            self._distances[key] = distance(observed, modelled)
        return self._distances[key]

    def redrawn(self, model: Model, number: int, position: int, compute: Callable[[], Law]) -> Law:
        """Return the law of a clustering drawn from this side and refitted, computed only once."""
        key = (model, number, position)
        if key not in self._redrawn:
            self._redrawn[key] = compute()
        return self._redrawn[key]


def prepare_sides(
    partitions: Sequence[Partition], index: Index, effort: Precision
) -> tuple[Side, ...]:
    """Prepare clusterings; refuse those for which the index is not defined."""
    index.require_applicable(*partitions)
    return tuple(Side(partition, index, effort) for partition in partitions)


def laws_of(sides: tuple[Side, Side], model: Model, fixed: str | None) -> tuple[Law, Law]:
    """Return the agreement laws of both sides under a model."""
    return (
        sides[0].law(model, fixed=fixed == "first"),
        sides[1].law(model, fixed=fixed == "second"),
    )
