"""How the command line writes options and functions of the library."""

from __future__ import annotations

import shlex

from .._base.wording import ANY, Call, Option, Place, Voice

#: Functions whose command has another name, and methods that an option stands for.
COMMANDS = {"check_model": "fuzzyrand check", "to_frame": "--csv"}


class CommandLine(Voice):
    """Voice for users of the command line.

    Examples
    --------
    >>> voice = CommandLine()
    >>> voice.option(Option("normalize", True)), voice.option(Option("model", "perm"))
    ('--normalize', '--model perm')
    >>> voice.option(Option("tol")), voice.option(Option("header", False))
    ('--tol', '--no-header')
    >>> voice.option(Option("id", ""))
    '--id='
    >>> voice.option(Option("id", "cell id"))
    "--id 'cell id'"
    >>> voice.option(Option("points", "common"))
    '--common'
    >>> voice.call(Call("check_model"))
    'fuzzyrand check'
    """

    def option(self, option: Option) -> str:
        """Write an option, with its value if it has one."""
        if (option.name, option.value) == ("points", "common"):
            return "--common"
        name = option.name.replace("_", "-")
        if option.value is ANY or option.value is True:
            return f"--{name}"
        if option.value is False:
            return f"--no-{name}"
        # Some shells drop an empty argument.
        return f"--{name}=" if option.value == "" else f"--{name} {shlex.quote(str(option.value))}"

    def place(self, place: Place) -> str:
        """Write a position; files count lines from 1, and so does all that is said about them."""
        return place.counted_from_one()

    def call(self, call: Call) -> str:
        """Write the command for a function."""
        return COMMANDS.get(call.name, f"fuzzyrand {call.name}")


VOICE = CommandLine()
