"""Explanations of the index and the models of a result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..results import Comparison


@dataclass(frozen=True)
class ModelExplanation:
    """What a random clustering is under a model, and which question the model answers.

    ``recipe`` and ``question`` are None for a model of the user's own that has none; ``assumption``
    is always given.
    """

    name: str
    recipe: str | None
    question: str | None
    assumption: str


def explain_models(comparisons: Iterable[Comparison]) -> list[ModelExplanation]:
    """Return the explanations of the models."""
    explanations = []
    for c in comparisons:
        recipe, question = (
            getattr(c.analysis.model, field, None) for field in ("recipe", "question")
        )
        explanations.append(ModelExplanation(c.model, recipe, question, c.assumption))
    return explanations


def explain_index(c: Comparison) -> str:
    """Return what the index measures."""
    return c.analysis.index.explanation
