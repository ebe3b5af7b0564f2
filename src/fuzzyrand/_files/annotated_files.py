"""Read the annotations of points in .h5ad files of AnnData, without the data themselves."""

from __future__ import annotations

from typing import Any, BinaryIO

import numpy as np

from .._base.errors import InputError, MissingExtraError
from .damage import explain_other_kind
from .file_table import Array, FileTable, is_numeric
from .limits import WORD, Room, in_words

#: What messages and readings call such a file.
KIND = "AnnData"


def read_annotated(file: BinaryIO, source: str, wanted: frozenset[str], room: Room) -> FileTable:
    """Read the columns of ``obs``, and those tables of ``obsm`` that are wanted, as columns.

    A table of memberships is a group of columns with its name. The names of the points come last.
    """
    try:
        # Deferred: no dependency of the package.
        import h5py
        from anndata.io import read_elem
    except ImportError:
        raise MissingExtraError(
            "{source} is an AnnData file, and reading it needs anndata 0.11 or newer: "
            "pip install anndata. Without it, save adata.obs as CSV.",
            source=source,
        ) from None
    with explain_other_kind(source, KIND), h5py.File(file, "r") as opened:
        if "obs" not in opened:
            raise InputError(
                "{source} is an HDF5 file without the annotations of an AnnData file (obs).",
                source=source,
            )
        tables = [key for key in opened.get("obsm", ()) if key in wanted]
        parts = [opened["obs"], *(opened["obsm"][key] for key in tables)]
        needed = sum(map(_size, parts))
        room.require(needed, source, f"has annotations of {in_words(needed)}")
        obs = read_elem(opened["obs"])
        matrices = {key: _matrix(read_elem(opened["obsm"][key])) for key in tables}
        others = [key for key in opened.get("obsm", ()) if key not in wanted]
    names = [str(name) for name in obs.columns]
    columns = [_column(obs[name]) for name in obs.columns]
    groups: dict[str, tuple[int, ...]] = {}
    for key, matrix in matrices.items():
        groups[key] = tuple(range(len(columns), len(columns) + matrix.shape[1]))
        names += [f"{key}:{number}" for number in range(matrix.shape[1])]
        columns += list(matrix.T)
    for key in others:  # may be named, and are then read
        groups.setdefault(key, ())
    index = len(columns)
    names.append("obs_names" if "index" in names else "index")
    columns.append(np.array([str(name) for name in obs.index], dtype=object))
    return FileTable(source, tuple(names), tuple(columns), KIND, groups=groups, index=(index,))


def refuse_unnamed(table: FileTable) -> None:
    """Ask which annotation holds the clustering, since there are usually many."""
    columns = [name for j, name in enumerate(table.names) if j not in table.index]
    within = {j for group in table.groups.values() for j in group}
    labels = [name for j, name in enumerate(columns) if j not in within]
    raise InputError(
        "which annotation of {source} is the clustering? --obs KEY names a column of obs "
        "({columns}) or a table of memberships in obsm ({tables}).",
        source=table.source,
        columns=", ".join(labels[:12]) + ", ..." * (len(labels) > 12) or "none",
        tables=", ".join(table.groups) or "none",
    )


def _size(part: Any) -> int:
    """Return the bytes that a group of datasets takes when it is read."""
    if hasattr(part, "shape"):
        words = part.dtype.kind in "OSU" or part.dtype.hasobject
        return int(part.size) * (WORD if words else max(int(part.dtype.itemsize), 1))
    return sum(_size(part[key]) for key in part)


def _matrix(table: Any) -> Array:
    if hasattr(table, "toarray"):
        return np.asarray(table.toarray())
    return np.asarray(table.to_numpy() if hasattr(table, "to_numpy") else table)


def _column(series: Any) -> Array:
    """Return a column as numbers, or as objects that are text; None if a label is missing."""
    values = np.asarray(series.to_numpy())
    if is_numeric(values):
        return values
    missing = np.asarray(series.isna())
    texts = [None if gone else str(value) for value, gone in zip(values, missing, strict=True)]
    return np.array(texts, dtype=object)
