"""A confidence interval: how far an adjusted index could be off with other points."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .. import plot
from .._base.decimals import decimals
from .._base.jsonable import ready_for_json
from .._base.wording import PYTHON, Sentence, Voice, capitalised
from .._clusterings.points.common_points import left_out_line
from .._clusterings.weights import weight_line
from .comparison import Comparison
from .numbers import shown_ends, small
from .result import Reported, paragraphs


@dataclass(frozen=True)
class ConfidenceInterval(Reported):
    """Result of :func:`confidence_interval`: where the adjusted index of other points may lie.

    ``print`` shows it as a sentence. It can be unpacked: ``low, high = result``.

    Attributes
    ----------
    low, high : float
        Ends of the interval; NaN if these points allow none.
    level : float
        Confidence level.
    adjusted : float
        The adjusted index, or the difference of two.
    stderr : float
        Standard error of ``adjusted`` due to the choice of the points. It does not include the
        Monte Carlo error of the comparison; the interval does.
    method : str
        How it was computed, in words.
    n : int
        Number of points.
    groups : int or None
        Number of groups of points that were kept together.
    comparisons : tuple of Comparison
        The comparison, or the two whose adjusted indices are subtracted.
    pvalue : float or None
        For a difference, the two-sided p-value of no difference, paired by points. It is below
        1 − ``level`` exactly if the interval excludes 0. None for a single index, which
        :func:`significance` tests against chance.
    notes : tuple of str
        What a reader must know before quoting the interval.

    See Also
    --------
    confidence_interval : The function that returns it.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> a = [0, 0, 0, 1, 1, 1, 2, 2, 2, 2] * 4
    >>> b = [0, 0, 1, 1, 1, 1, 2, 2, 2, 0] * 4
    >>> low, high = fr.confidence_interval(a, b, model="perm")
    >>> round(low, 2), round(high, 2)
    (0.3, 0.74)
    """

    low: float
    high: float
    level: float
    adjusted: float
    stderr: float
    method: str
    n: int
    groups: int | None
    comparisons: tuple[Comparison, ...]
    pvalue: float | None = None
    #: Notes on the interval, apart from those on the comparisons.
    own_notes: tuple[Sentence, ...] = field(default=(), repr=False)

    def __iter__(self) -> Any:
        return iter((self.low, self.high))

    @property
    def weights(self) -> dict[str, float] | None:
        """What is known of the weights of the points; None without weights."""
        return self.comparisons[0].weights

    @property
    def left_out(self) -> tuple[int, ...]:
        """Numbers of points of each clustering that were left out, because another lacks them.

        The second and third are those of the two clusterings whose indices are subtracted.
        """
        first, *others = self.comparisons
        return (*first.left_out, *(c.left_out[1] for c in others))

    @cached_property
    def note_sentences(self) -> tuple[Sentence, ...]:
        """The notes as objects that can be written in another voice, without repetitions."""
        about = (note for comparison in self.comparisons for note in comparison.note_sentences)
        return tuple({str(note): note for note in (*self.own_notes, *about)}.values())

    @property
    def is_difference(self) -> bool:
        """Whether the interval is for the difference of two adjusted indices."""
        return len(self.comparisons) == 2

    @property
    def short(self) -> str:
        """The interval in a few words."""
        if math.isnan(self.low):
            return f"no {100 * self.level:.6g}% CI"
        low, high = shown_ends(self.low, self.high)
        return f"{100 * self.level:.6g}% CI {low} to {high}"

    @property
    def sentence(self) -> str:
        """The result as a sentence that a paper could use."""
        first = self.comparisons[0]
        what = capitalised(first.adjusted_title)
        units = f"{self.n:,} points"
        if self.groups is not None:
            units += f" in {self.groups:,} groups"
        if self.is_difference:
            one, two = (c.adjusted for c in self.comparisons)
            return (
                f"{what}: {one:z.3f} - {two:z.3f} = {decimals(self.adjusted)} "
                f"({self.short}{self._tested()}; {units}). {self._verdict()}"
            )
        return f"{what}: {self.adjusted:z.3f} ({self.short}; {units})."

    def _tested(self) -> str:
        if self.pvalue is None or math.isnan(self.pvalue):
            return ""
        return f", {small('p', self.pvalue)}"

    def _verdict(self) -> str:
        if math.isnan(self.low):
            return "There is no interval for their difference."
        if self.low > 0.0:
            return "The first of the two agrees more with the reference."
        if self.high < 0.0:
            return "The second of the two agrees more with the reference."
        return "These points do not show which agrees more with the reference."

    def text(self, voice: Voice = PYTHON) -> str:
        """Return what ``print`` shows, with options written in the given voice."""
        others = ["the first of the two", "the second of the two"]
        names = ["the first", *(others if self.is_difference else ["the second"])]
        points = left_out_line(self.left_out, names), weight_line(self.weights)
        lines = paragraphs([self.sentence, f"Method: {self.method}.", *points])
        return "\n".join(lines + self._note_lines(voice))

    @ready_for_json
    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, ready for JSON."""
        return {
            "low": self.low,
            "high": self.high,
            "level": self.level,
            "adjusted": self.adjusted,
            "stderr": self.stderr,
            "pvalue": self.pvalue,
            "method": self.method,
            "n": self.n,
            "left_out": self.left_out,
            "weights": self.weights,
            "groups": self.groups,
            "notes": self.notes,
            "meaning": self.sentence,
        }

    def plot(self, ax: Any = None) -> Any:
        """Draw the interval; see :func:`fuzzyrand.plot.interval`."""
        return plot.interval(self, ax)

    def _repr_html_(self) -> str:
        return self._html([self.sentence])
