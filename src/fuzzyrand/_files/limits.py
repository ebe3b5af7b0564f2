"""How much memory a file may take that unpacks to more than it holds, or claims to hold more.

A few kilobytes can unpack to gigabytes, or claim a matrix of any size. Real files do not: they may
take a multiple of their size, a gigabyte in any case, and always as much as they hold themselves.
"""

from __future__ import annotations

from dataclasses import dataclass

from .._base.errors import InputError
from .._base.wording import Option

#: Multiple of its size that a file may take, and the least and the most that this allows.
RATIO, LEAST, MOST = 100, 10**9, 4 * 10**9
#: Memory for a number, for a text, and for a byte of a text file.
NUMBER, WORD, CHARACTER = 8, 64, 8
#: Memory for a column, however short, and for a row of a sparse matrix.
COLUMN, SPARSE_ROW = 512, 32
#: Number of columns that any text may have, however little memory is allowed.
FEW_COLUMNS = 1000


@dataclass(frozen=True)
class Room:
    """Memory that a file may take.

    Attributes
    ----------
    held : int
        Size of the file in bytes.
    packed : bool
        Whether its content is compressed.
    most : int
        Most bytes of memory that it may take.
    """

    held: int
    packed: bool
    most: int

    @classmethod
    def of(cls, held: int, max_size: int | None, *, packed: bool = False) -> Room:
        """Return the room of a file: what the user allows, or else what is usual for its size."""
        usual = min(max(RATIO * held, LEAST), MOST)
        return cls(held, packed, max(usual if max_size is None else max_size, held))

    def require(self, needed: int, source: str, what: str) -> None:
        """Refuse a file that needs more.

        Parameters
        ----------
        needed : int
            Memory that it would take, in bytes.
        source : str
            Name of the file in messages.
        what : str
            What takes the memory, as in "unpacks to 3 GB of text".
        """
        if needed > self.most:
            raise InputError(
                "{source} {what}, and reading it would take {needed} of memory, which is too much "
                "for a file of {held}: if it is right, {max_size} allows more.",
                source=source,
                what=what,
                needed=in_words(needed),
                held=in_words(self.held),
                max_size=Option("max_size", in_letters(needed)),
            )


def in_words(size: int) -> str:
    """Write a number of bytes: ``3 GB``."""
    for power, unit in ((4, "TB"), (3, "GB"), (2, "MB"), (1, "kB")):
        if size >= 1000**power:
            return f"{size / 1000**power:,.3g} {unit}"
    return f"{size} bytes"


def in_letters(size: int) -> str:
    """Write a size of at least a number of bytes as ``--max-size`` takes it: ``4G``."""
    return f"{-(-size // 10**9)}G" if size > 10**9 else f"{-(-size // 10**6)}M"
