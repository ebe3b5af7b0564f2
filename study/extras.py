"""Optional dependencies of the studies, imported when they are needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import fuzzyrand as fr


def need(*modules: str) -> Any:
    """Import modules of the extra ``study`` and return the first."""
    imported = []
    for name in modules:
        try:
            imported.append(import_module(name))
        except ImportError:
            raise fr.MissingExtraError(
                f"the studies need {name.split('.')[0]}: "
                'pip install "fuzzyrand[files,parallel,plot]"'
            ) from None
    return imported[0]
