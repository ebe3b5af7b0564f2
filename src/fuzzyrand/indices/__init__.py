"""Indices of similarity: an agreement and a concordance, by name."""

from .base import Index, PairIndex, WholeIndex
from .custom import CustomIndex
from .frobenius import Frobenius
from .pair_indices import NDC, Belief, Brouwer, Consistency, Jousselme, Rand
from .registry import INDICES, as_index

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
    "PairIndex",
    "Rand",
    "WholeIndex",
    "as_index",
]
