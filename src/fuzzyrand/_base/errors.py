"""Errors that fuzzyrand raises on purpose: every one is a ValueError written for people.

An error keeps its template and its fields, and makes its sentence from them when it is told. The
command line catches the same error, puts a line of a file in the place of a row of an array, and
tells it with options of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, Self

from .wording import PYTHON, Option, Place, Voice


class FuzzyRandError(ValueError):
    """Base of every error that fuzzyrand raises on purpose.

    Parameters
    ----------
    template : str
        The sentence, with the names of fields in braces. Without fields it is taken as it is.
    **fields
        What the sentence speaks of. ``place`` (a :class:`Place`) says where in the data it
        happened, ``parameter`` (an :class:`Option`) which argument is to blame, ``value`` what was
        found.

    Attributes
    ----------
    source : str or None
        What the data are called.
    row, column : int or None
        Where in them, counted from 0.
    parameter : str or None
        The name of the argument.
    value : object
        The value that was refused, or None.
    """

    def __init__(self, template: str, **fields: Any) -> None:
        super().__init__(PYTHON.say(template, fields))
        self.template = template
        self.fields: Mapping[str, Any] = fields

    def told(self, voice: Voice = PYTHON) -> str:
        """Return the sentence in a voice."""
        return voice.say(self.template, self.fields)

    def __str__(self) -> str:
        return self.told()

    def retold(self, before: str = "", after: str = "", **fields: Any) -> Self:
        """Return the same error with other fields, and with words before or after it.

        The words may name fields in braces, too.
        """
        if not (self.fields or fields):
            return type(self)(f"{before}{self.template}{after}")
        template = self.template if self.fields else _escaped(self.template)
        return type(self)(f"{before}{template}{after}", **{**self.fields, **fields})

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (type(self), self.template, dict(self.fields))

    @property
    def place(self) -> Place | None:
        """Where in the data, or None."""
        place = self.fields.get("place")
        return place if isinstance(place, Place) else None

    @property
    def source(self) -> str | None:
        """What the data are called, or None."""
        return None if self.place is None else self.place.source

    @property
    def row(self) -> int | None:
        """Row of the data, counted from 0, or None."""
        return None if self.place is None else self.place.row

    @property
    def column(self) -> int | None:
        """Column of the data, counted from 0, or None."""
        return None if self.place is None else self.place.column

    @property
    def parameter(self) -> str | None:
        """Name of the argument that was refused, or None."""
        parameter = self.fields.get("parameter")
        return parameter.name if isinstance(parameter, Option) else None

    @property
    def value(self) -> Any:
        """The value that was refused, or None."""
        return self.fields.get("value")


def _remade(kind: type[FuzzyRandError], template: str, fields: dict[str, Any]) -> FuzzyRandError:
    return kind(template, **fields)


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


class InputError(FuzzyRandError):
    """A clustering that cannot be read, or two that cannot be compared."""


class ParameterError(FuzzyRandError):
    """An option whose value makes no sense."""


class UnknownNameError(ParameterError):
    """An index, model or option value that does not exist."""


class NotApplicableError(FuzzyRandError):
    """A random model or index that makes no sense for this clustering."""


class MissingExtraError(FuzzyRandError, ImportError):
    """An optional dependency that is not installed."""


class SampledPairsWarning(UserWarning):
    """A plain number that is less exact than it looks: sampled, or stopped at a limit."""


def unknown_name(
    what: str, given: object, valid: Iterable[str], parameter: str | None = None
) -> UnknownNameError:
    """Return an error that lists the names there are, and the nearest one.

    Parameters
    ----------
    what : str
        What the name was meant for, as in "model".
    given : object
        The name that is not known.
    valid : iterable of str
        The names that are.
    parameter : str, optional
        The argument it was given to; by default ``what``.
    """
    names = list(valid)
    near = get_close_matches(str(given).lower(), [n.lower() for n in names], n=2, cutoff=0.5)
    hint = f" Did you mean {' or '.join(repr(n) for n in near)}?" if near else ""
    return UnknownNameError(
        "unknown {what} {value!r}.{hint} Valid: {listed}.",
        what=what,
        value=given,
        hint=hint,
        listed=", ".join(repr(n) for n in names),
        parameter=Option(parameter or what),
    )
