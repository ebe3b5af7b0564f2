"""What a result for many clusterings says in words: a table, tests and differences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from .._base.decimals import decimals
from .._base.naming import abbreviate
from .._base.types import FloatArray
from .._base.wording import Call, Sentence, Voice
from .._clusterings.points.common_points import left_out_line
from .._clusterings.weights import weight_line
from .matrix_text import matrix_text
from .numbers import number_written, shown_ends, small
from .result import paragraphs

if TYPE_CHECKING:
    from .pairwise import Pairwise

#: Lines of a printed matrix that fit on a screen: alone, and with a second matrix below.
LINES, LINES_OF_TWO = 40, 24
#: Number of differences that are printed.
DIFFERENCES = 10


def pairwise_lines(result: Pairwise, width: int, voice: Voice) -> list[str]:
    """Return the lines that ``print`` shows, without notes."""
    count = _shown(result, width)
    left_out = left_out_line(tuple(result.left_out.values()), tuple(result.left_out))
    points = paragraphs([weight_line(result.weights), left_out], width)
    more = [only_first(result, count).text(voice)] if count < len(result.columns) else []
    return [
        caption(result),
        *points,
        *_table(result, width, count),
        *more,
        _accuracy(result),
        *_medoid(result, width),
        *_tests(result, width, count),
        *_differences(result, width),
    ]


def caption(result: Pairwise) -> str:
    """Say what was compared."""
    c = result.comparisons[0][0]
    first, second = ("reference", "others") if result.has_reference else ("rows", "columns")
    fixed = {None: "", "first": f"; {first} fixed", "second": f"; {second} fixed"}[c.held]
    beside = f" with {result.rows[0]}" if result.has_reference else ""
    return f"Adjusted {c.title}{beside} under {c.model}{fixed}, {c.n:,} points"


def only_first(result: Pairwise, count: int) -> Sentence:
    """Say that only some clusterings are shown."""
    return Sentence.of(
        "The first {count} of {all:,} clusterings; {frame} has all of them.",
        count=count,
        all=len(result.columns),
        frame=Call("to_frame"),
    )


def _shown(result: Pairwise, width: int) -> int:
    """Return the number of clusterings whose values fit on a screen."""
    lines = LINES_OF_TWO if result.tests else LINES
    count = min(len(result.columns), lines)
    if result.has_reference:
        return count
    values = result.adjusted
    while count > 1 and len(_matrix(result, values, width, count)) > lines:
        count -= 1
    return count


def _matrix(result: Pairwise, values: FloatArray, width: int, count: int) -> list[str]:
    rows, columns = result.rows[:count], result.columns[:count]
    return matrix_text(rows, columns, values[:count, :count].tolist(), width)


def _table(result: Pairwise, width: int, count: int) -> list[str]:
    if not result.has_reference:
        return _matrix(result, result.adjusted, width, count)
    intervals = [_interval(result, column) for column in result.columns[:count]]
    space = max(map(len, intervals))
    names = abbreviate(result.columns[:count], max(width - 30 - space, 10))
    left = max(len(name) for name in names)
    head = f"{_level(result):<{space}}   " if space else ""
    return [f"{'':<{left}}  adjusted   {head}± Monte Carlo"] + [
        f"{name:<{left}}  {c.adjusted:z8.4f}   "
        f"{f'{interval:<{space}}   ' if space else ''}{c.short_accuracy}"
        for name, c, interval in zip(names, result.comparisons[0], intervals, strict=False)
    ]


def _level(result: Pairwise) -> str:
    assert result.intervals is not None
    return f"{100 * next(iter(result.intervals.values())).level:.4g}% CI"


def _interval(result: Pairwise, column: str) -> str:
    """Return the interval of a clustering with the reference, if there are intervals."""
    if not result.intervals:
        return ""
    found = result.intervals.get((result.rows[0], column))
    if found is None or math.isnan(found.low):
        return "–"
    return " to ".join(shown_ends(found.low, found.high))


def _differences(result: Pairwise, width: int) -> list[str]:
    """Return the differences of clusterings, the clearest first, as many as are shown."""
    if not result.differences:
        return []
    table = result.differences_table()
    rows = sorted(zip(*table.values(), strict=True), key=lambda row: (row[5], -abs(row[2])))
    count, level = len(rows), 100 * next(iter(result.differences.values())).level
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
            f"{first:<{lefts[0]}} - {second:<{lefts[1]}}  {decimals(difference):>7}   {ends}{ps}"
        )
    return lines


def _medoid(result: Pairwise, width: int) -> list[str]:
    """Return a line that names the clustering most like the others, if there is one."""
    if result.medoid is None:
        return []
    mean = float(result.means[result.columns.index(result.medoid)])
    name = abbreviate([result.medoid], max(width - 40, 10))[0]
    return [f"Most typical: {name} (mean adjusted index {mean:.2f})."]


def _tests(result: Pairwise, width: int, count: int) -> list[str]:
    """Return the q-values as a table, if pairs were tested."""
    if not result.tests:
        return []
    some, pairs = next(iter(result.tests.values())), len(result.tests)
    head = (
        f"q-values under {some.comparison.model} (p-values corrected for {pairs:,} "
        f"pair{'s' * (pairs != 1)}; at most {some.most:,} {some.drawn} each):"
    )
    values = result.qvalues
    if not result.has_reference:
        return [head, *_matrix(result, values, width, count)]
    names = abbreviate(result.columns[:count], max(width - 30, 10))
    left = max(len(name) for name in names)
    return [head] + [
        f"{name:<{left}}  {number_written(value, 4):>8}"
        for name, value in zip(names, values[0].tolist(), strict=False)
    ]


def _accuracy(result: Pairwise) -> str:
    every = [c for row in result.comparisons for c in row]
    if all(c.exact for c in every):
        return "All values are exact."
    worst, bound = max(c.stderr for c in every), max(c.error_bound for c in every)
    if math.isinf(bound):
        return "Some values have unknown accuracy: the expected index is too close to 1."
    if worst > 0.0:
        return f"Largest Monte Carlo error: {worst:.1g}."
    return f"Largest numerical error: {bound:.1g}."
