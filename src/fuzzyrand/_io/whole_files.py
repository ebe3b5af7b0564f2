"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory


def write_whole(path: Path, save: Callable[[Path], object]) -> Path:
    """Write to the side, then rename: nobody ever sees half a file.

    A link stays one, and the file that it leads to is written; a file that was there keeps its
    mode. What is no regular file, such as a pipe or a device, must not be replaced by one: it is
    written to.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        _pour(path, save)
        return path
    target = path.resolve()
    # The ending stays last, because savers go by it.
    aside = target.with_name(f".{target.stem}.{os.getpid()}{target.suffix}")
    try:
        if mode is not None:  # what others may not read, they may not read here either
            aside.touch(mode=0o600)
        save(aside)
        if mode is not None:
            aside.chmod(stat.S_IMODE(mode))
        aside.replace(target)
    finally:
        aside.unlink(missing_ok=True)
    return path


def _pour(path: Path, save: Callable[[Path], object]) -> None:
    """Save to a file, which savers may go back and forth in, and copy it to where that fails."""
    with TemporaryDirectory() as folder:
        aside = Path(folder) / path.name
        save(aside)
        with aside.open("rb") as whole, path.open("wb") as there:
            shutil.copyfileobj(whole, there)
