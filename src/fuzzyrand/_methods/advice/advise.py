"""Advice on two clusterings, assembled from the evidence and the rules."""

from __future__ import annotations

from ..._base.wording import Option
from ...models._laws.side import Side
from ...models.advice import DEFAULT_KEEP
from ...results import Advice
from .evidence import Evidence
from .rules import alternatives_to, cautions_on, reasons_for, rule_for


def advice_on(
    sides: tuple[Side, Side], fixed: str | None, keep: str | None, options: tuple[Option, ...]
) -> Advice:
    """Compare two clusterings under all models, and choose a model by the rules.

    Parameters
    ----------
    sides : pair of Side
        The clusterings, with index and effort.
    fixed : None, "first" or "second"
        The side that is not replaced.
    keep : str, optional
        What random clusterings keep; None if it was not given.
    options : tuple of Option
        How the clusterings were read, for the advised call.
    """
    evidence = Evidence(sides, fixed)
    answer = keep or DEFAULT_KEEP
    rule = rule_for(answer, evidence)
    report = evidence.compared(rule.model)
    alternatives = tuple(alternatives_to(report, answer, evidence))
    return Advice(
        report=report,
        model=rule.model,
        index=evidence.index,
        keep=answer,
        assumed=keep is None,
        models=evidence.models(report),
        reason_sentences=tuple(reasons_for(rule, answer, keep is None, evidence)),
        caution_sentences=tuple(cautions_on(report, alternatives, evidence)),
        alternatives=alternatives,
        options=options,
    )
