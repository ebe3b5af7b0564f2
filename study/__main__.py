"""``python -m study``: the experiments of the paper, rerun, in a checkout of the repository."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from fuzzyrand._cli.commands import Subparsers, add_command, positive, whole
from fuzzyrand._cli.main import run_program

TEXT = "Rerun an experiment of DeWolfe & Andrews (arXiv:2312.10270) and check what it says."


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of all studies."""
    parser = argparse.ArgumentParser(
        prog="study",
        description=TEXT,
        epilog="examples:\n  python -m study toy --out toy-results\n  python -m study toy --help",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    studies = parser.add_subparsers(title="studies", metavar="STUDY", required=True)

    _add_study(studies, "toy", "Five clusterings of nine points, all pairs. Seconds.")

    error = _add_study(studies, "error", "How far apart computations with different seeds lie.")
    _add_long(error, "one pair of clusterings per setting, five repeats")
    error.add_argument(
        "--pairs", type=positive, metavar="N", help="pairs of clusterings per setting (10)"
    )
    error.add_argument(
        "--repeats", type=positive, metavar="N", help="computations of each comparison (100)"
    )

    factorial = _add_study(studies, "factorial", "Partly random clusterings over five factors.")
    _add_long(factorial, "a selection of the settings, one run each: two minutes")
    factorial.add_argument("--runs", type=positive, metavar="N", help="pairs per setting (5)")
    return parser


def _add_study(studies: Subparsers, name: str, text: str) -> argparse.ArgumentParser:
    parser = add_command(
        studies,
        name,
        lambda arguments: run(name, arguments),
        text=text,
        examples=(f"python -m study {name} --out {name}-results",),
        after_stop=" Finished work is kept; the same command resumes it.",
    )
    parser.add_argument(
        "--out",
        required=True,
        metavar="DIR",
        help="folder for results, figures and the page; an interrupted study in it is resumed",
    )
    return parser


def _add_long(parser: argparse.ArgumentParser, quick: str) -> None:
    """Add the options of a study that takes a while."""
    parser.add_argument("--quick", action="store_true", help=quick)
    parser.add_argument("--seed", type=whole, default=0, metavar="N", help="of everything (0)")
    parser.add_argument(
        "--jobs", type=int, default=-1, metavar="N", help="processes; -1 for all cores (-1)"
    )


def run(name: str, arguments: argparse.Namespace) -> None:
    """Run a study and print what it found."""
    given = {
        option: getattr(arguments, option)
        for option in ("quick", "pairs", "repeats", "runs", "seed")
        if hasattr(arguments, option)
    }
    if hasattr(arguments, "jobs"):
        given["n_jobs"] = arguments.jobs
    print(import_module(f"study.{name}").run(arguments.out, **given))


def main(argv: list[str] | None = None) -> int:
    """Run a study and return its exit code."""
    return run_program("study", make_parser, sys.argv[1:] if argv is None else argv)


if __name__ == "__main__":
    sys.exit(main())
