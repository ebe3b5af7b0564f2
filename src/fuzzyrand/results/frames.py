"""Tables of results: named columns, their rows, and data frames."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from .._base.errors import MissingExtraError, unknown_name

BACKENDS = ("pandas", "polars")

Columns = dict[str, Sequence[Any]]
Result = TypeVar("Result")


def table_of(
    result: Result, what: str, tables: Mapping[str, Callable[[Result], Columns]]
) -> Columns:
    """Return a table of a result by its name."""
    if what not in tables:
        raise unknown_name("table", what, tuple(tables), parameter="what")
    return tables[what](result)


def columns_of(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> Columns:
    """Return rows as named columns."""
    cells = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in names]
    return dict(zip(names, cells, strict=True))


def rows_of(columns: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Return the rows of named columns."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def frame_of(
    data: Any,
    backend: str = "pandas",
    *,
    instead: str = "columns() gives the same as lists",
    **options: Any,
) -> Any:
    """Return named columns, or what else it takes, as a data frame of pandas or polars.

    Parameters
    ----------
    data : columns or array
        What is in the frame.
    backend : "pandas" or "polars"
        The library of the data frame.
    instead : str
        What to use if it is not installed, in words.
    options
        As pandas takes them.
    """
    if backend not in BACKENDS:
        raise unknown_name("backend", backend, BACKENDS, parameter="backend")
    try:
        if backend == "polars":
            import polars as pl  # Deferred: an extra.

            return pl.DataFrame(data, strict=False)
        import pandas as pd  # Deferred: an extra.
    except ImportError:
        raise MissingExtraError(
            f"to_frame() needs {backend}: pip install {backend}. Without it, {instead}."
        ) from None
    return pd.DataFrame(data, **options)
