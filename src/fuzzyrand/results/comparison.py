"""Results: what was found, how sure it is, and what it means, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import fill
from typing import Any, overload

from .._base.decimals import decimals
from .._base.errors import NotApplicableError

#: Columns that printed results keep to.
WIDTH = 94
MISFIT = (
    "Misfit: how far the agreements of pairs under the model lie, on average, from those of the "
    "clustering it stands in for (0: the same law). See check_model()."
)


@dataclass(frozen=True)
class Comparison:
    """How alike two clusterings are, beyond chance.

    Attributes
    ----------
    observed : float
        The index of the two clusterings.
    expected : float
        Its mean under the random model.
    adjusted : float
        (observed - expected) / (maximum - expected): 1 for perfect agreement, 0 for chance.
    stderr : float
        Standard error of ``adjusted``; 0.0 where nothing was sampled.
    exact : bool
        True where nothing was sampled and ``error_bound`` is below 1e-5.
    index, model : str
        What was computed.
    fixed : None, "first" or "second"
        The side that stayed as it is.
    n : int
        Number of points.
    clusterings : tuple of str
        What the two sides are.
    laws : tuple of dict
        The law of a pair's agreement on each side, with fitted parameters; ``"text"`` says it
        in words.
    computed : dict
        How ``observed`` and ``expected`` were computed, with their standard errors.
    error_bound : float
        Bound on the error of ``adjusted`` from binning or quadrature.
    converged : bool
        False when sampling stopped at its limit before reaching ``tol``.
    tol : float
        The standard error asked for.
    assumption : str
        What chance means under the model.
    maximum : float
        The index that an adjusted index of 1 stands for.
    self_similarities : tuple of float, or None
        What each clustering scores against itself, where that may be less than 1.
    misfit : tuple of float or None, or None
        How far the model's agreement law lies from that of each clustering it stands in for (see
        :func:`check_model`); filled in by ``compare(..., model="every")``.
    """

    observed: float
    expected: float
    adjusted: float
    stderr: float
    exact: bool
    index: str
    model: str
    fixed: str | None
    n: int
    clusterings: tuple[str, str]
    laws: tuple[dict[str, Any], dict[str, Any]]
    computed: dict[str, Any]
    error_bound: float
    converged: bool
    tol: float
    assumption: str
    maximum: float = 1.0
    self_similarities: tuple[float, float] | None = None
    misfit: tuple[float | None, float | None] | None = None

    def __str__(self) -> str:
        chance = self.model if self.fixed is None else f"{self.model}, {self.fixed} fixed"
        lines = [
            _headline(self),
            f"  {self.index + ' observed':<20}{self.observed:8.4f}   {self.computed['observed']}",
            f"  {'expected by chance':<20}{self.expected:z8.4f}   "
            f"{chance}; {self.computed['expected']}",
            f"  {'adjusted':<20}{self.adjusted:z8.4f}   {self.accuracy}",
            fill(self.sentence, WIDTH),
        ]
        if self.note:
            lines.append(fill(self.note, WIDTH))
        return "\n".join(lines)

    @property
    def note(self) -> str:
        """What to know of an index by which a clustering is not 1 like itself; else empty."""
        if self.self_similarities is None:
            return ""
        one, two = self.self_similarities
        told = f"Note: {self.index} of a fuzzy clustering with itself is below 1: here "
        told += f"{one:.4f} and {two:.4f}. "
        if self.maximum < 1.0:
            return told + f"An adjusted value of 1 stands for their mean, {self.maximum:.4f}."
        return told + "maximum='self' measures against their mean instead of 1."

    @property
    def accuracy(self) -> str:
        """``exact``, or the standard error, and whether it is what was asked for."""
        if self.exact:
            return "exact"
        if math.isinf(self.error_bound):
            return "of unknown accuracy: chance is too near perfect agreement"
        if self.stderr == 0.0 and self.error_bound > 0.0:
            return f"± {self.error_bound:.1g} at most, from rounding, binning or tables"
        short = "" if self.converged else f" (stopped at its limit; tol={self.tol:g} not reached)"
        return f"± {self.stderr:.1g} standard error{short}"

    @property
    def short_accuracy(self) -> str:
        """The same as short as a table needs it."""
        if self.exact:
            return "exact"
        if math.isinf(self.error_bound):
            return "unknown"
        if self.stderr == 0.0 and self.error_bound > 0.0:
            return f"{self.error_bound:.1g} at most"
        return f"{self.stderr:.1g}" + ("" if self.converged else " (limit)")

    @property
    def short_misfit(self) -> str:
        """How far the model lies from each clustering that it stands in for, for a table."""
        return " and ".join(decimals(d) for d in self.misfit or () if d is not None)

    @property
    def sentence(self) -> str:
        """What the number means under this model."""
        chance = f"where chance means{_replaced(self)} {self.assumption}."
        if self.expected >= 1.0 - 1e-14:
            return f"Chance alone would give perfect agreement as well, {chance}"
        if self.observed >= 1.0 - 1e-14 and self.maximum == 1.0:
            return (
                f"They say the same of every pair of points, which chance ({self.expected:.3f}) "
                f"does not, {chance}"
            )
        if abs(self.adjusted) < max(0.005, 2.0 * self.stderr):
            return f"They are about as alike as chance would make them, {chance}"
        if self.adjusted < 0.0:
            return (
                f"They are less alike than chance would make them "
                f"({self.observed:.3f} against {self.expected:.3f}), {chance}"
            )
        top = "perfect agreement (1)"
        if self.maximum < 1.0:
            top = f"agreement as of each with itself ({self.maximum:.3f})"
        return (
            f"They go {self.adjusted:.0%} of the way from chance ({self.expected:.3f}) "
            f"to {top}, {chance}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON."""
        return {
            "observed": self.observed,
            "expected": self.expected,
            "adjusted": self.adjusted,
            "stderr": self.stderr,
            "exact": self.exact,
            "error_bound": self.error_bound,
            "converged": self.converged,
            "index": self.index,
            "model": self.model,
            "fixed": self.fixed,
            "n": self.n,
            "clusterings": list(self.clusterings),
            "laws": [dict(law) for law in self.laws],
            "computed": dict(self.computed),
            "tol": self.tol,
            "assumption": self.assumption,
            "maximum": self.maximum,
            "self_similarities": None
            if self.self_similarities is None
            else list(self.self_similarities),
            "misfit": None if self.misfit is None else list(self.misfit),
            "meaning": self.sentence,
        }

    def _repr_html_(self) -> str:
        return _html_table([self])


class ComparisonTable(Sequence[Comparison]):
    """The same two clusterings under several random models.

    Behaves as a sequence of :class:`Comparison`; ``table["sym"]`` finds one by its model.
    """

    def __init__(
        self, comparisons: Sequence[Comparison], skipped: dict[str, str] | None = None
    ) -> None:
        self._comparisons = tuple(comparisons)
        #: Models that have no value here, and why.
        self.skipped = dict(skipped or {})
        if not self._comparisons:
            reasons = "; ".join(f"{model}: {why}" for model, why in self.skipped.items())
            raise NotApplicableError(f"no model has a value for these clusterings. {reasons}")

    @property
    def observed(self) -> float:
        """The index of the two clusterings, the same for every model."""
        return self._comparisons[0].observed

    @property
    def models(self) -> list[str]:
        """The names of the models, in order."""
        return [c.model for c in self._comparisons]

    def __len__(self) -> int:
        return len(self._comparisons)

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self._comparisons)

    @overload
    def __getitem__(self, key: int | str) -> Comparison: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Comparison]: ...
    def __getitem__(self, key: int | str | slice) -> Comparison | Sequence[Comparison]:
        if isinstance(key, str):
            if key not in self.models:
                raise KeyError(f"no model {key!r} in this table; it has {', '.join(self.models)}")
            return self._comparisons[self.models.index(key)]
        return self._comparisons[key]

    def __str__(self) -> str:
        first = self._comparisons[0]
        fixed = "" if first.fixed is None else f"; {first.fixed} fixed"
        width = max(8, *(len(model) for model in self.models))
        judged = any(c.misfit is not None for c in self)
        lines = [
            f"{_headline(first)}{fixed}",
            f"  {first.index} observed {first.observed:.4f}   ({first.computed['observed']})",
            f"  {'model':<{width}}  expected  adjusted   {'± stderr':<10}"
            + ("  misfit" if judged else ""),
        ]
        lines += [
            f"  {c.model:<{width}}  {c.expected:z8.4f}  {c.adjusted:z8.4f}   "
            f"{c.short_accuracy:<10}  {c.short_misfit}".rstrip()
            for c in self
        ]
        lines.append(
            f"Adjusted, {_top(first)} is 1 and chance is 0, where chance means{_replaced(first)}"
        )
        lines += [
            fill(f"  {c.model}: {c.assumption}", WIDTH, subsequent_indent="    ") for c in self
        ]
        if judged:
            lines.append(fill(MISFIT, WIDTH))
        lines += [fill(f"Left out, {model}: {why}", WIDTH) for model, why in self.skipped.items()]
        if first.note:
            lines.append(fill(first.note, WIDTH))
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"ComparisonTable({', '.join(f'{c.model}={c.adjusted:z.4f}' for c in self)})"

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON."""
        return {
            "observed": self.observed,
            "comparisons": [c.to_dict() for c in self],
            "skipped": dict(self.skipped),
        }

    def _repr_html_(self) -> str:
        return _html_table(self)


def _top(c: Comparison) -> str:
    return (
        "perfect agreement" if c.maximum == 1.0 else f"that of each with itself ({c.maximum:.4f})"
    )


def _replaced(c: Comparison) -> str:
    """Which clustering the random one takes the place of, if only one."""
    other = {"first": "second", "second": "first"}.get(c.fixed or "", "")
    return f", in place of the {other} clustering," if other else ""


def _headline(c: Comparison) -> str:
    return f"Two clusterings of {c.n:,} points: {c.clusterings[0]}; {c.clusterings[1]}"


def _html_table(comparisons: Sequence[Comparison]) -> str:
    rows = "".join(
        f"<tr><td>{escape(c.model)}</td><td>{c.expected:z.4f}</td><td><b>{c.adjusted:z.4f}</b></td>"
        f"<td>{escape(c.accuracy)}</td><td style='text-align:left'>{escape(c.sentence)}</td></tr>"
        for c in comparisons
    )
    first = comparisons[0]
    fixed = "" if first.fixed is None else f"; {escape(first.fixed)} fixed"
    return (
        f"<table><caption>{escape(_headline(first))}{fixed}. {escape(first.index)} observed: "
        f"<b>{first.observed:.4f}</b></caption><thead><tr><th>model</th><th>expected</th>"
        f"<th>adjusted</th><th></th><th></th></tr></thead><tbody>{rows}</tbody></table>"
    )
