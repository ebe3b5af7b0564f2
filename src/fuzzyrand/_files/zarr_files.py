"""Open Zarr arrays, after a look at how their chunks are encoded."""

from __future__ import annotations

import json
import math
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from .._base.errors import InputError, MissingExtraError
from .damage import explain_damage
from .limits import MOST, in_words
from .numpy_files import PICKLE

#: Files that describe an array: of the second version of the format, and of the third.
METADATA = (".zarray", "zarr.json")
#: Most bytes in such a file.
LONGEST = 10**6


def open_zarr(path: str) -> Any:
    """Open a Zarr array for reading, or say why this is not possible."""
    refuse_pickles(path)
    try:
        import zarr  # Deferred: an extra.
    except ImportError as error:
        raise MissingExtraError(
            "{source} is a Zarr array, and reading it needs zarr 3 or newer: "
            'pip install "zarr>=3" ({reason}).',
            source=path,
            reason=str(error),
        ) from None
    with explain_zarr_damage(path):
        array = zarr.open_array(path, mode="r")
        chunk = math.prod(array.chunks) * array.dtype.itemsize
    if chunk > MOST:
        raise InputError(
            "{source} has chunks of {size}, which are too large to be read one at a time; store it "
            "in smaller ones.",
            source=path,
            size=in_words(chunk),
        )
    return array


def explain_zarr_damage(path: str) -> AbstractContextManager[None]:
    """Explain whatever Zarr finds wrong with an array."""
    template = "{source} is not a Zarr array, or is damaged: {reason}."
    return explain_damage(template, memory=True, source=path)


def refuse_pickles(path: str) -> None:
    """Refuse an array whose chunks are pickles, which old versions of Zarr open."""
    found = False
    for name in METADATA:
        file = Path(path) / name
        if not file.is_file():
            continue
        found = True
        with explain_zarr_damage(path), file.open("rb") as opened:
            pickled = _names_pickle(json.loads(opened.read(LONGEST)))
        if pickled:
            raise InputError("{source} " + PICKLE.partition(" Save")[0], source=path)
    if not found:
        raise InputError(
            "{source} is not a Zarr array: it has neither {v2} nor {v3}.",
            source=path,
            v2=METADATA[0],
            v3=METADATA[1],
        )


def _names_pickle(described: Any) -> bool:
    """Return whether a codec, however deep, is one of pickles; attributes are of the user."""
    if isinstance(described, list):
        return any(map(_names_pickle, described))
    if not isinstance(described, dict):
        return False
    codec = (described.get("id"), described.get("name"))
    if any(isinstance(name, str) and "pickle" in name.lower() for name in codec):
        return True
    return any(_names_pickle(part) for key, part in described.items() if key != "attributes")
