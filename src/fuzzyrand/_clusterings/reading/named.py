"""Many clusterings of the same points: a dict, a list numbered from 0, or columns of a matrix."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Integral, Number
from typing import Any

import numpy as np

from ..._base.errors import InputError, unknown_name
from ..options import InputOptions
from ..partition import Partition
from ..points.same_points import read_together
from ..points.side_by_side import clusterings_in_columns
from .foreign import Annotated, chosen, unwrapped


def is_name(reference: Any) -> bool:
    """Return whether a reference is the name or number of a member rather than a clustering."""
    return isinstance(reference, str | Integral) and not isinstance(reference, bool)


def member(reference: Any, names: Iterable[str], parameter: str = "reference") -> str:
    """Return the name of a member, which may be given as a number."""
    names = list(names)
    if str(reference) in names:
        return str(reference)
    raise unknown_name(parameter, reference, names)


def with_reference(keys: Sequence[str] | None, reference: Any) -> Sequence[str] | None:
    """Return keys with that of the reference, which may be another column of the same data."""
    if keys is None or not isinstance(reference, str):
        return keys
    keys = [keys] if isinstance(keys, str) else list(keys)
    return keys if reference in keys else [*keys, reference]


def read_named(
    clusterings: Mapping[str, Any] | Iterable[Any] | Annotated,
    reference: Any,
    options: InputOptions,
    read: Callable[..., list[Partition]] = read_together,
    *,
    keys: Sequence[str] | None = None,
) -> tuple[dict[str, Partition], Partition | None]:
    """Return the clusterings by name, and the reference if it is not one of them.

    ``read`` reads all clusterings together and is called like ``read_together``. ``keys`` chooses
    columns of a frame or of annotated data.
    """
    named = by_name(unwrapped(chosen(clusterings, keys)))
    if not named:
        raise InputError("there are no clusterings to compare; give at least one.")
    given = {f"clustering {name!r}": clustering for name, clustering in named.items()}
    called = [f"{'' if i else 'clustering '}{name!r}" for i, name in enumerate(named)]
    if reference is not None:
        given, called = {**given, "reference": reference}, [*called, "the reference"]
    partitions = read(given, options, called=called)
    last = None if reference is None else partitions.pop()
    return dict(zip(named, partitions, strict=True)), last


def by_name(clusterings: Any) -> dict[str, Any]:
    """Return clusterings in any form by name, without reading them."""
    if isinstance(clusterings, Mapping):
        named = {str(name): c for name, c in clusterings.items()}
        if len(named) < len(clusterings):
            raise InputError("two clusterings have the same name, written as text; rename one.")
        return named
    columns = clusterings_in_columns(clusterings)
    if columns is not None:
        return columns
    if isinstance(clusterings, str) or not isinstance(clusterings, Iterable):
        raise InputError(
            "expected several clusterings of the same points (a dict or a list of them, or a frame "
            "or matrix with one in each column), got a {kind}.",
            kind=type(clusterings).__name__,
        )
    given = list(clusterings)
    if given and all(isinstance(label, str | Number | np.bool_) for label in given):
        raise InputError(
            "expected several clusterings, got one vector of labels; give a list of vectors, such "
            "as [a, b]."
        )
    return {str(number): c for number, c in enumerate(given)}
