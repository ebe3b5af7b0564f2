"""Pictures, with Matplotlib (``pip install "fuzzyrand[plot]"``). Functions return the axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._base.errors import MissingExtraError, NotApplicableError
from ._base.naming import shorten
from ._base.types import FloatArray
from ._distributions.atoms import Atoms
from ._inputs.partition import as_partition
from .results.ordering import similar_first

if TYPE_CHECKING:
    from .results import Comparison, ComparisonTable, ModelCheck, Pairwise

#: Dark blue and light orange: apart in colour, in greyscale and for the colour-blind.
OBSERVED, MODEL = "#1b4f8a", "#f0a13a"
BINS = 50
#: Most rows of a heat map whose cells hold their numbers, and most that have names.
NUMBERED, NAMED = 14, 60
#: Longest name on an axis.
SHORT = 28
#: Corners of the triangle of three clusters: the first on the left, the third on top.
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])


def comparison(table: Comparison | ComparisonTable, ax: Any = None) -> Any:
    """Draw the observed index against what each model expects.

    Each model has a line from its expected index, the 0 of its adjusted scale, to the 1 of it; the
    thick part is what the observed index covers.

    Parameters
    ----------
    table : Comparison or ComparisonTable
        From :func:`compare`.
    ax : Matplotlib axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    Matplotlib axes
    """
    found = list(table) if isinstance(table, Sequence) else [table]
    axes = _axes(ax, (6.4, 1.6 + 0.42 * len(found)))
    observed = found[0].observed
    axes.axvline(observed, color="0.25", linewidth=1.0, linestyle="--", zorder=1)
    for y, c in enumerate(found):
        axes.plot([c.expected, c.maximum], [y, y], color="0.6", linewidth=1.2, zorder=2)
        axes.plot(c.maximum, y, "|", color="0.4", markersize=9, zorder=2)
        colour = OBSERVED if c.adjusted >= 0.0 else MODEL
        axes.plot(
            [c.expected, observed],
            [y, y],
            color=colour,
            linewidth=5.0,
            solid_capstyle="butt",
            zorder=3,
        )
        axes.errorbar(
            c.expected,
            y,
            xerr=1.96 * c.computed["expected_stderr"],
            marker="o",
            markersize=6.5,
            color="black",
            markerfacecolor="white",
            zorder=4,
        )
        # Numbers in a column of their own, to the right of everything.
        where = axes.get_yaxis_transform()
        axes.text(1.02, y, f"{c.adjusted:.3f}", transform=where, va="center")
    axes.text(1.02, -0.75, "adjusted", transform=axes.get_yaxis_transform(), va="center")
    axes.set_yticks(range(len(found)), [_short(c.model) for c in found])
    axes.set_ylim(len(found) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    low = min(observed, *(c.expected for c in found))
    axes.set_xlim(low - 0.06 * (1.0 - low + 0.02), 1.0 + 0.02 * (1.0 - low + 0.02))
    marks = f"expected (circles), observed ({observed:.3f}, dashed), best (end)"
    axes.set_xlabel(f"{_short(found[0].index)}: {marks}")
    axes.spines[["top", "right", "left"]].set_visible(False)
    return axes


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


def pairwise(result: Pairwise, ax: Any = None, order: bool = True) -> Any:
    """Draw the adjusted indices of many clusterings as a heat map.

    Parameters
    ----------
    result : Pairwise
        From :func:`pairwise`.
    ax : Matplotlib axes, optional
        Where to draw; by default a new figure.
    order : bool
        Put similar clusterings side by side; otherwise they keep their order.

    Returns
    -------
    Matplotlib axes
    """
    values, rows, columns = result.adjusted, result.rows, result.columns
    place = similar_first(values) if order else np.arange(len(columns))
    columns = tuple(columns[i] for i in place)
    if len(rows) == len(columns):
        rows, values = columns, values[np.ix_(place, place)]
    else:
        # One row, upright: so names have a line each.
        rows, columns, values = columns, rows, values[:, place].T
    across, down = (1.6 + min(max(0.5 * count, 1.0), 8.0) for count in (len(columns), len(rows)))
    axes = _axes(ax, (across + 1.6, down))
    from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm

    # White is chance. Dark blue and mid orange differ in lightness as well as in colour.
    colours = LinearSegmentedColormap.from_list("chance", [MODEL, "white", OBSERVED])
    norm = TwoSlopeNorm(0.0, -1.0, 1.0)
    image = axes.imshow(values, cmap=colours, norm=norm, aspect="equal")
    size = 9.0 if len(rows) <= 20 else 6.5
    for axis, names in ((axes.xaxis, columns), (axes.yaxis, rows)):
        shown = names if len(names) <= NAMED else ()
        axis.set_ticks(range(len(shown)), [_short(each) for each in shown], fontsize=size)
        axis.set_tick_params(length=0)
    axes.tick_params(axis="x", rotation=90 if len(columns) > 3 else 0)
    if len(rows) <= NUMBERED or len(columns) == 1:
        _write_numbers(axes, values)
    c = result.comparisons[0][0]
    bar = axes.figure.colorbar(image, ax=axes, shrink=0.8)
    bar.set_label(f"adjusted {c.index} under {_short(c.model)}")
    bar.ax.set_ylim(min(0.0, max(-1.0, float(values.min()))), 1.0)
    return axes


def simplex(clustering: Any, ax: Any = None) -> Any:
    """Draw the memberships of every point: a triangle for three clusters, a line for two.

    A corner is a cluster, and a point lies the nearer to it the more it belongs there. Points in
    the same place are one dot whose area is their number.

    Parameters
    ----------
    clustering : label vector or (points, clusters) memberships
        In any form :func:`as_partition` takes; two or three clusters.
    ax : Matplotlib axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    Matplotlib axes

    Raises
    ------
    NotApplicableError
        For other numbers of clusters, and for rows that do not sum to 1.
    """
    partition = as_partition(clustering)
    if partition.k not in (2, 3):
        raise NotApplicableError(
            f"the simplex is drawn for two or three clusters, and this clustering has "
            f"{partition.k}; merge some of its columns, or draw three of them, divided by their "
            "sums."
        )
    if partition.possibilistic:
        raise NotApplicableError(
            "memberships that do not sum to 1 do not lie in the simplex; read them with "
            "normalize=True."
        )
    corners = CORNERS[: partition.k]
    if partition.memberships is None:
        used = partition.sizes > 0
        rows, counts = np.eye(partition.k)[used], partition.sizes[used].astype(np.intp)
    else:
        # Closer together than a pixel is the same place.
        rounded = np.round(partition.memberships, 3)
        rows, counts = np.unique(rounded, axis=0, return_counts=True)
    axes = _axes(ax, (5.0, 4.6) if partition.k == 3 else (6.4, 1.8))
    outline = np.vstack([corners, corners[0]])
    axes.plot(*outline.T, color="0.4", linewidth=1.0, zorder=1)
    places = rows @ corners
    if partition.k == 2:
        # Up and down a little, evenly spread, so that dots do not hide each other; hard points,
        # of which there is one dot a cluster, need not.
        golden = np.arange(len(places)) * 0.5 * (np.sqrt(5.0) - 1.0)
        places[:, 1] = np.where(rows.max(axis=1) < 1.0, 0.12 * (golden % 1.0 - 0.5), 0.0)
    # Areas are true to one another; a single point stays visible beside a thousand.
    areas = np.maximum(14.0, 700.0 * counts / partition.n)
    axes.scatter(*places.T, s=areas, color=OBSERVED, alpha=0.6, edgecolor="white", linewidth=0.5)
    _name_corners(axes, corners)
    axes.set_title(f"{partition.n:,} points; area: points in one place", fontsize=9, pad=16)
    axes.set_axis_off()
    axes.set_aspect("equal")
    return axes


def _name_corners(axes: Any, corners: FloatArray) -> None:
    middle = corners.mean(axis=0)
    for i, corner in enumerate(corners):
        away = (corner - middle) / np.linalg.norm(corner - middle)
        axes.annotate(
            f"cluster {i + 1}",
            corner,
            xytext=22.0 * away,
            textcoords="offset points",
            ha="center" if abs(away[0]) < 0.5 else "right" if away[0] < 0.0 else "left",
            va="center",
        )
    axes.margins(0.12)


def _write_numbers(axes: Any, values: FloatArray) -> None:
    for (i, j), value in np.ndenumerate(values):
        colour = "white" if value > 0.55 else "black"
        shown = f"{round(float(value), 2) + 0.0:.2f}"
        axes.text(j, i, shown, ha="center", va="center", color=colour, fontsize=8)


def _short(text: str) -> str:
    """A name that fits on an axis, and without a dollar's meaning to Matplotlib."""
    return shorten(text, SHORT).replace("$", r"\$")


def _shares(atoms: Atoms, edges: Any) -> Any:
    shares, _ = np.histogram(np.clip(atoms.values, 0.0, 1.0), edges, weights=atoms.weights)
    return shares


def _axes(ax: Any, size: tuple[float, float] = (6.4, 4.0)) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise MissingExtraError('plots need Matplotlib: pip install "fuzzyrand[plot]".') from None
    return plt.subplots(figsize=size, layout="constrained")[1]
