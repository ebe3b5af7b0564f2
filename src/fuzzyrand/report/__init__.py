"""Reports: single HTML files that explain a result, and need neither a network nor Matplotlib."""

from .comparison import comparison_report
from .explanation import explanation_report
from .pairwise import pairwise_report
from .recurrence import recurrence_report
from .stability import stability_report

__all__ = [
    "comparison_report",
    "explanation_report",
    "pairwise_report",
    "recurrence_report",
    "stability_report",
]
