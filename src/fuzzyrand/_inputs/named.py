"""Many clusterings of the same points: a dict of names, or a list numbered from 0."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from numbers import Integral
from typing import Any

from .._base.errors import InputError, unknown_name
from .options import InputOptions
from .partition import Partition
from .same_points import read_together


def is_name(reference: Any) -> bool:
    """Return whether a reference is the name or number of a member rather than a clustering."""
    return isinstance(reference, str | Integral) and not isinstance(reference, bool)


def member(reference: Any, names: Iterable[str], parameter: str = "reference") -> str:
    """Return the name of a member, which may be given as a number."""
    names = list(names)
    if str(reference) in names:
        return str(reference)
    raise unknown_name(parameter, reference, names)


def read_named(
    clusterings: Mapping[str, Any] | Iterable[Any],
    reference: Any,
    options: InputOptions,
    read: Callable[..., list[Partition]] = read_together,
) -> tuple[dict[str, Partition], Partition | None]:
    """Return the clusterings by name, and the reference if it is not one of them.

    ``read`` reads all clusterings together and is called like ``read_together``.
    """
    if isinstance(clusterings, str) or not isinstance(clusterings, Mapping | Iterable):
        raise InputError(
            "expected a dict or a list of clusterings, got a {kind}.",
            kind=type(clusterings).__name__,
        )
    named = (
        {str(name): c for name, c in clusterings.items()}
        if isinstance(clusterings, Mapping)
        else {str(number): c for number, c in enumerate(clusterings)}
    )
    if isinstance(clusterings, Mapping) and len(named) < len(clusterings):
        raise InputError("two clusterings have the same name, written as text; rename one.")
    if not named:
        raise InputError("there are no clusterings to compare; give at least one.")
    given = {f"clustering {name!r}": clustering for name, clustering in named.items()}
    called = [f"{'' if i else 'clustering '}{name!r}" for i, name in enumerate(named)]
    if reference is not None:
        given, called = {**given, "reference": reference}, [*called, "the reference"]
    partitions = read(given, options, called=called)
    last = None if reference is None else partitions.pop()
    return dict(zip(named, partitions, strict=True)), last
