"""The command line: a thin shell over the public names.

Results go to standard output, everything else to standard error, progress only on a terminal. The
exit code is 1 for input that is refused, 2 for a command or an option that makes no sense, 130
after Ctrl-C, and 141 if the reader of the results went away.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import warnings
from collections.abc import Sequence

from .. import __version__
from .._base.errors import FuzzyRandError, ParameterError
from . import catalogues, check, compare, completion, pairwise
from .options import Subparsers, command, positive, whole
from .words import spoken

EXAMPLES = """\
examples:
  fuzzyrand compare truth.csv soft.csv --fixed first     how alike, beyond chance?
  fuzzyrand compare a.csv b.csv --model every            under every random model
  fuzzyrand pairwise runs/*.csv                          many runs at once
  fuzzyrand check soft.csv --model fit                   does the model describe it?
  fuzzyrand COMMAND --help                               all about a command
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    given = sys.argv[1:] if argv is None else list(argv)
    arguments = argparse.Namespace(debug=False, after_stop="")
    try:
        try:
            make_parser().parse_args(given, arguments)
            arguments.command_line = shlex.join(["fuzzyrand", *given])
            _run(arguments)
        finally:
            print(end="", flush=True)  # which, unlike flush(), copes with a closed output
    except BrokenPipeError:  # the reader, `head` for one, has seen enough
        _give_up_output()
        return 141
    except (Exception, KeyboardInterrupt) as error:
        if arguments.debug:
            raise
        return _failed(error, arguments.after_stop)
    return 0


def _run(arguments: argparse.Namespace) -> None:
    if hasattr(sys.stdout, "reconfigure"):  # a terminal without ± is no reason to fail
        sys.stdout.reconfigure(errors="replace")
    with warnings.catch_warnings():
        if not arguments.debug:
            warnings.showwarning = _show_warning
        arguments.run(arguments)


def _failed(error: BaseException, after_stop: str) -> int:
    """Say what went wrong in one line, and return the exit code."""
    code = 1
    if isinstance(error, FuzzyRandError):
        said = spoken(str(error))
        code = 2 if isinstance(error, ParameterError) else 1
    elif isinstance(error, KeyboardInterrupt):
        said = f"stopped.{after_stop}"
        code = 130
    elif isinstance(error, MemoryError):
        said = "not enough memory."
    elif isinstance(error, OSError):
        where = error.filename
        if where is None:  # as others are told of by name
            where = "standard output"
            _give_up_output()
        said = f"{where}: {error.strerror or error}."
    else:
        said = (
            f"this should not have happened, and is no fault of yours: {type(error).__name__}: "
            f"{error}. The same command with --debug shows where; please report it."
        )
    print(f"fuzzyrand: {said}", file=sys.stderr)
    return code


def _give_up_output() -> None:
    """Let what is left in the buffer of standard output not fail again when Python closes it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    print(f"fuzzyrand: {spoken(str(message))}", file=sys.stderr)


def make_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = argparse.ArgumentParser(
        prog="fuzzyrand",
        description="How alike are two clusterings, beyond chance?",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"fuzzyrand {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for each in (compare, pairwise, check, catalogues):
        each.add(commands)
    for add in (_add_demo, _add_study, completion.add):
        add(commands)
    return parser


def _add_demo(commands: Subparsers) -> None:
    def run(_: argparse.Namespace) -> None:
        from .demo import main as demo

        demo()

    text = "Compare clusterings that come with the package."
    command(commands, "demo", run, text, examples=("fuzzyrand demo",))


def _add_study(commands: Subparsers) -> None:
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
    from importlib import import_module

    given = {
        option: getattr(arguments, option)
        for option in ("quick", "pairs", "repeats", "runs", "seed")
        if hasattr(arguments, option)
    }
    if hasattr(arguments, "jobs"):
        given["n_jobs"] = arguments.jobs
    print(import_module(f"fuzzyrand.study.{name}").run(arguments.out, **given))


if __name__ == "__main__":
    sys.exit(main())
