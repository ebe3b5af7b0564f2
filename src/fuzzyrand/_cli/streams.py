"""Standard streams: messages go to standard error only, even where it is closed."""

from __future__ import annotations

import os
import sys
from contextlib import suppress


def open_closed_streams() -> None:
    """Put the null device in the place of standard streams that are closed.

    Python has None for them, to which ``print`` answers by writing to standard output; and the
    next file that is opened would get the number of the closed one. Standard input stays None, so
    that it is told apart from an empty one.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # which takes the lowest number that is free
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def accept_all_text() -> None:
    """Let standard output replace characters that its encoding lacks, such as ±."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")


def write_utf8() -> None:
    """Write standard output in UTF-8, for data that other programs read.

    What is sent to a file on Windows would otherwise be in an older encoding, in which names of
    clusters may get lost, and which commands here do not read.
    """
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")


def tell(text: str) -> None:
    """Write a line to standard error; if that fails, there is nobody to tell."""
    with suppress(OSError):
        print(text, file=sys.stderr, flush=True)


def give_up_output() -> None:
    """Keep what is left in the buffer of standard output from failing again at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
