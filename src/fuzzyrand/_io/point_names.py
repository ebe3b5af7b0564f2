"""Read names of points from a separate file: PLINK's .fam, or one name per line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .._base.errors import InputError
from .opening import called
from .text_decoding import read_decoded
from .text_rows import SPACE, rows_of

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
    text = read_decoded(path, max_size)
    read = list(rows_of(text, SPACE, source, strict=True))
    lines, rows = [line for line, _ in read], [cells for _, cells in read]
    widths = {len(cells) for cells in rows}
    if widths == {FAM_COLUMNS}:
        names = [cells[1] for cells in rows]
        if len(set(names)) < len(names):
            names = [f"{cells[0]} {cells[1]}" for cells in rows]
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
