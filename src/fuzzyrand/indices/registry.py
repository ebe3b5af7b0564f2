"""The built-in indices by name."""

from __future__ import annotations

from typing import Any

from .._base.errors import UnknownNameError, unknown_name
from .base import Index, PairIndex, WholeIndex
from .custom import CustomIndex
from .frobenius import Frobenius
from .pair_indices import NDC, Belief, Brouwer, Consistency, Jousselme, Rand

#: Classes that need arguments, or subclasses, to be indices.
ABSTRACT = (Index, PairIndex, WholeIndex, CustomIndex)

INDICES: dict[str, Index] = {
    index.name: index
    for index in (NDC(), Rand(), Brouwer(), Consistency(), Belief(), Jousselme(), Frobenius())
}


def as_index(index: Any) -> Index:
    """Return an index object from a name, from itself or from its class."""
    if isinstance(index, Index):
        return index
    if isinstance(index, str) and index.lower() in INDICES:
        return INDICES[index.lower()]
    if isinstance(index, type) and issubclass(index, Index) and index not in ABSTRACT:
        return index()  # type: ignore[call-arg]
    if callable(index) and not isinstance(index, type):
        raise UnknownNameError(
            "{value!r} is a function; CustomIndex(agreement, concordance) makes an index of two.",
            value=index,
        )
    raise unknown_name("index", index, INDICES)
