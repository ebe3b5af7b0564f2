"""The command line: a thin shell over the public names.

Results go to standard output, progress to standard error and only on a terminal. The exit code is 1
for input that is refused, 2 for a command that does not exist, and 130 after Ctrl-C.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Any

from . import __version__
from .errors import FuzzyRandError

Subparsers = Any  # argparse keeps the type of add_subparsers() to itself


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    arguments = _parser().parse_args(argv)
    try:
        arguments.run(arguments)
    except FuzzyRandError as error:
        if arguments.debug:
            raise
        print(f"fuzzyrand: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        if arguments.debug:
            raise
        print(f"fuzzyrand: stopped.{arguments.after_stop}", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader, `head` for one, has seen enough
        sys.stderr.close()
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="fuzzyrand", description="How alike are two clusterings, beyond chance?"
    )
    parser.add_argument("--version", action="version", version=f"fuzzyrand {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for add in (_add_demo, _add_study):
        add(commands)
    return parser


def _command(
    commands: Subparsers,
    name: str,
    run: Callable[[argparse.Namespace], object],
    text: str,
    after_stop: str = "",
) -> argparse.ArgumentParser:
    """Add a command, with what every command understands."""
    parser: argparse.ArgumentParser = commands.add_parser(name, help=text, description=text)
    parser.add_argument("--debug", action="store_true", help="show where an error came from")
    parser.set_defaults(run=run, after_stop=after_stop)
    return parser


def _add_demo(commands: Subparsers) -> None:
    def run(_: argparse.Namespace) -> None:
        from .demo import main as demo

        demo()

    _command(commands, "demo", run, "Compare clusterings that come with the package.")


def _add_study(commands: Subparsers) -> None:
    text = "Rerun an experiment of DeWolfe & Andrews (arXiv:2312.10270) and check what it says."
    study = commands.add_parser("study", help=text, description=text)
    studies = study.add_subparsers(title="studies", metavar="STUDY", required=True)

    parser = _study(studies, "toy", "Five clusterings of nine points, all pairs. Seconds.")

    parser = _study(studies, "error", "How far apart computations with different seeds lie.")
    _many(parser, "one pair of clusterings per setting, five repeats")
    parser.add_argument(
        "--pairs", type=_positive, metavar="N", help="pairs of clusterings per setting (10)"
    )
    parser.add_argument(
        "--repeats", type=_positive, metavar="N", help="computations of each comparison (100)"
    )

    parser = _study(studies, "factorial", "Partly random clusterings over five factors.")
    _many(parser, "a selection of the settings, one run each: two minutes")
    parser.add_argument("--runs", type=_positive, metavar="N", help="pairs per setting (5)")


def _study(studies: Subparsers, name: str, text: str) -> argparse.ArgumentParser:
    parser = _command(
        studies,
        name,
        lambda arguments: _run_study(name, arguments),
        text,
        after_stop=" What is finished is kept; the same command goes on from there.",
    )
    parser.add_argument(
        "--out",
        required=True,
        metavar="DIR",
        help="where results, figures and the page go; a study that was stopped there is continued",
    )
    return parser


def _many(parser: argparse.ArgumentParser, quick: str) -> None:
    """Options of a study that takes a while."""
    parser.add_argument("--quick", action="store_true", help=quick)
    parser.add_argument("--seed", type=_whole, default=0, metavar="N", help="of everything (0)")
    parser.add_argument(
        "--jobs", type=int, default=-1, metavar="N", help="processes; -1 for all cores (-1)"
    )


def _run_study(name: str, arguments: argparse.Namespace) -> None:
    from importlib import import_module

    given = {
        option: getattr(arguments, option)
        for option in ("quick", "pairs", "repeats", "runs", "seed")
        if hasattr(arguments, option)
    }
    if hasattr(arguments, "jobs"):
        given["n_jobs"] = arguments.jobs
    print(import_module(f".study.{name}", __package__).run(arguments.out, **given))


def _positive(text: str) -> int:
    value = _whole(text)
    if value == 0:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def _whole(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
