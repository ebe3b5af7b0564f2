"""The result of checking a model: the distribution of co-memberships, beside the observed."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from textwrap import fill
from typing import Any

from .. import plot
from .._base.decimals import decimals
from .._base.jsonable import ready_for_json
from .._base.wording import PYTHON, Sentence, Voice
from .._distributions.atoms import Atoms
from .result import WIDTH, Reported, html_cells, html_table, paragraphs

#: Largest p-value at which a model is said not to suit a clustering.
LEVEL = 0.05
#: Largest negligible distance if pairs agree half of the time.
NEGLIGIBLE = 5e-4
LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class ModelCheck(Reported):
    """Result of :func:`check_model`: co-memberships under a model beside those of a clustering.

    Attributes
    ----------
    model, index, clustering : str
        What was compared.
    n : int
        Number of points.
    mean, model_mean : float
        Mean co-membership of two points, observed and under the model.
    levels : tuple of float
        Levels of the quantiles.
    quantiles, model_quantiles : tuple of float
        Quantiles of the co-memberships at these levels, observed and under the model.
    distance : float
        The misfit: the Wasserstein distance of the two distributions, which is how far
        co-memberships must move, on average, to turn one into the other. Replacing one distribution
        by the other changes no expected NDC by more than this.
    typical : tuple of float, or None
        The median and the 95% quantile of the misfit of clusterings drawn from the model itself,
        each compared with the model refitted to it; None if there are none.
    pvalue : float or None
        Share of the clusterings drawn from the model that lie at least as far from it as this one,
        (1 + number)/(1 + ``draws``). It is 1 if the model takes everything that co-memberships
        depend on from the clustering, as ``cat`` does with the sizes of hard clusters: nothing
        could be evidence against it. None if no clusterings could be drawn.
    points : int
        Number of points compared with drawn clusterings: all, or a random part if there are very
        many.
    points_distance : float
        The misfit of the model fitted to these points, measured in the same way as ``typical``.
    draws : int
        Number of clusterings drawn.
    drawn_from : str
        The model that clusterings were drawn from, and that was fitted to them and to the points
        compared, if it is not ``model`` itself but a mixture with one more component than was
        chosen; else empty.
    law : dict
        The fitted distribution; ``"text"`` describes it in words.
    notes : tuple of str
        What a reader must know about the clustering, such as the treatment of noise.

    See Also
    --------
    check_model : The function that returns it.

    Notes
    -----
    The Wasserstein distance of two distributions with distribution functions F and G is
    ``∫ |F(a) − G(a)| da``.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> check = fr.check_model([0, 0, 1, 1, 1, 2], "cat")
    >>> round(check.mean, 4), round(check.model_mean, 4), check.suits
    (0.2667, 0.3889, True)
    """

    model: str
    index: str
    clustering: str
    n: int
    mean: float
    model_mean: float
    levels: tuple[float, ...]
    quantiles: tuple[float, ...]
    model_quantiles: tuple[float, ...]
    distance: float
    typical: tuple[float, float] | None
    pvalue: float | None
    points: int
    points_distance: float
    draws: int
    drawn_from: str
    law: dict[str, Any]
    #: The two distributions themselves, for plots.
    atoms: tuple[Atoms, Atoms] = field(repr=False, compare=False)
    #: The notes as objects that can be written in another voice.
    note_sentences: tuple[Sentence, ...] = field(default=(), repr=False)

    @property
    def suits(self) -> bool | None:
        """Whether the misfit is typical of clusterings drawn from the model.

        It is not typical if 5% of them or fewer lie at least as far from the model (``pvalue``). A
        model whose misfit is too small to matter always suits. None if no clusterings could be
        drawn.
        """
        if self.negligible:
            return True
        return None if self.pvalue is None else self.pvalue > LEVEL

    @property
    def negligible(self) -> bool:
        """Whether the misfit is negligible, given how rarely points are together or apart."""
        return self.distance <= NEGLIGIBLE * 4.0 * self.mean * (1.0 - self.mean)

    @property
    def sentence(self) -> str:
        """The result in a sentence."""
        if self.pvalue is not None and self.pvalue > LEVEL:
            return self._suiting_sentence
        if self.negligible:
            return "The misfit is negligible: the model describes this clustering."
        about = (
            f"The mean co-membership of two points is {decimals(self.mean)} here and "
            f"{decimals(self.model_mean)} under the model."
            if abs(self.mean - self.model_mean) > 0.1 * self.distance
            else "The mean co-membership is the same, but the distribution differs."
        )
        misfit = decimals(self.distance)
        if self.pvalue is None:
            return f"The misfit is {misfit}. {about}"
        return (
            f"The model does not describe this clustering: the misfit is {misfit} ({self._part}"
            f"clusterings drawn from it and refitted: {self.typical_text}). {about}"
        )

    @property
    def _suiting_sentence(self) -> str:
        if not self.draws:
            return (
                "The model describes the co-memberships by construction: everything that they "
                "depend on is taken from the clustering. The misfit of "
                f"{decimals(self.distance)} is due to the finite number of points ({self.n:,})."
            )
        return (
            "The model describes this clustering as well as clusterings drawn from it: the misfit "
            f"is {decimals(self.distance)} ({self._part}drawn and refitted: {self.typical_text})."
        )

    @property
    def _part(self) -> str:
        """The points and the model that were compared, if not all points or another model."""
        some = f" for {self.points:,} random points" if self.points < self.n else ""
        other = f" from {self.drawn_from}" if self.drawn_from else ""
        return f"{decimals(self.points_distance)}{some}{other}; " if some or other else ""

    @property
    def typical_text(self) -> str:
        """What is typical of clusterings drawn from the model."""
        assert self.typical is not None
        assert self.pvalue is not None
        middle, high = map(decimals, self.typical)
        return f"median {middle}; 95% below {high}; p = {self.pvalue:.2g}"

    def text(self, voice: Voice = PYTHON) -> str:
        """Return what ``print`` shows, with options written in the given voice."""
        shown = [f"{level:.0%}" for level in self.levels]
        lines = [
            f"The model {self.model} for a clustering of {self.n:,} points: {self.clustering}",
            fill(f"  {self.law['text']}", WIDTH, subsequent_indent="  "),
            f"  {'co-membership of pairs':<24}{'mean':>8}" + "".join(f"{s:>8}" for s in shown),
        ]
        lines += [
            f"  {name:<24}" + "".join(f"{number:>8}" for number in numbers)
            for name, *numbers in self._rows
        ]
        lines += [*paragraphs([self.sentence]), *self._note_lines(voice)]
        return "\n".join(lines)

    @ready_for_json
    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, ready for JSON."""
        return {
            "model": self.model,
            "index": self.index,
            "clustering": self.clustering,
            "n": self.n,
            "mean": self.mean,
            "model_mean": self.model_mean,
            "levels": self.levels,
            "quantiles": self.quantiles,
            "model_quantiles": self.model_quantiles,
            "distance": self.distance,
            "typical": self.typical,
            "pvalue": self.pvalue,
            "points": self.points,
            "points_distance": self.points_distance,
            "draws": self.draws,
            "drawn_from": self.drawn_from,
            "suits": self.suits,
            "law": self.law,
            "notes": self.notes,
            "meaning": self.sentence,
        }

    def plot(self, ax: Any = None) -> Any:
        """Draw both distributions with Matplotlib, and return the axes."""
        return plot.laws(self, ax)

    @property
    def _rows(self) -> list[list[str]]:
        """The rows of the table: what they are about, the mean, and the quantiles."""
        return [
            [name, decimals(mean, 4), *(f"{quantile:.4f}" for quantile in quantiles)]
            for name, mean, quantiles in (
                ("observed", self.mean, self.quantiles),
                ("model", self.model_mean, self.model_quantiles),
            )
        ]

    def _repr_html_(self) -> str:
        headings = ["co-membership", "mean", *(f"{level:.0%}" for level in self.levels)]
        caption = f"{escape(self.model)}: {escape(self.sentence)}"
        return html_table(caption, headings, map(html_cells, self._rows))
