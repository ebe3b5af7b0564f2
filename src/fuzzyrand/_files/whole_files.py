"""Write files completely or not at all."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory


def write_whole(path: Path, save: Callable[[Path], object]) -> Path:
    """Write to a temporary file, then rename it, so that no incomplete file is ever visible.

    A symbolic link is kept, and its target is written; an existing file keeps its mode. Anything
    that is not a regular file, such as a pipe or a device, is written to instead of replaced.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        _pour(path, save)
        return path
    target = path.resolve()
    # The ending stays last, because savers choose the format by it.
    aside = target.with_name(f".{target.stem}.{os.getpid()}{target.suffix}")
    try:
        if mode is not None:  # others must not be able to read the temporary file either
            aside.touch(mode=0o600)
        save(aside)
        if mode is not None:
            aside.chmod(stat.S_IMODE(mode))
        aside.replace(target)
    finally:
        aside.unlink(missing_ok=True)
    return path


def _pour(path: Path, save: Callable[[Path], object]) -> None:
    """Save to a temporary file, in which savers can seek, and copy it to a path without seeking."""
    with TemporaryDirectory() as folder:
        aside = Path(folder) / path.name
        save(aside)
        with aside.open("rb") as whole, path.open("wb") as there:
            shutil.copyfileobj(whole, there)
