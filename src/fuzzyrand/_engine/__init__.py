"""Compare two prepared clusterings: observed, expected and adjusted index."""

from .compare import compare_sides, compare_under, with_misfits
from .question import Question

__all__ = ["Question", "compare_sides", "compare_under", "with_misfits"]
