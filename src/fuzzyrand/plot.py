"""Pictures, with Matplotlib (``pip install "fuzzyrand[plot]"``). Functions return the axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .atoms import Atoms
from .errors import MissingExtraError

if TYPE_CHECKING:
    from .check import ModelCheck

#: Dark blue and light orange: apart in colour, in greyscale and for the colour-blind.
OBSERVED, MODEL = "#1b4f8a", "#f0a13a"
BINS = 50


def laws(check: ModelCheck, ax: Any = None) -> Any:
    """Draw the agreements of pairs as observed and under the model.

    Parameters
    ----------
    check : ModelCheck
        From :func:`check_model`.
    ax : Matplotlib axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    Matplotlib axes
    """
    axes = _axes(ax)
    edges = np.linspace(0.0, 1.0, BINS + 1)
    observed, modelled = (_shares(atoms, edges) for atoms in check.atoms)
    axes.stairs(observed, edges, fill=True, color=OBSERVED, alpha=0.85, label="observed")
    axes.stairs(modelled, edges, color="black", linewidth=3.0)
    axes.stairs(modelled, edges, color=MODEL, linewidth=1.8, label=f"model {check.model}")
    axes.set_xlim(0.0, 1.0)
    axes.set_ylim(bottom=0.0)
    axes.set_xlabel(f"agreement of two points ({check.index})")
    axes.set_ylabel(f"share of pairs, in steps of {1 / BINS:g}")
    axes.set_title(f"{check.model}: distance {check.distance:.3f}", loc="left")
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def _shares(atoms: Atoms, edges: Any) -> Any:
    shares, _ = np.histogram(np.clip(atoms.values, 0.0, 1.0), edges, weights=atoms.weights)
    return shares


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise MissingExtraError('plots need Matplotlib: pip install "fuzzyrand[plot]".') from None
    return plt.subplots(figsize=(6.4, 4.0), layout="constrained")[1]
