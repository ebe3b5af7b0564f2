"""How alike are two clusterings, beyond chance? For hard, fuzzy and mixed clusterings."""

from . import plot
from .check import ModelCheck, check_model
from .compare import adjusted_similarity, compare, expected_similarity, similarity
from .comparison import Comparison, ComparisonTable
from .effort import EXACT_WORK
from .errors import (
    FuzzyRandError,
    InputError,
    MissingExtraError,
    NotApplicableError,
    ParameterError,
    SampledPairsWarning,
    UnknownNameError,
)
from .indices import (
    NDC,
    Belief,
    Brouwer,
    Consistency,
    CustomIndex,
    Frobenius,
    Index,
    Jousselme,
    Rand,
)
from .models import (
    All,
    Cat,
    Custom,
    Empirical,
    Fit,
    Flat,
    Generalised,
    Kernel,
    Mixed,
    Mixture,
    Model,
    Num,
    Perm,
    Sym,
)
from .pairwise import Pairwise, pairwise
from .partition import Partition, as_partition
from .toy import toy_clusterings

__version__ = "0.1.0"

__all__ = [
    "EXACT_WORK",
    "NDC",
    "All",
    "Belief",
    "Brouwer",
    "Cat",
    "Comparison",
    "ComparisonTable",
    "Consistency",
    "Custom",
    "CustomIndex",
    "Empirical",
    "Fit",
    "Flat",
    "Frobenius",
    "FuzzyRandError",
    "Generalised",
    "Index",
    "InputError",
    "Jousselme",
    "Kernel",
    "MissingExtraError",
    "Mixed",
    "Mixture",
    "Model",
    "ModelCheck",
    "NotApplicableError",
    "Num",
    "Pairwise",
    "ParameterError",
    "Partition",
    "Perm",
    "Rand",
    "SampledPairsWarning",
    "Sym",
    "UnknownNameError",
    "adjusted_similarity",
    "as_partition",
    "check_model",
    "compare",
    "expected_similarity",
    "pairwise",
    "plot",
    "similarity",
    "toy_clusterings",
]
