"""The result of a stability analysis: which values of a parameter survive a change of the data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np

from .. import plot
from .._base.jsonable import ready_for_json
from .._base.parameters import Value, is_count
from .._base.types import FloatArray, IntArray
from .._base.wording import PYTHON, Sentence, Voice
from .._clusterings.matching.cluster_labels import labels_of
from .._clusterings.partition import Partition
from ..indices.registry import title_of
from .frames import frame_of, table_of
from .numbers import number_written
from .result import Reported, html_cells, html_table, paragraphs
from .stability_tables import SPREAD, TABLES, printed_table
from .stability_text import advice, on_clusters, verdict

CAVEAT = (
    "Stability is necessary, not sufficient: a wrong number of clusters can be stable, too, and "
    "small numbers are more easily stable."
)


@dataclass(frozen=True, eq=False)
class Stability(Reported):
    """Result of :func:`stability`: how much clusterings of subsamples agree, for each value.

    ``print`` shows a table with advice, and :meth:`plot` draws it.

    Attributes
    ----------
    parameter : str
        Name of the parameter that was varied, such as "n_clusters" or "eps".
    best : value or None
        The most stable of the ``candidates`` if ``pvalue`` is at most 0.05, and None otherwise.
    candidates : dict of value to float
        The values whose ``excess`` is the largest, or less by at most one standard error of the
        difference (or 0.01), each with this standard error; the value with the largest excess comes
        first. Their means are at least 0.5, half of the way from chance to perfect agreement. Empty
        if ``best`` is None.
    most_stable : value or None
        The value with the highest mean, or of those within 0.01 of it the one with the most
        clusters; None if nothing has a value.
    pvalue : float or None
        Probability that data without clusters are as stable, over all values; None if there were no
        reference data.
    pvalues : dict of value to float, or None
        The same for each value.
    scores : dict of value to array
        For each value, the adjusted index of each repeat; NaN where it has none.
    reference : dict of value to array of shape (data sets, repeats), or None
        The same for reference data, which have no clusters.
    clusterings : dict of value to Partition
        The clustering of all rows for each value. Noise is in no cluster.
    found_again : dict of value to array of shape (subsamples, clusters)
        For each cluster of all rows, its largest Jaccard similarity with a cluster of a subsample;
        NaN where it has no points in the subsample. There are two subsamples for each repeat.
    by_chance : dict of value to array of shape (subsamples, clusters)
        The same after the rows of the subsample were shuffled.
    counts : dict of value to array
        Number of clusters in each subsample.
    points : dict of value to array
        Firmness of each row: the mean of its scores, as in :func:`explain`, over the repeats in
        which both subsamples hold it. 1 means that its neighbours in the cluster never change, and
        0 that they change as by chance; NaN if no repeat has it. Empty for indices without scores
        of points.
    index, model : str
        Names of the index and of the random model.
    n, groups : int, int or None
        Number of rows, and of groups of rows that were drawn together.
    drawn : int
        Number of rows (or of groups) in a subsample.
    repeats : int
        Number of pairs of subsamples, and of reference data sets.
    reference_words : str
        Description of the reference data.
    notes : tuple of str
        What a reader must know before quoting the values.

    See Also
    --------
    stability : The function that returns it.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x = np.sort(np.concatenate([rng.normal(0, 1, 30), rng.normal(9, 1, 30)]))
    >>> def cut(k, x):  # at the k − 1 largest gaps
    ...     places = np.sort(np.argsort(np.diff(x))[1 - k:])
    ...     return np.searchsorted(places, np.arange(x.size))
    >>> result = fr.stability(cut, x, [2, 3], repeats=5, reference=None)
    >>> result.most_stable, result.scores[2].tolist()
    (2, [1.0, 1.0, 1.0, 1.0, 1.0])
    >>> result.firmness[2].tolist()
    [1.0, 1.0]
    """

    best: Value | None
    most_stable: Value | None
    candidates: Mapping[Value, float] = field(repr=False)
    pvalue: float | None
    scores: Mapping[Value, FloatArray] = field(repr=False)
    reference: Mapping[Value, FloatArray] | None = field(repr=False)
    pvalues: Mapping[Value, float] | None
    index: str
    model: str
    n: int
    groups: int | None
    drawn: int
    repeats: int
    reference_words: str
    parameter: str = "n_clusters"
    clusterings: Mapping[Value, Partition] = field(default_factory=dict, repr=False)
    found_again: Mapping[Value, FloatArray] = field(default_factory=dict, repr=False)
    by_chance: Mapping[Value, FloatArray] = field(default_factory=dict, repr=False)
    counts: Mapping[Value, IntArray] = field(default_factory=dict, repr=False)
    points: Mapping[Value, FloatArray] = field(default_factory=dict, repr=False)
    #: The notes as objects that can be written in another voice.
    note_sentences: tuple[Sentence, ...] = field(default=(), repr=False)

    @property
    def values(self) -> tuple[Value, ...]:
        """The values of the parameter."""
        return tuple(self.scores)

    @property
    def numbers(self) -> dict[Value, int]:
        """Number of clusters that came out for each value, from all rows; noise is none of them."""
        return {
            value: int(np.count_nonzero(run.sizes[: run.clusters]))
            for value, run in self.clusterings.items()
        }

    @property
    def labels(self) -> dict[Value, list[Any]]:
        """Names of the clusters of all rows, for each value."""
        return {value: labels_of(run) for value, run in self.clusterings.items()}

    @property
    def firmness(self) -> dict[Value, FloatArray]:
        """Firmness of each cluster: the mean of ``found_again`` over subsamples, for each value.

        From 0.85 a cluster can be believed, and below 0.6 it should not be (Hennig 2007), unless
        ``chance`` is nearly as large.
        """
        return {value: _means(found) for value, found in self.found_again.items()}

    @property
    def chance(self) -> dict[Value, FloatArray]:
        """Firmness that each cluster has by chance, from shuffled rows; large if it is large."""
        return {value: _means(found) for value, found in self.by_chance.items()}

    @property
    def verdicts(self) -> dict[Value, list[str]]:
        """Whether each cluster can be believed, for each value, in a word.

        "firm" (0.85 or more), "fair" (0.6 or more), "doubtful" (less), "by chance" (not halfway
        from ``chance`` to 1, although 0.6 or more), "too small" (less than two points) or "unknown"
        (in no subsample).
        """
        chance = self.chance
        return {
            value: [
                verdict(*each)
                for each in zip(
                    firm.tolist(),
                    chance[value].tolist(),
                    self.clusterings[value].sizes[: firm.size].tolist(),
                    strict=True,
                )
            ]
            for value, firm in self.firmness.items()
        }

    @property
    def means(self) -> dict[Value, float]:
        """Mean of the repeats for each value; NaN if none has a value."""
        return {k: _mean(values) for k, values in self.scores.items()}

    @property
    def stderrs(self) -> dict[Value, float]:
        """Standard error of each mean over repeats; NaN with fewer than two values.

        More repeats would reduce it. It says nothing about other data, because all repeats draw
        from the same rows.
        """
        return {k: _stderr(values) for k, values in self.scores.items()}

    @property
    def spreads(self) -> dict[Value, tuple[float, float]]:
        """Range of the middle 90% of the repeats, for each value.

        It shows how much single repeats differ, and is not a confidence interval for the mean.
        """
        return {k: _spread(values) for k, values in self.scores.items()}

    @property
    def reference_means(self) -> dict[Value, float] | None:
        """Mean of the reference data for each value, or None if there are none."""
        if self.reference is None:
            return None
        return {k: _mean(values.ravel()) for k, values in self.reference.items()}

    @property
    def excess(self) -> dict[Value, float] | None:
        """Share of the way from data without clusters to perfect stability, or None.

        It is (mean − mean of the reference) / (1 − mean of the reference).
        """
        expected = self.reference_means
        if expected is None:
            return None
        return {k: excess_over(mean, expected[k]) for k, mean in self.means.items()}

    @property
    def advice(self) -> str:
        """What the values say about the parameter, in words."""
        return advice(self)

    def text(self, voice: Voice = PYTHON) -> str:
        """Return what ``print`` shows, with options written in the given voice."""
        said = [self.advice, self.on_clusters, "" if self.best is None else CAVEAT]
        lines = [*paragraphs([self.caption]), *printed_table(self), *paragraphs(said)]
        return "\n".join(lines + self._note_lines(voice))

    @property
    def on_clusters(self) -> str:
        """Which clusters of the best value, or else of the most stable one, can be believed."""
        value = self.most_stable if self.best is None else self.best
        return "" if value is None else on_clusters(self, value)

    @property
    def caption(self) -> str:
        """What was done, in a line."""
        units = "points" if self.groups is None else "groups"
        of = f"{self.n:,} points" + ("" if self.groups is None else f" in {self.groups:,} groups")
        over = "" if is_count(self.parameter) else f" for values of {self.parameter}"
        return (
            f"Stability of clusterings of {of}{over}: {self.repeats:,} pairs of subsamples of "
            f"{self.drawn:,} {units}, compared on the points in both (adjusted "
            f"{title_of(self.index)} under {self.model})"
        )

    def columns(self, what: str = "summary") -> dict[str, Sequence[Any]]:
        """Return values as named columns; see :meth:`to_frame`."""
        return table_of(self, what, TABLES)

    def to_frame(self, what: str = "summary", *, backend: str = "pandas") -> Any:
        """Return values as a data frame.

        Parameters
        ----------
        what : "summary", "scores", "clusters" or "points"
            A row for each value of the parameter; for each value and repeat; for each value and
            cluster of all rows, with its size, firmness, the firmness that chance gives, and what
            that means; or for each value and point, with its main cluster and its firmness.
        backend : "pandas" or "polars"
            The library of the data frame.

        Returns
        -------
        pandas.DataFrame or polars.DataFrame

        Raises
        ------
        MissingExtraError
            If the library is not installed.
        """
        return frame_of(self.columns(what), backend)

    @ready_for_json
    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, ready for JSON."""
        return {
            "parameter": self.parameter,
            "best": self.best,
            "most_stable": self.most_stable,
            "candidates": _by_text(self.candidates),
            "pvalue": self.pvalue,
            "summary": self.columns(),
            "clusters": self.columns("clusters"),
            "points": _by_text(self.points),
            "scores": _by_text(self.scores),
            "reference_scores": None if self.reference is None else _by_text(self.reference),
            "index": self.index,
            "model": self.model,
            "n": self.n,
            "groups": self.groups,
            "drawn": self.drawn,
            "repeats": self.repeats,
            "notes": self.notes,
            "meaning": " ".join(text for text in (self.advice, self.on_clusters) if text),
        }

    def plot(self, ax: Any = None) -> Any:
        """Draw the values of the parameter; see :func:`fuzzyrand.plot.stability`."""
        return plot.stability(self, ax)

    def _repr_html_(self) -> str:
        columns = self.columns()
        headings = (escape(name.replace("_", " ")) for name in columns)
        rows = (html_cells(map(_cell, row)) for row in zip(*columns.values(), strict=True))
        clusters = f"<br>{escape(self.on_clusters)}" if self.on_clusters else ""
        notes = "".join(f"<br>Note: {escape(note)}" for note in self.notes)
        table = html_table(escape(self.caption), headings, rows)
        return f"{table}<p>{escape(self.advice)}{clusters}{notes}</p>"


def _by_text(values: Mapping[Value, Any]) -> dict[str, Any]:
    return {str(value): found for value, found in values.items()}


def _mean(values: FloatArray) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else math.nan


def _means(found: FloatArray) -> FloatArray:
    """Return the means of columns, without NaN; NaN where nothing else is there."""
    counts = (~np.isnan(found)).sum(axis=0)
    sums = np.nansum(found, axis=0)
    means = np.full(sums.shape, np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means


def _spread(values: FloatArray) -> tuple[float, float]:
    known = values[~np.isnan(values)]
    if not known.size:
        return math.nan, math.nan
    low, high = np.quantile(known, [0.5 - 0.5 * SPREAD, 0.5 + 0.5 * SPREAD])
    return float(low), float(high)


def _stderr(values: FloatArray) -> float:
    known = values[~np.isnan(values)]
    return float(known.std(ddof=1) / math.sqrt(known.size)) if known.size > 1 else math.nan


def _cell(value: Any) -> str:
    return number_written(value) if isinstance(value, float) else escape(str(value))


def excess_over(mean: float, expected: float) -> float:
    """Return the share of the way from an expected mean to 1; NaN if that mean is 1."""
    return (mean - expected) / (1.0 - expected) if expected < 1.0 else math.nan
