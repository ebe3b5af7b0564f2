"""Pictures that commands write to files, with Matplotlib but without a display."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .._base.errors import MissingExtraError
from .._base.wording import Option
from . import output

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def add_plot(group: Any, what: str) -> None:
    """Add the option that draws something into a file."""
    group.add_argument(
        "--plot",
        metavar="PICTURE",
        help=f"also draw {what}, into a file that ends in {', '.join(output.PICTURES)}",
    )


@contextmanager
def figure_in_file(path: str, size: tuple[float, float]) -> Iterator[Figure]:
    """Give a figure to draw on, and then write it completely or not at all.

    It is made without pyplot, because a picture in a file needs no display and no state.
    """
    try:
        # Deferred: an extra, and only for pictures.
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError(
            '{parameter} needs Matplotlib: pip install "fuzzyrand[plot]".',
            parameter=Option("plot"),
        ) from None
    figure = Figure(figsize=size, layout="constrained")
    yield figure
    output.save(path, lambda aside: figure.savefig(aside, dpi=200))
