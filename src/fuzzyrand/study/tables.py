"""Results as Parquet and as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any


def write_parquet(path: Path, columns: Mapping[str, Any]) -> None:
    """Columns of equal length as a Parquet file; the same columns give the same bytes."""
    from pyarrow import parquet, table

    parquet.write_table(table(dict(columns)), path, compression="zstd")


def markdown_table(
    header: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: bool = True
) -> str:
    """A Markdown table; what follows the first column is numbers, to the right, or else text.

    >>> print(markdown_table(["model", "mean"], [["fit", "0.31"]]))
    | model | mean |
    |---|---:|
    | fit | 0.31 |
    """
    ruler = ["---", *("---:" if numbers else "---" for _ in header[1:])]
    lines = ["| " + " | ".join(header) + " |", "|" + "|".join(ruler) + "|"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def number(value: float, digits: int = 3) -> str:
    """A number for people, with a true minus sign and no minus zero.

    >>> number(-0.0001), number(-0.25), number(2.0, 1)
    ('0.000', '−0.250', '2.0')
    """
    text = f"{value:.{digits}f}"
    if float(text) == 0.0:
        text = text.lstrip("-")
    return text.replace("-", "−")


def level(value: float) -> str:
    """A level of a factor, as short as it can be.

    >>> level(8192), level(0.2), level(1.0)
    ('8192', '0.2', '1')
    """
    return f"{value:g}"


def page(name: str, **found: str) -> str:
    """The page of a study, with what was found in its places."""
    return (files(__package__) / "pages" / f"{name}.md").read_text("utf-8").format(**found)
