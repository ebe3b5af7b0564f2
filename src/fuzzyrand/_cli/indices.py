"""``fuzzyrand indices``."""

from __future__ import annotations

import argparse

from .catalogue import MODEL, accuracy_in_words, add_catalogue, print_entries, print_entry
from .commands import Subparsers


def add(commands: Subparsers) -> None:
    """Add the command."""
    text = "List the indices: what each one measures, and whether it is exact."
    add_catalogue(commands, "indices", run, text)


def run(arguments: argparse.Namespace) -> None:
    """Print the indices."""
    # Deferred: NumPy, which --help does not need.
    from ..indices import INDICES
    from ..models import MODELS

    entries = []
    for name, index in INDICES.items():
        entries.append(
            {
                "name": name,
                "what": (type(index).__doc__ or "").splitlines()[0],
                "hard_only": index.hard_only,
                "reflexive": index.reflexive,
                "accuracy": accuracy_in_words(index, MODELS[MODEL]),
                "accuracy_of": f"model {MODEL}",
            }
        )
    if arguments.json:
        print_entries(entries)
        return
    below = "The index of a fuzzy clustering with itself is below 1; see --maximum self."
    for entry in entries:
        print_entry(entry, str(entry["what"]), *([] if entry["reflexive"] else [below]))
    print(
        f"Exact or sampled: how the expected index is computed, here with the model {MODEL}.\n"
        "fuzzyrand compare prints this for each result, with the Monte Carlo error."
    )
