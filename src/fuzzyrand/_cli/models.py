"""``fuzzyrand models``."""

from __future__ import annotations

import argparse

from . import options
from .catalogue import INDEX, TWO, add_catalogue, print_entries, print_entry


def add(commands: options.Subparsers) -> None:
    """Add the command."""
    text = "List the random models: what chance can mean, and what each model assumes."
    add_catalogue(commands, "models", run, text)


def run(arguments: argparse.Namespace) -> None:
    """Print the models."""
    # Deferred: NumPy, which --help does not need.
    from .._api.catalogue import exactness
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
            "accuracy": exactness(INDICES[INDEX], model),
            "accuracy_of": f"index {INDEX}, {TWO}",
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
            f"use it: {entry['use']}",
            f"not if: {entry['not']}",
        )
    print(
        f"Exact or sampled: with the index {INDEX}. Two words: {TWO}.\n"
        "fuzzyrand compare says it of each result, with the Monte Carlo error.\n"
        "A check: fuzzyrand check FILE --model NAME."
    )
