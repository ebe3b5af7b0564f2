"""The page of each kind of result, for the methods of results."""

from __future__ import annotations

from typing import Any

from .._base.errors import NotApplicableError
from ..results import (
    Comparison,
    ComparisonTable,
    Explanation,
    Pairwise,
    Recurrence,
    Stability,
)
from .comparison import comparison_report
from .explanation import explanation_report
from .interactive import interactive_recurrence_report, interactive_report
from .pair_data import PairData
from .pair_explorer import pair_explorer
from .pairwise import pairwise_report
from .recurrence import recurrence_report
from .recurrence_explorer import recurrence_explorer
from .result import result_report
from .stability import stability_report


def page_of(result: Any, **options: Any) -> str:
    """Return the page of a result that can be printed."""
    _refuse_blocks(result)
    match result:
        case Comparison() | ComparisonTable():
            return comparison_report(result, **options)
        case Explanation():
            return explanation_report(result, **options)
        case Pairwise():
            return pairwise_report(result, **options)
        case Recurrence():
            return recurrence_report(result, **options)
        case Stability():
            return stability_report(result, **options)
    return result_report(result, **options)


def interactive_page_of(result: Any, **options: Any) -> str:
    """Return the page of a result that can be explored."""
    if isinstance(result, Recurrence):
        return interactive_recurrence_report(result, **options)
    _refuse_blocks(result)
    return interactive_report(result, **options)


def explorer_of(result: Any, xy: Any, names: tuple[str, str]) -> Any:
    """Return the linked charts of a result."""
    if isinstance(result, Recurrence):
        return recurrence_explorer(result, xy)
    _refuse_blocks(result)
    return pair_explorer(PairData.of(result, names, xy))


def _refuse_blocks(result: Any) -> None:
    """Refuse comparisons of clusterings in blocks, whose points are not at hand."""
    main = result.main if isinstance(result, ComparisonTable) else result
    if isinstance(main, Comparison) and any(
        not partition.rows.in_memory for partition in main.analysis.partitions
    ):
        raise NotApplicableError(
            "a report needs whole clusterings, and these are in blocks (dask). Compare a sample of "
            "the points, such as 10,000 rows of both, and report that."
        )
