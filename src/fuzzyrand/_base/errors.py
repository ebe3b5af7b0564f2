"""Errors that fuzzyrand raises on purpose; each is a ValueError.

An error stores a template and its fields, and builds its message from them when it is printed. The
command line catches the same error, replaces the row of an array with the line of a file, and
writes the message with its own options.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, Self

from .wording import PYTHON, Option, Place, Voice


class FuzzyRandError(ValueError):
    """Base class of all errors that fuzzyrand raises on purpose.

    It derives from :class:`ValueError`. Catch it to handle every such error.

    Parameters
    ----------
    template : str
        The message, with the names of fields in braces. Without fields, it is used unchanged.
    **fields
        Values of the fields. ``place`` (a ``Place``) is the position in the data,
        ``parameter`` (an ``Option``) the argument that was refused, and ``value`` its value.

    Attributes
    ----------
    source : str or None
        Name of the data, as in "first clustering".
    row, column : int or None
        Position in the data, counted from 0.
    parameter : str or None
        Name of the argument.
    value : object
        The value that was refused, or None.

    See Also
    --------
    InputError, ParameterError, UnknownNameError, NotApplicableError, MissingExtraError

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> try:
    ...     fr.similarity([0, 0, 1], [0, 1, 1], effort=fr.Effort(pairs=10))
    ... except fr.FuzzyRandError as error:
    ...     print(type(error).__name__, error.parameter, error.value)
    ParameterError pairs 10
    """

    def __init__(self, template: str, **fields: Any) -> None:
        super().__init__(PYTHON.say(template, fields))
        self.template = template
        self.fields: Mapping[str, Any] = fields

    def text(self, voice: Voice = PYTHON) -> str:
        """Return the message, with options and functions written in the given voice."""
        return voice.say(self.template, self.fields)

    def __str__(self) -> str:
        return self.text()

    def extended(self, before: str = "", after: str = "", **fields: Any) -> Self:
        """Return the same error with changed fields, and with text before or after the message.

        Parameters
        ----------
        before, after : str
            Text to add; it may contain names of fields in braces.
        **fields
            Fields to add or to replace.
        """
        if not (self.fields or fields):
            return type(self)(f"{before}{self.template}{after}")
        template = self.template if self.fields else _escaped(self.template)
        return type(self)(f"{before}{template}{after}", **{**self.fields, **fields})

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (type(self), self.template, dict(self.fields))

    @property
    def place(self) -> Place | None:
        """Position in the data, or None."""
        place = self.fields.get("place")
        return place if isinstance(place, Place) else None

    @property
    def source(self) -> str | None:
        """Name of the data, or None."""
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
    """A clustering cannot be read, or two clusterings cannot be compared.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> fr.similarity([0, 0, 1], [0, 1])
    Traceback (most recent call last):
    ...
    fuzzyrand.InputError: the first clustering has 3 points and ...
    """


class ParameterError(FuzzyRandError):
    """An argument has a value that is not allowed.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> fr.similarity([0, 0, 1], [0, 1, 1], tol=-1)
    Traceback (most recent call last):
    ...
    fuzzyrand.ParameterError: tol must be positive, got -1.
    """


class UnknownNameError(ParameterError):
    """A name of an index, a model or an option value does not exist.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> fr.compare([0, 0, 1], [0, 1, 1], model="fitt")
    Traceback (most recent call last):
    ...
    fuzzyrand.UnknownNameError: unknown model 'fitt'. Did you mean 'fit'...
    """


class NotApplicableError(FuzzyRandError):
    """A random model or an index is not defined for the given clustering.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> fr.compare([[0.9, 0.1], [0.2, 0.8]], [0, 1], model="cat")
    Traceback (most recent call last):
    ...
    fuzzyrand.NotApplicableError: the model 'cat' draws hard clusterings and ...
    """


class NoValueError(NotApplicableError):
    """The adjusted index of these clusterings has no value under this model."""


class MissingExtraError(FuzzyRandError, ImportError):
    """An optional dependency is not installed; the message says how to install it."""


class SampledPairsWarning(UserWarning):
    """A number was sampled, or its sampling stopped before the requested accuracy.

    :func:`similarity`, :func:`expected_similarity` and :func:`adjusted_similarity` return a plain
    number and issue this warning where that number has a Monte Carlo error that the caller might
    not expect. :func:`compare` returns the error with the value and does not warn.

    Examples
    --------
    >>> import warnings
    >>> import numpy as np
    >>> import fuzzyrand as fr
    >>> rng = np.random.default_rng(0)
    >>> a, b = rng.dirichlet([1, 1, 1], (2, 100))
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     value = fr.similarity(a, b, effort=fr.Effort(pairs=1000))
    >>> caught[0].category.__name__
    'SampledPairsWarning'
    """


class MisfitWarning(UserWarning):
    """The random model does not describe the clusterings that it stands in for.

    :func:`expected_similarity` and :func:`adjusted_similarity` return a plain number and issue this
    warning where a fitted model, such as ``fit``, is so unlike the memberships that the number
    should not be quoted. It says what the number is under ``perm``. :func:`compare` has a note
    instead.

    Examples
    --------
    >>> import warnings
    >>> import numpy as np
    >>> import fuzzyrand as fr
    >>> rng = np.random.default_rng(0)
    >>> half_hard = np.vstack([np.eye(3)[rng.integers(3, size=99)], rng.dirichlet([9, 9, 9], 99)])
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     value = fr.adjusted_similarity(half_hard, rng.permutation(half_hard), model="fit")
    >>> caught[0].category.__name__
    'MisfitWarning'
    """


# Tracebacks then show the public names that users catch, not the modules that define them.
for _public in (
    FuzzyRandError,
    InputError,
    ParameterError,
    UnknownNameError,
    NotApplicableError,
    MissingExtraError,
    MisfitWarning,
    SampledPairsWarning,
):
    _public.__module__ = "fuzzyrand"


def unknown_name(
    what: str, given: object, valid: Iterable[str], parameter: str | None = None
) -> UnknownNameError:
    """Return an error that lists the valid names and suggests the closest one.

    Parameters
    ----------
    what : str
        Kind of thing that was named, as in "model".
    given : object
        The name that does not exist.
    valid : iterable of str
        The valid names.
    parameter : str, optional
        The argument that was given the name; by default ``what``.

    Returns
    -------
    UnknownNameError
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
