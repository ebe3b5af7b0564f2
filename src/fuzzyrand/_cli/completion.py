"""``fuzzyrand completion bash|zsh|fish``: a script made from the parser itself.

The names of models and indices are written into the script, so pressing Tab does not start Python.
"""

# This is not left to a library for the following reasons. shtab 1.13 makes scripts for all three
# shells from the same parser, but in bash and zsh they complete ``--index brouwer`` and not
# ``--index=brouwer``. With argcomplete 3.7, every Tab starts Python and imports the package, and
# fish is supported only by a contributed script. Either would be a dependency of every
# installation.

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from . import input_files
from .commands import Subparsers, add_command

SHELLS = ("bash", "zsh", "fish")


def add(commands: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "completion",
        run,
        "Print a script for completion of commands and options in a shell.",
        examples=(
            'eval "$(fuzzyrand completion bash)"      # in ~/.bashrc',
            'eval "$(fuzzyrand completion zsh)"       # in ~/.zshrc, after compinit',
            "fuzzyrand completion fish > ~/.config/fish/completions/fuzzyrand.fish",
        ),
    )
    parser.add_argument("shell", choices=SHELLS)


def run(arguments: argparse.Namespace) -> None:
    """Print the script."""
    from .main import make_parser

    places = list(_places(make_parser(), ()))
    if arguments.shell == "fish":
        print(_fish(places))
        return
    if arguments.shell == "zsh":
        print("autoload -U +X bashcompinit && bashcompinit")
    print(_bash(places))


@dataclass(frozen=True)
class _Option:
    flags: tuple[str, ...]
    takes_value: bool
    values: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class _Place:
    """What can follow a command, or a command of a command."""

    path: tuple[str, ...]
    words: dict[str, str]
    options: tuple[_Option, ...]


def _places(parser: argparse.ArgumentParser, path: tuple[str, ...]) -> Iterator[_Place]:
    words: dict[str, str] = {}
    found: list[_Option] = []
    below: list[tuple[str, argparse.ArgumentParser]] = []
    for action in parser._actions:  # argparse has no public interface for this
        if isinstance(action, argparse._SubParsersAction):
            below += action.choices.items()
            words |= {pseudo.dest: pseudo.help or "" for pseudo in action._choices_actions}
        elif not action.option_strings:
            words |= dict.fromkeys(action.choices or (), "")
        else:
            found.append(
                _Option(
                    tuple(action.option_strings),
                    action.nargs != 0,
                    tuple(action.choices or _names(path, action.dest)),
                    (action.help or "").partition(";")[0],
                )
            )
    yield _Place(path, words, tuple(found))
    for name, child in below:
        yield from _places(child, (*path, name))


def _names(path: tuple[str, ...], option: str) -> tuple[str, ...]:
    """Return names that only the library knows, and that argparse does not check."""
    if option == "model":
        from ..models import MODELS  # Deferred: NumPy, which --help does not need.

        return (*MODELS, *(("every",) if path != ("pairwise",) else ()))
    if option == "index":
        from ..indices import INDICES  # Deferred: NumPy, which --help does not need.

        return tuple(INDICES)
    return input_files.DELIMITERS if option == "delimiter" else ()


def _bash(places: list[_Place]) -> str:
    """Return one function; where nothing is known to fit, the shell completes file names."""
    steps = "|".join(
        f'"{"/".join(place.path)}:{word}"'
        for place in places
        for word in place.words
        if any(other.path == (*place.path, word) for other in places)
    )
    values = [
        f'        "{"/".join(place.path)}:{flag}") words="{" ".join(option.values)}" ;;'
        for place in places
        for option in place.options
        if option.takes_value
        for flag in option.flags
    ]
    words = [f'        "{"/".join(p.path)}") words="{" ".join(p.words)}" ;;' for p in places]
    flags = [
        f'        "{"/".join(place.path)}") words="{" ".join(_flags(place))}" ;;'
        for place in places
    ]
    return "\n".join(
        [
            "_fuzzyrand() {",
            '    local current="${COMP_WORDS[COMP_CWORD]}" place="" words="" word',
            '    local previous="${COMP_WORDS[COMP_CWORD-1]}" before=""',
            # zsh reads --option=value as one word, bash as three.
            '    if [[ "$current" == --*=* ]]; then',
            '        previous="${current%%=*}" before="${current%%=*}=" current="${current#*=}"',
            '    elif [[ "$previous" == "=" ]]; then',
            '        previous="${COMP_WORDS[COMP_CWORD-2]}"',
            '    elif [[ "$current" == "=" ]]; then',
            '        current=""',
            "    fi",
            # In bash a bare name would do as the length, but zsh takes it for a modifier.
            '    for word in "${COMP_WORDS[@]:1:$((COMP_CWORD-1))}"; do',
            '        case "$place:$word" in',
            f'        {steps}) place="${{place:+$place/}}$word" ;;',
            "        esac",
            "    done",
            '    case "$place:$previous" in',
            *values,
            '    *) if [[ "$current" == -* ]]; then',
            '        case "$place" in',
            *flags,
            "        esac",
            "    else",
            '        case "$place" in',
            *words,
            "        esac",
            "    fi ;;",
            "    esac",
            '    COMPREPLY=($(compgen -P "$before" -W "$words" -- "$current"))',
            "}",
            "complete -o bashdefault -o default -F _fuzzyrand fuzzyrand",
        ]
    )


def _flags(place: _Place) -> list[str]:
    return [flag for option in place.options for flag in option.flags]


def _fish(places: list[_Place]) -> str:
    lines = []
    for place in places:
        seen = [f"__fish_seen_subcommand_from {word}" for word in place.path]
        not_yet = f"not __fish_seen_subcommand_from {' '.join(place.words)}" if place.words else ""
        here = "; and ".join(seen)
        before = "; and ".join([*seen, not_yet] if not_yet else seen)
        for word, text in place.words.items():
            lines.append(f"complete -c fuzzyrand -f -n '{before}' -a {word} -d {_quoted(text)}")
        for option in place.options:
            where = f" -n '{here or before}'"
            names = " ".join(
                f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
                for flag in option.flags
            )
            value = " -r" if option.takes_value else ""
            if option.values:
                value = f" -x -a '{' '.join(option.values)}'"
            lines.append(f"complete -c fuzzyrand{where} {names}{value} -d {_quoted(option.text)}")
    return "\n".join(lines)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
