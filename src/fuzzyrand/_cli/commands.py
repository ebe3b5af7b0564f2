"""Commands, and the options and numbers that most of them take."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any

Subparsers = Any  # argparse has no public type for add_subparsers()


def add_command(
    commands: Subparsers,
    name: str,
    run: Callable[[argparse.Namespace], object],
    text: str,
    *,
    examples: Sequence[str] = (),
    notes: str = "",
    after_stop: str = "",
) -> argparse.ArgumentParser:
    """Add a command, with the options that every command has."""
    shown = "examples:\n" + "".join(f"  {example}\n" for example in examples) if examples else ""
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=text,
        description=text,
        epilog="\n".join(part for part in (notes, shown) if part),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    parser.set_defaults(run=run, after_stop=after_stop)
    return parser


def whole(text: str) -> int:
    """Read a whole number from 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a non-negative integer")
    return int(text)


def positive(text: str) -> int:
    """Read a whole number from 1."""
    value = whole(text)
    if value == 0:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def add_seed(group: Any, of: str = "random numbers") -> None:
    """Add the seed of what is drawn."""
    group.add_argument(
        "--seed", type=whole, default=0, metavar="N", help=f"seed of {of} (default: 0)"
    )
