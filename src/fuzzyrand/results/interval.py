"""A confidence interval: how far an adjusted index could be off with other points."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from textwrap import fill
from typing import Any

from .._base.jsonable import ready_for_json
from .._base.wording import PYTHON, Sentence, Voice
from .comparison import WIDTH, Comparison


@dataclass(frozen=True)
class ConfidenceInterval:
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
    #: Notes on the interval, apart from those on the comparisons.
    remarks: tuple[Sentence, ...] = field(default=(), repr=False)

    def __iter__(self) -> Any:
        return iter((self.low, self.high))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know before quoting the interval; empty if there is nothing to say."""
        return tuple(str(note) for note in self.sentences)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The notes as objects that can be written in another voice, without repetitions."""
        about = (note for comparison in self.comparisons for note in comparison.sentences)
        return tuple({str(note): note for note in (*self.remarks, *about)}.values())

    @property
    def is_difference(self) -> bool:
        """Whether the interval is for the difference of two adjusted indices."""
        return len(self.comparisons) == 2

    @property
    def short(self) -> str:
        """The interval in a few words."""
        if math.isnan(self.low):
            return f"no {100 * self.level:.6g}% interval"
        return f"{100 * self.level:.6g}% interval {self.low:z.3f} to {self.high:z.3f}"

    @property
    def sentence(self) -> str:
        """The result as a sentence that a paper could use."""
        first = self.comparisons[0]
        what = f"{first.index} adjusted by {first.model}"
        fixed = "" if first.held is None else f", {first.held} fixed"
        units = f"{self.n:,} points"
        if self.groups is not None:
            units += f" in {self.groups:,} groups"
        if self.is_difference:
            one, two = (c.adjusted for c in self.comparisons)
            return (
                f"{what}{fixed}: {one:z.3f} - {two:z.3f} = {self.adjusted:z.3f} "
                f"({self.short}; {units}). {self._verdict()}"
            )
        return f"{what}{fixed}: {self.adjusted:z.3f} ({self.short}; {units})."

    def _verdict(self) -> str:
        if math.isnan(self.low):
            return "Nothing can be said of other points."
        if self.low > 0.0:
            return "The first of the two is closer."
        if self.high < 0.0:
            return "The second of the two is closer."
        return "These points do not show which is closer."

    def __str__(self) -> str:
        return self.text()

    def text(self, voice: Voice = PYTHON) -> str:
        """Return what ``print`` shows, with options written in the given voice."""
        lines = [fill(self.sentence, WIDTH), fill(f"By {self.method}.", WIDTH)]
        lines += [fill(f"Note: {note.text(voice)}", WIDTH) for note in self.sentences]
        return "\n".join(lines)

    @ready_for_json
    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, ready for JSON."""
        return {
            "low": self.low,
            "high": self.high,
            "level": self.level,
            "adjusted": self.adjusted,
            "stderr": self.stderr,
            "method": self.method,
            "n": self.n,
            "groups": self.groups,
            "notes": list(self.notes),
            "meaning": self.sentence,
        }

    def _repr_html_(self) -> str:
        notes = "".join(f"<br>Note: {escape(note)}" for note in self.notes)
        return f"<p>{escape(self.sentence)}{notes}</p>"
