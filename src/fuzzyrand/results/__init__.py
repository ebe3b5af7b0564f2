"""Results: frozen objects that carry what they were computed from and can be printed."""

from .advice import Advice
from .alignment import Alignment
from .comparison import Comparison
from .comparison_table import ComparisonTable
from .explanation import Explanation
from .interval import ConfidenceInterval
from .matching import Matching
from .model_check import ModelCheck
from .pairwise import Pairwise
from .recurrence import Family, Mode, Recurrence
from .result import WIDTH
from .significance import Significance
from .stability import Stability

__all__ = [
    "WIDTH",
    "Advice",
    "Alignment",
    "Comparison",
    "ComparisonTable",
    "ConfidenceInterval",
    "Explanation",
    "Family",
    "Matching",
    "Mode",
    "ModelCheck",
    "Pairwise",
    "Recurrence",
    "Significance",
    "Stability",
]
