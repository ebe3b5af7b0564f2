"""Notes on many comparisons or clusterings, as one sentence for each kind of note."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .._base.wording import Sentence


class Noted(NamedTuple):
    """What there is to say about one of many things, such as a pair of clusterings.

    Attributes
    ----------
    thing : hashable
        The thing; it may come several times, but counts once.
    name : str
        Its name in the sentence.
    notes : sequence of Sentence
        The notes on it.
    """

    thing: Hashable
    name: str
    notes: Sequence[Sentence]


@dataclass
class _Kind:
    """The notes of one kind: the things that have one, and the most serious of them."""

    things: set[Hashable]
    name: str
    worst: Sentence
    equal: bool = True


def collected(noted: Iterable[Noted], total: int, things: str) -> tuple[Sentence, ...]:
    """Return one sentence for each kind of note, which says how many have it and quotes the worst.

    Notes are of the same kind if they have the same template.

    Parameters
    ----------
    noted : iterable of Noted
        The notes on each of the things.
    total : int
        Number of things.
    things : str
        What they are, as in "pairs".

    Examples
    --------
    >>> few = [Sentence.of("{k} are few.", k=k, weight=-k) for k in (3, 2)]
    >>> noted = [Noted(1, "a with b", few[:1]), Noted(2, "a with c", few[1:])]
    >>> [str(note) for note in collected(noted, 3, "pairs")]
    ['2 of 3 pairs, worst a with c: 2 are few.']
    """
    kinds: dict[str, _Kind] = {}
    for thing, name, notes in noted:
        for note in notes:
            kind = kinds.setdefault(note.template, _Kind(set(), name, note))
            kind.things.add(thing)
            kind.equal &= note.weight == kind.worst.weight
            if note.weight > kind.worst.weight:
                kind.name, kind.worst = name, note
    return tuple(_sentence(kind, total, things) for kind in kinds.values())


def _sentence(kind: _Kind, total: int, things: str) -> Sentence:
    count = len(kind.things)
    which = "" if count == 1 else "such as " if kind.equal else "worst "
    before = "" if total == 1 else "{count:,} of {total:,} {things}, " + which
    fields = {"count": count, "total": total, "things": things, "name": kind.name}
    return Sentence(
        before + "{name}: " + kind.worst.template,
        {**kind.worst.fields, **fields},
        kind.worst.weight,
    )
