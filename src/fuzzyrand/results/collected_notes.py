"""Notes on many pairs of clusterings, as one sentence for each kind of note."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .._base.wording import Sentence


class PairNotes(NamedTuple):
    """Two clusterings, by name, and what there is to say about their comparison."""

    row: str
    column: str
    notes: Sequence[Sentence]


@dataclass
class _Kind:
    """The notes of one kind: which pairs have one, and the most serious of them."""

    pairs: set[frozenset[str]]
    row: str
    column: str
    worst: Sentence
    equal: bool = True


def collected(noted: Iterable[PairNotes], total: int) -> tuple[Sentence, ...]:
    """Return one sentence for each kind of note, with the number of pairs and the worst of them.

    Notes are of the same kind if they have the same template.

    Parameters
    ----------
    noted : iterable of PairNotes
        The notes of each pair. A pair may come twice, once each way round.
    total : int
        Number of pairs.

    Examples
    --------
    >>> few = [Sentence.of("{k} are few.", k=k, weight=-k) for k in (3, 2)]
    >>> noted = [PairNotes("a", "b", few[:1]), PairNotes("a", "c", few[1:])]
    >>> [str(note) for note in collected(noted, 3)]
    ['2 of 3 pairs, worst a with c: 2 are few.']
    """
    kinds: dict[str, _Kind] = {}
    for row, column, notes in noted:
        for note in notes:
            kind = kinds.setdefault(note.template, _Kind(set(), row, column, note))
            kind.pairs.add(frozenset((row, column)))
            kind.equal &= note.weight == kind.worst.weight
            if note.weight > kind.worst.weight:
                kind.row, kind.column, kind.worst = row, column, note
    return tuple(_sentence(kind, total) for kind in kinds.values())


def _sentence(kind: _Kind, total: int) -> Sentence:
    count = len(kind.pairs)
    which = "" if count == 1 else "such as " if kind.equal else "worst "
    before = "" if total == 1 else "{count:,} of {total:,} pairs, " + which
    fields = {"count": count, "total": total, "row": kind.row, "column": kind.column}
    return Sentence(
        before + "{row} with {column}: " + kind.worst.template,
        {**kind.worst.fields, **fields},
        kind.worst.weight,
    )
