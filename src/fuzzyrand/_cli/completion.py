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

    places = _places(make_parser())
    if arguments.shell == "fish":
        print(_fish(places))
        return
    if arguments.shell == "zsh":
        print("autoload -U +X bashcompinit && bashcompinit")
    print(_bash(places))


@dataclass(frozen=True)
class _Place:
    """What can follow a command, or the program itself, whose command is empty."""

    command: str
    words: dict[str, str]
    options: list[argparse.Action]


def _places(parser: argparse.ArgumentParser) -> list[_Place]:
    # argparse has no public interface for this.
    (commands,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    words = {pseudo.dest: pseudo.help or "" for pseudo in commands._choices_actions}
    places = [_Place("", words, _options(parser))]
    for name, child in commands.choices.items():
        given = (action.choices or () for action in child._actions if not action.option_strings)
        words = {word: "" for choices in given for word in choices}
        places.append(_Place(name, words, _options(child)))
    return places


def _options(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return [action for action in parser._actions if action.option_strings]


def _values(place: _Place, option: argparse.Action) -> tuple[str, ...]:
    """Return the values of an option, those included that only the library knows."""
    if option.dest == "model":
        from ..models import MODELS  # Deferred: NumPy, which --help does not need.

        return (*MODELS, *(("every",) if place.command != "pairwise" else ()))
    if option.dest == "index":
        from ..indices import INDICES  # Deferred: NumPy, which --help does not need.

        return tuple(INDICES)
    if option.dest == "delimiter":
        return input_files.DELIMITERS
    return tuple(option.choices or ())


def _bash(places: list[_Place]) -> str:
    """Return one function; where nothing is known to fit, the shell completes file names."""
    steps = "|".join(f'":{place.command}"' for place in places if place.command)
    values = [
        f'        "{place.command}:{flag}") words="{" ".join(_values(place, option))}" ;;'
        for place in places
        for option in place.options
        if option.nargs != 0
        for flag in option.option_strings
    ]
    words = [f'        "{p.command}") words="{" ".join(p.words)}" ;;' for p in places]
    flags = [f'        "{p.command}") words="{" ".join(_flags(p))}" ;;' for p in places]
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
    return [flag for option in place.options for flag in option.option_strings]


def _fish(places: list[_Place]) -> str:
    lines = []
    for place in places:
        conditions = [f"__fish_seen_subcommand_from {place.command}"] if place.command else []
        here = "; and ".join(conditions)
        if place.words:
            conditions.append(f"not __fish_seen_subcommand_from {' '.join(place.words)}")
        before = "; and ".join(conditions)
        for word, text in place.words.items():
            lines.append(f"complete -c fuzzyrand -f -n '{before}' -a {word} -d {_quoted(text)}")
        for option in place.options:
            where = f" -n '{here or before}'"
            names = " ".join(
                f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
                for flag in option.option_strings
            )
            values = _values(place, option)
            value = f" -x -a '{' '.join(values)}'" if values else " -r" * (option.nargs != 0)
            text = _quoted((option.help or "").partition(";")[0])
            lines.append(f"complete -c fuzzyrand{where} {names}{value} -d {text}")
    return "\n".join(lines)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
