"""Explanations for people who have never heard of the Rand index."""

from __future__ import annotations

from ..indices import Index
from ..models import Custom
from ..results import Comparison

PAIRS = (
    "A clustering puts points into groups. To compare two, look at two points at a time: does the "
    "one clustering put them together, and does the other? The index adds this up over all pairs "
    "of points: 1 means that both say the same of every pair."
)
CHANCE = (
    "Even unrelated clusterings agree on many pairs by chance, so the index alone says little. The "
    "adjusted index starts from there: it is 0 for as much agreement as chance gives (the "
    "<em>expected</em> index) and 1 for perfect agreement, and it is negative for less than chance."
)


def index_words(c: Comparison) -> str:
    """Explain what the index measures."""
    return Index.measures if c.setting is None else c.setting.index.explanation


def model_words(c: Comparison) -> tuple[str, str]:
    """Explain what a random clustering is, and which question that answers."""
    model = Custom if c.setting is None else c.setting.model
    return model.recipe, model.question
