"""Messages that both the library and the command line print.

A message is a template and its fields. Fields that name an option or a function are objects, so a
``Voice`` can write ``normalize=True`` for users of Python and ``--normalize`` for users of the
command line. There is no need to search a finished text for options.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: Marks an option that is mentioned without a value.
ANY = object()
#: Options that Python users set in an ``Effort``.
OF_EFFORT = ("pairs", "max_draws", "n_threads", "exact_work", "budget")


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
    """Position of a fault in the data.

    Attributes
    ----------
    source : str
        Name of the data, as in "first clustering".
    row, column : int, optional
        Position, counted from 0.
    title : str
        Name of the column, if it has one.
    unit : str
        Word for a row: "row" of memberships, or "point" with a label.
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

    def counted_from_one(self) -> str:
        """Return the position for readers of files, whose lines and columns are counted from 1."""
        if self.row is None:
            return str(self)
        column = "" if self.column is None else f", column {self.title or self.column + 1}"
        return f"{self.unit} {self.row + 1}{column} (counted from 1) of the {self.source}"


class Voice:
    """A way of writing options and functions in messages; the base class writes Python."""

    def option(self, option: Option) -> str:
        """Write an option, with its value if it has one."""
        if option.value is ANY:
            return option.name
        written = f"{option.name}={option.value!r}"
        return f"effort=Effort({written})" if option.name in OF_EFFORT else written

    def call(self, call: Call) -> str:
        """Write a function."""
        return f"{call.name}()"

    def place(self, place: Place) -> str:
        """Write a position in the data."""
        return str(place)

    def say(self, template: str, fields: Mapping[str, Any]) -> str:
        """Fill in a template; without fields, the template is plain text, including its braces."""
        if not fields:
            return template
        return template.format_map({name: self._written(field) for name, field in fields.items()})

    def _written(self, field: Any) -> Any:
        if isinstance(field, Option):
            return self.option(field)
        if isinstance(field, Call):
            return self.call(field)
        if isinstance(field, Sentence):
            return field.text(self)
        return self.place(field) if isinstance(field, Place) else field


PYTHON = Voice()


def capitalised(text: str) -> str:
    """Return a text whose first letter is a capital, as at the beginning of a sentence."""
    return f"{text[:1].upper()}{text[1:]}"


@dataclass(frozen=True)
class Sentence:
    """A template with its fields; ``str`` writes it for users of Python.

    A field can be a sentence, too: advice that is replaced where it does not apply.

    Attributes
    ----------
    template : str
        The text, with the names of fields in braces.
    fields : mapping
        Values of the fields.
    weight : float
        How serious the matter is, among sentences with the same template.
    kind : str
        What the sentence is about, where that matters to those who pass it on.
    """

    template: str
    fields: Mapping[str, Any]
    weight: float = 0.0
    kind: str = ""

    @classmethod
    def of(cls, template: str, *, weight: float = 0.0, **fields: Any) -> Sentence:
        """Make a sentence from keywords."""
        return cls(template, fields, weight)

    def text(self, voice: Voice = PYTHON) -> str:
        """Return the sentence, with options and functions written in the given voice."""
        return voice.say(self.template, self.fields)

    def __str__(self) -> str:
        return self.text()
