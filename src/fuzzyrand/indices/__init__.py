"""Indices of the similarity of two clusterings, and their registry."""

from .base import Index, PairIndex, WholeIndex
from .custom import CustomIndex
from .frobenius import Frobenius
from .omega import Omega
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
    "Omega",
    "PairIndex",
    "Rand",
    "WholeIndex",
    "as_index",
]
