"""Text into HTML: everything that a user may have written goes through ``esc``."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from .._base.naming import shorten

#: Longest name in a picture, and in a sentence or a table; the full one stands elsewhere.
SHORT, LONG = 28, 60
#: The head of a column that on a phone is as narrow as the numbers below it.
STANDARD_ERROR = "stan&shy;dard error"
#: Tables of at most so many rows stay on one sheet of paper.
ONE_SHEET = 25


def esc(text: object) -> str:
    """Escape for text and for quoted attributes; what no file can hold becomes a question mark.

    File names that are not UTF-8 arrive as lone surrogates, and a name may hold any control
    character; neither may stand in an HTML file.

    Examples
    --------
    >>> esc('<b a="1">')
    '&lt;b a=&quot;1&quot;&gt;'
    """
    shown = "".join(
        c if c.isprintable() or c == "\n" else " " if c.isspace() else "\ufffd" for c in str(text)
    )
    return html.escape(shown, quote=True)


def name(text: str, width: int = LONG) -> str:
    """A name as an element of its own, so that its writing direction does not leak.

    Where its middle is left out, pointing at it shows all of it.
    """
    full = f' title="{esc(text)}"' if len(text) > width else ""
    return f"<bdi{full}>{esc(shorten(text, width))}</bdi>"


def full_name(text: str) -> str:
    """The same, however long."""
    return name(text, len(text))


def number(value: float, decimals: int = 4) -> str:
    """With so many decimals, and never as minus zero."""
    return f"{value:z.{decimals}f}"


def percent(share: float) -> str:
    """A share in words: never 0% or 100% for what is not quite.

    Examples
    --------
    >>> percent(0.0004), percent(0.5), percent(0.99999), percent(1)
    ('0.04%', '50%', '>99.9%', '100%')
    """
    if share in (0.0, 1.0) or 0.01 <= share <= 0.99:
        return f"{share:.0%}"
    if share < 0.0001:
        return "<0.01%"
    if share > 0.999:
        return ">99.9%"
    return f"{share:.2%}" if share < 0.001 else f"{share:.1%}"


def section(title: str, *content: str, intro: str = "") -> str:
    """A part of the page under a heading."""
    lead = f"<p>{intro}</p>" if intro else ""
    return f"<section><h2>{title}</h2>{lead}{''.join(content)}</section>"


def table(
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    kinds: Sequence[str],
    caption: str = "",
    style: str = "",
) -> str:
    """A table in a box that scrolls by itself; the first cell of a row is its name.

    ``kinds`` says what columns hold: ``text``, ``num`` or something ``drawn``. Cells are HTML.
    """
    rows = list(rows)
    headings = "".join(
        f'<th scope="col" class="{kind}">{cell}</th>'
        for kind, cell in zip(kinds, head, strict=True)
    )
    body = "".join(
        f'<tr><th scope="row" class="{kinds[0]}">{first}</th>'
        + "".join(
            f'<td class="{kind}">{cell}</td>' for kind, cell in zip(kinds[1:], rest, strict=True)
        )
        + "</tr>\n"
        for first, *rest in rows
    )
    # Outside the box: what explains the table should not scroll away with it. The box takes the
    # focus, so that the arrow keys scroll it.
    told = f"<figcaption>{caption}</figcaption>" if caption else ""
    kind = "table" if len(rows) > ONE_SHEET else "table together"
    return (
        f'<figure class="{kind}">{told}<div class="box" tabindex="0"><table class="{style}">'
        f"<thead><tr>{headings}</tr></thead>\n<tbody>{body}</tbody></table></div></figure>\n"
    )


def bar(share: float, kind: str = "") -> str:
    """A bar of this share of its cell, drawn beside its number; none for nothing."""
    if share <= 0.0:
        return ""
    width = 100.0 * min(share, 1.0)
    return f'<span class="bar {kind}" style="--share:{width:.2f}%"></span>'
