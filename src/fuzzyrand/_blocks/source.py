"""Where the blocks of some clusterings are, and how all of them are asked the same question."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from .._base.types import IntArray

Word = TypeVar("Word")
#: Rows of a block of one clustering as they were given, and as they were read: codes, or rows.
Chunk = npt.NDArray[Any]
#: From the rows of a block as they were given, and the number of its first row, to what was read.
Reader = Callable[[Chunk, int], Any]

#: Words that are added at a time: they may be larger than blocks, and few fit beside each other.
FAN_IN = 2


@dataclass(frozen=True)
class Place:
    """Where a block lies.

    Attributes
    ----------
    number : int
        Which block it is, from 0.
    start : int
        Its first row, counted in the whole clustering.
    """

    number: int
    start: int


class Look(ABC, Generic[Word]):
    """A question to a block; the answers of two blocks can be added.

    Looks are pickled and sent to where the blocks are, and their words are sent back: both are
    small. Words may be added in any order and grouping, up to rounding.
    """

    def for_block(self, block: int) -> Look[Word]:
        """Return the part of the question that is about one block, which alone is sent to it."""
        return self

    def chosen(self, place: Place, chunk: Chunk) -> Chunk:
        """Return the rows of a block that the question is about; the others are not read."""
        return chunk

    @abstractmethod
    def word(self, place: Place, *chunks: Any) -> Word:
        """Return what a block says.

        Parameters
        ----------
        place : Place
            Where the block lies.
        *chunks
            The same rows of each clustering that was asked for, read.
        """

    @abstractmethod
    def added(self, one: Word, two: Word) -> Word:
        """Return what two blocks say together."""


class PairLook(ABC, Generic[Word]):
    """A question to two blocks, or to one of them twice: about the pairs of their rows."""

    @abstractmethod
    def word(self, first: Sequence[Any], second: Sequence[Any] | None) -> Word:
        """Return what the pairs say that have a point in each block; within one, if it is alone.

        Parameters
        ----------
        first, second : sequences of chunks
            The rows of the two blocks, for each clustering that was asked for.
        """

    @abstractmethod
    def added(self, one: Word, two: Word) -> Word:
        """Return what the pairs of several pairs of blocks say together."""


class Sums(Look[tuple[Any, ...]]):
    """A question whose answers are tuples of numbers and arrays, which are added up."""

    def added(self, one: tuple[Any, ...], two: tuple[Any, ...]) -> tuple[Any, ...]:
        """Add up entry by entry."""
        return tuple(mine + more for mine, more in zip(one, two, strict=True))


@dataclass(frozen=True, eq=False)
class Asked:
    """A clustering of a source, and how its blocks are read."""

    side: int
    read: Reader


class BlockSource(ABC):
    """The blocks of some clusterings of the same points, cut at the same rows.

    Attributes
    ----------
    sizes : tuple of int
        Number of rows of each block; none is empty.
    where : str
        What holds the blocks, for messages.
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

    def place(self, block: int) -> Place:
        """Return where a block lies."""
        return Place(block, int(self.starts[block]))

    @abstractmethod
    def fold(
        self,
        look: Look[Word],
        asked: Sequence[Asked],
        what: str,
        blocks: Sequence[int] | None = None,
    ) -> Word:
        """Ask all blocks (or some), and add up their words.

        Parameters
        ----------
        look : Look
            The question.
        asked : sequence of Asked
            The clusterings that it is about.
        what : str
            Title of a progress bar.
        blocks : sequence of int, optional
            Which blocks are asked; by default, all.
        """

    @abstractmethod
    def fold_pairs(
        self, look: PairLook[Word], asked: Sequence[Asked], rows: int, what: str
    ) -> Word:
        """Ask all pairs of blocks of at most ``rows`` rows, and add up their words."""


def say(look: Look[Word], readers: Sequence[Reader], place: Place, *chunks: Chunk) -> Word:
    """Read the chunks of a block, and return its word."""
    rows = (
        read(look.chosen(place, chunk), place.start)
        for read, chunk in zip(readers, chunks, strict=True)
    )
    return look.word(place, *rows)


def say_more(
    before: Word | None, look: Look[Word], readers: Sequence[Reader], place: Place, *chunks: Chunk
) -> Word:
    """Add the word of a block to that of blocks before it, so that one word is left of both."""
    word = say(look, readers, place, *chunks)
    return word if before is None else look.added(before, word)


def say_pair(
    look: PairLook[Word],
    readers: Sequence[Reader],
    first: tuple[int, Sequence[Chunk]],
    second: tuple[int, Sequence[Chunk]] | None,
) -> Word:
    """Read the chunks of two blocks, given with their first rows, and return their word."""

    def read(block: tuple[int, Sequence[Chunk]]) -> list[Any]:
        start, chunks = block
        return [reader(chunk, start) for reader, chunk in zip(readers, chunks, strict=True)]

    return look.word(read(first), None if second is None else read(second))


def add_up(look: Look[Word] | PairLook[Word], words: Iterable[Word]) -> Word:
    """Add words from left to right."""
    total: Word | None = None
    for word in words:
        total = word if total is None else look.added(total, word)
    assert total is not None, "there is at least one block"
    return total


def cuts_of(sizes: Sequence[int], rows: int) -> list[tuple[int, int]]:
    """Return ranges of at most ``rows`` rows, none of which goes over the end of a block."""
    ranges, start = [], 0
    for size in sizes:
        pieces = max(-(-size // rows), 1)
        edges = [start + size * piece // pieces for piece in range(pieces + 1)]
        ranges += [(low, high) for low, high in pairwise(edges) if high > low]
        start += size
    return ranges


def pairs_of(blocks: int) -> list[tuple[int, int]]:
    """Return all pairs of blocks, each with itself, too; neighbours share blocks."""
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
    """Blocks of arrays in memory, asked one after another: for tests, and to see how it is done."""

    where = "arrays"

    def __init__(self, arrays: Sequence[Chunk], sizes: Sequence[int]) -> None:
        self.arrays = list(arrays)
        self.sizes = tuple(int(size) for size in sizes if size > 0)

    def fold(
        self,
        look: Look[Word],
        asked: Sequence[Asked],
        what: str,
        blocks: Sequence[int] | None = None,
    ) -> Word:
        """Ask all blocks (or some), and add up their words."""
        readers = [each.read for each in asked]
        numbers = range(len(self.sizes)) if blocks is None else blocks
        return add_up(
            look,
            (
                say(
                    look.for_block(b),
                    readers,
                    self.place(b),
                    *self._chunks(asked, *self._range(b)),
                )
                for b in numbers
            ),
        )

    def fold_pairs(
        self, look: PairLook[Word], asked: Sequence[Asked], rows: int, what: str
    ) -> Word:
        """Ask all pairs of blocks of at most ``rows`` rows, and add up their words."""
        readers = [each.read for each in asked]
        ranges = cuts_of(self.sizes, rows)

        def block(number: int) -> tuple[int, list[Chunk]]:
            low, high = ranges[number]
            return low, self._chunks(asked, low, high)

        return add_up(
            look,
            (
                say_pair(look, readers, block(i), None if i == j else block(j))
                for i, j in pairs_of(len(ranges))
            ),
        )

    def _range(self, block: int) -> tuple[int, int]:
        start = int(self.starts[block])
        return start, start + self.sizes[block]

    def _chunks(self, asked: Sequence[Asked], low: int, high: int) -> list[Chunk]:
        return [self.arrays[each.side][low:high] for each in asked]
