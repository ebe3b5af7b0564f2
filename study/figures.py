"""Style and files of all figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .store import Store

#: Colour and marker of each model. The colours go from dark to light in this order, so that they
#: can be distinguished in greyscale as well.
STYLES: dict[str, dict[str, Any]] = {
    "perm": {"color": "#000000", "marker": "^"},
    "fit": {"color": "#2c5aa0", "marker": "o"},
    "sym": {"color": "#c8553d", "marker": "s"},
    "flat": {"color": "#d9a521", "marker": "D"},
}

SETTINGS: Any = {
    "font.size": 10.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "svg.fonttype": "path",
    # A fixed salt, so that the same figure gives the same bytes.
    "svg.hashsalt": "fuzzyrand",
}


def canvas(rows: int, columns: int, size: tuple[float, float], **options: Any) -> tuple[Any, Any]:
    """Return a figure and its axes, without a window."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    with rc_context(SETTINGS):
        figure = Figure(figsize=size, layout=ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.08))
        FigureCanvasAgg(figure)
        return figure, figure.subplots(rows, columns, **options)


def save(store: Store, figure: Any, name: str) -> None:
    """Save a figure as ``name.png`` and ``name.svg``."""
    from matplotlib import rc_context

    def png(path: Path) -> None:
        figure.savefig(path, dpi=130, metadata={"Software": None})

    def svg(path: Path) -> None:
        figure.savefig(path, metadata={"Date": None, "Creator": None})

    with rc_context(SETTINGS):
        store.write(f"{name}.png", png)
        store.write(f"{name}.svg", svg)
