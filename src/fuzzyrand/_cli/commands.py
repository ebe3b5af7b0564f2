"""Commands, and the options and numbers that most of them take."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any

Subparsers = Any  # argparse has no public type for add_subparsers()

#: The commands, each in a file of that name, and their lines in ``fuzzyrand --help``.
COMMANDS = {
    "compare": "Compare two clusterings of the same points, adjusted for chance.",
    "pairwise": "Compare many clusterings of the same points: all pairs, or all with a reference.",
    "explain": "Show where two clusterings disagree: which points and clusters, and why.",
    "advise": "Recommend a model and an index for two clusterings, with reasons.",
    "check": "Check whether a random model describes a clustering.",
    "match": "Match the clusters of two clusterings of the same points.",
    "align": "Bring the clusters of many clusterings of the same points into a common order.",
    "recurrence": "Find the clusters that recur in many runs.",
    "stability": "Cluster subsamples of data: how many clusters are stable, and which ones?",
    "models": "List the random models: what chance means, and when to use each.",
    "indices": "List the indices: what each one measures, and whether it is exact.",
    "demo": "Run an example on built-in clusterings.",
    "study": "Say how to rerun the experiments of DeWolfe & Andrews (arXiv:2312.10270).",
    "completion": "Print a script for completion of commands and options in a shell.",
}


def add_command(
    commands: Subparsers,
    name: str,
    run: Callable[[argparse.Namespace], object],
    *,
    text: str = "",
    examples: Sequence[str] = (),
    notes: str = "",
    after_stop: str = "",
) -> argparse.ArgumentParser:
    """Add a command, with the options that every command has.

    Parameters
    ----------
    commands
        Where to add it.
    name : str
        Its name.
    run : function
        What it does.
    text : str
        What it is for; by default its line in ``COMMANDS``.
    examples : sequence of str
        Command lines for its help.
    notes : str
        What its help says before them.
    after_stop : str
        What is said after Ctrl-C.
    """
    text = text or COMMANDS[name]
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
