"""Reports: single HTML files that explain a result, and need no network."""

from .comparison import comparison_report
from .explanation import explanation_report
from .interactive import interactive_recurrence_report, interactive_report
from .pairwise import pairwise_report
from .recurrence import recurrence_report
from .result import result_report
from .stability import stability_report

__all__ = [
    "comparison_report",
    "explanation_report",
    "interactive_recurrence_report",
    "interactive_report",
    "pairwise_report",
    "recurrence_report",
    "result_report",
    "stability_report",
]
