"""Read names or groups of points from a separate file: PLINK's .fam, or one per line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .._base.errors import InputError
from .opening import called
from .text_decoding import read_decoded
from .text_rows import SPACE, split_rows

#: Family, individual, father, mother, sex, phenotype.
FAM_COLUMNS = 6


@dataclass(frozen=True)
class PointNames:
    """Names of the points of a file.

    Attributes
    ----------
    source : str
        Name of the file with the names in messages.
    names : sequence of str
        The names in the order of the points, all different.
    """

    source: str
    names: Sequence[str]


def read_names(path: str, max_size: int | None = None) -> PointNames:
    """Read the individual ids of a .fam file, or one name per line.

    If individuals of different families have the same id, names consist of family and id.
    """
    source = called(path)
    lines, rows, widths = _read_rows(path, max_size)
    if widths == {FAM_COLUMNS}:
        names = _individuals(rows)
    elif widths == {1}:
        names = [cells[0] for cells in rows]
    else:
        ending = " .fam" if Path(path).suffix.lower() == ".fam" else ""
        raise InputError(
            "{source} cannot be read as names of points; expected a PLINK .fam file, which has "
            "six columns, or one name per line.{widths}",
            source=source,
            widths=f" This{ending} file has {_listed(widths)} columns." if rows else "",
        )
    _refuse_repeated(names, lines, source)
    return PointNames(source, tuple(names))


@dataclass(frozen=True)
class PointGroups:
    """Groups of the points of a file, such as their populations.

    Attributes
    ----------
    source : str
        Name of the file in messages.
    groups : tuple of str
        The group of each point.
    names : tuple of str or None
        Names of the points, if the file has them.
    """

    source: str
    groups: tuple[str, ...]
    names: tuple[str, ...] | None

    def of_points(self, ids: Sequence[object] | None, n: int) -> list[str]:
        """Return the group of each of n points: by their ids if both have them, else by order."""
        if ids is not None and self.names is not None:
            known = dict(zip(self.names, self.groups, strict=True))
            keys = [str(key) for key in ids]
            lacking = next((key for key in keys if key not in known), None)
            if lacking is None:
                return [known[key] for key in keys]
            if not all(key.isdecimal() for key in keys):  # row numbers are no names
                raise InputError(
                    "{source} has no group for the point {value!r}.",
                    source=self.source,
                    value=lacking,
                )
        if len(self.groups) != n:
            raise InputError(
                "{source} has groups of {m:,} points, but there are {n:,}; give one for each.",
                source=self.source,
                m=len(self.groups),
                n=n,
            )
        return list(self.groups)


def read_groups(path: str, max_size: int | None = None) -> PointGroups:
    """Read the populations of a .fam file, its first column; or a group, or name and group, a line.

    A .fam file in which no two individuals have the same population is refused.
    """
    source = called(path)
    lines, rows, widths = _read_rows(path, max_size)
    if widths == {FAM_COLUMNS}:
        groups = tuple(cells[0] for cells in rows)
        if len(rows) > 1 and len(set(groups)) == len(groups):
            raise InputError(
                "{source} has another family for each individual, so it does not tell "
                "populations. Give a file with one population a line, in the order of the "
                "individuals.",
                source=source,
            )
        names = _individuals(rows)
        _refuse_repeated(names, lines, source)
        return PointGroups(source, groups, tuple(names))
    if widths == {1}:
        return PointGroups(source, tuple(cells[0] for cells in rows), None)
    if widths == {2}:
        names = [cells[0] for cells in rows]
        return PointGroups(source, tuple(cells[1] for cells in rows), tuple(names))
    raise InputError(
        "{source} cannot be read as groups of points; expected a PLINK .fam file, which has six "
        "columns, or lines with a group, or with a name and a group.{widths}",
        source=source,
        widths=f" This file has {_listed(widths)} columns." if rows else "",
    )


def _read_rows(path: str, max_size: int | None) -> tuple[list[int], list[list[str]], set[int]]:
    """Return the lines of a file on which rows begin, the rows, and their numbers of fields."""
    text = read_decoded(path, max_size)
    read = list(split_rows(text, SPACE, called(path), strict=True))
    rows = [cells for _, cells in read]
    return [line for line, _ in read], rows, {len(cells) for cells in rows}


def _individuals(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the ids in a .fam file, with the families if these do not tell all apart."""
    names = [cells[1] for cells in rows]
    return names if len(set(names)) == len(names) else [f"{row[0]} {row[1]}" for row in rows]


def _refuse_repeated(names: Sequence[str], lines: Sequence[int], source: str) -> None:
    first: dict[str, int] = {}
    for line, name in zip(lines, names, strict=True):
        if name in first:
            raise InputError(
                "line {line} of {source} has the same name as line {other}, {value!r}. Every "
                "point needs its own name.",
                line=line,
                source=source,
                value=name,
                other=first[name],
            )
        first[name] = line


def _listed(widths: set[int]) -> str:
    return " or ".join(str(width) for width in sorted(widths)[:3])
