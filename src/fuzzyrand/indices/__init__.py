"""Indices of similarity: an agreement and a concordance, by name."""

from .indices import (
    INDICES,
    NDC,
    Belief,
    Brouwer,
    Consistency,
    CustomIndex,
    Frobenius,
    Index,
    Jousselme,
    Rand,
    as_index,
)

__all__ = [
    "INDICES",
    "NDC",
    "Belief",
    "Brouwer",
    "Consistency",
    "CustomIndex",
    "Frobenius",
    "Index",
    "Jousselme",
    "Rand",
    "as_index",
]
