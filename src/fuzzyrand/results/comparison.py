"""The result of comparing two clusterings."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .. import plot
from .._analysis import Analysis
from .._analysis.misfit import MISFIT
from .._base.decimals import decimals
from .._base.estimate import ROUNDING
from .._base.jsonable import ready_for_json
from .._base.wording import PYTHON, Sentence, Voice, capitalised
from .._clusterings.points.common_points import left_out_of
from .._clusterings.weights import weight_facts
from ..indices.registry import title_of
from .comparison_text import (
    SHUFFLES,
    about_self_similarity,
    comparison_lines,
    html_of,
    replaced_side,
    verdict,
)
from .result import Explorable

if TYPE_CHECKING:
    from .interval import ConfidenceInterval
    from .significance import Significance

#: A number with a larger error bound is not called exact, even if nothing was sampled.
EXACT = 1e-5


@dataclass(frozen=True)
class Comparison(Explorable):
    """Result of :func:`compare` for two clusterings and one random model.

    ``print`` shows the result with an explanation. In a notebook it is displayed as a table.

    Attributes
    ----------
    observed : float
        The index of the two clusterings.
    expected : float
        The expected index under the random model.
    adjusted : float
        The adjusted index: 1 for perfect agreement, 0 for chance.
    stderr : float
        Monte Carlo error of ``adjusted``; 0.0 if nothing was sampled. It does not include the
        uncertainty due to the choice of the points.
    exact : bool
        True if nothing was sampled or estimated and ``error_bound`` is below 1e-5.
    index, model : str
        Names of the index and of the model, with options.
    fixed : None, "first" or "second"
        The clustering that was not replaced by a random one.
    n : int
        Number of points.
    clusterings : tuple of str
        Descriptions of the two clusterings.
    laws : tuple of dict
        The distribution of co-memberships on each side, with fitted parameters; ``"text"``
        describes it in words.
    computed : dict
        How ``observed`` and ``expected`` were computed, with their Monte Carlo errors. An index of
        information adds the mutual information and both entropies, in nats.
    error_bound : float
        Bound on the error of ``adjusted`` from binning or quadrature.
    converged : bool
        False if sampling stopped at its limit before it reached ``tol``.
    tol : float
        The Monte Carlo error that was asked for.
    assumption : str
        What chance means under the model.
    maximum : float
        The value of the index at which the adjusted index is 1.
    self_similarities : tuple of float, or None
        The indices of the clusterings with themselves, if these may be below 1.
    misfit : tuple of float or None, or None
        How far the co-memberships of pairs under the model lie, on average, from those of the
        clusterings that it replaces (see :func:`check_model`). Only ``compare(...,
        model="every")`` computes it.
    left_out : tuple of int
        With ``points="common"``, numbers of points of each clustering that were left out, because
        another lacks them.
    weights : dict or None
        With ``weights``, their ``sum``, the number of points of equal weight that would be as
        informative (``effective_points``), the share of the heaviest point (``largest_share``), and
        the number of points of weight 0 (``left_out``).
    notes : tuple of str
        What a reader must know before quoting the number; empty if there is nothing to say.
    analysis : Analysis
        What the numbers were computed from: the clusterings, the index, the model and its
        distributions, for reports and further analysis. A pickled result includes the clusterings.

    See Also
    --------
    compare : The function that returns it.
    ComparisonTable : The result for several models.

    Notes
    -----
    The adjusted index is (observed − expected) / (maximum − expected). If E is the expected
    discordance, 1 − expected, and D the observed one, its Monte Carlo error is se(E) · D/E², and
    more if D was sampled as well.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> c = fr.compare([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1])
    >>> round(c.observed, 4), round(c.expected, 4), round(c.adjusted, 4), c.exact
    (0.6667, 0.5067, 0.3243, True)
    >>> c.assumption
    'the same memberships, shuffled over the points'
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
    left_out: tuple[int, int] = (0, 0)
    weights: dict[str, float] | None = None
    analysis: Analysis = field(repr=False, compare=False, kw_only=True)
    #: The comparison in the other order, if this is one with its clusterings exchanged.
    swapped_from: Comparison | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, analysis: Analysis, *, with_misfit: bool = False) -> Comparison:
        """Return the result of an analysis.

        Parameters
        ----------
        analysis : Analysis
            The two clusterings under a model.
        with_misfit : bool
            Whether to compute how far the model is from the clusterings that it replaces.
        """
        adjusted = analysis.adjusted
        observed, expected, floor = analysis.observed, analysis.expected, analysis.floor
        sampled = observed.stderr > 0.0 or expected.stderr > 0.0 or floor.stderr > 0.0
        known = not (sampled or expected.bound_is_estimate)
        first, second = analysis.partitions
        law1, law2 = ({**law.to_dict(), "text": law.describe()} for law in analysis.laws)
        selves, tol = analysis.observation.selves, analysis.effort.tol
        return cls(
            observed=1.0 - observed.value,
            expected=1.0 - expected.value,
            adjusted=adjusted.value,
            stderr=adjusted.stderr,
            exact=bool(known and adjusted.error_bound < EXACT),
            index=analysis.index.name,
            model=str(analysis.model),
            fixed=analysis.fixed,
            n=first.n,
            clusterings=(first.summary, second.summary),
            laws=(law1, law2),
            computed={
                "observed": observed.how,
                "observed_stderr": observed.stderr,
                "expected": expected.how,
                "expected_stderr": expected.stderr,
                **analysis.details,
            },
            error_bound=adjusted.error_bound,
            # Only the total error counts: if one part has less than its share, another may have
            # more.
            converged=bool(adjusted.stderr <= tol * (1.0 + ROUNDING)),
            tol=tol,
            assumption=analysis.model.assumption,
            maximum=1.0 - floor.value,
            self_similarities=None
            if selves is None
            else (1.0 - selves[0].value, 1.0 - selves[1].value),
            misfit=analysis.distances if with_misfit else None,
            left_out=(left_out_of(first), left_out_of(second)),
            weights=weight_facts(first),
            analysis=analysis,
        )

    def text(self, voice: Voice = PYTHON) -> str:
        """Return what ``print`` shows, with options written in the given voice."""
        return "\n".join([*comparison_lines(self, voice), *self._note_lines(voice)])

    @property
    def title(self) -> str:
        """The name of the index in texts, as in "adjusted NDC"."""
        return title_of(self.index)

    @property
    def adjusted_title(self) -> str:
        """The name of the adjusted index with its model, and with the side that is fixed."""
        fixed = "" if self.held is None else f", {self.held} clustering fixed"
        return f"adjusted {self.title} under {self.model}{fixed}"

    @property
    def note_sentences(self) -> tuple[Sentence, ...]:
        """The notes as objects that can be written in another voice."""
        own = about_self_similarity(self)
        return self.data_notes if own is None else (*self.data_notes, own)

    @cached_property
    def data_notes(self) -> tuple[Sentence, ...]:
        """The notes on the data and the model, without those on the index.

        They are looked for when they are first used, which may take longer than the comparison.
        """
        if self.swapped_from is not None:
            return tuple(_swapped_sides(note) for note in self.swapped_from.data_notes)
        return self.analysis.notes

    @property
    def misfit_note(self) -> Sentence | None:
        """The note that the model does not describe the clusterings; None if it does."""
        return next((note for note in self.data_notes if note.kind == MISFIT), None)

    @property
    def accuracy(self) -> str:
        """Accuracy in words: exact, or the Monte Carlo error and whether ``tol`` was reached."""
        if self.exact:
            return "exact"
        if math.isinf(self.error_bound):
            return "of unknown accuracy: the expected index is too close to 1"
        if self.stderr == 0.0 and self.error_bound > 0.0:
            return f"numerical error at most {self.error_bound:.1g}"
        limit = "" if self.converged else f" (limit of draws reached before tol={self.tol:g})"
        return f"± {self.stderr:.1g} Monte Carlo error{limit}"

    @property
    def short_accuracy(self) -> str:
        """Accuracy as a short text for tables."""
        if self.exact:
            return "exact"
        if math.isinf(self.error_bound):
            return "unknown"
        if self.stderr == 0.0 and self.error_bound > 0.0:
            return f"{self.error_bound:.1g} at most"
        return f"{self.stderr:.1g}" + ("" if self.converged else " (limit)")

    @property
    def short_misfit(self) -> str:
        """The misfit of each side as a short text for tables."""
        return " and ".join(decimals(d) for d in self.misfit or () if d is not None)

    @property
    def sentence(self) -> str:
        """A sentence that says what the number means under the model."""
        return f"{verdict(self)} Chance: {self.chance}."

    @property
    def answer(self) -> str:
        """The sentence that a page begins with: the result, unless the model does not suit it."""
        if self.misfit_note is None:
            return self.sentence
        return capitalised(str(self.misfit_note))

    @property
    def held(self) -> str | None:
        """The side that is fixed, if it matters which one is: not where points are shuffled."""
        return None if self.model == SHUFFLES else self.fixed

    @property
    def chance(self) -> str:
        """What chance means here, and whether it describes the clusterings."""
        poorly = "" if self.misfit_note is None else ", which describes them poorly"
        return f"{replaced_side(self)}{self.assumption}{poorly}"

    def methods_text(
        self, test: Significance | None = None, interval: ConfidenceInterval | None = None
    ) -> str:
        """Return a paragraph for the methods section of a paper, with references.

        Parameters
        ----------
        test : Significance, optional
            Result of :func:`significance` for the same clusterings and index, and either the same
            model or ``perm``.
        interval : ConfidenceInterval, optional
            Result of :func:`confidence_interval` for the same clusterings, index and model.

        Returns
        -------
        str
            Index, model, points left out, value with interval and test, version, references.

        Raises
        ------
        ParameterError
            If the test or the interval belongs to another result.
        """
        from .methods_text import methods_text  # Deferred: it needs this module.

        return methods_text(self, test, interval)

    def swapped(self) -> Comparison:
        """Return the same comparison with its clusterings exchanged.

        This is valid if no side is fixed, and under ``perm``, where a fixed side makes no
        difference.
        """
        selves, misfit = self.self_similarities, self.misfit
        return replace(
            self,
            clusterings=self.clusterings[::-1],
            laws=self.laws[::-1],
            self_similarities=None if selves is None else selves[::-1],
            misfit=None if misfit is None else misfit[::-1],
            left_out=self.left_out[::-1],
            analysis=self.analysis.swapped(),
            swapped_from=self,
        )

    def __getstate__(self) -> dict[str, Any]:
        return {
            **self.__dict__,
            "data_notes": self.data_notes,
        }  # found now, not each time it is loaded

    @ready_for_json
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
            "left_out": self.left_out,
            "weights": self.weights,
            "clusterings": self.clusterings,
            "laws": self.laws,
            "computed": self.computed,
            "tol": self.tol,
            "assumption": self.assumption,
            "maximum": self.maximum,
            "self_similarities": self.self_similarities,
            "misfit": self.misfit,
            "notes": self.notes,
            "meaning": self.sentence,
        }

    def plot(
        self,
        ax: Any = None,
        *,
        interval: ConfidenceInterval | None = None,
        test: Significance | None = None,
    ) -> Any:
        """Draw observed and expected index; see :func:`fuzzyrand.plot.comparison`."""
        return plot.comparison(self, ax, interval=interval, test=test)

    def _repr_html_(self) -> str:
        return html_of([self])


def _swapped_sides(note: Sentence) -> Sentence:
    """Return a note on one side as a note on the other."""
    other = {"first": "second", "second": "first"}.get(note.fields.get("side", ""))
    if other is None:
        return note
    return replace(note, fields={**note.fields, "side": other})
