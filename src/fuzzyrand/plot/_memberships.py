"""Plot of the memberships of all points in one or more clusterings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.errors import InputError, MissingExtraError
from .._base.naming import abbreviate
from .._base.types import FloatArray, IntArray
from .._inputs.named import member, read_named
from .._inputs.options import InputOptions
from .._inputs.partition import Partition
from .._inputs.rows_of_points import rows_of_points
from .._matching.series import common_order, first_reference, in_common_order
from ._charts.axes import LABEL_WIDTH
from ._charts.memberships import MembershipBars
from ._colours import palette
from ._matplotlib import _plain

if TYPE_CHECKING:
    from ..results import Alignment

#: Largest number of clusters for which colours have a legend.
NUMBERED = 20
#: Largest number of bars; up to this number, each point has its own.
BARS = 2000
#: Font size of legends and group names, in points.
SMALL = 8.0


def memberships(
    runs: Alignment | Mapping[str, Any] | Iterable[Any],
    axes: Any = None,
    *,
    groups: Any = None,
    order_by: str | int | None = None,
) -> Any:
    """Draw the memberships of all points in one or more clusterings, as stacked bars.

    Each point has a narrow bar, and each clustering a row. A cluster has the same colour in all
    rows.

    Parameters
    ----------
    runs : Alignment, dict, list, frame or matrix
        Result of :func:`fuzzyrand.align`, or clusterings as it takes them, which are aligned first.
    axes : sequence of matplotlib.axes.Axes, optional
        Axes to draw on, one for each clustering; by default a new figure.
    groups : sequence, optional
        The known group of each point, such as its population: a name or a number. If these and a
        clustering come from pandas, they are matched by their indexes, and by position otherwise.
        Points of a group are drawn side by side, and groups in the order in which they first appear
        among the points.
    order_by : str or int, optional
        Name or number of the clustering that sets the order of the points. By default it is the
        reference of the alignment, or the first clustering if the reference is not among them.

    Returns
    -------
    list of matplotlib.axes.Axes
        The axes that hold the drawing.

    Raises
    ------
    InputError
        If there are not as many axes as clusterings, or not as many groups as points, if indexes
        differ, or if ``order_by`` is none of the clusterings.
    MissingExtraError
        If Matplotlib is not installed.

    See Also
    --------
    fuzzyrand.align : Bring clusters into a common order.
    simplex : Draw the memberships in two or three clusters.

    Notes
    -----
    Points are ordered by their main cluster in one clustering, then by the membership in it, and
    within groups if there are any. If there are more than 2,000 points, neighbouring points share a
    bar that shows their mean memberships. Groups are named where there is room. There is a legend
    for up to 20 clusters.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import fuzzyrand as fr
    >>> soft = [[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]]
    >>> axes = fr.plot.memberships({"soft": soft, "hard": [1, 0, 1]})
    >>> [ax.get_ylabel() for ax in axes]
    ['soft', 'hard']
    """
    matrices, names, partitions, leader = _aligned(runs)
    if order_by is not None:
        leader = member(order_by, matrices, "order_by")
    if axes is None:
        axes = _rows_of_axes(len(matrices))
    axes = list(np.ravel(np.asarray(axes, dtype=object)))
    if len(axes) != len(matrices):
        raise InputError(
            "{axes} axes for {runs} clusterings; give one for each.",
            axes=len(axes),
            runs=len(matrices),
        )
    n = partitions[0].n
    codes, known = _coded(groups, partitions)
    chart = MembershipBars.of(matrices[leader], BARS, codes)
    colours = palette(len(names))
    titles = dict(zip(matrices, abbreviate(list(matrices), LABEL_WIDTH), strict=True))
    for ax, (name, rows) in zip(axes, matrices.items(), strict=True):
        bars = chart.means(rows)
        tops = np.cumsum(bars, axis=1)
        below = np.zeros(len(bars))
        for column, colour in enumerate(colours):
            if bars[:, column].any():
                # Without antialiasing, because the background would shine through between two
                # colours.
                ax.stairs(
                    tops[:, column], chart.edges, baseline=below, fill=True, color=colour,
                    linewidth=0.0, antialiased=False,
                )  # fmt: skip
            below = tops[:, column]
        ax.set_xlim(0.0, n)
        ax.set_ylim(0.0, max(1.0, float(tops[:, -1].max())))
        ax.set_yticks([])
        ax.set_xticks([])
        ax.set_ylabel(_plain(titles[name]), rotation=0, ha="right", va="center")
    if known:
        _mark_groups(axes, np.bincount(codes), known)
    within = f", by {len(known)} group{'s' * (len(known) != 1)} and" if known else ", in"
    ordered = f"{n:,} points{within} the order of {_plain(titles[leader])}"
    shared = "" if n <= BARS else f"; {n / len(chart.starts):.3g} points a bar"
    axes[-1].set_xlabel(f"{ordered}; {len(names)} clusters{shared}")
    if len(names) <= NUMBERED:
        _colour_legend(axes[0], names, colours)
    return axes


def _aligned(runs: Any) -> tuple[dict[str, FloatArray], list[str], list[Partition], str]:
    """Return matrices in a common order, names of their columns, the runs, and the leading name.

    The leading run is the reference, or the first run if the reference is not among them.
    """
    if hasattr(runs, "partitions") and hasattr(runs, "order"):  # results import plots
        first = next(iter(runs.partitions))
        leader = runs.reference if runs.reference in runs.partitions else first
        return runs.runs, runs.names, list(runs.partitions.values()), leader
    partitions, _ = read_named(runs, None, InputOptions())
    leader = first_reference(partitions)
    found = common_order(partitions, partitions[leader])
    k = len(found.labels)
    matrices = {
        name: in_common_order(run, found.order[name], k) for name, run in partitions.items()
    }
    return matrices, [str(label) for label in found.labels], list(partitions.values()), leader


def _coded(groups: Any, partitions: Sequence[Partition]) -> tuple[IntArray, list[str]]:
    """Return the number of the group of each point that was kept, and the names of groups."""
    if groups is None:
        return np.zeros(partitions[0].n, dtype=np.intp), []
    given = [str(label) for label in groups]
    labels = [given[row] for row in rows_of_points(partitions, groups, "groups").tolist()]
    numbers = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    return np.array([numbers[label] for label in labels], dtype=np.intp), list(numbers)


def _mark_groups(axes: Sequence[Any], sizes: IntArray, names: Sequence[str]) -> None:
    """Draw lines between groups, and write their names below where there is room."""
    ends = np.cumsum(sizes)
    for ax in axes:
        for end in ends[:-1]:
            ax.axvline(float(end), color="black", linewidth=0.8)
    last = axes[-1]
    room = sizes * (72.0 * last.bbox.width / last.figure.dpi / ends[-1])  # in points
    shown = [_plain(name) for name in abbreviate(names, LABEL_WIDTH)]
    widths = np.array([0.65 * SMALL * len(name) for name in shown])
    upright = bool((widths <= room).all())
    wide = [g for g in range(len(names)) if upright or room[g] >= 1.2 * SMALL]
    middles = ends - 0.5 * sizes
    last.set_xticks(
        middles[wide], [shown[g] for g in wide], fontsize=SMALL, rotation=0 if upright else 90
    )
    last.tick_params(axis="x", length=0)


def _rows_of_axes(count: int) -> Any:
    try:
        import matplotlib.pyplot as plt  # Deferred: an extra.
    except ImportError:
        raise MissingExtraError('plots need Matplotlib: pip install "fuzzyrand[plot]".') from None
    size = memberships_size(count)
    return plt.subplots(count, figsize=size, layout="constrained", squeeze=False)[1]


def memberships_size(count: int) -> tuple[float, float]:
    """Return the width and the height in inches of a figure of several clusterings."""
    return 8.0, 0.9 + min(max(0.9 * count, 1.2), 12.0)


def _colour_legend(ax: Any, names: Sequence[str], colours: Sequence[Any]) -> None:
    from matplotlib.patches import Patch

    shown = [_plain(name) for name in abbreviate(names, LABEL_WIDTH)]
    patches = [Patch(color=c, label=name) for c, name in zip(colours, shown, strict=True)]
    columns = max(1, min(len(names), 10, 70 // (max(map(len, shown)) + 4)))
    ax.legend(
        handles=patches, loc="lower center", bbox_to_anchor=(0.5, 1.02), ncols=columns,
        frameon=False, handlelength=1.0, columnspacing=1.2, fontsize=SMALL,
    )  # fmt: skip
