"""Rendering of templates: escaping, formats of numbers, and the files that a page includes."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from .._base.decimals import decimals
from .._base.errors import MissingExtraError
from .._base.naming import shorten
from .._base.wording import capitalised

if TYPE_CHECKING:
    from jinja2 import Environment


def render(template: str, **values: Any) -> str:
    """Fill in a template of the ``templates`` folder."""
    from .. import __version__

    return environment().get_template(template).render(version=__version__, **values)


@cache
def environment() -> Environment:
    """Return the environment of the templates.

    Everything that a template prints is made printable and then escaped, unless it is markup that
    a template made itself.
    """
    try:
        # Deferred: an extra.
        from jinja2 import Environment, PackageLoader, StrictUndefined
        from markupsafe import Markup
    except ImportError:
        raise MissingExtraError('reports need Jinja2: pip install "fuzzyrand[report]".') from None
    jinja = Environment(
        loader=PackageLoader(__package__, "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=printable,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    for written in (number, percent, decimals, shorten, capitalised):
        jinja.filters[written.__name__] = written
    jinja.globals["include_file"] = lambda name: Markup(_own_file(name))
    return jinja


def printable(value: Any) -> Any:
    r"""Replace the characters of a text that an HTML file cannot hold.

    File names that are not UTF-8 arrive as lone surrogates, and a name may hold any control
    character. Numbers and markup stay as they are.

    Examples
    --------
    >>> printable("a\tb\x00c")
    'a b�c'
    """
    if isinstance(value, int | float) or hasattr(value, "__html__"):
        return value
    text = str(value)
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c == "\n" else " " if c.isspace() else "\ufffd" for c in text
    )


def number(value: float, decimals: int = 4) -> str:
    """Format with a fixed number of decimals, and never as minus zero.

    Examples
    --------
    >>> number(-0.00001), number(0.12345, 2)
    ('0.0000', '0.12')
    """
    return f"{value:z.{decimals}f}"


def percent(share: float) -> str:
    """Format a share as a percentage; 0% and 100% stand for exactly these.

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


def _own_file(name: str) -> str:
    """Read a style sheet or a script of the reports."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
