"""Refuse texts that would be read as labels a line, or as other columns than they have."""

from __future__ import annotations

import json
import re

from .._base.errors import InputError

#: How such texts begin, what they are, and what to do instead.
BEGINNINGS = {
    re.compile(r"\s*<(?:!doctype|html|\?xml)", re.IGNORECASE): (
        "a web page or XML",
        "Was the download refused?",
    ),
    re.compile(r"(?:\s*%.*\n)*\s*@relation\s", re.IGNORECASE): (
        "an ARFF file of Weka",
        "Save it as CSV.",
    ),
}
#: How MALLET before 2.0.8 begins topics of documents.
PAIRS = "#doc name topic proportion"


def refuse_other_formats(text: str, source: str) -> None:
    """Refuse web pages, XML, ARFF and JSON, and topics of documents in pairs."""
    if " ".join(text[:200].split()[:4]) == PAIRS:
        # Sorted by proportion, so that a column would mix the proportions of different topics.
        raise InputError(
            "{source} lists pairs of topic and proportion for each document, as MALLET did before "
            "2.0.8, and not one column for each topic. Write it again with a newer MALLET, or as a "
            "table with a row for each document and a column for each topic.",
            source=source,
        )
    for beginning, (what, cure) in BEGINNINGS.items():
        if beginning.match(text):
            raise _refused(source, what, cure)
    first = text.lstrip()[:1]
    if first and first in "[{":
        line = text.lstrip().partition("\n")[0]
        # Lines of JSON begin with a whole object; lists may be labels, such as intervals.
        if _is_json(text) or (first == "{" and _is_json(line)):
            raise _refused(source, "JSON", "Save it as CSV.")


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _refused(source: str, what: str, cure: str) -> InputError:
    return InputError(
        "{source} is {what}, and not a table with a row for each point. {cure}",
        source=source,
        what=what,
        cure=cure,
    )
