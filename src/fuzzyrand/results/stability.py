"""The result of a stability analysis: which numbers of clusters survive a change of the data."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from textwrap import fill
from typing import Any

import numpy as np

from .. import plot
from .._base.errors import MissingExtraError, unknown_name
from .._base.jsonable import ready_for_json
from .._base.types import FloatArray
from .._base.wording import PYTHON, Sentence, Voice
from .comparison import WIDTH

#: Largest p-value at which the data are called more stable than data without clusters.
LEVEL = 0.05
#: Values that differ by at most this are equally good.
TIE = 0.01
#: Share of the repeats between ``low`` and ``high``.
SPREAD = 0.9
CAVEAT = (
    "Stability is necessary but not sufficient: a wrong number of clusters can be stable, too, "
    "and small numbers are more easily stable."
)


@dataclass(frozen=True, eq=False)
class Stability:
    """Result of :func:`stability`: how much clusterings of subsamples agree, for each k.

    ``print`` shows a table with advice, and :meth:`plot` draws it.

    Attributes
    ----------
    best : int or None
        The most stable of the ``candidates`` if ``pvalue`` is at most 0.05, and None otherwise.
    candidates : dict of int to float
        The numbers of clusters whose ``excess`` is the largest, or less by at most one standard
        error of the difference (or 0.01), each with this standard error; the number with the
        largest excess comes first. Their means are at least 0.5, half of the way from chance to
        perfect agreement. Empty if ``best`` is None.
    most_stable : int or None
        The number of clusters with the highest mean, or the largest of those within 0.01 of it;
        None if nothing has a value.
    pvalue : float or None
        Probability that data without clusters are as stable, over all numbers of clusters; None if
        there were no reference data.
    pvalues : dict of int to float, or None
        The same for each number of clusters.
    scores : dict of int to array
        For each number of clusters, the adjusted index of each repeat; NaN where it has none.
    reference : dict of int to array of shape (data sets, repeats), or None
        The same for reference data, which have no clusters.
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
    """

    best: int | None
    most_stable: int | None
    candidates: Mapping[int, float] = field(repr=False)
    pvalue: float | None
    scores: Mapping[int, FloatArray] = field(repr=False)
    reference: Mapping[int, FloatArray] | None = field(repr=False)
    pvalues: Mapping[int, float] | None
    index: str
    model: str
    n: int
    groups: int | None
    drawn: int
    repeats: int
    reference_words: str
    #: Notes on the values.
    remarks: tuple[Sentence, ...] = field(default=(), repr=False)

    @property
    def ks(self) -> tuple[int, ...]:
        """The numbers of clusters."""
        return tuple(self.scores)

    @property
    def means(self) -> dict[int, float]:
        """Mean of the repeats for each number of clusters; NaN if none has a value."""
        return {k: _mean(values) for k, values in self.scores.items()}

    @property
    def stderrs(self) -> dict[int, float]:
        """Standard error of each mean over repeats; NaN with fewer than two values.

        More repeats would reduce it. It says nothing about other data, because all repeats draw
        from the same rows.
        """
        return {k: _stderr(values) for k, values in self.scores.items()}

    @property
    def spreads(self) -> dict[int, tuple[float, float]]:
        """Range of the middle 90% of the repeats, for each number of clusters.

        It shows how much single repeats differ, and is not a confidence interval for the mean.
        """
        return {k: _spread(values) for k, values in self.scores.items()}

    @property
    def reference_means(self) -> dict[int, float] | None:
        """Mean of the reference data for each number of clusters, or None if there are none."""
        if self.reference is None:
            return None
        return {k: _mean(values.ravel()) for k, values in self.reference.items()}

    @property
    def excess(self) -> dict[int, float] | None:
        """Share of the way from data without clusters to perfect stability, or None.

        It is (mean − mean of the reference) / (1 − mean of the reference).
        """
        expected = self.reference_means
        if expected is None:
            return None
        return {k: excess_over(mean, expected[k]) for k, mean in self.means.items()}

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know before quoting the values; empty if there is nothing to say."""
        return tuple(str(note) for note in self.remarks)

    @property
    def advice(self) -> str:
        """What the values say about the number of clusters, in words."""
        means, expected = self.means, self.reference_means
        if self.most_stable is None:
            return "No number of clusters has a value."
        top = (
            f"{self.most_stable} clusters are the most stable (mean {means[self.most_stable]:z.3f})"
        )
        if expected is None or self.pvalue is None:
            return f"{top}. Whether the data have clusters at all was not tested."
        if self.best is not None:
            return (
                f"Best: {self.best} clusters, with a mean of {means[self.best]:z.3f} where data "
                f"without clusters have {expected[self.best]:z.3f} (p {_p(self.pvalue, True)} over "
                f"all numbers of clusters).{self._chosen()}"
            )
        if self.pvalue <= LEVEL:
            return f"Nothing is stable: {top}, less than halfway to perfect agreement."
        return (
            f"No number of clusters stands out. {top}; data without clusters have "
            f"{_number(expected[self.most_stable])} there (p {_p(self.pvalue, True)} over all "
            "numbers of clusters)."
        )

    def _chosen(self) -> str:
        """Say which numbers of clusters are as good, and why the most stable one is not best."""
        means, expected, excess = self.means, self.reference_means, self.excess
        assert expected is not None
        assert excess is not None
        best, top, text = self.best, self.most_stable, ""
        assert best is not None
        assert top is not None
        if len(self.candidates) > 1:
            same, first = sorted(self.candidates), next(iter(self.candidates))
            sure = all(excess[first] - excess[k] <= error for k, error in self.candidates.items())
            highest = means[best] == max(means[k] for k in same)
            text = (
                f" The excess of {_listed(same)} clusters is the same up to one standard error"
                f"{'' if sure else f' or {TIE}'} ({_listed(_number(excess[k]) for k in same)}); of "
                + (
                    f"these, {best} clusters are the most stable."
                    if highest
                    else f"these, {best} is the largest number of those that are the most stable, "
                    f"up to {TIE}."
                )
            )
        if top != best:
            text += (
                f" {top} clusters are {'more' if means[top] > means[best] else 'as'} stable (mean "
                f"{means[top]:z.3f}), but data without clusters are stable there as well "
                f"({expected[top]:z.3f}), and the excess is only {_number(excess[top])}."
            )
        return text

    def __str__(self) -> str:
        return self.text()

    def text(self, voice: Voice = PYTHON) -> str:
        """Return what ``print`` shows, with options written in the given voice."""
        lines = [fill(self._caption(), WIDTH), *self._table(), fill(self.advice, WIDTH)]
        if self.best is not None:
            lines.append(fill(CAVEAT, WIDTH))
        lines += [fill(f"Note: {note.text(voice)}", WIDTH) for note in self.remarks]
        return "\n".join(lines)

    def _caption(self) -> str:
        units = "points" if self.groups is None else "groups"
        of = f"{self.n:,} points" + ("" if self.groups is None else f" in {self.groups:,} groups")
        return (
            f"Stability of clusterings of {of}: {self.repeats:,} times two subsamples of "
            f"{self.drawn:,} {units}, compared on what they share (adjusted {self.index} under "
            f"{self.model})"
        )

    def _table(self) -> list[str]:
        expected, excess = self.reference_means, self.excess
        means, errors, spreads = self.means, self.stderrs, self.spreads
        head = f"{'k':>4}    mean  ± error   {f'{100 * SPREAD:.0f}% of repeats':<16}"
        lines = [head.rstrip() if expected is None else f"{head}  no clusters  excess       p"]
        for k in self.ks:
            if math.isnan(means[k]):
                lines.append(f"{k:>4}       –")
                continue
            low, high = spreads[k]
            between = f"{low:z.3f} to {high:z.3f}"
            line = f"{k:>4}  {means[k]:z6.3f}  {_number(errors[k]):>7}   {between:<16}"
            if expected is not None and excess is not None and self.pvalues is not None:
                mark = "  best" if k == self.best else ""
                line += (
                    f"  {_number(expected[k]):>11}  {_number(excess[k]):>6}  "
                    f"{_p(self.pvalues[k]):>6}{mark}"
                )
            lines.append(line.rstrip())
        if expected is not None:
            lines.append(f"No clusters: {self.reference_words}.")
        return lines

    def columns(self, what: str = "summary") -> dict[str, Sequence[Any]]:
        """Return values as named columns; see :meth:`to_frame`."""
        if what == "scores":
            table = [
                (k, repeat, value)
                for k, values in self.scores.items()
                for repeat, value in enumerate(values.tolist())
            ]
            return dict(zip(("k", "repeat", "adjusted"), map(list, zip(*table)), strict=True))  # noqa: B905
        if what != "summary":
            raise unknown_name("table", what, ("summary", "scores"), parameter="what")
        spreads, expected, excess = self.spreads, self.reference_means, self.excess
        columns: dict[str, Sequence[Any]] = {
            "k": list(self.ks),
            "mean": list(self.means.values()),
            "stderr": list(self.stderrs.values()),
            "low": [low for low, _ in spreads.values()],
            "high": [high for _, high in spreads.values()],
            "values": [int((~np.isnan(values)).sum()) for values in self.scores.values()],
        }
        if expected is not None and excess is not None and self.pvalues is not None:
            columns["reference"] = list(expected.values())
            columns["excess"] = list(excess.values())
            columns["pvalue"] = list(self.pvalues.values())
        return columns

    def to_frame(self, what: str = "summary", *, backend: str = "pandas") -> Any:
        """Return values as a data frame.

        Parameters
        ----------
        what : "summary" or "scores"
            A row for each number of clusters, or one for each repeat.
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
        columns = self.columns(what)
        if backend not in ("pandas", "polars"):
            raise unknown_name("backend", backend, ("pandas", "polars"), parameter="backend")
        try:
            if backend == "polars":
                import polars as pl  # Deferred: an extra.

                return pl.DataFrame(columns, strict=False)
            import pandas as pd  # Deferred: an extra.
        except ImportError:
            raise MissingExtraError(
                f"to_frame() needs {backend}: pip install {backend}. Without it, columns() gives "
                "the same as lists."
            ) from None
        return pd.DataFrame(columns)

    @ready_for_json
    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, ready for JSON."""
        reference = None
        if self.reference is not None:
            reference = {str(k): values for k, values in self.reference.items()}
        return {
            "best": self.best,
            "most_stable": self.most_stable,
            "candidates": {str(k): error for k, error in self.candidates.items()},
            "pvalue": self.pvalue,
            "summary": self.columns(),
            "scores": {str(k): values for k, values in self.scores.items()},
            "reference_scores": reference,
            "index": self.index,
            "model": self.model,
            "n": self.n,
            "groups": self.groups,
            "drawn": self.drawn,
            "repeats": self.repeats,
            "notes": list(self.notes),
            "meaning": self.advice,
        }

    def plot(self, ax: Any = None) -> Any:
        """Draw the values of each number of clusters; see :func:`fuzzyrand.plot.stability`."""
        return plot.stability(self, ax)

    def _repr_html_(self) -> str:
        columns = self.columns()
        head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{_cell(value)}</td>" for value in row) + "</tr>"
            for row in zip(*columns.values(), strict=True)
        )
        notes = "".join(f"<br>Note: {escape(note)}" for note in self.notes)
        return (
            f"<table><caption>{escape(self._caption())}</caption><thead><tr>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table><p>{escape(self.advice)}{notes}</p>"
        )


def _mean(values: FloatArray) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else math.nan


def _spread(values: FloatArray) -> tuple[float, float]:
    known = values[~np.isnan(values)]
    if not known.size:
        return math.nan, math.nan
    low, high = np.quantile(known, [0.5 - 0.5 * SPREAD, 0.5 + 0.5 * SPREAD])
    return float(low), float(high)


def _stderr(values: FloatArray) -> float:
    known = values[~np.isnan(values)]
    return float(known.std(ddof=1) / math.sqrt(known.size)) if known.size > 1 else math.nan


def _number(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:z.3f}"


def _p(value: float, sign: bool = False) -> str:
    """Format a p-value; ``sign`` puts "=" or "<" before it, for use in a sentence."""
    if math.isnan(value):
        return "unknown" if sign else "–"
    if value < 0.0005:
        return "< 0.001" if sign else "<0.001"
    return f"= {value:.3f}" if sign else f"{value:.3f}"


def _listed(items: Iterable[Any]) -> str:
    *others, last = map(str, items)
    return f"{', '.join(others)} and {last}" if others else last


def _cell(value: Any) -> str:
    return _number(value) if isinstance(value, float) else str(value)


def excess_over(mean: float, expected: float) -> float:
    """Return the share of the way from an expected mean to 1; NaN if that mean is 1."""
    return (mean - expected) / (1.0 - expected) if expected < 1.0 else math.nan
