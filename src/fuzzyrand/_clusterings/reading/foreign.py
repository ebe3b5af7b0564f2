"""Containers of other libraries: arrays with coordinates, arrays by DLPack, annotated data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from ..._base.errors import InputError, unknown_name
from ..._base.wording import Option

#: Number of keys that a message lists.
LISTED = 12


class Annotated(Protocol):
    """Annotated data, such as AnnData and MuData objects."""

    @property
    def n_obs(self) -> int:
        """Number of points."""

    @property
    def obs(self) -> Any:
        """Table of labels and other annotations of the points."""


def unwrapped(data: Any) -> Any:
    """Return the data of an xarray DataArray as pandas, of a DLPack array as NumPy; else the same.

    A DataArray keeps its coordinates: those of the first dimension are ids of points, those of the
    second are names of clusters.
    """
    if hasattr(data, "dims") and hasattr(data, "coords") and callable(_of(data, "to_pandas")):
        return data.to_pandas() if data.ndim in (1, 2) else data
    if hasattr(data, "__dlpack__") and not hasattr(data, "__array__"):
        try:
            return np.from_dlpack(data)
        except Exception as error:
            raise InputError(
                "the {kind} cannot be read, as it is not in the memory of this computer's "
                "processor: {reason}. Copy it there first, as a NumPy array.",
                kind=type(data).__name__,
                reason=str(error).splitlines()[0].rstrip(".") if str(error) else "no reason given",
            ) from error
    return data


def is_annotated(data: Any) -> bool:
    """Return whether this is an AnnData or MuData object, which has tables of its points."""
    return isinstance(getattr(data, "n_obs", None), int) and hasattr(data, "obs")


def chosen(data: Any, keys: Sequence[str] | None) -> Any:
    """Return clusterings by name: columns of annotations or of a frame, and tables in ``obsm``.

    Without keys, anything but annotated data is returned as it is.
    """
    if isinstance(keys, str):
        keys = [keys]
    if not is_annotated(data):
        return data if keys is None else _columns(data, keys)
    tables: Any = getattr(data, "obsm", {})
    columns, matrices = list(data.obs.columns), list(tables.keys())
    if keys is None:
        raise InputError(
            "name the clusterings of the {kind}: {keys}=[...], with columns of obs ({columns}) "
            "or tables of memberships in obsm ({matrices}).",
            kind=type(data).__name__,
            keys=Option("keys"),
            columns=_listed(columns),
            matrices=_listed(matrices),
        )
    found = {}
    for key in keys:
        if key in columns and key in matrices:
            raise InputError(
                "{key!r} is a column of obs and a table in obsm; pass one of them in a dict, such "
                "as {{{key!r}: adata.obs[{key!r}]}}.",
                key=key,
            )
        if key not in columns and key not in matrices:
            raise unknown_name("key", key, [*columns, *matrices], parameter="keys")
        found[str(key)] = data.obs[key] if key in columns else tables[key]
    return found


def _columns(data: Any, keys: Sequence[str]) -> dict[str, Any]:
    """Return columns of a frame, or members of a dict, by name."""
    names = list(data.columns) if hasattr(data, "columns") else list(getattr(data, "keys", list)())
    if not names:
        raise InputError(
            "{keys} names columns of a frame or of annotated data; got a {kind}.",
            keys=Option("keys"),
            kind=type(data).__name__,
        )
    for key in keys:
        if key not in names:
            raise unknown_name("key", key, [str(name) for name in names], parameter="keys")
    return {str(key): data[key] for key in keys}


def _listed(names: Sequence[Any]) -> str:
    shown = ", ".join(str(name) for name in names[:LISTED])
    return f"{shown}, ..." if len(names) > LISTED else shown or "none"


def _of(data: Any, name: str) -> Any:
    return getattr(data, name, None)
