"""Indices of the similarity of two clusterings, and their registry."""

from .base import Index, PairIndex, TableIndex
from .custom import CustomIndex
from .frobenius import Frobenius
from .hard_tables import NCA, Accuracy, FowlkesMallows, Jaccard
from .information import MI, VI, Completeness, Homogeneity
from .omega import Omega
from .pair_indices import NDC, Belief, Brouwer, Consistency, Jousselme, Rand
from .registry import INDICES, as_index

__all__ = [
    "INDICES",
    "MI",
    "NCA",
    "NDC",
    "VI",
    "Accuracy",
    "Belief",
    "Brouwer",
    "Completeness",
    "Consistency",
    "CustomIndex",
    "FowlkesMallows",
    "Frobenius",
    "Homogeneity",
    "Index",
    "Jaccard",
    "Jousselme",
    "Omega",
    "PairIndex",
    "Rand",
    "TableIndex",
    "as_index",
]
