"""Decision on how to treat the pairs of points: keep, visit or sample them."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from .._base.effort import Effort
from .._inputs.partition import Partition

if TYPE_CHECKING:
    from ..indices.agreements import Agreement

#: Up to this many pairs the agreements are simply kept and sorted.
KEPT_PAIRS = 1 << 20
#: Functions written by users cost so many times more than the compiled loops.
PLAIN_COST = 20.0


class Route(Enum):
    """Treatment of the pairs of points."""

    #: The agreements of all pairs are computed and kept.
    KEEP = "keep"
    #: All pairs are visited once and only sums and bins are kept.
    SURVEY = "survey"
    #: There are too many pairs to visit, and a random sample of them is used.
    SAMPLE = "sample"


def route_of(agreement: Agreement, effort: Effort, *partitions: Partition) -> Route:
    """Decide how to treat the pairs of one clustering, or of two clusterings together."""
    pairs = partitions[0].pairs
    work = pairs * (10.0 + sum(1 if p.is_hard else p.k for p in partitions))
    if not effort.visits(pairs, work if agreement.loop is not None else PLAIN_COST * work):
        return Route.SAMPLE
    return Route.KEEP if pairs <= KEPT_PAIRS else Route.SURVEY
