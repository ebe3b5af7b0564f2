"""``fuzzyrand indices``."""

from __future__ import annotations

import argparse
from typing import Any

from .commands import Subparsers
from .listing import MODEL, accuracy_in_words, add_listing, print_entries


def add(commands: Subparsers) -> None:
    """Add the command."""
    add_listing(commands, "indices", run)


def run(arguments: argparse.Namespace) -> None:
    """Print the indices."""
    # Deferred: NumPy, which --help does not need.
    from ..indices import INDICES
    from ..models import MODELS

    entries = [
        {
            "name": name,
            "what": (type(index).__doc__ or "").splitlines()[0],
            "hard_only": index.hard_only,
            "reflexive": index.reflexive,
            "accuracy": accuracy_in_words(index, MODELS[MODEL]),
            "accuracy_of": f"model {MODEL}",
        }
        for name, index in INDICES.items()
    ]
    print_entries(arguments, entries, _describe)


def _describe(entry: dict[str, Any]) -> list[str]:
    if entry["reflexive"]:
        return [entry["what"]]
    below = "The index of a fuzzy clustering with itself is below 1; see --maximum self."
    return [entry["what"], below]
