"""What the stability of clusterings says about a parameter and its clusters, in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .._base.naming import shorten
from .._base.parameters import Value, is_count, written
from .._clusterings.matching.jaccards import DOUBTFUL, FIRM
from .numbers import listed, number_written, p_written

if TYPE_CHECKING:
    from .stability import Stability

#: Largest p-value at which the data are called more stable than data without clusters.
LEVEL = 0.05
#: Values that differ by at most this are equally good.
TIE = 0.01
#: Most clusters that are listed.
LISTED = 12


def verdict(firmness: float, chance: float, size: float) -> str:
    """Return whether a cluster can be believed, in a word.

    A cluster of most of the points is found again by chance. One is therefore firm only if it is at
    least halfway from chance to perfect. A cluster of a single point is found again wherever that
    point is.

    Examples
    --------
    >>> verdict(0.9, 0.2, 30), verdict(0.7, 0.2, 30), verdict(0.5, 0.2, 30), verdict(0.9, 0.85, 90)
    ('firm', 'fair', 'doubtful', 'by chance')
    """
    if size < 2.0:
        return "too small"
    if math.isnan(firmness):
        return "unknown"
    if firmness < DOUBTFUL:
        return "doubtful"
    if firmness - chance <= 0.5 * (1.0 - chance):
        return "by chance"
    return "firm" if firmness >= FIRM else "fair"


def advice(result: Stability) -> str:
    """Say what the values say about the parameter."""
    return _Advice(result).text()


class _Advice:
    """Sentences on a result, about numbers of clusters or about values of another parameter."""

    def __init__(self, result: Stability) -> None:
        self.result, self.counts = result, is_count(result.parameter)

    def named(self, value: Value) -> str:
        """Name a value: "4 clusters", or "eps = 0.3 (4 clusters)"."""
        if self.counts:
            return f"{value} clusters"
        return f"{self.result.parameter} = {written(value)}{self._clusters(value)}"

    def _clusters(self, value: Value) -> str:
        number = self.result.numbers.get(value)
        return "" if number is None else f" ({number} cluster{'s' * (number != 1)})"

    @property
    def are(self) -> str:
        return "are" if self.counts else "is"

    @property
    def one(self) -> str:
        return "number of clusters" if self.counts else f"value of {self.result.parameter}"

    @property
    def all(self) -> str:
        return "numbers of clusters" if self.counts else f"values of {self.result.parameter}"

    def text(self) -> str:
        """Return all sentences."""
        result = self.result
        means, expected = result.means, result.reference_means
        if result.most_stable is None:
            return f"No {self.one} has a stability: nothing could be compared."
        top = (
            f"{self.named(result.most_stable)} {self.are} the most stable (mean "
            f"{means[result.most_stable]:z.3f})"
        )
        if expected is None or result.pvalue is None:
            return f"{top}. Whether the data have clusters at all was not tested."
        over = f"p {p_written(result.pvalue, True)} over all {self.all}"
        if result.best is not None:
            return (
                f"Best: {self.named(result.best)}, with a mean of {means[result.best]:z.3f} (data "
                f"without clusters: {expected[result.best]:z.3f}; {over}).{self._chosen()}"
            )
        if result.pvalue <= LEVEL:
            return f"Nothing is stable: {top}, less than halfway between chance and 1."
        return (
            f"No {self.one} stands out. {top}, and data without clusters have "
            f"{number_written(expected[result.most_stable])} there ({over})."
        )

    def _chosen(self) -> str:
        """Say which values are as good, and why the most stable one is not best."""
        result = self.result
        means, expected, excess = result.means, result.reference_means, result.excess
        assert expected is not None
        assert excess is not None
        best, top, text = result.best, result.most_stable, ""
        assert best is not None
        assert top is not None
        if len(result.candidates) > 1:
            first = next(iter(result.candidates))
            same = [value for value in result.values if value in result.candidates]
            sure = all(excess[first] - excess[k] <= error for k, error in result.candidates.items())
            values = listed(number_written(excess[k]) for k in same)
            text = (
                f" {self._several(same)} have the same excess to within one standard error"
                f"{'' if sure else f' or {TIE}'} ({values}). Of these, {self._reason(best, same)}"
            )
        if top != best:
            text += (
                f" {self.named(top)} {self.are} {'more' if means[top] > means[best] else 'as'} "
                f"stable (mean {means[top]:z.3f}), but data without clusters have "
                f"{expected[top]:z.3f} there: the excess is only {number_written(excess[top])}."
            )
        return text

    def _several(self, values: Sequence[Value]) -> str:
        if self.counts:
            return f"{listed(values)} clusters"
        return f"{self.result.parameter} = {listed(map(written, values))}"

    def _reason(self, best: Value, same: Sequence[Value]) -> str:
        means = self.result.means
        if means[best] == max(means[value] for value in same):
            if self.counts:
                return f"{best} clusters are the most stable."
            return f"{written(best)} is the most stable."
        if self.counts:
            return f"{best} is the largest that is as stable as the most stable, to within {TIE}."
        return (
            f"{written(best)} is the middle of the values with the most clusters that are as "
            f"stable as the most stable, to within {TIE}."
        )


def on_clusters(result: Stability, value: Value) -> str:
    """Say which clusters of a value are firm and which are not; nothing if there are none."""
    known = result.firmness.get(value)
    if known is None or not known.size:
        return ""
    verdicts = result.verdicts[value]
    cells = zip(result.labels[value], known.tolist(), verdicts, strict=True)
    shown = sorted(cells, key=lambda each: -_or_zero(each[1]))
    told = [
        f"{shorten(str(name), 20)} ({_short(firm, word)})" for name, firm, word in shown[:LISTED]
    ]
    left = len(shown) - LISTED
    more = f" and {left} more" if left > 0 else ""
    setting = "" if is_count(result.parameter) else f" of {result.parameter} = {written(value)}"
    return (
        f"Firmness of the clusters{setting} in subsamples ({FIRM:g} or more: firm; below "
        f"{DOUBTFUL:g}: doubtful): {', '.join(told)}{more}."
        f"{_unless_tested(result) if 'firm' in verdicts else ''}"
    )


def _unless_tested(result: Stability) -> str:
    """Say that firm clusters need not be real, unless data without clusters are less stable."""
    if result.best is not None:
        return ""
    if result.reference is None:
        return " Data without clusters can have firm clusters, too; that was not tested."
    return " Firm clusters need not be real here: data without clusters are as stable."


def _short(firmness: float, word: str) -> str:
    return number_written(firmness, 2) + ("" if word in ("firm", "fair") else f", {word}")


def _or_zero(value: float) -> float:
    return 0.0 if math.isnan(value) else float(value)
