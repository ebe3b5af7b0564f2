"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path


def write_whole(path: Path, save: Callable[[Path], object]) -> Path:
    """Write to the side, then rename: nobody ever sees half a file."""
    # The ending stays last, because savers go by it.
    aside = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    try:
        save(aside)
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
    return path
