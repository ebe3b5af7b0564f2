"""The result of comparing two clusterings under several random models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any, overload

from .. import plot
from .._base.errors import FuzzyRandError, NotApplicableError
from .._base.wording import PYTHON, Call, Sentence, Voice, capitalised
from .comparison import Comparison
from .comparison_text import headlines, html_of
from .result import WIDTH, Explorable, paragraphs

if TYPE_CHECKING:
    from .interval import ConfidenceInterval
    from .significance import Significance

#: Explanation of the column "misfit".
DISTANCE = (
    "Misfit: how far the co-memberships of pairs under the model lie, on average, from those in "
    "the clustering that it replaces (0: the same distribution)."
)
EXPLAINED = Sentence.of(DISTANCE + " See {check}.", check=Call("check_model"))


class ComparisonTable(Explorable, Sequence[Comparison]):
    """Result of :func:`compare` for two clusterings and several random models.

    It is a sequence of :class:`Comparison`; ``table["sym"]`` is the comparison under a model.
    ``print`` shows a table with explanations. In a notebook it is displayed as a table.

    Parameters
    ----------
    comparisons : sequence of Comparison
        One for each model.
    reasons : mapping of str to FuzzyRandError, optional
        Models that have no value for these clusterings, with the error of each.

    Raises
    ------
    NotApplicableError
        If there are no comparisons.

    See Also
    --------
    compare : The function that returns it.
    Comparison : The result for a single model.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> table = fr.compare([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1], model=["perm", "num"])
    >>> table.models, round(table["num"].adjusted, 4)
    (['perm', 'num'], 0.3326)
    >>> print(table)
    Two clusterings of 6 points: hard, 2 clusters; hard, 2 clusters
      observed NDC 0.6667   (contingency table)
      model     expected  adjusted   ± Monte Carlo
      perm        0.5067    0.3243   exact
      num         0.5005    0.3326   exact
    Adjusted: 1 is a perfect match, 0 is chance. Chance:
      perm: the same memberships, shuffled over the points
      num: all partitions into the same number of non-empty clusters, equally likely
    """

    def __init__(
        self,
        comparisons: Sequence[Comparison],
        reasons: Mapping[str, FuzzyRandError] | None = None,
    ) -> None:
        self._comparisons = tuple(comparisons)
        #: Models that have no value for these clusterings, with the error of each.
        self.reasons: dict[str, FuzzyRandError] = dict(reasons or {})
        if not self._comparisons:
            raise NotApplicableError(
                "no model has a value for these clusterings. {reasons}",
                reasons="; ".join(f"{model}: {why}" for model, why in self.reasons.items()),
            )

    @property
    def skipped(self) -> dict[str, str]:
        """Models that have no value for these clusterings, with the reason for each."""
        return {model: str(why) for model, why in self.reasons.items()}

    @property
    def observed(self) -> float:
        """The index of the two clusterings, the same for every model."""
        return self._comparisons[0].observed

    @property
    def left_out(self) -> tuple[int, int]:
        """Numbers of points of each clustering that were left out, because another lacks them."""
        return self._comparisons[0].left_out

    @property
    def models(self) -> list[str]:
        """The names of the models, in order."""
        return [c.model for c in self._comparisons]

    @property
    def main(self) -> Comparison:
        """The comparison that intervals and reports are about: the first not under ``all``.

        ``all`` has no intervals, and is chosen only if it is alone.
        """
        names = [c.model for c in self]
        return self._comparisons[next((i for i, name in enumerate(names) if name != "all"), 0)]

    @property
    def held(self) -> str | None:
        """The side that is fixed, if it matters under any of the models which one is."""
        return next((c.held for c in self if c.held is not None), None)

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

    def text(self, voice: Voice = PYTHON) -> str:
        """Return what ``print`` shows, with options and functions written in the given voice."""
        first = self._comparisons[0]
        fixed = "" if self.held is None else f"; {self.held} clustering fixed"
        width = max(8, *(len(model) for model in self.models))
        with_misfit = any(c.misfit is not None for c in self)
        head = f"  {'model':<{width}}  expected  adjusted   {'± Monte Carlo':<13}"
        lines = [
            *headlines(first, fixed),
            f"  observed {first.title} {first.observed:.4f}   ({first.computed['observed']})",
            f"{head}  misfit" if with_misfit else head.rstrip(),
        ]
        lines += [
            f"  {c.model:<{width}}  {c.expected:z8.4f}  {c.adjusted:z8.4f}   "
            f"{c.short_accuracy:<13}  {c.short_misfit}".rstrip()
            for c in self
        ]
        lines += paragraphs([f"Adjusted: 1 is {_top(first)}, 0 is chance. Chance:"])
        lines += [fill(f"  {c.model}: {c.chance}", WIDTH, subsequent_indent="    ") for c in self]
        if with_misfit:
            lines += paragraphs([EXPLAINED.text(voice)])
        lines += paragraphs(
            f"Without a value: {model}. {capitalised(why.text(voice))}"
            for model, why in self.reasons.items()
        )
        lines += self._note_lines(voice)
        return "\n".join(lines)

    @property
    def note_sentences(self) -> tuple[Sentence, ...]:
        """The notes of all models as objects, without repetitions."""
        by_text = {str(note): note for c in self for note in c.note_sentences}
        return tuple(by_text.values())

    def __repr__(self) -> str:
        return f"ComparisonTable({', '.join(f'{c.model}={c.adjusted:z.4f}' for c in self)})"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, ready for JSON."""
        return {
            "observed": self.observed,
            "left_out": list(self.left_out),
            "weights": self._comparisons[0].weights,
            "comparisons": [c.to_dict() for c in self],
            "skipped": dict(self.skipped),
            "notes": list(self.notes),
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
        return html_of(self)


def _top(c: Comparison) -> str:
    return "a perfect match" if c.maximum == 1.0 else f"mean self-similarity ({c.maximum:.4f})"
