"""Figures for the documentation: twice as large as they are shown, on light and on dark pages.

``name.png`` is for light pages. ``name-dark.png`` beside it is transparent, and shown instead on
dark ones; ``docs/_extensions/dark_figures.py`` puts it there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("agg")

import matplotlib.pyplot as plt

DPI = 200
#: Text, lines and halos on dark pages.
INK, PAPER = "#ced6dd", "#14181e"
STYLES: dict[str, Any] = {
    "": "default",
    "-dark": [
        "dark_background",
        {
            **dict.fromkeys(
                ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"),
                INK,
            ),
            "figure.facecolor": PAPER,
            "axes.facecolor": PAPER,
            "savefig.facecolor": "none",
        },
    ],
}


def save_both(path: Path, draw: Callable[[], Any]) -> None:
    """Draw a figure in both styles, and write both files.

    Parameters
    ----------
    path : Path
        The file for light pages.
    draw : function
        Draws on a new figure, and returns the figure or axes in it.
    """
    for target in both_styles(path):
        drawn = draw()
        getattr(drawn, "figure", drawn).savefig(target, dpi=DPI)
        plt.close("all")


def both_styles(path: Path) -> Iterator[Path]:
    """Yield the file for light and the one for dark pages, each with its style in use."""
    for suffix, style in STYLES.items():
        with plt.style.context(style, after_reset=True):
            yield path.with_stem(path.stem + suffix)


def ink() -> Any:
    """Return the colour of text in the style in use."""
    return plt.rcParams["text.color"]
