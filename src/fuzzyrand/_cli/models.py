"""``fuzzyrand models``."""

from __future__ import annotations

import argparse

from .catalogue import INDEX, accuracy_in_words, add_catalogue, print_entries, print_entry
from .commands import Subparsers


def add(commands: Subparsers) -> None:
    """Add the command."""
    text = "List the random models: what chance means, and when to use each."
    add_catalogue(commands, "models", run, text)


def run(arguments: argparse.Namespace) -> None:
    """Print the models."""
    # Deferred: NumPy, which --help does not need.
    from ..indices import INDICES
    from ..models import MODELS
    from ..models.advice import USES

    entries = [
        {
            "name": name,
            "chance_means": model.assumption,
            "use": USES[name].when,
            "not": USES[name].unless,
            "hard_only": model.hard_only,
            "accuracy": accuracy_in_words(INDICES[INDEX], model),
            "accuracy_of": f"index {INDEX}",
        }
        for name, model in MODELS.items()
    ]
    if arguments.json:
        print_entries(entries)
        return
    for entry in entries:
        print_entry(
            entry,
            f"chance: {entry['chance_means']}",
            f"use it {entry['use']}",
            f"not if {entry['not']}",
        )
    print(
        f"Exact or sampled: how the expected index is computed, here with the index {INDEX}.\n"
        "fuzzyrand compare prints this for each result, with the Monte Carlo error.\n"
        "fuzzyrand check FILE --model NAME shows whether a model describes a clustering."
    )
