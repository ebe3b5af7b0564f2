"""The result of comparing many clusterings: a labelled matrix of comparisons."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import chain, product
from typing import Any

import numpy as np

from .. import plot
from .._base.errors import NotApplicableError
from .._base.jsonable import ready_for_json
from .._base.progress import progress
from .._base.types import FloatArray
from .._base.wording import PYTHON, Option, Sentence, Voice
from .collected_notes import Noted, collected
from .comparison import Comparison
from .frames import frame_of, rows_of
from .interval import ConfidenceInterval
from .pairwise_text import caption, only_first, pairwise_lines
from .result import WIDTH, Reported, html_table
from .significance import Significance

#: Rows and columns of a table in a notebook.
CELLS = 30
#: Mean adjusted indices that differ by less than this are equal up to rounding.
ROUNDING = 1e-12


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
        return self._matrix_of({names: test.pvalue for names, test in self._tested().items()})

    @property
    def qvalues(self) -> FloatArray:
        """Matrix of q-values: p-values corrected for the number of pairs (Benjamini & Hochberg).

        If all pairs with a q-value up to 0.05 are called more alike than chance, at most about 5%
        of these calls are wrong on average.
        """
        self._tested()
        return self._matrix_of(self._corrected)

    def _tested(self) -> Mapping[tuple[str, str], Significance]:
        if self.tests is None:
            raise NotApplicableError(
                "the pairs were not tested. Use {test}.", test=Option("test", True)
            )
        return self.tests

    @cached_property
    def _corrected(self) -> dict[tuple[str, str], float]:
        """The q-values of the tested pairs."""
        tests = self.tests or {}
        qvalues = false_discovery_rates([test.pvalue for test in tests.values()])
        return dict(zip(tests, qvalues, strict=True))

    def tested_pairs(self) -> list[tuple[str, str, float, float, float]]:
        """Return the names, the adjusted index, the p-value and the q-value of each tested pair."""
        return [
            (*pair, self._by_names[pair].adjusted, test.pvalue, self._corrected[pair])
            for pair, test in (self.tests or {}).items()
        ]

    def long_table(self) -> dict[str, list[Any]]:
        """Return a row for each pair, as named columns; NaN where nothing was asked for."""
        pairs = self._pairs

        def column(results: Mapping[tuple[str, str], Any] | None, what: str) -> list[float]:
            found = (self._of_pair(results or {}, pair) for pair in pairs)
            return [getattr(each, what, math.nan) for each in found]

        return {
            "first": [row for row, _ in pairs],
            "second": [column for _, column in pairs],
            "value": [self._by_names[pair].adjusted for pair in pairs],
            "low": column(self.intervals, "low"),
            "high": column(self.intervals, "high"),
            "pvalue": column(self.tests, "pvalue"),
            "qvalue": [self._of_pair(self._corrected, pair, math.nan) for pair in pairs],
        }

    def differences_table(self) -> dict[str, list[Any]]:
        """Return a row for each two clusterings that were compared with the reference."""
        if self.differences is None:
            raise NotApplicableError(
                "there are no differences: they need {reference} and {confidence}.",
                reference=Option("reference"),
                confidence=Option("confidence", 0.95),
            )
        found = self.differences.values()
        pvalues = [math.nan if i.pvalue is None else i.pvalue for i in found]
        return {
            "first": [first for first, _ in self.differences],
            "second": [second for _, second in self.differences],
            "difference": [i.adjusted for i in found],
            "low": [i.low for i in found],
            "high": [i.high for i in found],
            "pvalue": pvalues,
            "qvalue": false_discovery_rates(pvalues),
        }

    @property
    def has_reference(self) -> bool:
        """Whether all clusterings are compared with a single one."""
        return self.rows != self.columns

    @property
    def _pairs(self) -> list[tuple[str, str]]:
        """Names of different clusterings: both ways round if it matters which is the row."""
        both = self.has_reference or self.comparisons[0][0].held is not None
        return [
            (row, column)
            for i, row in enumerate(self.rows)
            for j, column in enumerate(self.columns)
            if row != column and (i < j or both)
        ]

    @staticmethod
    def _of_pair(
        values: Mapping[tuple[str, str], Any], pair: tuple[str, str], default: Any = None
    ) -> Any:
        """Return the value of a pair of names, whichever way round it was computed."""
        return values.get(pair, values.get(pair[::-1], default))

    def _matrix_of(self, values: Mapping[tuple[str, str], float]) -> FloatArray:
        """Return values of pairs as a matrix."""
        return np.array(
            [
                [self._of_pair(values, (row, column), np.nan) for column in self.columns]
                for row in self.rows
            ]
        )

    @cached_property
    def note_sentences(self) -> tuple[Sentence, ...]:
        """The notes as objects that can be written in another voice."""
        pairs = self._pairs
        found = (_noted(pair, self._by_names[pair].note_sentences) for pair in pairs)
        noted = list(progress(found, len(pairs), "notes"))
        for results in (self.tests, self.intervals):
            noted += [_noted(pair, each.own_notes) for pair, each in (results or {}).items()]
        return collected(noted, len(set(map(frozenset, pairs))), "pairs")

    def __getitem__(self, names: tuple[str, str]) -> Comparison:
        row, column = names
        for name, names_here in ((row, self.rows), (column, self.columns)):
            if name not in names_here:
                raise KeyError(f"no clustering {name!r}; there are {', '.join(names_here)}")
        return self._by_names[row, column]

    @cached_property
    def _by_names(self) -> dict[tuple[str, str], Comparison]:
        pairs = product(self.rows, self.columns)
        return dict(zip(pairs, chain.from_iterable(self.comparisons), strict=True))

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
        instead = "matrix() gives an array"
        if what == "long":
            return frame_of(self.long_table(), instead=instead)
        if what == "differences":
            return frame_of(self.differences_table(), instead=instead)
        names: dict[str, Any] = {"index": list(self.rows), "columns": list(self.columns)}
        return frame_of(self.matrix(what), instead=instead, **names)

    @ready_for_json
    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, ready for JSON."""
        return {
            "rows": self.rows,
            "columns": self.columns,
            "left_out": self.left_out,
            "weights": self.weights,
            "adjusted": self.adjusted,
            "stderr": self.stderr,
            "medoid": self.medoid,
            "notes": self.notes,
            **self._tests_to_dict(),
            **({} if self.intervals is None else {"long": rows_of(self.long_table())}),
            **({} if not self.differences else {"differences": rows_of(self.differences_table())}),
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
        return "\n".join([*pairwise_lines(self, width, voice), *self._note_lines(voice, width)])

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
        text = caption(self)
        if len(columns) < len(self.columns):
            text += f". {only_first(self, CELLS)}"
        notes = "".join(f"<p>Note: {escape(note)}</p>" for note in self.notes)
        return html_table(escape(text), ["", *map(escape, columns)], body) + notes


def _noted(pair: tuple[str, str], notes: Sequence[Sentence]) -> Noted:
    return Noted(frozenset(pair), " with ".join(pair), notes)


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
