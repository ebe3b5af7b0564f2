"""Pages that commands write to files: reports, and pages that can be explored."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
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
    arguments: argparse.Namespace, result: Any, readings: Sequence[Reading], **more: Any
) -> None:
    """Write the page to explore, if it was asked for; ``more`` is as in :func:`write_report`."""
    if arguments.interactive:
        from ..report.dispatch import interactive_page_of  # Deferred: only this option needs it.

        xy = next((reading.xy for reading in readings if reading.xy is not None), None)
        page = interactive_page_of(result, xy=xy, command=arguments.command_line, **more)
        _save(arguments.interactive, page)


def write_report(arguments: argparse.Namespace, result: Any, **more: Any) -> None:
    """Write the report, if it was asked for.

    Parameters
    ----------
    arguments : argparse.Namespace
        The command line.
    result
        The result.
    **more
        What else the page of such a result takes, such as the names of the clusterings.
    """
    if arguments.html:
        from ..report.dispatch import page_of  # Deferred: only this option needs it.

        _save(arguments.html, page_of(result, command=arguments.command_line, **more))


def _save(path: str, page: str) -> None:
    output.save(path, lambda target: target.write_text(page, encoding="utf-8"))
