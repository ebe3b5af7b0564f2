"""The report of many clusterings: an ordered heat map and the matrix as a table."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from .._base.naming import shorten
from .._base.types import FloatArray, IntArray
from ..results import Comparison, Pairwise
from ..results.ordering import similar_first
from .heatmap import heat_map
from .markup import SHORT, STANDARD_ERROR, esc, name, number, section, table
from .page import page
from .words import CHANCE, PAIRS, index_words, model_words

#: How many were drawn: in that, values computed in one way differ.
DRAWN = re.compile(r"\d[\d,]*")
#: Up to so many columns have a name; so many fit on paper, upright and turned.
NAMED, PORTRAIT, LANDSCAPE = 6, 12, 22
SORTED = '<span class="on-screen">A click on the head of a column sorts by it.</span>'


def pairwise_report(result: Pairwise, *, command: str, stdin: bool = False) -> str:
    """Write what was found about many clusterings as one HTML page.

    Parameters
    ----------
    result : Pairwise
        From :func:`pairwise`: all pairs, or all against one reference.
    command : str
        The command line that gives the same result.
    stdin : bool
        Does that command read standard input? The report then says that it needs the same.

    Returns
    -------
    str
        Complete HTML, to be written as UTF-8. It fetches nothing.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> html = pairwise_report(fr.pairwise([[0, 0, 1], [0, 1, 1]]), command="fuzzyrand pairwise")
    >>> html.count("<svg")
    1
    """
    c = result.comparisons[0][0]
    square = len(result.rows) == len(result.columns) > 1
    order = similar_first(result.adjusted)
    if square:
        heading = f"<h1>How alike are these {len(result.rows)} clusterings?</h1>"
        title = f"{len(result.rows)} clusterings compared"
        body = _square(result, order)
    else:
        reference = result.rows[0]
        heading = f"<h1>How like {name(reference)} are these clusterings?</h1>"
        title = f"{len(result.columns)} clusterings compared with {shorten(reference, SHORT)}"
        body = _against_one(result, order)
    answer = _answer(result, square)
    content = answer + body + _words(c) + _computed(result)
    return page(title, heading, content, command, stdin)


def _answer(result: Pairwise, square: bool) -> str:
    values = result.adjusted
    pairs = _others(result)
    if square and np.array_equal(values, values.T):
        pairs = np.triu(pairs)
    if not pairs.any():
        return '<p class="answer">There is nothing to compare this clustering with.</p>'
    high = np.unravel_index(np.argmax(np.where(pairs, values, -np.inf)), values.shape)
    low = np.unravel_index(np.argmin(np.where(pairs, values, np.inf)), values.shape)
    c = result.comparisons[0][0]

    def told(place: tuple[np.intp, ...]) -> str:
        row, column = int(place[0]), int(place[1])
        both = name(result.columns[column])
        if square:
            both = f"{name(result.rows[row])} and {both}"
        return f"{both} ({number(float(values[row, column]), 2)})"

    most, least = ("Most alike are", "least alike") if square else ("Most like it is", "least like")
    text = f"{most} {told(high)}, {least} {told(low)}; the middle value is "
    text += f"{number(float(np.median(values[pairs])), 2)}, where 1 is perfect agreement and 0 is "
    text += f"what chance gives: {esc(c.assumption)}."
    return f'<p class="answer">{text}</p>{_fixed(result, square)}{_note(result)}'


def _fixed(result: Pairwise, square: bool) -> str:
    """Which clustering of a pair stays as it is, where only the other is random."""
    fixed = result.comparisons[0][0].fixed
    if fixed is None:
        return ""
    if square:
        lines = ("row", "column") if fixed == "first" else ("column", "row")
        kept, random = f"In each pair the clustering of the {lines[0]}", f"that of the {lines[1]}"
    else:
        reference = f"<strong>{name(result.rows[0])}</strong>"
        kept, random = f"The clustering {reference}", "the one compared with it"
        if fixed == "second":
            kept, random = f"Each clustering compared with {reference}", reference
    told = f"{kept} is taken as given, as a known truth would be; only {random} is replaced by "
    told += "random ones to see what chance gives."
    if square and not np.array_equal(result.adjusted, result.adjusted.T):
        told += " So it matters which of two is the row and which the column."
    return f"<p>{told}</p>"


def _note(result: Pairwise) -> str:
    """What to know of an index by which a fuzzy clustering is not 1 like itself."""
    flat = [c for row in result.comparisons for c in row]
    selves = [own for c in flat for own in c.self_similarities or ()]
    if not selves:
        return ""
    told = f"By {esc(flat[0].index)} a fuzzy clustering is less than 1 like itself: those here are "
    told += f"{number(min(selves))} to {number(max(selves))}."
    if any(c.maximum < 1.0 for c in flat):
        told += " An adjusted value of 1 stands for the mean of the two that are compared."
    return f'<p class="note">{told}</p>'


def _others(result: Pairwise) -> npt.NDArray[np.bool_]:
    """Which values are not of a clustering with itself."""
    return np.array([[row != column for column in result.columns] for row in result.rows])


def _square(result: Pairwise, order: IntArray) -> str:
    numbers = [str(i + 1) for i in range(order.size)]
    called = [result.rows[i] for i in order]
    values = result.adjusted[np.ix_(order, order)]
    label = f"Adjusted index of {order.size} clusterings with each other, as in the table below."
    picture = heat_map(values, called, numbers, label)
    return section(
        "Who is like whom",
        f"<figure>{picture}{_key(result.adjusted)}<figcaption>Similar clusterings are neighbours. "
        f"Columns have the numbers of the rows.</figcaption>{_numbered(called)}</figure>",
    ) + section("The numbers", _nearest(values, called), _matrix(values, called))


def _numbered(called: list[str]) -> str:
    """The names that a narrow screen has no room for beside the heat map."""
    return (
        f'<ol class="on-phone">{"".join(f"<li>{name(each, SHORT)}</li>" for each in called)}</ol>'
    )


def _nearest(values: FloatArray, called: list[str]) -> str:
    """Each clustering with the one most like it."""
    rows = []
    for i, row in enumerate(values):
        others = np.where(np.arange(row.size) == i, -np.inf, row)
        nearest = int(others.argmax())
        mean = float(np.delete(row, i).mean())
        rows.append(
            [
                name(called[i]),
                str(i + 1),
                name(called[nearest], SHORT),
                number(row[nearest]),
                number(mean),
            ]
        )
    head = ["clustering", "no.", "most like it", "adjusted", "mean"]
    caption = "Adjusted index of each with its nearest, and its mean with all others. " + SORTED
    return table(head, rows, ["text", "num", "text", "num", "num"], caption, "sortable")


def _matrix(values: FloatArray, called: list[str]) -> str:
    m = len(called)
    numbers = [str(i + 1) for i in range(m)]
    shown = [
        f'<span class="under">{esc(shorten(each, 14))}</span>' if m <= NAMED else ""
        for each in called
    ]
    heads = [
        f'<span title="{esc(each)}">{i}{more}</span>'
        for i, each, more in zip(numbers, called, shown, strict=True)
    ]
    rows = [[name(called[i]), numbers[i], *map(number, values[i])] for i in range(m)]
    caption = "Adjusted index of each with each. Columns have the numbers of the rows. " + SORTED
    found = table(
        ["clustering", "no.", *heads],
        rows,
        ["text", *["num"] * (m + 1)],
        caption,
        "sortable matrix",
    )
    if m <= PORTRAIT:
        return found
    if m <= LANDSCAPE:
        return f'<div class="wide">{found}</div>'
    return (
        f'<div class="too-wide">{found}</div><p class="only-print soft">The matrix of '
        f"{m} columns is wider than paper; the file shows it on a screen.</p>"
    )


def _against_one(result: Pairwise, order: IntArray) -> str:
    """One row turned upright: names get a line each."""
    called = [result.columns[i] for i in order]
    values = result.adjusted[0, order][:, None]
    label = f"Adjusted index of {order.size} clusterings with {result.rows[0]}, as in the table."
    picture = heat_map(values, called, [""], label)
    found = [result.comparisons[0][i] for i in order]
    rows = [
        [name(each), number(c.adjusted), c.short_accuracy, number(c.observed), number(c.expected)]
        for each, c in zip(called, found, strict=True)
    ]
    head = ["clustering", "adjusted", STANDARD_ERROR, "observed", "expected"]
    return section(
        "From like to unlike", f"<figure>{picture}{_key(result.adjusted)}</figure>"
    ) + section("The numbers", table(head, rows, ["text", *["num"] * 4], SORTED, "sortable"))


def _key(values: FloatArray) -> str:
    below = ""
    if values.min() < -0.005:
        below = '<span>-1 or less</span><i class="below"></i>'
    return f'<p class="key">{below}<span>0</span><i></i><span>1</span></p>'


def _words(c: Comparison) -> str:
    what, question = model_words(c)
    return section(
        "What these numbers mean",
        f"<p>{PAIRS} {index_words(c)}</p><p>{CHANCE}</p>",
        f'<dl class="words"><div><dt>{name(c.model)}</dt><dd>{what}</dd>'
        f"<dd><em>The question:</em> {question}</dd></div></dl>",
    )


def _computed(result: Pairwise) -> str:
    flat = [c for row in result.comparisons for c in row]
    worst = max(flat, key=lambda c: (not c.exact, c.stderr, c.error_bound))
    exact = sum(c.exact for c in flat)
    told = (
        "All values are exact: nothing was drawn at random."
        if exact == len(flat)
        else f"{exact} of {len(flat)} values are exact; the least certain: {worst.accuracy}. "
        "The same seed gives the same random numbers."
    )
    head = ["observed index by", "expected index by", "values"]
    return section(
        "How it was computed",
        table(head, _ways(flat), ["text", "text", "num"]),
        intro=esc(told),
    )


def _ways(comparisons: Sequence[Comparison]) -> list[list[str]]:
    """How values were computed, and how many in each way, the most frequent first."""
    ways = defaultdict(list)
    for c in comparisons:
        told = (str(c.computed["observed"]), str(c.computed["expected"]))
        ways[tuple(DRAWN.sub("", each) for each in told)].append(told)
    return [
        [*(esc(_together(each)) for each in zip(*same, strict=True)), str(len(same))]
        for same in sorted(ways.values(), key=len, reverse=True)
    ]


def _together(told: Sequence[str]) -> str:
    """One text for several that differ in a number."""
    drawn = [int(number.replace(",", "")) for each in told for number in DRAWN.findall(each)]
    if not drawn or min(drawn) == max(drawn):
        return told[0]
    return DRAWN.sub(f"{min(drawn):,} to {max(drawn):,}", told[0])
