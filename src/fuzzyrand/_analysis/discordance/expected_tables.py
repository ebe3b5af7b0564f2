"""The expected discordance of an index of contingency tables, which may have to be drawn."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np

from ..._base.errors import NotApplicableError
from ..._base.estimate import ROUNDING, Estimate
from ..._base.progress import progress
from ..._base.streams import Stream
from ..._base.threads import map_in_order
from ..._base.types import FloatArray
from ..._base.wording import Option
from ..._pairs.random_tables import ShuffledTables
from ..._pairs.table import Table, table_of
from ...indices import TableIndex
from ...models._laws.base import Law
from ...models._laws.side import Side
from ...models._laws.whole import WholeClustering
from .monte_carlo import Goal

#: An error bound of this share of the wanted Monte Carlo error is small enough.
SHARE = 0.25
#: An estimated error bound of this share of the value means that an expansion does not converge.
LARGEST = 0.5
#: Tables drawn first, and tables in a task.
FIRST, TASK = 64, 16


def expected_of_tables(sides: tuple[Side, Side], laws: tuple[Law, Law], goal: Goal) -> Estimate:
    """Compute the expected discordance of two sides for an index of tables.

    The parameters are those of ``expected_discordance``.
    """
    index, pair = sides[0].index, sides[0].tabulated(sides[1])
    first, second = laws
    assert isinstance(index, TableIndex)
    assert isinstance(first, WholeClustering)
    assert isinstance(second, WholeClustering)
    known = index.expected(pair, first.chance, second.chance)
    if known is not None and is_reliable(known):
        exact = not known.bound_is_estimate
        if exact or known.error_bound <= SHARE * goal(known.value):
            return known
    shuffled = first.chance is None and second.chance is None
    needs_rows = not (shuffled and ShuffledTables(pair).by_cells)
    if needs_rows and not pair.first.rows.in_memory:
        if known is not None and is_reliable(known):
            return known
        raise NotApplicableError(
            "the expectation of {index!r} under this model is a mean over clusterings that are "
            "drawn, and these are in blocks (dask), which are too large for it. Take a random "
            "sample of the points into memory, or use {ndc}.",
            index=index.name,
            ndc=Option("index", "ndc"),
        )
    return _DrawnTables(sides, (first, second)).estimate(goal)


def is_reliable(known: Estimate) -> bool:
    """Return whether an expectation is exact, or an expansion whose terms become smaller.

    Terms of an expansion may exceed its value where most cells hold less than a point.
    """
    return not known.bound_is_estimate or known.error_bound < LARGEST * known.value


class _DrawnTables:
    """Tables drawn under a model, one after another."""

    def __init__(
        self, sides: tuple[Side, Side], laws: tuple[WholeClustering, WholeClustering]
    ) -> None:
        index, pair = sides[0].index, sides[0].tabulated(sides[1])
        assert isinstance(index, TableIndex)
        self._laws, self._effort = laws, sides[0].effort
        self._remainder = index.remainder(pair, laws[0].chance, laws[1].chance)
        shuffled = laws[0].chance is None and laws[1].chance is None
        self._shuffled = ShuffledTables(pair) if shuffled else None
        partitions = pair.first, pair.second
        entries = sum(p.rows.row_size for p in partitions) * pair.first.n
        work = self._shuffled.work if self._shuffled is not None else float(8 * entries)
        self._budget = self._effort.budget
        most = min(self._budget.drawn_tables, self._effort.max_draws)
        self._most = int(np.clip(self._budget.table_work / work, 2 * FIRST, max(most, 2 * FIRST)))

    def estimate(self, goal: Goal) -> Estimate:
        """Draw tables until the error is small enough, or their limit is reached."""
        n = self._laws[0].partition.n
        weighted = self._laws[0].partition.weights is not None
        few = n <= self._budget.ordered_points and not weighted
        if self._shuffled is not None and few:
            tables = (self._shuffled.of_order(np.array(order)) for order in permutations(range(n)))
            mean = float(np.mean([self._remainder.drawn(table) for table in tables]))
            value = self._remainder.known + mean
            return Estimate(value, error_bound=ROUNDING, how="all orders of the points")
        drawn = self._draw(0, FIRST)
        while True:
            value = self._remainder.known + float(drawn.mean())
            stderr = float(drawn.std(ddof=1)) / math.sqrt(drawn.size)
            wanted = goal(value)
            if stderr <= wanted or drawn.size >= self._most:
                break
            needed = 1.1 * drawn.size * (stderr / max(wanted, 1e-12)) ** 2
            size = int(min(max(needed, 2 * drawn.size), self._most))
            drawn = np.concatenate([drawn, self._draw(drawn.size, size)])
        how = f"Monte Carlo, {drawn.size:,} random tables"
        return Estimate(value, stderr, 0.0, how, drawn.size, reached=stderr <= wanted)

    def _draw(self, start: int, stop: int) -> FloatArray:
        """Return what is left of the discordance of tables with these numbers."""
        tasks = range(start // TASK, -(-stop // TASK))
        found = map_in_order(self._task, tasks, self._effort.n_threads)
        values = np.concatenate(list(progress(found, len(tasks), "random tables")))
        return values[start - tasks.start * TASK :][: stop - start]

    def _task(self, number: int) -> FloatArray:
        rng = self._effort.stream(Stream.TABLES, number)
        if self._shuffled is not None:
            tables = self._shuffled.draw_by_chance(rng, TASK)
        else:
            tables = [self._drawn(rng) for _ in range(TASK)]
        return np.array([self._remainder.drawn(table) for table in tables])

    def _drawn(self, rng: np.random.Generator) -> Table:
        first, second = (law.draw_clustering(rng) for law in self._laws)
        if first is None or second is None:
            raise NotApplicableError(
                "no clustering of these {n:,} points can be drawn from the model at low cost.",
                n=self._laws[0].partition.n,
            )
        return table_of(first, second)
