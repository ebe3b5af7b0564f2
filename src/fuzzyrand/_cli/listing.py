"""Shared code of the commands ``models`` and ``indices``: how a list of entries is printed."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

from . import output
from .commands import Subparsers, add_command

if TYPE_CHECKING:
    from ..indices import Index
    from ..models import Model

#: Exactness is found by trying, which takes time, so only with the most usual index or model.
INDEX, MODEL = "ndc", "perm"


def add_listing(
    commands: Subparsers, name: str, run: Callable[[argparse.Namespace], object]
) -> None:
    """Add a command that lists the available models or indices."""
    examples = (f"fuzzyrand {name}", f"fuzzyrand {name} --json | jq '.[].name'")
    parser = add_command(commands, name, run, examples=examples)
    parser.add_argument("--json", action="store_true", help="print everything as JSON")


def accuracy_in_words(index: Index, model: Model) -> str:
    """Say whether the expected index is exact, approximate or sampled, for which clusterings."""
    # Deferred: NumPy, which --help does not need.
    from .._api.catalogue import exactness
    from ..indices import TableIndex

    first, _, second = exactness(index, model).partition(" / ")
    kind = "two hard clusterings" if isinstance(index, TableIndex) else "hard with fuzzy"
    return f"{first} ({kind}), {second} (two fuzzy)" if second else first


def print_entries(
    arguments: argparse.Namespace,
    entries: list[dict[str, Any]],
    describe: Callable[[dict[str, Any]], Sequence[str]],
) -> None:
    """Print what is known of each entry: as JSON, or as sentences below its name."""
    if arguments.json:
        output.print_json(entries)
        return
    for entry in entries:
        hard = "hard clusterings only; " if entry["hard_only"] else ""
        print(f"{entry['name']:<12} {hard}{entry['accuracy']}")
        for sentence in describe(entry):
            print(fill(sentence, 92, initial_indent=" " * 4, subsequent_indent=" " * 4))
    print(
        "Exact or sampled: how the expected index is computed, here with the "
        f"{entries[0]['accuracy_of']}.\n"
        "fuzzyrand compare prints this for each result, with the Monte Carlo error."
    )
