"""The rules that choose a model, and the reasons to be careful with its value.

What random clusterings should keep of the given ones (``keep``) is a question that data cannot
answer; ``models/advice.py`` has the answers. For each of them the first rule that holds decides, so
the data decide between models that keep the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..._analysis.bias import BIAS_MATTERS
from ..._analysis.notes import far_from_typical
from ..._base.wording import Call, Option, Sentence
from ...indices import PairIndex, TableIndex
from ...indices.registry import title_of
from ...models import (
    All,
    Cat,
    Empirical,
    Fit,
    Flat,
    Generalised,
    Mixed,
    Mixture,
    Model,
    Num,
    Perm,
    Sym,
)
from ...models.advice import KEEPS
from ...results import Comparison
from ...results.advice import Alternative
from ...results.explanation import difference_of
from .evidence import Evidence

#: Smallest difference between the values for different answers that is worth a caution.
DEPENDS = 0.05
#: Largest bias that is left to the correction.
LARGEST_BIAS = 0.2
#: Smallest difference from the value of the strongest clusters alone that is worth a caution.
FUZZINESS = 0.1


@dataclass(frozen=True)
class Rule:
    """A model, the clusterings that it is chosen for, and the reason.

    Attributes
    ----------
    keeps : tuple of str
        The answers that the rule belongs to.
    holds : function of Evidence
        Whether the clusterings are of the kind that the rule is for.
    model : Model
        The model that it chooses.
    because : str
        The reason, with the names of fields in braces; see ``_fields``.
    """

    keeps: tuple[str, ...]
    holds: Callable[[Evidence], bool]
    model: Model
    because: str


def _always(evidence: Evidence) -> bool:
    return True


def _hard(evidence: Evidence) -> bool:
    return evidence.hard


def _describing(name: str) -> Callable[[Evidence], bool]:
    return lambda evidence: evidence.describes(name) is True


def _few_points(evidence: Evidence) -> bool:
    """Whether it matters that ``empirical`` may draw a point twice."""
    if not evidence.applies("empirical"):
        return True
    return abs(evidence.adjusted("empirical") - evidence.adjusted("perm")) >= BIAS_MATTERS


ANY = tuple(KEEPS)
#: Answers for which sizes are kept; the last two only if no model that keeps less applies, as with
#: noise that is not a cluster.
SIZES = ("sizes", "number", "nothing")

RULES = (
    Rule(
        ANY,
        lambda e: isinstance(e.index, TableIndex) and e.index.shuffles_only,
        Perm(),
        "perm is the only model under which the expected {index} is known.",
    ),
    Rule(
        ANY,
        lambda e: e.possibilistic,
        Perm(),
        "the memberships of a point do not sum to 1 here. perm keeps them as they are; models that "
        "draw memberships with a sum of 1 do not apply.",
    ),
    Rule(
        ("memberships",),
        lambda e: e.both_hard and e.index.equals_rand,
        Perm(),
        "for hard clusterings, perm gives the usual adjusted Rand index. It keeps the cluster "
        "sizes.",
    ),
    Rule(
        ("memberships",),
        _always,
        Perm(),
        "perm keeps all memberships, and most published values use it.",
    ),
    Rule(
        ("nothing",),
        lambda e: _hard(e) and e.applies("all"),
        All(),
        "all treats every partition of the points as equally likely.",
    ),
    Rule(
        ("nothing",),
        lambda e: e.applies("flat"),
        Flat(),
        "flat treats all memberships as equally likely, and keeps only the number of clusters.",
    ),
    Rule(
        ("number",),
        lambda e: _hard(e) and e.applies("num"),
        Num(),
        "num treats all partitions into this many clusters as equally likely, whatever their "
        "sizes.",
    ),
    Rule(
        ("number",),
        lambda e: 0.0 < e.bias("sym") <= LARGEST_BIAS,
        Sym(bias="corrected"),
        "sym keeps the number of clusters and the fuzziness, and treats all clusters alike. "
        "With {n} points in {k} clusters, its bias must be corrected.",
    ),
    Rule(
        ("number",),
        lambda e: e.applies("sym") and e.bias("sym") <= LARGEST_BIAS,
        Sym(),
        "sym keeps the number of clusters and the fuzziness, and treats all clusters alike.",
    ),
    Rule(
        SIZES,
        lambda e: _hard(e) and e.bias("cat") > 0.0,
        Perm(),
        "perm keeps the cluster sizes exactly. (cat keeps them on average, which makes values too "
        "high for {n} points in {k} clusters.)",
    ),
    Rule(
        SIZES,
        _hard,
        Cat(),
        "cat keeps the sizes of hard clusters on average, and draws points independently.",
    ),
    Rule(
        SIZES,
        lambda e: e.bias("fit") > LARGEST_BIAS,
        Perm(),
        "{n} points in {k} clusters are too few for a fit, and perm needs none.",
    ),
    Rule(
        SIZES,
        lambda e: _describing("fit")(e) and e.bias("fit") > 0.0,
        Fit(bias="corrected"),
        "fit keeps sizes and fuzziness. With {n} points in {k} clusters, its bias must be "
        "corrected.",
    ),
    Rule(
        SIZES,
        _describing("fit"),
        Fit(),
        "fit keeps sizes and fuzziness, and describes these memberships closely enough for this "
        "value.",
    ),
    Rule(
        SIZES,
        lambda e: e.hard_rows > 0.0 and _describing("mixed")(e),
        Mixed(),
        "{hard_rows:.0%} of the points are hard and the others are fuzzy, which mixed describes "
        "and fit does not.",
    ),
    Rule(
        SIZES,
        _describing("generalised"),
        Generalised(),
        "fit does not describe these memberships closely enough; generalised does. It gives each "
        "cluster its own fuzziness.",
    ),
    Rule(
        SIZES,
        _describing("mixture"),
        Mixture(),
        "fit does not describe these memberships closely enough; mixture does. It allows for "
        "several kinds of points.",
    ),
    Rule(
        SIZES,
        _few_points,
        Perm(),
        "no model that draws points independently describes these memberships closely enough; perm "
        "keeps all memberships.",
    ),
    Rule(
        SIZES,
        _always,
        Empirical(),
        "no fitted model describes these memberships closely enough; empirical draws each point "
        "from the observed ones.",
    ),
)


def rule_for(keep: str, evidence: Evidence) -> Rule:
    """Return the first rule for an answer that holds."""
    return next(rule for rule in RULES if keep in rule.keeps and rule.holds(evidence))


# --- reasons -------------------------------------------------------------------------------------


def reasons_for(rule: Rule, keep: str, assumed: bool, evidence: Evidence) -> Iterator[Sentence]:
    """Say why a model and an index should be reported."""
    fields = _fields(evidence)
    yield Sentence(rule.because, fields)
    if assumed and rule.keeps != ANY:
        yield Sentence.of(
            "data cannot show what chance should keep, so you decide; {keep} is the default.",
            keep=Option("keep", keep),
        )
    if keep != rule.keeps[0] and rule.keeps != ANY:
        yield Sentence.of("no model that keeps less than the cluster sizes applies here.")
    if evidence.both_hard and evidence.index.equals_rand:
        yield Sentence.of(
            "for two hard clusterings, all indices of pairs of points equal the Rand index."
        )
    elif evidence.index.name == "ndc":
        chances = (
            ""
            if evidence.possibilistic
            else " If memberships are probabilities of belonging to one cluster, use {consistency}."
        )
        yield Sentence.of(
            "the NDC is the Rand index for fuzzy clusterings, and 1 for a clustering with itself."
            + chances,
            consistency=Option("index", "consistency"),
        )


def _fields(evidence: Evidence) -> dict[str, Any]:
    replaced = evidence.replaced
    return {
        "index": title_of(evidence.index.name),
        "n": replaced[0].n,
        "k": max(partition.k for partition in replaced),
        "hard_rows": evidence.hard_rows,
    }


# --- alternatives --------------------------------------------------------------------------------


def alternatives_to(report: Comparison, keep: str, evidence: Evidence) -> Iterator[Alternative]:
    """Yield what to report if something else were known about the clusterings."""
    seen = {report.model}
    for other, (*_, when) in KEEPS.items():
        rule = rule_for(other, evidence)
        if other == keep or other != rule.keeps[0] or rule.keeps == ANY:
            continue  # the same answer, or one that no model is for
        if str(rule.model) in seen:
            continue
        if any(far_from_typical(rule.model, partition) for partition in evidence.replaced):
            continue  # skips all, unless there are about as many clusters as it draws
        seen.add(str(rule.model))
        comparison = evidence.compared(rule.model)
        yield Alternative(Sentence.of(when), Option("keep", other), comparison)
    yield from _known_truth(report, evidence)


def _known_truth(report: Comparison, evidence: Evidence) -> Iterator[Alternative]:
    """Yield what to report if one clustering is hard and a known truth, and the other is fuzzy."""
    hard = [side.partition.is_hard for side in evidence.sides]
    model = report.analysis.model
    if evidence.fixed is not None or hard[0] == hard[1] or model.shuffles:
        return
    name = "first" if hard[0] else "second"
    fixed = evidence.with_fixed(model, name)
    when = Sentence.of("the {side} clustering is a known truth", side=name)
    yield Alternative(when, Option("fixed", name), fixed)


# --- cautions ------------------------------------------------------------------------------------


def cautions_on(
    report: Comparison, alternatives: tuple[Alternative, ...], evidence: Evidence
) -> Iterator[Sentence]:
    """Say what must be known before the value is quoted."""
    yield from report.note_sentences
    yield from _depends(report, alternatives, evidence)
    yield from _fuzziness(report, evidence)
    yield from _empty_clusters(report, evidence)


def _depends(
    report: Comparison, alternatives: tuple[Alternative, ...], evidence: Evidence
) -> Iterator[Sentence]:
    """Say that the value depends on the model as much as on the clusterings."""
    others = [a.comparison for a in alternatives if a.option.value != "nothing"]
    values = {c.model: c.adjusted for c in (report, evidence.comparisons["perm"], *others)}
    low, high = min(values, key=values.__getitem__), max(values, key=values.__getitem__)
    if values[high] - values[low] < DEPENDS:
        return
    yield Sentence.of(
        "the value depends on the model: {least:z.3f} under {low}, {most:z.3f} under {high}. Name "
        "the model wherever you quote it.",
        low=low,
        high=high,
        least=values[low],
        most=values[high],
    )


def _fuzziness(report: Comparison, evidence: Evidence) -> Iterator[Sentence]:
    """Say that clusterings which put the same points together differ in fuzziness."""
    if evidence.both_hard or not isinstance(evidence.index, PairIndex):
        return
    hardened = evidence.hardened(report)
    different = difference_of(report.adjusted, hardened.adjusted) in ("fuzziness", "both")
    if not different or hardened.adjusted - report.adjusted < FUZZINESS:
        return
    yield Sentence.of(
        "they differ more in fuzziness than in structure: if each point belongs to its strongest "
        "cluster alone, the value is {hardened:z.3f}. Quote both; {explain} shows more.",
        hardened=hardened.adjusted,
        explain=Call("explain"),
    )


def _empty_clusters(report: Comparison, evidence: Evidence) -> Iterator[Sentence]:
    """Say that a model counts clusters without members."""
    empty = max(partition.k - partition.occupied for partition in evidence.replaced)
    model = report.analysis.model
    if empty == 0 or not isinstance(model, Sym | Flat):
        return
    yield Sentence.of(
        "{empty} clusters are empty, and {model} counts them. Drop their columns if no point could "
        "have been in them.",
        empty=empty,
        model=model.name,
    )
