"""Data frames of results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._base.errors import MissingExtraError, unknown_name

BACKENDS = ("pandas", "polars")


def frame_of(columns: Mapping[str, Sequence[Any]], backend: str = "pandas") -> Any:
    """Return named columns as a data frame of pandas or polars."""
    if backend not in BACKENDS:
        raise unknown_name("backend", backend, BACKENDS, parameter="backend")
    try:
        if backend == "polars":
            import polars as pl  # Deferred: an extra.

            return pl.DataFrame(columns, strict=False)
        import pandas as pd  # Deferred: an extra.
    except ImportError:
        raise MissingExtraError(
            f"to_frame() needs {backend}: pip install {backend}. Without it, columns() gives "
            "the same as lists."
        ) from None
    return pd.DataFrame(columns)
