"""The result of comparing many clusterings: a labelled matrix of comparisons."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any, TypeVar

import numpy as np

from .. import plot
from .._base.decimals import decimals
from .._base.errors import MissingExtraError, NotApplicableError
from .._base.jsonable import ready_for_json
from .._base.naming import abbreviate
from .._base.progress import progress
from .._base.types import FloatArray
from .._base.wording import PYTHON, Call, Option, Sentence, Voice
from .._clusterings.points.common_points import left_out_line
from .._clusterings.weights import weight_line
from .collected_notes import Noted, collected
from .comparison import Comparison
from .interval import ConfidenceInterval, shown_ends, small
from .matrix_text import matrix_text
from .result import WIDTH, Reported, html_table, paragraphs
from .significance import Significance

#: Lines of a printed matrix that fit on a screen: alone, and with a second matrix below.
LINES, LINES_OF_TWO = 40, 24
#: Rows and columns of a table in a notebook.
CELLS = 30
#: Mean adjusted indices that differ by less than this are equal up to rounding.
ROUNDING = 1e-12
#: Number of differences that are printed.
DIFFERENCES = 10

Value = TypeVar("Value")


@dataclass(frozen=True, eq=False)
class Pairwise(Reported):
    """Result of :func:`pairwise`: a matrix of comparisons with names.

    ``result["a", "b"]`` is the comparison of two clusterings by their names. ``print`` shows the
    adjusted indices. In a notebook they are displayed as a table.

    Attributes
    ----------
    rows, columns : tuple of str
        Names of the clusterings.
    comparisons : tuple of tuple of Comparison
        The comparisons, row by row.
    tests : dict or None
        With ``test``, the :class:`Significance` of each pair of names.
    intervals : dict or None
        With ``confidence``, the :class:`ConfidenceInterval` of each pair of names.
    differences : dict or None
        With ``confidence`` and a reference, for each two clusterings the interval of the difference
        of their adjusted indices with the reference, with a p-value.
    notes : tuple of str
        What a reader must know before quoting the numbers: a sentence for each kind of note, which
        says how many pairs have such a note, and quotes that of the pair for which it matters most.
        The notes of a single pair are ``result["a", "b"].notes``. Finding them takes longer than
        many comparisons, so it is done when they are first used.

    See Also
    --------
    pairwise : The function that returns it.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> result = fr.pairwise({"a": [0, 0, 1, 1], "b": [0, 0, 1, 2]})
    >>> result.adjusted.round(4).tolist()
    [[1.0, 0.5714], [0.5714, 1.0]]
    >>> result["a", "b"].exact
    True
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    comparisons: tuple[tuple[Comparison, ...], ...]
    tests: Mapping[tuple[str, str], Significance] | None = None
    intervals: Mapping[tuple[str, str], ConfidenceInterval] | None = None
    differences: Mapping[tuple[str, str], ConfidenceInterval] | None = None

    def matrix(self, what: str = "adjusted") -> FloatArray:
        """Return an attribute of every comparison, or of every test, as a matrix.

        Parameters
        ----------
        what : str
            Name of an attribute of :class:`Comparison`, such as "observed" or "stderr", or
            "pvalues" or "qvalues" if the pairs were tested.

        Returns
        -------
        ndarray
            Matrix of shape (rows, columns).
        """
        if what in ("pvalues", "qvalues"):
            return np.asarray(getattr(self, what))
        return np.array([[getattr(c, what) for c in row] for row in self.comparisons])

    @property
    def weights(self) -> dict[str, float] | None:
        """What is known of the weights of the points; None without weights."""
        return self.comparisons[0][0].weights

    @property
    def left_out(self) -> dict[str, int]:
        """For each clustering, the number of points that were left out, because another lacks them.

        With ``points="common"``, only points that all clusterings have are compared.
        """
        rows = {
            name: row[0].left_out[0] for name, row in zip(self.rows, self.comparisons, strict=True)
        }
        return rows | {
            name: c.left_out[1] for name, c in zip(self.columns, self.comparisons[0], strict=True)
        }

    @property
    def adjusted(self) -> FloatArray:
        """Matrix of adjusted indices."""
        return self.matrix("adjusted")

    @property
    def observed(self) -> FloatArray:
        """Matrix of observed indices."""
        return self.matrix("observed")

    @property
    def expected(self) -> FloatArray:
        """Matrix of expected indices."""
        return self.matrix("expected")

    @property
    def stderr(self) -> FloatArray:
        """Matrix of Monte Carlo errors of the adjusted indices."""
        return self.matrix("stderr")

    @cached_property
    def means(self) -> FloatArray:
        """Mean adjusted index of each column with all other clusterings; NaN if there are none.

        If one side is fixed, a value depends on which of the two clusterings is the row. The mean
        is then taken over both ways round.
        """
        values = self.adjusted
        if self.rows == self.columns:
            values = 0.5 * (values + values.T)
        others = np.array([[row != column for column in self.columns] for row in self.rows])
        sums, counts = np.where(others, values, 0.0).sum(axis=0), others.sum(axis=0)
        means = np.full(len(self.columns), np.nan)
        return np.asarray(np.divide(sums, counts, out=means, where=counts > 0))

    @property
    def medoid(self) -> str | None:
        """The clustering most like the others: the one with the largest mean adjusted index.

        If the clusterings are runs of one method, it is the run to report. If several are equally
        good, it is the first. None if all were compared with a reference, or if there are fewer
        than three.

        Examples
        --------
        >>> import fuzzyrand as fr
        >>> runs = {"a": [0, 0, 1, 1, 1, 2], "b": [0, 0, 1, 1, 2, 2], "c": [0, 1, 1, 1, 2, 2]}
        >>> fr.pairwise(runs).medoid
        'b'
        """
        if self.rows != self.columns or len(self.columns) < 3:
            return None
        means = self.means
        # Means that differ only by rounding count as equal.
        return self.columns[int(np.argmax(means >= means.max() - ROUNDING))]

    @property
    def pvalues(self) -> FloatArray:
        """Matrix of p-values; NaN for a clustering with itself.

        Raises
        ------
        NotApplicableError
            If the pairs were not tested, as they are by ``pairwise(..., test=True)``.
        """
        if self.tests is None:
            raise NotApplicableError(
                "the pairs were not tested. Use {test}.", test=Option("test", True)
            )
        return self._matrix_of({names: test.pvalue for names, test in self.tests.items()})

    @property
    def qvalues(self) -> FloatArray:
        """Matrix of q-values: p-values corrected for the number of pairs (Benjamini & Hochberg).

        If all pairs with a q-value up to 0.05 are called more alike than chance, at most about 5%
        of these calls are wrong on average.
        """
        self.pvalues  # noqa: B018 - refuses if nothing was tested
        assert self.tests is not None
        names = list(self.tests)
        corrected = false_discovery_rates([self.tests[pair].pvalue for pair in names])
        return self._matrix_of(dict(zip(names, corrected, strict=True)))

    def tested_pairs(self) -> list[tuple[str, str, float, float, float]]:
        """Return the names, the adjusted index, the p-value and the q-value of each tested pair."""
        assert self.tests is not None
        qvalues = false_discovery_rates([test.pvalue for test in self.tests.values()])
        return [
            (row, column, self[row, column].adjusted, test.pvalue, float(qvalue))
            for ((row, column), test), qvalue in zip(self.tests.items(), qvalues, strict=True)
        ]

    def long_table(self) -> dict[str, list[Any]]:
        """Return a row for each pair, as named columns; NaN where nothing was asked for."""
        pairs = [
            (row, column)
            for i, row in enumerate(self.rows)
            for j, column in enumerate(self.columns)
            if row != column and (i < j or self._has_reference or self._is_one_sided)
        ]
        tests, intervals = self.tests or {}, self.intervals or {}
        tested = {pair: self._of_pair(tests, pair) for pair in pairs}
        shown = {pair: self._of_pair(intervals, pair) for pair in pairs}
        corrected = dict(
            zip(tests, false_discovery_rates([t.pvalue for t in tests.values()]), strict=True)
        )
        return {
            "first": [row for row, _ in pairs],
            "second": [column for _, column in pairs],
            "value": [self[pair].adjusted for pair in pairs],
            "low": [math.nan if i is None else i.low for i in shown.values()],
            "high": [math.nan if i is None else i.high for i in shown.values()],
            "pvalue": [math.nan if t is None else t.pvalue for t in tested.values()],
            "qvalue": [
                math.nan if q is None else q for q in (self._of_pair(corrected, p) for p in pairs)
            ],
        }

    def differences_table(self) -> dict[str, list[Any]]:
        """Return a row for each two clusterings that were compared with the reference."""
        if self.differences is None:
            raise NotApplicableError(
                "there are no differences: they need {reference} and {confidence}.",
                reference=Option("reference"),
                confidence=Option("confidence", 0.95),
            )
        found = list(self.differences.values())
        pvalues = [math.nan if i.pvalue is None else i.pvalue for i in found]
        return {
            "first": [first for first, _ in self.differences],
            "second": [second for _, second in self.differences],
            "difference": [i.adjusted for i in found],
            "low": [i.low for i in found],
            "high": [i.high for i in found],
            "pvalue": pvalues,
            "qvalue": list(false_discovery_rates(pvalues)),
        }

    @property
    def _is_one_sided(self) -> bool:
        """Whether a value depends on which of two clusterings is the row."""
        return self.comparisons[0][0].held is not None

    @staticmethod
    def _of_pair(values: Mapping[tuple[str, str], Value], pair: tuple[str, str]) -> Value | None:
        """Return the value of a pair of names, whichever way round it was computed."""
        return values.get(pair, values.get(pair[::-1]))

    def _matrix_of(self, values: Mapping[tuple[str, str], float]) -> FloatArray:
        """Return values of pairs as a matrix, whichever way round they were computed."""
        return np.array(
            [
                [
                    values.get((row, column), values.get((column, row), np.nan))
                    for column in self.columns
                ]
                for row in self.rows
            ]
        )

    @cached_property
    def note_sentences(self) -> tuple[Sentence, ...]:
        """The notes as objects that can be written in another voice."""
        pairs = self._compared_pairs()
        found = (
            _noted(row, column, comparison.note_sentences) for row, column, comparison in pairs
        )
        noted = list(progress(found, len(pairs), "notes"))
        for results in (self.tests, self.intervals):
            noted += [_noted(*names, each.own_notes) for names, each in (results or {}).items()]
        return collected(noted, len({frozenset(pair[:2]) for pair in pairs}), "pairs")

    def _compared_pairs(self) -> list[tuple[str, str, Comparison]]:
        """Return the comparisons of different clusterings: both ways round if a side is fixed."""
        return [
            (row, column, comparison)
            for i, (row, comparisons) in enumerate(zip(self.rows, self.comparisons, strict=True))
            for j, (column, comparison) in enumerate(zip(self.columns, comparisons, strict=True))
            if row != column and (i < j or self._has_reference or comparison.fixed is not None)
        ]

    def __getitem__(self, names: tuple[str, str]) -> Comparison:
        row, column = names
        for name, names_here in ((row, self.rows), (column, self.columns)):
            if name not in names_here:
                raise KeyError(f"no clustering {name!r}; there are {', '.join(names_here)}")
        return self.comparisons[self.rows.index(row)][self.columns.index(column)]

    def to_frame(self, what: str = "adjusted") -> Any:
        """Return a matrix as a pandas DataFrame with the names on both axes, or a long table.

        Parameters
        ----------
        what : str
            As in :meth:`matrix`. "long" has one row for each pair, with the columns first, second,
            value (the adjusted index), low, high, pvalue and qvalue; those that were not asked for
            are NaN. "differences" has one row for each two clusterings that were compared with the
            reference: first, second, difference, low, high, pvalue and qvalue.

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        MissingExtraError
            If pandas is not installed.
        """
        try:
            import pandas as pd  # Deferred: an extra.
        except ImportError:
            raise MissingExtraError(
                "to_frame() needs pandas: pip install pandas. Without it, matrix() gives an array."
            ) from None
        if what == "long":
            return pd.DataFrame(self.long_table())
        if what == "differences":
            return pd.DataFrame(self.differences_table())
        return pd.DataFrame(self.matrix(what), index=list(self.rows), columns=list(self.columns))

    @ready_for_json
    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, ready for JSON."""
        return {
            "rows": list(self.rows),
            "columns": list(self.columns),
            "left_out": self.left_out,
            "weights": self.weights,
            "adjusted": self.adjusted.tolist(),
            "stderr": self.stderr.tolist(),
            "medoid": self.medoid,
            "notes": list(self.notes),
            **self._tests_to_dict(),
            **({} if self.intervals is None else {"long": _rows(self.long_table())}),
            **({} if not self.differences else {"differences": _rows(self.differences_table())}),
            "comparisons": [[c.to_dict() for c in row] for row in self.comparisons],
        }

    def _tests_to_dict(self) -> dict[str, Any]:
        if self.tests is None:
            return {}
        matrices = {"pvalues": self.pvalues, "qvalues": self.qvalues}
        tests = [{"rows": list(names), **test.to_dict()} for names, test in self.tests.items()]
        return {**matrices, "tests": tests}

    def text(self, width: int = WIDTH, voice: Voice = PYTHON) -> str:
        """Return what ``print`` shows, with the given width and options written in the given voice.

        Of many clusterings, only the first are shown, as many as fit on a screen.
        """
        count = self._shown(width)
        left_out = left_out_line(tuple(self.left_out.values()), tuple(self.left_out))
        points = paragraphs([weight_line(self.weights), left_out], width)
        lines = [self._caption(), *points, *self._table(width, count)]
        if count < len(self.columns):
            lines.append(self._left_out(count).text(voice))
        lines += [self._accuracy(), *self._medoid_lines(width), *self._test_lines(width, count)]
        lines += self._difference_lines(width)
        lines += self._note_lines(voice, width)
        return "\n".join(lines)

    def _shown(self, width: int) -> int:
        """Return the number of clusterings whose values fit on a screen."""
        lines = LINES_OF_TWO if self.tests else LINES
        count = min(len(self.columns), lines)
        if self._has_reference:
            return count
        values = self.adjusted
        while count > 1 and len(self._matrix_lines(values, width, count)) > lines:
            count -= 1
        return count

    def _left_out(self, count: int) -> Sentence:
        return Sentence.of(
            "The first {count} of {all:,} clusterings; {frame} has all of them.",
            count=count,
            all=len(self.columns),
            frame=Call("to_frame"),
        )

    def _matrix_lines(self, values: FloatArray, width: int, count: int) -> list[str]:
        rows, columns = self.rows[:count], self.columns[:count]
        return matrix_text(rows, columns, values[:count, :count].tolist(), width)

    def _table(self, width: int, count: int) -> list[str]:
        if not self._has_reference:
            return self._matrix_lines(self.adjusted, width, count)
        intervals = [self._interval_text(column) for column in self.columns[:count]]
        space = max(map(len, intervals))
        names = abbreviate(self.columns[:count], max(width - 30 - space, 10))
        left = max(len(name) for name in names)
        head = f"{intervals[0] and self._interval_title():<{space}}   " if space else ""
        return [f"{'':<{left}}  adjusted   {head}± Monte Carlo"] + [
            f"{name:<{left}}  {c.adjusted:z8.4f}   "
            f"{f'{interval:<{space}}   ' if space else ''}{c.short_accuracy}"
            for name, c, interval in zip(names, self.comparisons[0], intervals, strict=False)
        ]

    def _interval_title(self) -> str:
        assert self.intervals is not None
        return f"{100 * next(iter(self.intervals.values())).level:.4g}% CI"

    def _interval_text(self, column: str) -> str:
        """Return the interval of a clustering with the reference, if there are intervals."""
        if not self.intervals:
            return ""
        found = self.intervals.get((self.rows[0], column))
        if found is None or math.isnan(found.low):
            return "–"
        return " to ".join(shown_ends(found.low, found.high))

    def _difference_lines(self, width: int) -> list[str]:
        """Return the differences of clusterings, the clearest first, as many as are shown."""
        if not self.differences:
            return []
        table = self.differences_table()
        rows = sorted(zip(*table.values(), strict=True), key=lambda row: (row[5], -abs(row[2])))
        count, level = len(rows), 100 * next(iter(self.differences.values())).level
        shown = rows[:DIFFERENCES]
        some = f", the clearest {len(shown)} of {count:,}" if len(shown) < count else ""
        names = [abbreviate([row[i] for row in shown], max(width // 4, 10)) for i in (0, 1)]
        lefts = [max(map(len, each)) for each in names]
        lines = [
            f"Differences ({level:.4g}% CI, paired by points; q: corrected for {count:,} "
            f"pair{'s' * (count != 1)}{some}):"
        ]
        for first, second, (_, _, difference, low, high, pvalue, qvalue) in zip(
            *names, shown, strict=True
        ):
            ends = "no CI" if math.isnan(low) else " to ".join(shown_ends(low, high))
            ps = "" if math.isnan(pvalue) else f"   {small('p', pvalue)}, {small('q', qvalue)}"
            lines.append(
                f"{first:<{lefts[0]}} - {second:<{lefts[1]}}  {decimals(difference):>7}   "
                f"{ends}{ps}"
            )
        return lines

    def _medoid_lines(self, width: int) -> list[str]:
        """Return a line that names the clustering most like the others, if there is one."""
        if self.medoid is None:
            return []
        mean = float(self.means[self.columns.index(self.medoid)])
        name = abbreviate([self.medoid], max(width - 40, 10))[0]
        return [f"Most typical: {name} (mean adjusted index {mean:.2f})."]

    def _test_lines(self, width: int, count: int) -> list[str]:
        """Return the q-values as a table, if pairs were tested."""
        if not self.tests:
            return []
        some = next(iter(self.tests.values()))
        lines = [
            f"q-values under {some.comparison.model} (p-values corrected for {len(self.tests):,} "
            f"pair{'s' * (len(self.tests) != 1)}; at most {some.most:,} {some.drawn} each):"
        ]
        values = self.qvalues
        if not self._has_reference:
            return lines + self._matrix_lines(values, width, count)
        names = abbreviate(self.columns[:count], max(width - 30, 10))
        left = max(len(name) for name in names)
        return lines + [
            f"{name:<{left}}  {'–' if math.isnan(value) else f'{value:.4f}':>8}"
            for name, value in zip(names, values[0].tolist(), strict=False)
        ]

    def _accuracy(self) -> str:
        every = [c for row in self.comparisons for c in row]
        if all(c.exact for c in every):
            return "All values are exact."
        worst, bound = max(c.stderr for c in every), max(c.error_bound for c in every)
        if math.isinf(bound):
            return "Some values have unknown accuracy: the expected index is too close to 1."
        if worst > 0.0:
            return f"Largest Monte Carlo error: {worst:.1g}."
        return f"Largest numerical error: {bound:.1g}."

    @property
    def _has_reference(self) -> bool:
        """Whether all clusterings are compared with a single one."""
        return self.rows != self.columns

    def _caption(self) -> str:
        c = self.comparisons[0][0]
        first, second = ("reference", "others") if self._has_reference else ("rows", "columns")
        fixed = {None: "", "first": f"; {first} fixed", "second": f"; {second} fixed"}[c.held]
        beside = f" with {self.rows[0]}" if self._has_reference else ""
        return f"Adjusted {c.title}{beside} under {c.model}{fixed}, {c.n:,} points"

    def plot(self, ax: Any = None, *, order: bool = True) -> Any:
        """Draw a heat map; see :func:`fuzzyrand.plot.pairwise`.

        :func:`fuzzyrand.plot.interval` draws the confidence intervals.
        """
        return plot.pairwise(self, ax, order)

    def _repr_html_(self) -> str:
        rows, columns = self.rows[:CELLS], self.columns[:CELLS]
        body = (
            f"<th>{escape(name)}</th>"
            + "".join(f"<td title='± {c.stderr:.1g}'>{c.adjusted:z.4f}</td>" for c in row[:CELLS])
            for name, row in zip(rows, self.comparisons, strict=False)
        )
        caption = self._caption()
        if len(columns) < len(self.columns):
            caption += f". {self._left_out(CELLS)}"
        notes = "".join(f"<p>Note: {escape(note)}</p>" for note in self.notes)
        return html_table(escape(caption), ["", *map(escape, columns)], body) + notes


def _noted(row: str, column: str, notes: Sequence[Sentence]) -> Noted:
    return Noted(frozenset((row, column)), f"{row} with {column}", notes)


def _rows(table: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Return the rows of a table of named columns."""
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


def false_discovery_rates(pvalues: Sequence[float]) -> list[float]:
    """Return the q-values of Benjamini and Hochberg; NaN where there is no p-value.

    Examples
    --------
    >>> false_discovery_rates([0.01, 0.04, 0.02, 0.5])
    [0.04, 0.05333333333333334, 0.04, 0.5]
    """
    p = np.asarray(pvalues, dtype=np.float64)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known])[::-1]]
    ranks = np.arange(known.size, 0, -1)
    out = np.full(p.size, np.nan)
    out[order] = np.minimum.accumulate(p[order] * known.size / ranks)
    return [float(q) for q in np.minimum(out, 1.0)]
