"""``fuzzyrand advise A B``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from . import input_files, output, question, windows
from .commands import Subparsers, add_command, add_seed
from .voice import VOICE

KEEPS = ("memberships", "sizes", "number", "nothing")


def add(commands: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "advise",
        run,
        notes=input_files.READING,
        examples=(
            "fuzzyrand advise truth.csv soft.csv",
            "fuzzyrand advise truth.csv soft.csv --keep sizes --fixed first",
            "fuzzyrand advise a.csv b.csv --json | jq .model",
        ),
    )
    input_files.add_pair_or_table(parser)
    _add_question(parser)
    input_files.add_reading(parser, several=True)
    output.add_output(parser, csv=False)


def _add_question(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("question")
    group.add_argument(
        "--keep",
        choices=KEEPS,
        help="what chance should keep: all memberships (as published values do), the sizes and "
        "fuzziness of the clusters, only their number, or nothing (default: memberships)",
    )
    question.add_fixed(group, "a known truth and not random: first is A, second is B")
    group.add_argument(
        "--index",
        metavar="NAME",
        help="see fuzzyrand indices (default: rand for two hard files, else ndc)",
    )
    add_seed(group)


def run(arguments: argparse.Namespace) -> None:
    """Read, advise, print."""
    # Deferred: NumPy, which --help does not need.
    from .._api.advise import advise
    from ..indices import as_index

    if arguments.index is not None:
        as_index(arguments.index)  # refused before files are read
    first, second = readings = input_files.read(arguments, input_files.pair_or_table(arguments))
    advice = advise(
        first.partition,
        second.partition,
        index=arguments.index,
        keep=arguments.keep,
        fixed=arguments.fixed,
        random_state=arguments.seed,
        **input_files.points(arguments),
    )
    command = advice.command_for(windows.quote_words(_read_again(arguments.words)))
    if arguments.json:
        output.print_json({**advice.to_dict(), "command": command}, readings)
    else:
        print(advice.text(voice=VOICE, command=command))


def _read_again(words: Sequence[str]) -> list[str]:
    """Return the words of the command line that name files and say how they are read."""
    own = argparse.ArgumentParser(add_help=False)
    _add_question(own)
    output.add_output(own, csv=False)
    own.add_argument("--debug", action="store_true")
    rest = own.parse_known_args(words[words.index("advise") + 1 :])[1]
    if "--" not in rest:
        return rest
    # Options will follow the files, so a name that looks like an option is written as a path.
    end = rest.index("--")
    files = (f"./{word}" if word.startswith("-") else word for word in rest[end + 1 :])
    return [*rest[:end], *files]
