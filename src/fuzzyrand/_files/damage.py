"""Errors about files that are damaged, or not what their names say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from .._base.errors import InputError


@contextmanager
def explain_damage(template: str, *, memory: bool = False, **fields: Any) -> Iterator[None]:
    """Refuse a file in which anything is found wrong while a block runs.

    Parameters
    ----------
    template : str
        The message, with ``{reason}`` for what was found.
    memory : bool
        Whether this includes a lack of memory, as for libraries that reserve what a file claims.
    **fields
        Other fields of the message.
    """
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        if isinstance(error, MemoryError) and not memory:
            raise
        reason = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
        raise InputError(template, reason=reason, **fields) from error


def explain_other_kind(source: str, kind: str) -> AbstractContextManager[None]:
    """Refuse a file in which the library of its kind finds anything wrong."""
    article = "an" if kind[0] in "AEIOU" else "a"
    template = f"{{source}} is not {article} {kind} file, or is damaged: {{reason}}."
    return explain_damage(template, memory=True, source=source)
