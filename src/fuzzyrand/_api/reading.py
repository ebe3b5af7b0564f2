"""Reading of clusterings: in memory, or in blocks if one of them is a dask collection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from .._base.errors import NotApplicableError
from .._base.wording import Option
from .._clusterings.options import InputOptions
from .._clusterings.partition import Partition
from .._clusterings.points.same_points import read_together
from .._clusterings.reading.unsupported import is_dask


def read_pair(first: Any, second: Any, options: InputOptions) -> tuple[Partition, Partition]:
    """Read two clusterings of the same points, which may be dask collections."""
    a, b = read_all({"first clustering": first, "second clustering": second}, options)
    return a, b


def read_all(
    clusterings: Mapping[str, Any],
    options: InputOptions,
    *,
    called: Sequence[str] | None = None,
) -> list[Partition]:
    """Read clusterings of the same points; the arguments are those of ``read_together``."""
    if not any(map(is_dask, (*clusterings.values(), options.weights))):
        return read_together(clusterings, options, called=called)
    if options.points == "common":
        raise NotApplicableError(
            "{parameter} matches points by their ids, and the rows of dask collections are matched "
            "by position. Join them first: x.join(y, how='inner'), and compare columns of the "
            "result.",
            parameter=Option("points", "common"),
        )
    from .._clusterings.blocks.dask_reading import collect, read_dask  # Deferred: an extra.

    if options.weights is None:
        return read_dask(clusterings, options)
    collected, weights = collect(clusterings, options.weights, options.budget.collected_entries)
    return read_together(collected, replace(options, weights=weights), called=called)
