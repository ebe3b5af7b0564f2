"""The result of comparing two clusterings: what was computed, how sure it is, what it means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from html import escape
from textwrap import fill
from typing import Any

from .._base.decimals import decimals
from .._base.wording import PYTHON, Option, Sentence, Voice
from .setting import Setting

#: Columns that printed results keep to.
WIDTH = 94


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
        Monte Carlo error of ``adjusted``; 0.0 where nothing was sampled. It says nothing about
        what other points would have given.
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
        How ``observed`` and ``expected`` were computed, with their Monte Carlo errors.
    error_bound : float
        Bound on the error of ``adjusted`` from binning or quadrature.
    converged : bool
        False when sampling stopped at its limit before reaching ``tol``.
    tol : float
        The Monte Carlo error asked for.
    assumption : str
        What chance means under the model.
    maximum : float
        The index that an adjusted index of 1 stands for.
    self_similarities : tuple of float, or None
        What each clustering scores against itself, where that may be less than 1.
    misfit : tuple of float or None, or None
        How far the model's agreement law lies from that of each clustering it stands in for (see
        :func:`check_model`); filled in by ``compare(..., model="every")``.
    notes : tuple of str
        What a reader must know before quoting the number; empty if there is nothing to say.
    setting : Setting or None
        Index, model, laws and effort as objects. None for a result that was unpickled.
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
    remarks: tuple[Sentence, ...] = field(default=(), repr=False, compare=False)
    setting: Setting | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        return self.text()

    def text(self, voice: Voice = PYTHON) -> str:
        """Return what ``print`` shows, with options written in a voice."""
        chance = self.model if self.fixed is None else f"{self.model}, {self.fixed} fixed"
        lines = [
            headline(self),
            f"  {self.index + ' observed':<20}{self.observed:8.4f}   {self.computed['observed']}",
            f"  {'expected by chance':<20}{self.expected:z8.4f}   "
            f"{chance}; {self.computed['expected']}",
            f"  {'adjusted':<20}{self.adjusted:z8.4f}   {self.accuracy}",
            fill(self.sentence, WIDTH),
        ]
        lines += [fill(f"Note: {note.told(voice)}", WIDTH) for note in self.sentences]
        return "\n".join(lines)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know before quoting the number; empty if there is nothing to say."""
        return tuple(str(note) for note in self.sentences)

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The notes as sentences that can be told in another voice."""
        own = self._about_self_similarity()
        return self.remarks if own is None else (*self.remarks, own)

    def _about_self_similarity(self) -> Sentence | None:
        """Say that the index of a clustering with itself is below 1, where it is."""
        if self.self_similarities is None:
            return None
        one, two = self.self_similarities
        scale = "{self} measures against their mean instead of 1."
        if self.maximum < 1.0:
            scale = "An adjusted value of 1 stands for their mean, {maximum:.4f}."
        return Sentence(
            "{index} of a fuzzy clustering with itself is below 1: here {one:.4f} and {two:.4f}. "
            + scale,
            {
                "index": self.index,
                "one": one,
                "two": two,
                "maximum": self.maximum,
                "self": Option("maximum", "self"),
            },
        )

    @property
    def accuracy(self) -> str:
        """``exact``, or the Monte Carlo error, and whether it is what was asked for."""
        if self.exact:
            return "exact"
        if math.isinf(self.error_bound):
            return "of unknown accuracy: chance is too near perfect agreement"
        if self.stderr == 0.0 and self.error_bound > 0.0:
            return f"± {self.error_bound:.1g} at most, from rounding, binning or tables"
        short = "" if self.converged else f" (stopped at its limit; tol={self.tol:g} not reached)"
        return f"± {self.stderr:.1g} Monte Carlo error{short}"

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
        chance = f"where chance means{replaced_side(self)} {self.assumption}."
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

    def swapped(self) -> Comparison:
        """Return the same comparison with its clusterings exchanged.

        For two-sided models, and for ``perm``, under which it makes no difference what is fixed.
        """
        selves, setting = self.self_similarities, self.setting
        return replace(
            self,
            clusterings=self.clusterings[::-1],
            laws=self.laws[::-1],
            self_similarities=None if selves is None else selves[::-1],
            setting=None if setting is None else setting.swapped(),
        )

    def __getstate__(self) -> dict[str, Any]:
        # The setting holds the clusterings, and perhaps functions that cannot be pickled.
        return {**self.__dict__, "setting": None}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, ready for JSON."""
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
            "notes": list(self.notes),
            "meaning": self.sentence,
        }

    def _repr_html_(self) -> str:
        return html_table([self])


def replaced_side(c: Comparison) -> str:
    """Say which clustering the random one takes the place of, if only one."""
    other = {"first": "second", "second": "first"}.get(c.fixed or "", "")
    return f", in place of the {other} clustering," if other else ""


def headline(c: Comparison) -> str:
    """Say what was compared."""
    return f"Two clusterings of {c.n:,} points: {c.clusterings[0]}; {c.clusterings[1]}"


def html_table(comparisons: Sequence[Comparison]) -> str:
    """Return the comparisons as a table for notebooks."""
    rows = "".join(
        f"<tr><td>{escape(c.model)}</td><td>{c.expected:z.4f}</td><td><b>{c.adjusted:z.4f}</b></td>"
        f"<td>{escape(c.accuracy)}</td><td style='text-align:left'>{escape(c.sentence)}</td></tr>"
        for c in comparisons
    )
    first = comparisons[0]
    fixed = "" if first.fixed is None else f"; {escape(first.fixed)} fixed"
    return (
        f"<table><caption>{escape(headline(first))}{fixed}. {escape(first.index)} observed: "
        f"<b>{first.observed:.4f}</b></caption><thead><tr><th>model</th><th>expected</th>"
        f"<th>adjusted</th><th></th><th></th></tr></thead><tbody>{rows}</tbody></table>"
    )
