"""Pages that can be explored, which commands write to files."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .._base.errors import ParameterError
from .._base.wording import Option
from . import output

if TYPE_CHECKING:
    from .._files.readings import Reading


def add_interactive(group: Any) -> None:
    """Add the options of a page that can be explored."""
    group.add_argument(
        "--interactive",
        metavar="PAGE",
        help="also write a page of linked charts to explore, to this file",
    )
    group.add_argument(
        "--xy",
        metavar="COLUMNS",
        help="with --interactive: two columns with the coordinates of the points on the map, in "
        "any one of the files (two principal components of the memberships)",
    )


def require_interactive(arguments: argparse.Namespace) -> None:
    """Refuse what cannot be done before any work is done: no page, or no library that draws it."""
    if arguments.interactive is None:
        if arguments.xy is not None:
            raise ParameterError(
                "{parameter} is for the map of an interactive page; add {interactive}.",
                parameter=Option("xy", arguments.xy),
                interactive=Option("interactive", "FILE"),
            )
        return
    # Deferred: only this option needs it.
    from ..report.vega import altair, vega_scripts

    altair()
    vega_scripts()


def write_interactive(
    arguments: argparse.Namespace,
    result: Any,
    readings: Iterable[Reading],
    *,
    stdin: bool,
    **names: Any,
) -> None:
    """Write the page, if it was asked for."""
    if not arguments.interactive:
        return
    from ..report.dispatch import interactive_page_of  # Deferred: only this option needs it.

    xy = next((reading.xy for reading in readings if reading.xy is not None), None)
    page = interactive_page_of(result, xy=xy, command=arguments.command_line, stdin=stdin, **names)
    output.save(arguments.interactive, lambda path: path.write_text(page, encoding="utf-8"))
