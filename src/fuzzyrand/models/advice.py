"""What each model is for, as one table.

``fuzzyrand models``, :func:`fuzzyrand.advise`, the notes of results and the tables of the
documentation all take their advice from here, so that they cannot contradict each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .base import Model
from .richer_rows import Generalised, Mixed, Mixture


class Keep(NamedTuple):
    """What random clusterings keep of the given ones; only people can know what they should.

    Attributes
    ----------
    given : str
        What the question takes as given.
    fuzzy, hard : str
        Names of the models that keep it, for fuzzy and for hard clusterings.
    drawn : str
        The random clusterings.
    when : str
        When this is the right question.
    """

    given: str
    fuzzy: str
    hard: str
    drawn: str
    when: str


KEEPS = {
    "memberships": Keep(
        "all memberships",
        "perm",
        "perm",
        "the same memberships, shuffled over the points",
        "the value is to be compared with published ones (the default)",
    ),
    "sizes": Keep(
        "the sizes and fuzziness of the clusters",
        "fit",
        "cat",
        "new memberships, in clusters of approximately the same sizes and fuzziness",
        "the points are a sample, and other points would have other memberships",
    ),
    "number": Keep(
        "the number of clusters",
        "sym",
        "num",
        "new memberships, in clusters of equal expected size",
        "agreement about cluster sizes should count",
    ),
    "nothing": Keep(
        "nothing (fuzzy: the number of clusters)",
        "flat",
        "all",
        "all memberships (hard: all partitions) equally likely",
        "no clustering was more likely than another",
    ),
}
#: What chance keeps for everybody who names no model.
DEFAULT_KEEP = "memberships"


class Use(NamedTuple):
    """What a model is for.

    Attributes
    ----------
    keep : str
        What it keeps, a key of ``KEEPS``.
    when : str
        When to use it.
    unless : str
        When not to.
    """

    keep: str
    when: str
    unless: str


#: Every model by name. A test looks through all pages for advice that is not given here.
USES = {
    "perm": Use(
        "memberships",
        "by default, and to compare with published values",
        "agreement about cluster sizes or fuzziness should count",
    ),
    "cat": Use(
        "sizes",
        "for hard clusters, if the points are a sample",
        "there are few points in many clusters, for which values are too high",
    ),
    "num": Use(
        "number",
        "for hard clusters, if agreement about cluster sizes should count",
        "sizes are very unequal: a large cluster on both sides counts as agreement",
    ),
    "all": Use(
        "nothing",
        "for hard clusters, if every partition was equally likely",
        "there are few clusters: it draws many, about n / ln n for n points",
    ),
    "fit": Use(
        "sizes",
        "if the points are a sample, and a Dirichlet distribution describes the memberships",
        "a check shows that it does not describe the memberships",
    ),
    "sym": Use(
        "number",
        "if agreement about cluster sizes should count",
        "sizes are very unequal: a large cluster on both sides counts as agreement",
    ),
    "flat": Use(
        "nothing",
        "if all memberships were equally likely",
        "the memberships are nearly hard: it draws very fuzzy ones",
    ),
    "generalised": Use(
        "sizes",
        "as fit, where clusters differ in fuzziness",
        "a check shows that it does not describe the memberships",
    ),
    "mixture": Use(
        "sizes",
        "as fit, where the points are of several kinds",
        "a check shows that it does not describe the memberships",
    ),
    "kernel": Use(
        "sizes",
        "as fit, where there are many points and no simple distribution describes the memberships",
        "there are few points",
    ),
    "mixed": Use(
        "sizes",
        "as fit, where some points are hard and the others are fuzzy",
        "a check shows that it does not describe the memberships",
    ),
    "empirical": Use(
        "sizes",
        "as fit, where no distribution describes the memberships",
        "there are few points, which it may draw twice",
    ),
}

#: The models to try, in this order, where ``fit`` does not describe the rows.
RICHER: tuple[Model, ...] = (Mixed(), Generalised(), Mixture())


def questions_table() -> str:
    """Return the table of what chance may keep, in Markdown."""
    rows = [(keep.given, _both(keep), keep.drawn, keep.when) for keep in KEEPS.values()]
    return _markdown(("Chance keeps", "Model", "Random clusterings", "Choose it if"), rows)


def models_table() -> str:
    """Return the table of all models and what they are for, in Markdown."""
    rows = [(f"`{name}`", use.when, use.unless) for name, use in USES.items()]
    return _markdown(("Model", "Use it", "Not if"), rows)


def _both(keep: Keep) -> str:
    if keep.fuzzy == keep.hard:
        return f"`{keep.fuzzy}`"
    return f"`{keep.fuzzy}` (hard: `{keep.hard}`)"


def _markdown(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(len(header))]
    lines = [[cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows]
    head = [cell.ljust(width) for cell, width in zip(header, widths, strict=True)]
    body = "".join(f"\n| {' | '.join(line)} |" for line in lines)
    return f"| {' | '.join(head)} |\n|{'|'.join('-' * (width + 2) for width in widths)}|{body}"
