"""Visit all pairs of points of clusterings in blocks, two blocks at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.types import FloatArray
from .._clusterings.blocks.blocked_rows import visit_block_pairs
from .._clusterings.blocks.source import PairTask
from .._clusterings.partition import Partition
from .._clusterings.rows import rows_of
from . import compiled, plain
from .bins import Grid

if TYPE_CHECKING:
    from ..indices.agreements import Agreement
    from ..indices.concordances import Concordance
    from .all_pairs import Seen

#: Most rows, and most entries, of a block whose pairs with another block are one task.
ROWS, ENTRIES = 1 << 13, 1 << 21
#: Number of pairs counted in bins at a time: far fewer than a bin can count.
PAIRS_AT_ONCE = 1 << 21


def visit_blocks(
    first: Partition,
    second: Partition | None,
    agreement: Agreement,
    concordance: Concordance | None,
    grids: tuple[Grid, Grid],
) -> Seen:
    """Visit all pairs of points of one clustering in blocks, or of two together.

    Return the sum of the discordances, and counts and positions in the bins of both grids.
    """
    partitions = [first] if second is None else [first, second]
    entries = sum(partition.rows.row_size for partition in partitions)
    rows = int(np.clip(ENTRIES // entries, 256, ROWS))
    task = PairsOfBlocks(
        tuple(partition.k for partition in partitions), agreement, concordance, grids
    )
    sides = [partition.rows for partition in partitions]
    total, bins1, bins2 = visit_block_pairs(sides, task, rows, "pairs of blocks")
    return total, bins1, bins2


@dataclass(frozen=True, eq=False)
class PairsOfBlocks(PairTask["Seen"]):
    """Discordance and agreements of the pairs between two blocks, or within one."""

    clusters: tuple[int, ...]
    agreement: Agreement
    concordance: Concordance | None
    grids: tuple[Grid, Grid]

    def partial(self, first: Sequence[Any], second: Sequence[Any] | None) -> Seen:
        """Sum over the pairs between two blocks, or within one."""
        chunks = (
            list(first)
            if second is None
            else [np.concatenate(both) for both in zip(first, second, strict=True)]
        )
        sides = [
            Partition(rows_of(chunk, k)) for chunk, k in zip(chunks, self.clusters, strict=True)
        ]
        one, two = sides[0], sides[1] if len(sides) > 1 else None
        rows = int(first[0].shape[0])
        least = 0 if second is None else rows
        concordance = self.concordance
        power = 1.0 if concordance is None else concordance.power
        order = np.arange(one.n)
        if power is not None and self.agreement.loop is not None:
            visit = compiled.visitor(one, two, self.agreement, power, order, self.grids, least)
        else:
            visit = plain.visitor(one, two, self.agreement, concordance, order, self.grids, least)
        step = max(PAIRS_AT_ONCE // max(one.n - least, 1), 1)
        total = 0.0
        bins1, bins2 = (np.zeros((2, grid.size)) for grid in self.grids)
        for low in range(0, rows, step):
            part, more1, more2 = visit((low, min(low + step, rows)))
            total += part
            bins1 += more1
            bins2 += more2
        return total, bins1, bins2

    def combined(self, one: Seen, two: Seen) -> Seen:
        """Add sums and bins."""
        return one[0] + two[0], _sum(one[1], two[1]), _sum(one[2], two[2])


def _sum(one: FloatArray, two: FloatArray) -> FloatArray:
    return np.asarray(one + two)
