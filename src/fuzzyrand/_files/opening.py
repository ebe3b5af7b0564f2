"""Open files, including standard input and pipes, or say why this is not possible."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import BinaryIO

from .._base.errors import InputError
from .limits import Room
from .unpacking import BEGINNING, packing_of, unpack

STDIN = "-"
#: Most bytes read from a pipe, whose length is not known in advance.
LARGEST_STREAM = 1 << 30
_CHUNK = 1 << 24


def called(path: str) -> str:
    """Return the name of a file in messages."""
    return "standard input" if path == STDIN else path


@contextmanager
def open_file(path: str, max_size: int | None = None) -> Iterator[tuple[BinaryIO, Room]]:
    """Open a file for reading from its beginning, unpacked if it is compressed.

    What the operating system refuses is explained, also while the file is read.

    Parameters
    ----------
    path : str
        Path of the file; ``-`` is standard input.
    max_size : int, optional
        Most bytes that it may unpack to; by default what is usual for its size.

    Yields
    ------
    file : file
        The open file.
    room : Room
        Memory that it may take.
    """
    try:
        with _open(path) as file:
            packing = packing_of(file.read(BEGINNING))
            size = file.seek(0, io.SEEK_END)
            file.seek(0)
            room = Room.of(size, max_size, packed=packing is not None)
            yield file if packing is None else unpack(file, packing, called(path), room), room
    except OSError as error:
        raise cannot_open(path, error) from error


def _open(path: str) -> BinaryIO:
    """Open a file that can be read again from its beginning."""
    if path == STDIN:
        if sys.stdin is None:
            raise InputError("standard input is closed; name a file, or pipe one in.")
        return _read_stream(sys.stdin.buffer, path)
    file = open(path, "rb")  # noqa: SIM115
    mode = os.fstat(file.fileno()).st_mode
    if stat.S_ISREG(mode) and file.seekable():
        return file
    with file:  # a pipe cannot be rewound, and some formats are read from their end
        return _read_stream(file, path)


def _read_stream(file: BinaryIO, path: str) -> BinaryIO:
    """Read a stream of unknown length, up to a limit."""
    _refuse_device(file, path)
    whole = io.BytesIO()
    while chunk := file.read(_CHUNK):
        whole.write(chunk)
        if whole.tell() > LARGEST_STREAM:
            raise InputError(
                "{source} goes on after {size:,} bytes, which is too much to be read from a pipe; "
                "save it as a file, and name that.",
                source=called(path),
                size=LARGEST_STREAM,
            )
    whole.seek(0)
    return whole


def _refuse_device(file: BinaryIO, path: str) -> None:
    """Refuse devices that return bytes endlessly; terminals and /dev/null do not."""
    try:
        mode = os.fstat(file.fileno()).st_mode
    except (OSError, AttributeError):  # not a file of the operating system
        return
    device = stat.S_ISCHR(mode) or stat.S_ISBLK(mode)
    if device and not file.isatty() and os.read(file.fileno(), 1):
        raise InputError(
            "{source} is a device, not a file with labels or memberships; name a file.",
            source=called(path),
        )


def cannot_open(path: str, error: OSError) -> InputError:
    """Return an error that says why a file cannot be read."""
    source = called(path)
    # Windows reports "permission denied" for directories.
    if isinstance(error, IsADirectoryError) or os.path.isdir(path):
        return InputError("{source} is a directory; name a file in it.", source=source)
    if isinstance(error, FileNotFoundError):
        if os.path.islink(path):
            return InputError(
                "{source} is a symbolic link to {target}, which does not exist.",
                source=source,
                target=os.readlink(path),
            )
        return InputError("there is no file {source}.{hint}", source=source, hint=_near(path))
    reason = "permission denied" if isinstance(error, PermissionError) else error.strerror or error
    return InputError("{source} cannot be read: {reason}.", source=source, reason=reason)


def _near(path: str) -> str:
    folder = Path(path).parent
    try:
        others = [entry.name for entry in folder.iterdir()]
    except OSError:
        return ""
    near = get_close_matches(Path(path).name, others, n=2)
    return f" Did you mean {' or '.join(str(folder / name) for name in near)}?" if near else ""
