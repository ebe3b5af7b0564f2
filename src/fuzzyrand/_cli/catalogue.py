"""Shared code of the commands ``models`` and ``indices``: how a list of entries is printed."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from textwrap import fill
from typing import Any

from . import options

#: Exactness is found by trying, which takes time, so only with the most usual index or model.
INDEX, MODEL = "ndc", "perm"
TWO = "hard with fuzzy / both fuzzy"


def add_catalogue(
    commands: options.Subparsers,
    name: str,
    run: Callable[[argparse.Namespace], object],
    text: str,
) -> None:
    """Add a command that lists the available models or indices."""
    parser = options.command(
        commands,
        name,
        run,
        text,
        examples=(f"fuzzyrand {name}", f"fuzzyrand {name} --json | jq '.[].name'"),
    )
    parser.add_argument("--json", action="store_true", help="print everything as JSON")


def print_entry(entry: dict[str, Any], *sentences: str) -> None:
    """Print the name of an entry, how exact it is, and sentences about it."""
    hard = "hard clusterings only; " if entry["hard_only"] else ""
    print(f"{entry['name']:<12} {hard}{entry['accuracy']}")
    for sentence in sentences:
        print(fill(sentence, 92, initial_indent=" " * 4, subsequent_indent=" " * 4))


def print_entries(entries: list[dict[str, Any]]) -> None:
    """Print everything as JSON."""
    print(json.dumps(entries, indent=1, ensure_ascii=False))
