"""Results as Parquet and as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any


def write_parquet(path: Path, columns: Mapping[str, Any]) -> None:
    """Write columns of equal length to a Parquet file; equal columns give equal bytes."""
    from pyarrow import parquet, table

    parquet.write_table(table(dict(columns)), path, compression="zstd")


def markdown_table(
    header: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: bool = True
) -> str:
    """Return a Markdown table, with columns after the first aligned right if ``numbers``.

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
    """Format a number, with a typographic minus sign and without minus zero.

    >>> number(-0.0001), number(-0.25), number(2.0, 1)
    ('0.000', '−0.250', '2.0')
    """
    text = f"{value:.{digits}f}"
    if float(text) == 0.0:
        text = text.lstrip("-")
    return text.replace("-", "−")


def level(value: float) -> str:
    """Format a level of a factor as briefly as possible.

    >>> level(8192), level(0.2), level(1.0)
    ('8192', '0.2', '1')
    """
    return f"{value:g}"


def page(name: str, **parts: str) -> str:
    """Return the page of a study, with its placeholders filled in."""
    return (files(__package__) / "pages" / f"{name}.md").read_text("utf-8").format(**parts)
