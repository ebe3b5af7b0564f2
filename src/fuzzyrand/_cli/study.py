"""``fuzzyrand study``: the experiments of the paper."""

from __future__ import annotations

import argparse
from importlib import import_module

from .options import Subparsers, command, positive, whole


def add(commands: Subparsers) -> None:
    """Add the command."""
    text = "Rerun an experiment of DeWolfe & Andrews (arXiv:2312.10270) and check what it says."
    study = commands.add_parser(
        "study",
        help=text,
        description=text,
        epilog="examples:\n  fuzzyrand study toy --out toy-results\n  fuzzyrand study toy --help",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    studies = study.add_subparsers(title="studies", metavar="STUDY", required=True)

    parser = _study(studies, "toy", "Five clusterings of nine points, all pairs. Seconds.")

    parser = _study(studies, "error", "How far apart computations with different seeds lie.")
    _many(parser, "one pair of clusterings per setting, five repeats")
    parser.add_argument(
        "--pairs", type=positive, metavar="N", help="pairs of clusterings per setting (10)"
    )
    parser.add_argument(
        "--repeats", type=positive, metavar="N", help="computations of each comparison (100)"
    )

    parser = _study(studies, "factorial", "Partly random clusterings over five factors.")
    _many(parser, "a selection of the settings, one run each: two minutes")
    parser.add_argument("--runs", type=positive, metavar="N", help="pairs per setting (5)")


def _study(studies: Subparsers, name: str, text: str) -> argparse.ArgumentParser:
    parser = command(
        studies,
        name,
        lambda arguments: _run_study(name, arguments),
        text,
        examples=(f"fuzzyrand study {name} --out {name}-results",),
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
    parser.add_argument("--seed", type=whole, default=0, metavar="N", help="of everything (0)")
    parser.add_argument(
        "--jobs", type=int, default=-1, metavar="N", help="processes; -1 for all cores (-1)"
    )


def _run_study(name: str, arguments: argparse.Namespace) -> None:
    given = {
        option: getattr(arguments, option)
        for option in ("quick", "pairs", "repeats", "runs", "seed")
        if hasattr(arguments, option)
    }
    if hasattr(arguments, "jobs"):
        given["n_jobs"] = arguments.jobs
    print(import_module(f"fuzzyrand.study.{name}").run(arguments.out, **given))
