"""Standard streams: messages go to standard error only, even where it is closed."""

from __future__ import annotations

import os
import sys
from contextlib import suppress


def open_closed_streams() -> None:
    """Replace closed standard streams by the null device.

    Python sets closed streams to None, and ``print`` with a file of None writes to standard output.
    Also, the next file that is opened would get the number of the closed stream. Standard input
    stays None, to be distinguished from an empty one.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # this takes the lowest free number
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

    On Windows, output that is sent to a file would otherwise be in an older encoding, which may
    lose names of clusters and which the commands here do not read.
    """
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")


def tell(text: str) -> None:
    """Write a line to standard error; ignore a failure, which could not be reported."""
    with suppress(OSError):
        print(text, file=sys.stderr, flush=True)


def give_up_output() -> None:
    """Send standard output to the null device, so that its buffer does not fail again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
