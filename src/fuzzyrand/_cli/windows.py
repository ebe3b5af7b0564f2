"""What the command line does differently on Windows."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence

WINDOWS = os.name == "nt"


def expand_patterns(files: Sequence[str]) -> list[str]:
    """Replace patterns such as ``runs/*.csv`` by the files that they match.

    Windows shells leave this to programs. The name of an existing file stays as it is, and so does
    a pattern that matches nothing, so that an error names it.
    """
    if not WINDOWS:
        return list(files)
    from glob import glob  # Deferred: --help does not need it.

    names: list[str] = []
    for name in files:
        matches = [] if os.path.exists(name) else sorted(glob(name))
        names += matches or [name]
    return names


def quote_words(words: Sequence[str]) -> str:
    """Write a command as it is typed, with quotes that the shell of this system understands."""
    if WINDOWS:
        from subprocess import list2cmdline  # Deferred: --help does not need it.

        return list2cmdline(words)
    from shlex import join  # Deferred as well.

    return join(words)


def reader_left(error: BaseException) -> bool:
    """Whether an error means that the reader of standard output, such as ``head``, is gone.

    On Windows, writing to a pipe without a reader fails with an invalid argument.
    """
    if isinstance(error, BrokenPipeError):
        return True
    return (
        WINDOWS
        and isinstance(error, OSError)
        and error.errno == errno.EINVAL
        and error.filename is None
    )
