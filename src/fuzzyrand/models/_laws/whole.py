"""What stands for a side if an index depends on whole clusterings instead of pairs of points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..._clusterings.partition import Partition
from ..._distributions.row_distributions import ClusterSizes, RowDistribution
from .base import Law
from .redraws import draw_order, draw_rows

DrawSizes = Callable[[np.random.Generator], Any]


class WholeClustering(Law):
    """A whole clustering under a model, for an index of contingency tables.

    Attributes
    ----------
    chance : RowDistribution, ClusterSizes or None
        The distribution of independent rows, the expected numbers of clusters of each size, or None
        for the clustering as it is.
    """

    kind = "whole"

    def __init__(
        self,
        partition: Partition,
        chance: RowDistribution | ClusterSizes | None = None,
        reason: str = "this clustering as it is",
        draw_sizes: DrawSizes | None = None,
    ) -> None:
        self.partition: Partition = partition
        self.chance: RowDistribution | ClusterSizes | None = chance
        self._reason, self._draw_sizes = reason, draw_sizes

    @property
    def rows(self) -> RowDistribution | None:
        """The distribution of independent rows, if it has any."""
        return self.chance if isinstance(self.chance, RowDistribution) else None

    @property
    def mean(self) -> None:
        return None

    @property
    def square(self) -> None:
        return None

    def knows(self, moments: int) -> bool:
        return False

    def draw_clustering(self, rng: np.random.Generator) -> Partition | None:
        """Draw a clustering, unless it stays as it is; None if that would take long."""
        if self.chance is None:
            return self.partition
        if isinstance(self.chance, RowDistribution):
            return draw_rows(self.chance, self.partition, rng)
        assert self._draw_sizes is not None
        sizes = self._draw_sizes(rng)
        return None if sizes is None else draw_order(sizes, self.partition, rng)

    def describe(self) -> str:
        return self.chance.describe() if isinstance(self.chance, RowDistribution) else self._reason

    def to_dict(self) -> dict[str, Any]:
        rows = self.chance.to_dict() if isinstance(self.chance, RowDistribution) else {}
        return {"law": self.kind, **rows}
