"""Blocks that are chunks of dask arrays, visited by whichever scheduler dask uses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from ..._base.errors import FuzzyRandError
from ..._base.progress import progress
from .source import (
    FAN_IN,
    BlockSource,
    BlockTask,
    PairTask,
    Partial,
    SideReader,
    add_up,
    cuts_of,
    pairs_of,
    run_next_block,
    run_pair,
)

Result = TypeVar("Result")

#: Number of blocks in one dask computation (a wave), whose total is then added here: on this
#: machine, and on a cluster. The numbers are fixed, so that sums always have the same order.
WAVE, CLUSTER_WAVE = 32, 1024
#: Number of neighbouring blocks visited one after another in one place, with one sum.
CHAIN = 4
#: Prefix of the names of tasks that visit a block or a pair of blocks (from the function names).
STARTED = "run_"
#: Number of pairs of blocks in a wave; it involves fewer blocks, as neighbouring pairs share them.
PAIR_WAVE, CLUSTER_PAIR_WAVE = 64, 1024


class DaskSource(BlockSource):
    """The chunks of dask arrays that are cut at the same rows.

    A block is read where it is located, and only its partial is sent on. Chunks are not kept: if a
    second pass needs them, they are loaded or computed again, unless the caller persisted them.

    Parameters
    ----------
    arrays : sequence of dask arrays
        One for each clustering, with the same chunks of rows, and one chunk of columns.
    """

    where = "dask"

    def __init__(self, arrays: Sequence[Any]) -> None:
        self.arrays = list(arrays)
        rows = arrays[0].chunks[0]
        self._numbers = [number for number, size in enumerate(rows) if size > 0]
        self.sizes = tuple(int(rows[number]) for number in self._numbers)

    def fold(
        self,
        task: BlockTask[Partial],
        asked: Sequence[SideReader],
        what: str,
        blocks: Sequence[int] | None = None,
    ) -> Partial:
        """Apply a task to all blocks (or some), and add up the results."""
        from dask import delayed  # Deferred: an extra.

        numbers = list(range(len(self.sizes)) if blocks is None else blocks)
        chunks = [self._delayed(each.side) for each in asked]
        ask = delayed(run_next_block, pure=False)
        readers = _once([each.read for each in asked])

        def chain(some: Sequence[int]) -> Any:
            partial = None
            for block in some:
                given = (side[self._numbers[block]] for side in chunks)
                part = _once(task.for_block(block))
                partial = ask(partial, part, readers, self.place(block), *given)
            return partial

        def wave(some: Sequence[int]) -> Any:
            starts = range(0, len(some), CHAIN)
            return _tree(task, [chain(some[start : start + CHAIN]) for start in starts])

        size = CLUSTER_WAVE if _on_cluster() else WAVE
        total: Partial = add_up(task, _computed(wave, numbers, size, what))
        return total

    def fold_pairs(
        self, task: PairTask[Partial], asked: Sequence[SideReader], rows: int, what: str
    ) -> Partial:
        """Apply a task to all pairs of blocks of at most ``rows`` rows; add up the results."""
        from dask import delayed  # Deferred: an extra.

        ranges = cuts_of(self.sizes, rows)
        finer = tuple(high - low for low, high in ranges)
        arrays = [self.arrays[each.side] for each in asked]
        chunks = [
            array.rechunk({0: finer}).to_delayed().reshape(len(ranges), -1)[:, 0]
            for array in arrays
        ]
        ask = delayed(run_pair, pure=False)
        readers, question = _once([each.read for each in asked]), _once(task)

        def block(number: int) -> tuple[int, list[Any]]:
            return ranges[number][0], [side[number] for side in chunks]

        def wave(some: Sequence[tuple[int, int]]) -> Any:
            leaves = [
                ask(question, readers, block(i), None if i == j else block(j)) for i, j in some
            ]
            return _tree(task, leaves)

        size = CLUSTER_PAIR_WAVE if _on_cluster() else PAIR_WAVE
        total: Partial = add_up(task, _computed(wave, pairs_of(len(ranges)), size, what))
        return total

    def _delayed(self, side: int) -> Any:
        """Return the chunks of a clustering as delayed objects."""
        return self.arrays[side].to_delayed().reshape(len(self.arrays[side].chunks[0]), -1)[:, 0]


def _once(data: Any) -> Any:
    """Wrap data to enter the graph unchanged, without dask traversing it."""
    from dask import delayed  # Deferred: an extra.

    return delayed(data, traverse=False, pure=False)


def _tree(task: Any, partials: list[Any]) -> Any:
    """Add up delayed partial results within the graph, a few at a time, in a fixed order."""
    from dask import delayed  # Deferred: an extra.

    add = delayed(add_up, pure=False)
    plain = _once(task.for_block(-1) if isinstance(task, BlockTask) else task)
    while len(partials) > 1:
        partials = [
            add(plain, partials[start : start + FAN_IN])
            for start in range(0, len(partials), FAN_IN)
        ]
    return partials[0]


def _computed(
    wave: Callable[[Sequence[Any]], Any], items: Sequence[Any], size: int, what: str
) -> Iterator[Any]:
    """Yield the partial result of each wave."""
    import dask  # Deferred: an extra.
    from dask.callbacks import Callback

    on_cluster = _on_cluster()
    bar = _Bar(len(items), what)

    def report(key: Any, *_: Any) -> None:
        if str(key).startswith(STARTED):
            bar.step(1.0)

    try:
        for start in range(0, len(items), size):
            part = items[start : start + size]
            # On this machine, the callback reports each block in this thread; a cluster does not
            # call it, so progress is reported after each wave.
            with _explained(), Callback(posttask=report):
                (partial,) = dask.compute(wave(part))
            if on_cluster:
                bar.step(float(len(part)))
            yield partial
    finally:
        bar.close()


class _Bar:
    """A progress bar that is advanced by calls, whereas ``progress`` advances as it yields."""

    def __init__(self, total: float, what: str) -> None:
        self._steps: list[float] = []
        self._bar = progress(self._taken(), total, what, weigh=float)

    def _taken(self) -> Iterator[float]:
        while self._steps:
            yield self._steps.pop()

    def step(self, weight: float) -> None:
        """Advance the bar."""
        self._steps.append(weight)
        next(self._bar, None)

    def close(self) -> None:
        """Remove the bar."""
        next(self._bar, None)


class _explained:  # noqa: N801
    """Context that explains dask's errors when a block is too large for a worker."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, _: Any) -> None:
        if error is None:
            return
        if isinstance(error, MemoryError) or type(error).__name__ == "KilledWorker":
            raise FuzzyRandError(
                "a block did not fit into the memory of where it was to be read ({reason}). A "
                "worker holds one chunk of each clustering for every one of its threads, and a "
                "checked copy of it: use smaller chunks (x.rechunk, repartition), fewer threads, "
                "or workers with more memory.",
                reason=str(error).splitlines()[0] if str(error) else type(error).__name__,
            ) from error


def _on_cluster() -> bool:
    """Return whether dask currently uses a distributed cluster."""
    import sys

    if "distributed" not in sys.modules:
        return False
    from dask.base import get_scheduler  # Deferred: an extra.

    scheduler = get_scheduler()
    return "distributed" in str(getattr(scheduler, "__module__", "")) or hasattr(
        getattr(scheduler, "__self__", None), "scheduler"
    )
