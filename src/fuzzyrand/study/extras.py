"""What the studies need beyond the library, asked for only when needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import fuzzyrand as fr


def need(*modules: str) -> Any:
    """Import modules of the extra ``study`` and return the first."""
    found = []
    for name in modules:
        try:
            found.append(import_module(name))
        except ImportError:
            raise fr.MissingExtraError(
                f'the studies need {name.split(".")[0]}: pip install "fuzzyrand[study]"'
            ) from None
    return found[0]
