"""What fuzzyrand refuses, and how it says so: every error is a ValueError written for people."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class FuzzyRandError(ValueError):
    """Base of every error that fuzzyrand raises on purpose."""


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
    """A plain number was asked for, and it is less exact than it looks: sampled, or cut short."""


def unknown_name(what: str, given: object, valid: Iterable[str]) -> UnknownNameError:
    """Say which names exist, nearest first when one looks like a slip of the pen."""
    names = list(valid)
    near = get_close_matches(str(given).lower(), [n.lower() for n in names], n=2, cutoff=0.5)
    hint = f" Did you mean {' or '.join(repr(n) for n in near)}?" if near else ""
    listed = ", ".join(repr(n) for n in names)
    return UnknownNameError(f"unknown {what} {given!r}.{hint} Valid: {listed}.")
