"""Sentences that are told in more than one place: by the library and by the command line.

A sentence is a template and its fields. Fields that name an option or a function are objects, so
that a ``Voice`` can say ``normalize=True`` to somebody who writes Python and ``--normalize`` to
somebody who types a command. No one ever has to find an option in a finished text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: The value of an option that is spoken of without one.
ANY = object()


@dataclass(frozen=True)
class Option:
    """An option of the library, with a value (``normalize=True``) or without (``tol``)."""

    name: str
    value: Any = ANY


@dataclass(frozen=True)
class Call:
    """A function of the library, by name."""

    name: str


@dataclass(frozen=True)
class Place:
    """Where in the data something is wrong.

    Attributes
    ----------
    source : str
        What the data are called, as in "first clustering".
    row, column : int, optional
        Counted from 0.
    title : str
        What the column is called, if not by its number.
    unit : str
        What a row is called: "row" of memberships, "point" with a label.
    """

    source: str
    row: int | None = None
    column: int | None = None
    title: str = ""
    unit: str = "row"

    def __str__(self) -> str:
        if self.row is None:
            return f"the {self.source}"
        column = "" if self.column is None else f", column {self.title or self.column}"
        return f"{self.unit} {self.row}{column} of the {self.source}"


class Voice:
    """How options and functions are written for somebody who writes Python."""

    def option(self, option: Option) -> str:
        """Write an option, with its value if it has one."""
        return option.name if option.value is ANY else f"{option.name}={option.value!r}"

    def call(self, call: Call) -> str:
        """Write a function."""
        return f"{call.name}()"

    def say(self, template: str, fields: Mapping[str, Any]) -> str:
        """Fill in a template; a template without fields is a plain text, braces and all."""
        if not fields:
            return template
        return template.format_map({name: self._written(each) for name, each in fields.items()})

    def _written(self, field: Any) -> Any:
        if isinstance(field, Option):
            return self.option(field)
        if isinstance(field, Call):
            return self.call(field)
        return str(field) if isinstance(field, Place) else field


PYTHON = Voice()


@dataclass(frozen=True)
class Sentence:
    """A template with its fields; as text, it speaks Python."""

    template: str
    fields: Mapping[str, Any]

    @classmethod
    def of(cls, template: str, **fields: Any) -> Sentence:
        """Make a sentence from keywords."""
        return cls(template, fields)

    def told(self, voice: Voice = PYTHON) -> str:
        """Return the sentence in a voice."""
        return voice.say(self.template, self.fields)

    def __str__(self) -> str:
        return self.told()
