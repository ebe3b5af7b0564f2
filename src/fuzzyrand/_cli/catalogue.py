"""Shared code of the commands ``models`` and ``indices``: how a list of entries is printed."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from textwrap import fill
from typing import TYPE_CHECKING, Any

from .commands import Subparsers, add_command

if TYPE_CHECKING:
    from ..indices import Index
    from ..models import Model

#: Exactness is found by trying, which takes time, so only with the most usual index or model.
INDEX, MODEL = "ndc", "perm"


def add_catalogue(
    commands: Subparsers,
    name: str,
    run: Callable[[argparse.Namespace], object],
    text: str,
) -> None:
    """Add a command that lists the available models or indices."""
    parser = add_command(
        commands,
        name,
        run,
        text,
        examples=(f"fuzzyrand {name}", f"fuzzyrand {name} --json | jq '.[].name'"),
    )
    parser.add_argument("--json", action="store_true", help="print everything as JSON")


def accuracy_in_words(index: Index, model: Model) -> str:
    """Say whether the expected index is exact, approximate or sampled, for which clusterings."""
    # Deferred: NumPy, which --help does not need.
    from .._api.catalogue import exactness
    from ..indices import TableIndex

    first, _, second = exactness(index, model).partition(" / ")
    kind = "two hard clusterings" if isinstance(index, TableIndex) else "hard with fuzzy"
    return f"{first} ({kind}), {second} (two fuzzy)" if second else first


def print_entry(entry: dict[str, Any], *sentences: str) -> None:
    """Print the name of an entry, how exact it is, and sentences about it."""
    hard = "hard clusterings only; " if entry["hard_only"] else ""
    print(f"{entry['name']:<12} {hard}{entry['accuracy']}")
    for sentence in sentences:
        print(fill(sentence, 92, initial_indent=" " * 4, subsequent_indent=" " * 4))


def print_entries(entries: list[dict[str, Any]]) -> None:
    """Print everything as JSON."""
    print(json.dumps(entries, indent=1, ensure_ascii=False))
