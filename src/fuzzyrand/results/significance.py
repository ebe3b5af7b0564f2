"""The result of testing an adjusted index against chance."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .. import plot
from .._base.jsonable import ready_for_json
from .._base.types import FloatArray
from .._base.wording import PYTHON, Option, Sentence, Voice, capitalised
from .comparison import Comparison
from .comparison_text import SHUFFLES, headlines
from .result import Reported, paragraphs

#: What was drawn, if it was not shuffles.
MODEL_DRAWS = "random clusterings"


@dataclass(frozen=True, eq=False)
class Significance(Reported):
    """Result of :func:`significance`: whether an adjusted index is more than chance.

    ``print`` shows it as a sentence, and :meth:`plot` draws the null distribution.

    Attributes
    ----------
    pvalue : float
        Probability of an adjusted index at least as extreme under the model, estimated by draws
        from it. It is valid for any number of draws, and never smaller than that number allows.
    pvalue_approx : float or None
        Approximation by three moments if no draw was as extreme as the observed value, else None.
    adjusted : float
        The adjusted index.
    null_mean, null_sd : float
        Mean and standard deviation of the adjusted index under the model. Under ``perm`` they are
        exact where ``method`` says so, and otherwise those of the draws.
    z : float
        The adjusted index in units of ``null_sd`` above ``null_mean``. Normal tails do not apply.
    draws, most : int
        Number of draws that were used, and largest number allowed.
    method : str
        How the null distribution was found, in words.
    alternative : "greater", "less" or "two-sided"
        What counts as extreme.
    n, points : int
        Number of points, and number of those that were tested.
    exhaustive : bool
        Whether all permutations were enumerated, in which case the p-value is exact.
    comparison : Comparison
        The comparison under the model.
    null : array
        The draws.
    tested : float
        The value ranked among the draws: the adjusted index of the points that were tested.
    notes : tuple of str
        What a reader must know before quoting the p-value.

    See Also
    --------
    significance : The function that returns it.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> result = fr.significance([0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 1, 0])
    >>> round(result.pvalue, 4), result.exhaustive
    (0.1429, True)
    """

    pvalue: float
    pvalue_approx: float | None
    adjusted: float
    null_mean: float
    null_sd: float
    z: float
    draws: int
    most: int
    method: str
    alternative: str
    n: int
    points: int
    drawn: str
    exhaustive: bool
    comparison: Comparison
    null: FloatArray = field(repr=False)
    tested: float
    #: Notes on the test, apart from those on the comparison.
    own_notes: tuple[Sentence, ...] = field(default=(), repr=False)

    @property
    def left_out(self) -> tuple[int, int]:
        """Numbers of points of each clustering that were left out, because another lacks them."""
        return self.comparison.left_out

    @cached_property
    def note_sentences(self) -> tuple[Sentence, ...]:
        """The notes as objects that can be written in another voice."""
        return (*self.own_notes, *self._about_the_null(), *self.comparison.note_sentences)

    def _about_the_null(self) -> Iterator[Sentence]:
        """Say that the draws are unlike the clusterings, so that the null is another one."""
        if self.drawn == MODEL_DRAWS and self.comparison.misfit_note is not None:
            yield Sentence.of(
                "the p-value is for clusterings drawn from {model}, which are unlike these, so it "
                "does not show that the two are related. {perm} tests that.",
                model=self.comparison.model,
                perm=Option("model", SHUFFLES),
            )

    @property
    def short(self) -> str:
        """The p-value in a few words."""
        equals = "<=" if self.pvalue_approx is not None else "="
        return f"p {equals} {self.pvalue:.2g} under {self.comparison.model}, {self._drawn}"

    @property
    def _drawn(self) -> str:
        return f"{'all ' if self.exhaustive else ''}{self.draws:,} {self.drawn}"

    @property
    def sentence(self) -> str:
        """The result as a sentence that a paper could use."""
        c = self.comparison
        value = f"{capitalised(c.adjusted_title)}: {self.adjusted:z.3f}"
        if self.draws == 0:
            return f"{value}; p = 1."
        floor = ""
        if self.pvalue_approx is not None:
            tiny = self.pvalue_approx < 1e-300
            about = "below 1e-300" if tiny else f"about {self.pvalue_approx:.1g}"
            floor = f", the smallest possible; {about} by a three-moment fit"
        size = "" if math.isnan(self.z) else f"; z = {self.z:z.1f}"
        equals = "<=" if self.pvalue_approx is not None else "="
        test = f"{self._drawn}: p {equals} {self.pvalue:.2g}{floor}{size}"
        return f"{value}, {self._verdict} ({test}). Chance: {c.chance}."

    @property
    def _verdict(self) -> str:
        words = {
            "greater": "significantly more than expected by chance",
            "less": "significantly less than expected by chance",
            "two-sided": "significantly different from chance",
        }[self.alternative]
        return words if self.pvalue <= 0.05 else f"not {words}"

    def text(self, voice: Voice = PYTHON) -> str:
        """Return what ``print`` shows, with options written in the given voice."""
        lines = paragraphs([self.sentence, f"Method: {self.method}."])
        lines += [*headlines(self.comparison)[1:], *self._note_lines(voice)]
        return "\n".join(lines)

    @ready_for_json
    def to_dict(self) -> dict[str, Any]:
        """Return everything but the draws as plain Python values, ready for JSON."""
        return {
            "pvalue": self.pvalue,
            "pvalue_approx": self.pvalue_approx,
            "adjusted": self.adjusted,
            "null_mean": self.null_mean,
            "null_sd": self.null_sd,
            "z": self.z,
            "draws": self.draws,
            "method": self.method,
            "alternative": self.alternative,
            "index": self.comparison.index,
            "model": self.comparison.model,
            "fixed": self.comparison.fixed,
            "n": self.n,
            "left_out": self.left_out,
            "weights": self.comparison.weights,
            "points": self.points,
            "exhaustive": self.exhaustive,
            "notes": self.notes,
            "meaning": self.sentence,
        }

    def plot(self, ax: Any = None) -> Any:
        """Draw the null distribution and the observed value with Matplotlib; return the axes."""
        return plot.significance(self, ax)

    def _repr_html_(self) -> str:
        return self._html([self.sentence])
