"""Sources of blocks, and tasks: computations on every block whose results are added up."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from ..._base.types import IntArray

Partial = TypeVar("Partial")
#: Rows of a block of one clustering, as they were given or as they were read (codes or rows).
Chunk = npt.NDArray[Any]
#: Function that reads the rows of a block as they were given, and the number of its first row.
Reader = Callable[[Chunk, int], Any]

#: Number of partial results added at a time; few fit into memory, as they may exceed blocks.
FAN_IN = 2


@dataclass(frozen=True)
class BlockPlace:
    """Position of a block.

    Attributes
    ----------
    number : int
        Number of the block, from 0.
    start : int
        Its first row, counted in the whole clustering from 0.
    """

    number: int
    start: int


class BlockTask(ABC, Generic[Partial]):
    """A computation on each block whose partial results can be combined.

    Tasks are pickled and sent to where the blocks are, and partial results are sent back, so both
    should be small. Partial results may be added in any order and grouping, up to rounding.
    """

    def for_block(self, block: int) -> BlockTask[Partial]:
        """Return the part of the task that concerns one block; only this part is sent to it."""
        return self

    def chosen(self, place: BlockPlace, chunk: Chunk) -> Chunk:
        """Return the rows of a block that the task needs; the others are not read."""
        return chunk

    @abstractmethod
    def partial(self, place: BlockPlace, *chunks: Any) -> Partial:
        """Return the partial result of a block.

        Parameters
        ----------
        place : BlockPlace
            Position of the block.
        *chunks
            The rows of the block, as read, for each of the clusterings asked for.
        """

    @abstractmethod
    def combined(self, one: Partial, two: Partial) -> Partial:
        """Return the sum of two partial results."""


class PairTask(ABC, Generic[Partial]):
    """A computation on the pairs of rows of two blocks, or of one block with itself."""

    @abstractmethod
    def partial(self, first: Sequence[Any], second: Sequence[Any] | None) -> Partial:
        """Return the partial result of the pairs of two blocks, or of those within one block.

        Parameters
        ----------
        first, second : sequences of chunks
            The rows of the two blocks, for each of the clusterings asked for; ``second`` is None
            for the pairs within the first block.
        """

    @abstractmethod
    def combined(self, one: Partial, two: Partial) -> Partial:
        """Return the sum of two partial results."""


class Sums(BlockTask[tuple[Any, ...]]):
    """A task whose partial results are tuples of numbers and arrays, added entry by entry."""

    def combined(self, one: tuple[Any, ...], two: tuple[Any, ...]) -> tuple[Any, ...]:
        """Add two partial results entry by entry."""
        return tuple(mine + more for mine, more in zip(one, two, strict=True))


@dataclass(frozen=True, eq=False)
class SideReader:
    """A clustering of a source, and how its blocks are read."""

    side: int
    read: Reader


class BlockSource(ABC):
    """The blocks of some clusterings of the same points, cut at the same rows.

    Attributes
    ----------
    sizes : tuple of int
        Number of rows of each block; no block is empty.
    where : str
        What holds the blocks, in messages.
    """

    sizes: tuple[int, ...]
    where: str = "blocks"

    @cached_property
    def starts(self) -> IntArray:
        """First row of each block."""
        return np.concatenate([[0], np.cumsum(self.sizes)[:-1]]).astype(np.intp)

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(sum(self.sizes))

    def place(self, block: int) -> BlockPlace:
        """Return the position of a block."""
        return BlockPlace(block, int(self.starts[block]))

    @abstractmethod
    def fold(
        self,
        task: BlockTask[Partial],
        asked: Sequence[SideReader],
        what: str,
        blocks: Sequence[int] | None = None,
    ) -> Partial:
        """Apply a task to all blocks (or some), and add up the results.

        Parameters
        ----------
        task : BlockTask
            The computation.
        asked : sequence of SideReader
            The clusterings that it needs.
        what : str
            Title of a progress bar.
        blocks : sequence of int, optional
            Numbers of the blocks to visit; by default, all.
        """

    @abstractmethod
    def fold_pairs(
        self, task: PairTask[Partial], asked: Sequence[SideReader], rows: int, what: str
    ) -> Partial:
        """Apply a task to all pairs of blocks of at most ``rows`` rows, and add up the results."""


def run_block(
    task: BlockTask[Partial], readers: Sequence[Reader], place: BlockPlace, *chunks: Chunk
) -> Partial:
    """Read the chunks of a block, and return their partial result."""
    rows = (
        read(task.chosen(place, chunk), place.start)
        for read, chunk in zip(readers, chunks, strict=True)
    )
    return task.partial(place, *rows)


def run_next_block(
    before: Partial | None,
    task: BlockTask[Partial],
    readers: Sequence[Reader],
    place: BlockPlace,
    *chunks: Chunk,
) -> Partial:
    """Return the partial result of a block, added to that of the blocks before it."""
    partial = run_block(task, readers, place, *chunks)
    return partial if before is None else task.combined(before, partial)


def run_pair(
    task: PairTask[Partial],
    readers: Sequence[Reader],
    first: tuple[int, Sequence[Chunk]],
    second: tuple[int, Sequence[Chunk]] | None,
) -> Partial:
    """Read the chunks of two blocks, given with their first rows; return their partial result."""

    def read(block: tuple[int, Sequence[Chunk]]) -> list[Any]:
        start, chunks = block
        return [reader(chunk, start) for reader, chunk in zip(readers, chunks, strict=True)]

    return task.partial(read(first), None if second is None else read(second))


def add_up(task: BlockTask[Partial] | PairTask[Partial], partials: Iterable[Partial]) -> Partial:
    """Add partial results from left to right."""
    total: Partial | None = None
    for partial in partials:
        total = partial if total is None else task.combined(total, partial)
    assert total is not None, "there is at least one block"
    return total


def cuts_of(sizes: Sequence[int], rows: int) -> list[tuple[int, int]]:
    """Return ranges of at most ``rows`` rows, none of which crosses the end of a block."""
    ranges, start = [], 0
    for size in sizes:
        pieces = max(-(-size // rows), 1)
        edges = [start + size * piece // pieces for piece in range(pieces + 1)]
        ranges += [(low, high) for low, high in pairwise(edges) if high > low]
        start += size
    return ranges


def pairs_of(blocks: int) -> list[tuple[int, int]]:
    """Return all pairs of blocks, including each with itself; neighbouring pairs share blocks."""
    tile = 8
    tiles = range(0, blocks, tile)
    return [
        (i, j)
        for row in tiles
        for column in tiles
        if row <= column
        for i in range(row, min(row + tile, blocks))
        for j in range(max(column, i), min(column + tile, blocks))
    ]


class ArraySource(BlockSource):
    """Blocks of arrays in memory, visited one after another; for tests and as an example."""

    where = "arrays"

    def __init__(self, arrays: Sequence[Chunk], sizes: Sequence[int]) -> None:
        self.arrays = list(arrays)
        self.sizes = tuple(int(size) for size in sizes if size > 0)

    def fold(
        self,
        task: BlockTask[Partial],
        asked: Sequence[SideReader],
        what: str,
        blocks: Sequence[int] | None = None,
    ) -> Partial:
        """Apply a task to all blocks (or some), and add up the results."""
        readers = [each.read for each in asked]
        numbers = range(len(self.sizes)) if blocks is None else blocks
        return add_up(
            task,
            (
                run_block(
                    task.for_block(b),
                    readers,
                    self.place(b),
                    *self._chunks(asked, *self._range(b)),
                )
                for b in numbers
            ),
        )

    def fold_pairs(
        self, task: PairTask[Partial], asked: Sequence[SideReader], rows: int, what: str
    ) -> Partial:
        """Apply a task to all pairs of blocks of at most ``rows`` rows; add up the results."""
        readers = [each.read for each in asked]
        ranges = cuts_of(self.sizes, rows)

        def block(number: int) -> tuple[int, list[Chunk]]:
            low, high = ranges[number]
            return low, self._chunks(asked, low, high)

        return add_up(
            task,
            (
                run_pair(task, readers, block(i), None if i == j else block(j))
                for i, j in pairs_of(len(ranges))
            ),
        )

    def _range(self, block: int) -> tuple[int, int]:
        start = int(self.starts[block])
        return start, start + self.sizes[block]

    def _chunks(self, asked: Sequence[SideReader], low: int, high: int) -> list[Chunk]:
        return [self.arrays[each.side][low:high] for each in asked]
