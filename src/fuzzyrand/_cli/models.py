"""``fuzzyrand models``."""

from __future__ import annotations

import argparse
from typing import Any

from .commands import Subparsers
from .listing import INDEX, accuracy_in_words, add_listing, print_entries


def add(commands: Subparsers) -> None:
    """Add the command."""
    add_listing(commands, "models", run)


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
    print_entries(arguments, entries, _describe)
    if not arguments.json:
        print("fuzzyrand check FILE --model NAME shows whether a model describes a clustering.")


def _describe(entry: dict[str, Any]) -> list[str]:
    return [
        f"chance: {entry['chance_means']}",
        f"use it {entry['use']}",
        f"not if {entry['not']}",
    ]
