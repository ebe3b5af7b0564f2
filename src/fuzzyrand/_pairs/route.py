"""Decide how to treat the pairs of points: keep, visit or sample them."""

from __future__ import annotations

import math
from enum import Enum
from typing import TYPE_CHECKING

from .._base.effort import Precision
from .._clusterings.partition import Partition

if TYPE_CHECKING:
    from ..indices.agreements import Agreement
    from ..indices.concordances import Concordance

#: Cost of a column that two sparse rows share, relative to a column of full rows.
SHARED_COST = 32.0
#: Cost of functions written by users, relative to the compiled loops.
PLAIN_COST = 20.0


class Route(Enum):
    """Treatment of the pairs of points."""

    #: The agreements of all pairs are computed and kept.
    KEEP = "keep"
    #: All pairs are visited once, and only sums and bins are kept.
    SURVEY = "survey"
    #: Only pairs that share a cluster on some side are visited; the others have agreement 0.
    SHARED = "shared"
    #: There are too many pairs to visit, so a random sample is used.
    SAMPLE = "sample"


def route_of(
    agreement: Agreement,
    effort: Precision,
    *partitions: Partition,
    concordance: Concordance | None = None,
) -> Route:
    """Decide how to treat the pairs of one clustering, or of two clusterings together."""
    pairs = partitions[0].pairs
    all_pairs = pairs * (10.0 + sum(_columns_a_row(partition) for partition in partitions))
    if agreement.loop is None:
        all_pairs *= PLAIN_COST
    if not all(partition.rows.fits_dense for partition in partitions):
        all_pairs = math.inf
    few = pairs <= effort.budget.kept_pairs
    if few and all_pairs < math.inf and effort.visits(pairs, all_pairs):
        return Route.KEEP
    shared = _shared_work(agreement, concordance, partitions)
    least = min(all_pairs, shared)
    if least == math.inf or not effort.visits(pairs, least):
        return Route.SAMPLE
    return Route.SHARED if shared < all_pairs else Route.SURVEY


def _shared_work(
    agreement: Agreement, concordance: Concordance | None, partitions: tuple[Partition, ...]
) -> float:
    """Return the work of visiting pairs that share a cluster; infinite if that is not possible."""
    if not any(partition.rows.mostly_zero for partition in partitions):
        return math.inf
    if concordance is not None and concordance.power is None:
        return math.inf
    if any(agreement.shared_rows(partition) is None for partition in partitions):
        return math.inf
    entries = sum(partition.without_zeros.shared_entries for partition in partitions)
    # A single side counts twice, so that the routes for one side and for both sides usually agree.
    return SHARED_COST * entries * 2.0 / len(partitions)


def _columns_a_row(partition: Partition) -> float:
    """Return the mean number of columns of a row that must be processed."""
    rows = partition.rows
    return float(rows.entries / rows.n if rows.mostly_zero else rows.row_size)
