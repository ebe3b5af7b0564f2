from . import indices, models, plot, report
from ._api.advise import advise
from ._api.align import align
from ._api.check_model import check_model
from ._api.compare import compare
from ._api.confidence_interval import confidence_interval
from ._api.cuts import cuts
from ._api.explain import explain
from ._api.match import match
from ._api.pairwise import pairwise
from ._api.recurrence import recurrence
from ._api.scorer import scorer
from ._api.significance import significance
from ._api.similarity import adjusted_similarity, expected_similarity, similarity
from ._api.stability import stability
from ._api.toy import toy_clusterings
from ._base.budget import Budget
from ._base.effort import EXACT_WORK, Effort
from ._base.errors import (
    FuzzyRandError,
    InputError,
    MisfitWarning,
    MissingExtraError,
    NotApplicableError,
    ParameterError,
    SampledPairsWarning,
    UnknownNameError,
)
from ._clusterings.counts import from_table
from ._clusterings.covers import as_cover
from ._clusterings.partition import Partition, as_partition
from ._clusterings.weights import balanced_weights
from .indices import (
    MI,
    NCA,
    NDC,
    VI,
    Accuracy,
    Belief,
    Brouwer,
    Completeness,
    Consistency,
    CustomIndex,
    FowlkesMallows,
    Frobenius,
    Homogeneity,
    Index,
    Jaccard,
    Jousselme,
    Omega,
    Rand,
    TableIndex,
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
from .results import (
    Advice,
    Alignment,
    Comparison,
    ComparisonTable,
    ConfidenceInterval,
    Explanation,
    Matching,
    ModelCheck,
    Pairwise,
    Recurrence,
    Significance,
    Stability,
)

__version__: str

__all__ = [
    "EXACT_WORK",
    "MI",
    "NCA",
    "NDC",
    "VI",
    "Accuracy",
    "Advice",
    "Alignment",
    "All",
    "Belief",
    "Brouwer",
    "Budget",
    "Cat",
    "Comparison",
    "ComparisonTable",
    "Completeness",
    "ConfidenceInterval",
    "Consistency",
    "Custom",
    "CustomIndex",
    "Effort",
    "Empirical",
    "Explanation",
    "Fit",
    "Flat",
    "FowlkesMallows",
    "Frobenius",
    "FuzzyRandError",
    "Generalised",
    "Homogeneity",
    "Index",
    "InputError",
    "Jaccard",
    "Jousselme",
    "Kernel",
    "Matching",
    "MisfitWarning",
    "MissingExtraError",
    "Mixed",
    "Mixture",
    "Model",
    "ModelCheck",
    "NotApplicableError",
    "Num",
    "Omega",
    "Pairwise",
    "ParameterError",
    "Partition",
    "Perm",
    "Rand",
    "Recurrence",
    "SampledPairsWarning",
    "Significance",
    "Stability",
    "Sym",
    "TableIndex",
    "UnknownNameError",
    "adjusted_similarity",
    "advise",
    "align",
    "as_cover",
    "as_partition",
    "balanced_weights",
    "check_model",
    "compare",
    "confidence_interval",
    "cuts",
    "expected_similarity",
    "explain",
    "from_table",
    "indices",
    "match",
    "models",
    "pairwise",
    "plot",
    "recurrence",
    "report",
    "scorer",
    "significance",
    "similarity",
    "stability",
    "toy_clusterings",
]
