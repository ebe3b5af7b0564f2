"""The command line: a thin shell over the public names.

Results go to standard output and everything else to standard error; progress is shown only on a
terminal. The exit code is 1 for input that is refused, 2 for an invalid command or option, 130
after Ctrl-C, and 141 if the reader of the results is gone.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from .._base.version import __version__
from .commands import COMMANDS
from .interrupts import Interrupts
from .standard_streams import accept_all_text, give_up_output, open_closed_streams, tell
from .windows import quote_words, reader_left

if TYPE_CHECKING:
    from .._base.errors import ParameterError

EXAMPLES = """\
examples:
  fuzzyrand compare truth.csv soft.csv                   two clusterings
  fuzzyrand compare a.csv b.csv --model every            under every random model
  fuzzyrand advise a.csv b.csv                           which model to report, and why
  fuzzyrand explain a.csv b.csv                          where two clusterings disagree
  fuzzyrand pairwise runs/*.csv                          many clusterings
  fuzzyrand match truth.csv found.csv                    which cluster is which
  fuzzyrand align runs/*.csv --plot runs.png             many clusterings in a common order
  fuzzyrand recurrence runs/*.csv                        which clusters recur in many runs
  fuzzyrand stability data.csv --values 2-8              how many clusters are stable, and which
  fuzzyrand check soft.csv --model fit                   whether a model describes a clustering
  fuzzyrand COMMAND --help                               the options of a command
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    given = sys.argv[1:] if argv is None else list(argv)
    command = next((word for word in given if not word.startswith("-")), "")

    def make() -> argparse.ArgumentParser:
        if command and command not in COMMANDS:
            raise _unknown_command(command, given)
        return make_parser(command)

    return run_program("fuzzyrand", make, given)


def run_program(
    name: str, make: Callable[[], argparse.ArgumentParser], given: Sequence[str]
) -> int:
    """Parse the words of a command line, run what they ask for, and return the exit code."""
    arguments = argparse.Namespace(debug=False, after_stop="")
    interrupts = Interrupts()
    open_closed_streams()
    accept_all_text()
    try:
        try:
            with interrupts:
                make().parse_args(given, arguments)
                arguments.words, arguments.command_line = given, quote_words([name, *given])
                _run(arguments, name)
        finally:
            print(end="", flush=True)  # which, unlike flush(), copes with a closed output
    except (Exception, KeyboardInterrupt) as error:
        if reader_left(error):
            give_up_output()
            return 141
        if arguments.debug:
            raise
        error = KeyboardInterrupt() if interrupts.seen else error
        return _failed(error, name, arguments.after_stop)
    return 0


def _unknown_command(word: str, given: Sequence[str]) -> ParameterError:
    """Return an error that suggests a command, and compare if there are files instead."""
    # Deferred: --help needs neither.
    from difflib import get_close_matches
    from pathlib import Path

    from .._base.errors import ParameterError

    near = get_close_matches(word.lower(), COMMANDS, n=1, cutoff=0.6)
    hint = f" Did you mean {near[0]}?" if near else ""
    if Path(word).suffix or Path(word).exists():
        hint = f" Did you mean {quote_words(['fuzzyrand', 'compare', *given])}?"
    return ParameterError(
        "there is no command {value!r}.{hint} Commands: {listed}.",
        value=word,
        hint=hint,
        listed=", ".join(COMMANDS),
    )


def _run(arguments: argparse.Namespace, name: str) -> None:
    with warnings.catch_warnings():
        if not arguments.debug:
            warnings.showwarning = partial(_show_warning, name)
        arguments.run(arguments)


def _failed(error: BaseException, name: str, after_stop: str) -> int:
    """Say what went wrong in one line, and return the exit code."""
    # Deferred: --help needs neither.
    from .._base.errors import FuzzyRandError, ParameterError
    from .voice import VOICE

    code = 1
    if isinstance(error, FuzzyRandError):
        message = error.text(VOICE)
        code = 2 if isinstance(error, ParameterError) else 1
    elif isinstance(error, KeyboardInterrupt):
        message = f"stopped.{after_stop}"
        code = 130
    elif isinstance(error, MemoryError):
        message = "not enough memory."
    elif isinstance(error, OSError):
        where = error.filename
        if where is None:  # other files are named
            where = "standard output"
            give_up_output()
        message = f"{where}: {error.strerror or error}."
    else:
        message = (
            f"unexpected error, and no fault of yours: {type(error).__name__}: {error}. The same "
            "command with --debug shows where it happened; please report it."
        )
    tell(f"{name}: {message}")
    return code


def _show_warning(name: str, message: Warning | str, *_: object, **__: object) -> None:
    # Deferred: --help needs neither.
    from .voice import VOICE

    text = message.text(VOICE) if hasattr(message, "text") else message
    tell(f"{name}: {text}")


def make_parser(wanted: str | None = None) -> argparse.ArgumentParser:
    """Return the parser of all commands.

    Parameters
    ----------
    wanted : str, optional
        The command that will run. Files of other commands are not imported; only their names and
        their lines in ``COMMANDS`` are known, which is all that ``fuzzyrand --help`` prints.
    """
    parser = argparse.ArgumentParser(
        prog="fuzzyrand",
        description="Compare clusterings, hard or fuzzy, with adjustment for chance.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"fuzzyrand {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, text in COMMANDS.items():
        if wanted in (None, name):
            import_module(f".{name}", __package__).add(commands)
        else:
            commands.add_parser(name, help=text)
    return parser


if __name__ == "__main__":
    sys.exit(main())
