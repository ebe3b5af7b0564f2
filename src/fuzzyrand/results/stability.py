"""The result of asking which numbers of clusters survive a change of the data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from textwrap import fill
from typing import Any

import numpy as np

from .. import plot
from .._base.errors import MissingExtraError, unknown_name
from .._base.types import FloatArray
from .._base.wording import PYTHON, Sentence, Voice
from .comparison import WIDTH

#: Share of the repeats between ``low`` and ``high``.
SPREAD = 0.9
CAVEAT = (
    "Stable is necessary, not sufficient: a wrong number of clusters can be stable as well, and "
    "small numbers are stable more easily."
)


@dataclass(frozen=True, eq=False)
class Stability:
    """Result of :func:`stability`: how much clusterings of subsamples agree, for each k.

    ``print`` shows a table with advice, and :meth:`plot` draws it.

    Attributes
    ----------
    best : int or None
        The most stable number of clusters of those that stand out; None if none does.
    stands_out : tuple of int
        Numbers of clusters that are more stable than data without clusters, and go at least half
        of the way from chance to perfect agreement.
    most_stable : int or None
        The most stable number of clusters, whether or not it stands out. Of those whose means
        differ by at most 0.01 it is the largest.
    scores : dict of int to array
        For each number of clusters the adjusted index of each repeat; NaN where it has none.
    reference : dict of int to array of shape (data sets, repeats), or None
        The same for reference data, which have no clusters.
    pvalues : dict of int to float, or None
        Chance that reference data are as stable, for a single number of clusters.
    index, model : str
        Names of the index and of the random model.
    n, groups : int, int or None
        Number of rows, and of groups of rows that were drawn together.
    drawn : int
        Number of rows (or of groups) in a subsample.
    repeats : int
        Number of pairs of subsamples, and of reference data sets.
    reference_words : str
        What reference data are.
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
    stands_out: tuple[int, ...]
    most_stable: int | None
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
    #: What is to be said of the values.
    remarks: tuple[Sentence, ...] = field(default=(), repr=False)

    @property
    def ks(self) -> tuple[int, ...]:
        """The numbers of clusters."""
        return tuple(self.scores)

    @property
    def means(self) -> dict[int, float]:
        """Mean of the repeats for each number of clusters; NaN if none has a value."""
        return {k: _of_known(np.mean, values) for k, values in self.scores.items()}

    @property
    def stderrs(self) -> dict[int, float]:
        """Error of each mean that more repeats would reduce; NaN with fewer than two values.

        Repeats draw from the same rows. This error says nothing of other data.
        """
        return {k: _stderr(values) for k, values in self.scores.items()}

    @property
    def spreads(self) -> dict[int, tuple[float, float]]:
        """Between which values the middle 90% of the repeats lie.

        This is how much single repeats differ, and no confidence interval of the mean.
        """
        ends = (0.5 - 0.5 * SPREAD, 0.5 + 0.5 * SPREAD)
        return {
            k: tuple(_of_known(lambda x, end=end: np.quantile(x, end), values) for end in ends)  # type: ignore[misc]
            for k, values in self.scores.items()
        }

    @property
    def reference_means(self) -> dict[int, float] | None:
        """Mean of the reference data for each number of clusters, or None without them."""
        if self.reference is None:
            return None
        return {k: _of_known(np.mean, values.ravel()) for k, values in self.reference.items()}

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know before quoting the values; empty if there is nothing to say."""
        return tuple(str(note) for note in self.remarks)

    @property
    def advice(self) -> str:
        """What the values say about the number of clusters, in words."""
        means = self.means
        if self.most_stable is None:
            return "No number of clusters has a value."
        top = f"{self.most_stable} clusters are the most stable ({means[self.most_stable]:z.3f})"
        if self.reference is None:
            return f"{top}; whether the data have clusters at all was not asked."
        expected = self.reference_means
        assert expected is not None
        if self.best is None:
            return (
                f"Nothing stands out: {top}, but data without clusters do about as well "
                f"({expected[self.most_stable]:z.3f})."
                if means[self.most_stable] >= 0.5
                else f"Nothing is stable: {top}."
            )
        text = (
            f"Best: {self.best} clusters, with a mean of {means[self.best]:z.3f}; data without "
            f"clusters have {expected[self.best]:z.3f}."
        )
        others = [k for k in self.stands_out if k != self.best]
        if self.most_stable != self.best:
            text += f" {top}, but no more than data without clusters may be."
        if others:
            text += f" {_listed(others)} also stand{'s' * (len(others) == 1)} out."
        return text

    def __str__(self) -> str:
        return self.text()

    def text(self, voice: Voice = PYTHON) -> str:
        """Return what ``print`` shows, with options written in a voice."""
        lines = [fill(self._caption(), WIDTH), *self._table(), fill(self.advice, WIDTH)]
        if self.best is not None:
            lines.append(fill(CAVEAT, WIDTH))
        lines += [fill(f"Note: {note.told(voice)}", WIDTH) for note in self.remarks]
        return "\n".join(lines)

    def _caption(self) -> str:
        units = "points" if self.groups is None else "groups"
        of = f"{self.n:,} points" + ("" if self.groups is None else f" in {self.groups:,} groups")
        return (
            f"Stability of clusterings of {of}: {self.repeats:,} times, two subsamples of "
            f"{self.drawn:,} {units}, compared on what both hold (adjusted {self.index} under "
            f"{self.model})"
        )

    def _table(self) -> list[str]:
        expected, spread = self.reference_means, f"{100 * SPREAD:.0f}% of repeats"
        head = f"{'k':>4}    mean  ± error   {spread:<16}"
        lines = [head if expected is None else f"{head}   no clusters       p"]
        lines[0] = lines[0].rstrip()
        for k in self.ks:
            mean, error, (low, high) = self.means[k], self.stderrs[k], self.spreads[k]
            if math.isnan(mean):
                lines.append(f"{k:>4}       –")
                continue
            between = f"{low:z.3f} to {high:z.3f}"
            line = f"{k:>4}  {mean:z6.3f}  {_number(error):>7}   {between:<16}"
            if expected is not None:
                assert self.pvalues is not None
                mark = " *" if k in self.stands_out else ""
                line += f"   {_number(expected[k]):>11}  {_p(self.pvalues[k]):>6}{mark}"
            lines.append(line.rstrip())
        if self.stands_out:
            lines.append(f"  *  stands out from {self.reference_words}")
        elif expected is not None:
            lines.append(f"     no clusters: {self.reference_words}")
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
        spreads, expected = self.spreads, self.reference_means
        columns: dict[str, Sequence[Any]] = {
            "k": list(self.ks),
            "mean": list(self.means.values()),
            "stderr": list(self.stderrs.values()),
            "low": [low for low, _ in spreads.values()],
            "high": [high for _, high in spreads.values()],
            "values": [int((~np.isnan(values)).sum()) for values in self.scores.values()],
        }
        if expected is not None and self.pvalues is not None:
            columns["reference"] = list(expected.values())
            columns["pvalue"] = list(self.pvalues.values())
            columns["stands_out"] = [k in self.stands_out for k in self.ks]
        return columns

    def to_frame(self, what: str = "summary", *, backend: str = "pandas") -> Any:
        """Return values as a data frame.

        Parameters
        ----------
        what : "summary" or "scores"
            A row for each number of clusters, or one for each of their repeats.
        backend : "pandas" or "polars"
            The library.

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

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, ready for JSON."""
        plain = {
            name: [_plain(value) for value in values] for name, values in self.columns().items()
        }
        reference = None
        if self.reference is not None:
            reference = {
                str(k): [[_plain(value) for value in row] for row in values.tolist()]
                for k, values in self.reference.items()
            }
        return {
            "best": self.best,
            "most_stable": self.most_stable,
            "stands_out": list(self.stands_out),
            **plain,
            "scores": {
                str(k): [_plain(value) for value in values.tolist()]
                for k, values in self.scores.items()
            },
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


def _of_known(statistic: Any, values: FloatArray) -> float:
    known = values[~np.isnan(values)]
    return float(statistic(known)) if known.size else math.nan


def _stderr(values: FloatArray) -> float:
    known = values[~np.isnan(values)]
    return float(known.std(ddof=1) / math.sqrt(known.size)) if known.size > 1 else math.nan


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value


def _number(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:z.3f}"


def _p(value: float) -> str:
    if math.isnan(value):
        return "–"
    return f"{value:.3f}" if value >= 0.0005 else "<0.001"


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    return _number(value) if isinstance(value, float) else str(value)


def _listed(ks: Sequence[int]) -> str:
    words = [str(k) for k in ks]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
