"""``fuzzyrand study``: the experiments of the paper, rerun."""

from __future__ import annotations

import argparse

from .options import Subparsers, command, positive, whole

TEXT = "Rerun an experiment of DeWolfe & Andrews (arXiv:2312.10270) and check what it says."


def add(commands: Subparsers) -> None:
    """Add the command and its studies."""
    study = commands.add_parser(
        "study",
        help=TEXT,
        description=TEXT,
        epilog="examples:\n  fuzzyrand study toy --out toy-results\n  fuzzyrand study toy --help",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    studies = study.add_subparsers(title="studies", metavar="STUDY", required=True)

    parser = _study(studies, "toy", "Five clusterings of nine points, all pairs. Seconds.")

    parser = _study(studies, "error", "How far apart computations with different seeds lie.")
    _add_long(parser, "one pair of clusterings per setting, five repeats")
    parser.add_argument(
        "--pairs", type=positive, metavar="N", help="pairs of clusterings per setting (10)"
    )
    parser.add_argument(
        "--repeats", type=positive, metavar="N", help="computations of each comparison (100)"
    )

    parser = _study(studies, "factorial", "Partly random clusterings over five factors.")
    _add_long(parser, "a selection of the settings, one run each: two minutes")
    parser.add_argument("--runs", type=positive, metavar="N", help="pairs per setting (5)")


def _study(studies: Subparsers, name: str, text: str) -> argparse.ArgumentParser:
    parser = command(
        studies,
        name,
        lambda arguments: run(name, arguments),
        text,
        examples=(f"fuzzyrand study {name} --out {name}-results",),
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
    # Deferred: a study imports NumPy and its extras.
    from importlib import import_module

    given = {
        option: getattr(arguments, option)
        for option in ("quick", "pairs", "repeats", "runs", "seed")
        if hasattr(arguments, option)
    }
    if hasattr(arguments, "jobs"):
        given["n_jobs"] = arguments.jobs
    print(import_module(f"fuzzyrand.study.{name}").run(arguments.out, **given))
