"""Refuse topics of documents as older versions of MALLET write them, in pairs."""

from __future__ import annotations

from .._base.errors import InputError

HEADING = "#doc name topic proportion"


def refuse_topic_pairs(text: str, source: str) -> None:
    """Refuse lines that list pairs of topic and proportion for a document, sorted by proportion.

    Read as columns, such lines would mix the proportions of different topics.
    """
    if " ".join(text[:200].split()[:4]) == HEADING:
        raise InputError(
            "{source} lists pairs of topic and proportion for each document, as MALLET did before "
            "2.0.8, and not one column for each topic. Write it again with a newer MALLET, or as a "
            "table with a row for each document and a column for each topic.",
            source=source,
        )
