"""Colours of plots: those of clusters, and those that follow a light or dark background."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ._charts.palette import palette as colours_of_clusters


@dataclass(frozen=True)
class Ground:
    """The colours that depend on the background.

    Attributes
    ----------
    dark : bool
        Whether text is light, as it is on a dark background.
    ink : color
        Colour of text, and of lines that must be seen.
    paper : str
        White or black: the colour of halos around lines and of gaps between bars.
    faint : str
        Grey of lines that only guide the eye.
    observed, model : str
        Blue and orange, which can also be distinguished in greyscale and by the colour-blind.
    """

    dark: bool
    ink: Any
    paper: str
    faint: str
    observed: str
    model: str


def ground() -> Ground:
    """Return the colours for the style that Matplotlib is set to.

    The colour of text shows whether the background is dark; the background itself may be
    transparent.
    """
    from matplotlib import rcParams  # Deferred: an extra.
    from matplotlib.colors import to_rgb

    ink = rcParams["text.color"]
    red, green, blue = to_rgb(ink)
    if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5:
        return Ground(True, ink, "black", "0.6", "#5aa2e6", "#f0a13a")
    return Ground(False, ink, "white", "0.4", "#1b4f8a", "#f0a13a")


def dashed() -> list[dict[str, Any]]:
    """Return the styles of two lines that together make a dashed line visible on any colour.

    The first, below, is solid and has the colour of the paper; the second is dashed.
    """
    on = ground()
    return [
        {"color": on.paper, "linewidth": 2.2},
        {"color": on.ink, "linewidth": 1.0, "linestyle": "--"},
    ]


def palette(count: int) -> list[str]:
    """Return colours for clusters on the background that Matplotlib is set to."""
    return colours_of_clusters(count, dark=ground().dark)
