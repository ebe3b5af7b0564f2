"""The command line: a thin shell over the public names.

Results go to standard output, everything else to standard error, progress only on a terminal. The
exit code is 1 for input that is refused, 2 for a command or an option that makes no sense, 130
after Ctrl-C, and 141 if the reader of the results went away.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import warnings
from collections.abc import Sequence

from .. import __version__
from .._base.errors import FuzzyRandError, ParameterError
from . import check, compare, completion, demo, indices, models, pairwise, study
from .streams import give_up_output, open_closed_streams, tell
from .voice import VOICE

COMMANDS = (compare, pairwise, check, models, indices, demo, study, completion)

EXAMPLES = """\
examples:
  fuzzyrand compare truth.csv soft.csv --fixed first     two clusterings
  fuzzyrand compare a.csv b.csv --model every            under every random model
  fuzzyrand pairwise runs/*.csv                          many clusterings
  fuzzyrand check soft.csv --model fit                   whether a model describes a clustering
  fuzzyrand COMMAND --help                               the options of a command
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    given = sys.argv[1:] if argv is None else list(argv)
    arguments = argparse.Namespace(debug=False, after_stop="")
    open_closed_streams()
    try:
        try:
            make_parser().parse_args(given, arguments)
            arguments.command_line = shlex.join(["fuzzyrand", *given])
            _run(arguments)
        finally:
            print(end="", flush=True)  # which, unlike flush(), copes with a closed output
    except BrokenPipeError:  # the reader, `head` for one, has seen enough
        give_up_output()
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
        message = error.told(VOICE)
        code = 2 if isinstance(error, ParameterError) else 1
    elif isinstance(error, KeyboardInterrupt):
        message = f"stopped.{after_stop}"
        code = 130
    elif isinstance(error, MemoryError):
        message = "not enough memory."
    elif isinstance(error, OSError):
        where = error.filename
        if where is None:  # as other files are named
            where = "standard output"
            give_up_output()
        message = f"{where}: {error.strerror or error}."
    else:
        message = (
            f"this should not have happened, and is no fault of yours: {type(error).__name__}: "
            f"{error}. The same command with --debug shows where; please report it."
        )
    tell(f"fuzzyrand: {message}")
    return code


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    text = message.told(VOICE) if hasattr(message, "told") else message
    tell(f"fuzzyrand: {text}")


def make_parser() -> argparse.ArgumentParser:
    """Make the parser of all commands."""
    parser = argparse.ArgumentParser(
        prog="fuzzyrand",
        description="How alike are two clusterings, beyond chance?",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"fuzzyrand {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
