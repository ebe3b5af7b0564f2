"""The style of all plots: colours that follow the background, titles and legends.

Everything else, such as fonts, is left to the style that Matplotlib is set to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .._base.errors import MissingExtraError
from ._charts import palette as colours
from ._lettering import LINE, SMALL, fold, points_of, room_of, widest


@dataclass(frozen=True)
class Ground:
    """The colours that depend on the background.

    Attributes
    ----------
    dark : bool
        Whether text is light, as it is on a dark background.
    ink : color
        Colour of text, and of lines that must be seen.
    paper : color
        The background, or white or black if it is transparent: the colour of halos around lines, of
        gaps between bars, and of nothing in heat maps.
    faint : str
        Grey of lines that only guide the eye, and of what belongs to no cluster.
    observed, model : str
        Blue and orange, which can also be distinguished in greyscale and by the colour-blind.
    scores : tuple of str
        Colours from the lowest score to the highest.
    """

    dark: bool
    ink: Any
    paper: Any
    faint: str
    observed: str
    model: str
    scores: tuple[str, ...]


def ground() -> Ground:
    """Return the colours for the style that Matplotlib is set to.

    The colour of text shows whether the background is dark; the background itself may be
    transparent.
    """
    from matplotlib import rcParams  # Deferred: an extra.
    from matplotlib.colors import to_rgb

    ink, paper = rcParams["text.color"], rcParams["axes.facecolor"]
    red, green, blue = to_rgb(ink)
    dark = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5
    if paper == "none":
        paper = "black" if dark else "white"
    if dark:
        known = colours.OBSERVED_ON_DARK, colours.CHANCE_ON_DARK, colours.SCORES_ON_DARK
        return Ground(True, ink, paper, "0.6", *known)
    return Ground(False, ink, paper, "0.4", colours.OBSERVED, colours.CHANCE, colours.SCORES)


def palette(count: int) -> list[str]:
    """Return colours for clusters on the background that Matplotlib is set to."""
    return colours.palette(count, dark=ground().dark)


def colour_map(*through: str) -> Any:
    """Return a continuous scale through the given colours."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("fuzzyrand", through)


def new_axes(ax: Any = None, size: tuple[float, float] = (6.4, 4.0)) -> Any:
    """Return the given axes, or those of a new figure with a size in inches."""
    return new_grid(1, 1, size)[0, 0] if ax is None else ax


def new_grid(rows: int, columns: int, size: tuple[float, float]) -> Any:
    """Return an array of the axes of a new figure."""
    try:
        import matplotlib.pyplot as plt  # Deferred: an extra.
    except ImportError:
        raise MissingExtraError('plots need Matplotlib: pip install "fuzzyrand[plot]".') from None
    return plt.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)[1]


def hide(axes: Any, *spines: str) -> None:
    """Hide lines around the axes."""
    axes.spines[list(spines)].set_visible(False)


def colour_bar(axes: Any, image: Any, label: str) -> Any:
    """Draw the colour bar of a heat map, with thin grey lines around both."""
    bar = axes.figure.colorbar(image, ax=axes, shrink=0.8)
    bar.set_label(label)
    for line in (bar.outline, *axes.spines.values()):
        line.set_edgecolor(ground().faint)
        line.set_linewidth(0.5)
    return bar


def label_below(axes: Any, text: str, size: str | float | None = None) -> None:
    """Write below the horizontal axis what it shows, in lines that are as wide as the axes."""
    axes.set_xlabel(fold(text, room_of(axes)[0], size), fontsize=size)


def legend_rows(axes: Any, handles: Sequence[Any]) -> int:
    """Return the number of rows of a legend that is as wide as the axes."""
    entry = widest([handle.get_label() for handle in handles], SMALL) + 3.4 * points_of(SMALL)
    columns = max(1, int(0.95 * room_of(axes)[0] / entry))
    return -(-len(handles) // columns)


def head(axes: Any, title: str, handles: Sequence[Any] = ()) -> None:
    """Write a title, on the left, and a legend between it and the axes.

    The legend has as many columns as there is room for.
    """
    room = 0.95 * room_of(axes)[0]
    pad = 6.0
    if handles:
        rows = legend_rows(axes, handles)
        columns = -(-len(handles) // rows)
        legend = axes.legend(
            handles=handles, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=columns,
            frameon=False, fontsize=SMALL, borderpad=0.0, borderaxespad=0.4, handlelength=1.6,
            columnspacing=1.2, handletextpad=0.6, labelspacing=0.3,
        )  # fmt: skip
        # The title above keeps the room; the legend itself must not push the axes aside.
        legend.set_in_layout(False)
        pad += rows * LINE * points_of(SMALL) + 2.0
        if not title:  # A space keeps the room as well, and is in line with the legend.
            title, pad = " ", max(pad - 1.2 * points_of("large"), 0.0)
    axes.set_title(fold(title, room), loc="left", pad=pad)
