"""The command line: a thin shell over the public names.

Results go to standard output, everything else to standard error, progress only on a terminal. The
exit code is 1 for input that is refused, 2 for a command or an option that makes no sense, 130
after Ctrl-C, and 141 if the reader of the results went away.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module

from .._base.version import __version__
from .interrupts import Interrupts

EXAMPLES = """\
examples:
  fuzzyrand compare truth.csv soft.csv --fixed first     how alike, beyond chance?
  fuzzyrand compare a.csv b.csv --model every            under every random model
  fuzzyrand pairwise runs/*.csv                          many runs at once
  fuzzyrand check soft.csv --model fit                   does the model describe it?
  fuzzyrand COMMAND --help                               all about a command
"""

#: The file of each command, and its line in ``fuzzyrand --help``.
COMMANDS = {
    "compare": ("compare", "How alike are two clusterings of the same points, beyond chance?"),
    "pairwise": (
        "pairwise",
        "Compare many clusterings of the same points: all pairs, or all with a reference.",
    ),
    "check": (
        "check",
        "Does a random model describe a clustering? Its agreements of pairs beside the observed.",
    ),
    "models": ("catalogues", "What chance can mean: the random models, and what each assumes."),
    "indices": ("catalogues", "What is compared: the indices, and how each is computed."),
    "demo": ("demo", "Compare clusterings that come with the package."),
    "study": (
        "study",
        "Rerun an experiment of DeWolfe & Andrews (arXiv:2312.10270) and check what it says.",
    ),
    "completion": (
        "completion",
        "Print a script with which a shell completes commands, options and names.",
    ),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    given = sys.argv[1:] if argv is None else list(argv)
    arguments = argparse.Namespace(debug=False, after_stop="")
    interrupts = Interrupts()
    try:
        try:
            with interrupts:
                command = next((word for word in given if not word.startswith("-")), "")
                make_parser(command).parse_args(given, arguments)
                arguments.command_line = _command_line(given)
                _run(arguments)
        finally:
            print(end="", flush=True)  # which, unlike flush(), copes with a closed output
    except BrokenPipeError:  # the reader, `head` for one, has seen enough
        _give_up_output()
        return 141
    except (Exception, KeyboardInterrupt) as error:
        if arguments.debug:
            raise
        return _failed(KeyboardInterrupt() if interrupts.seen else error, arguments.after_stop)
    return 0


def _command_line(given: Sequence[str]) -> str:
    import shlex

    return shlex.join(["fuzzyrand", *given])


def _run(arguments: argparse.Namespace) -> None:
    if hasattr(sys.stdout, "reconfigure"):  # a terminal without ± is no reason to fail
        sys.stdout.reconfigure(errors="replace")
    with warnings.catch_warnings():
        if not arguments.debug:
            warnings.showwarning = _show_warning
        arguments.run(arguments)


def _failed(error: BaseException, after_stop: str) -> int:
    """Say what went wrong in one line, and return the exit code."""
    from .._base.errors import FuzzyRandError, ParameterError
    from .words import spoken

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
    from .words import spoken

    print(f"fuzzyrand: {spoken(str(message))}", file=sys.stderr)


def make_parser(wanted: str | None = None) -> argparse.ArgumentParser:
    """Return the parser of all commands.

    Parameters
    ----------
    wanted : str, optional
        A command. Files of other commands are not imported, and of these only the names and the
        lines of ``COMMANDS`` are known, which is all that ``fuzzyrand --help`` prints.
    """
    parser = argparse.ArgumentParser(
        prog="fuzzyrand",
        description="How alike are two clusterings, beyond chance?",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"fuzzyrand {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    files = {module for name, (module, _) in COMMANDS.items() if wanted in (None, name)}
    for name, (module, text) in COMMANDS.items():
        if module not in files:
            commands.add_parser(name, help=text)
        elif name not in commands.choices:  # a file may add several commands
            import_module(f".{module}", __package__).add(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
