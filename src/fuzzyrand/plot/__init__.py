"""Plots of results, drawn with Matplotlib (``pip install "fuzzyrand[plot]"``).

``_charts`` describes what a chart shows, for Matplotlib here and for the report pages.
"""

from ._comparison import comparison, laws
from ._explanations import clusters, points
from ._matching import flow, overlap
from ._memberships import memberships
from ._pairwise import pairwise
from ._recurrence import recurrence
from ._significance import interval, significance
from ._simplex import simplex
from ._stability import firmness, stability

__all__ = [
    "clusters",
    "comparison",
    "firmness",
    "flow",
    "interval",
    "laws",
    "memberships",
    "overlap",
    "pairwise",
    "points",
    "recurrence",
    "significance",
    "simplex",
    "stability",
]
