"""``fuzzyrand study``: where the experiments of the paper are."""

from __future__ import annotations

import argparse

from .._base.errors import NotApplicableError
from .commands import Subparsers, add_command


def add(commands: Subparsers) -> None:
    """Add the command."""
    parser = add_command(commands, "study", run, examples=("fuzzyrand study",))
    parser.add_argument("anything", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> None:
    """Say where the studies are."""
    raise NotApplicableError(
        "the studies are in the repository, not in the package: in a checkout, run make study, or "
        "python -m study toy --out DIR."
    )
