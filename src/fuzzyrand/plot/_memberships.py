"""Plot of the memberships of all points in one or more clusterings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.errors import InputError
from .._base.types import IntArray
from .._clusterings.matching.series import common_order, first_reference
from .._clusterings.options import InputOptions
from .._clusterings.partition import Partition
from .._clusterings.points.rows_of_points import ids_of_points, rows_of_points
from .._clusterings.reading.named import member, read_named
from ._charts.membership_bars import MembershipBars
from ._charts.spread_out import spread_out
from ._lettering import LINE, SMALL, TINY, fit, points_of, room_of, text_width
from ._style import ground, head, label_below, legend_rows, new_grid, palette

if TYPE_CHECKING:
    from ..results import Alignment

#: Largest number of clusters for which colours have a legend.
NUMBERED = 20
#: Largest number of bars; up to this number, each point has its own.
BARS = 2000
#: Largest number of points that are named.
NAMED = 60
#: Number of rows that a legend should not exceed.
ROWS = 5
#: Length of the lines from groups to their names, in points.
LEADER = 7.0


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
    array of matplotlib.axes.Axes
        The axes that hold the drawing, one for each clustering.

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
    bar that shows their mean memberships. All groups are named below, unless there is no room even
    for small print; then the largest are, and the label of the axis says so. Without groups, up to
    60 points are named if they have ids. There is a legend for up to 20 clusters.

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
    alignment = _aligned(runs)
    matrices, names = alignment.runs, alignment.names
    partitions = list(alignment.partitions.values())
    if order_by is not None:
        leader = member(order_by, matrices, "order_by")
    else:
        leader = alignment.reference if alignment.reference in matrices else next(iter(matrices))
    if axes is None:
        count = 0 if groups is None else len({str(group) for group in groups})
        axes = new_grid(len(matrices), 1, memberships_size(len(matrices), count))
    axes = np.ravel(np.asarray(axes, dtype=object))
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
    room = room_of(axes[0])[0]
    titles = dict(zip(matrices, fit(list(matrices), 0.25 * room, None), strict=True))
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
        ax.set_ylabel(titles[name], rotation=0, ha="right", va="center")
    unnamed = 0
    if known:
        unnamed = _mark_groups(axes, np.bincount(codes), known)
    else:
        _name_points(axes[-1], partitions, chart.order)
    within = f", by {len(known)} group{'s' * (len(known) != 1)} and" if known else ", in"
    ordered = f"{n:,} points{within} the order of {titles[leader]}"
    shared = "" if n <= BARS else f"; {n / len(chart.starts):.3g} points a bar"
    small = f"; {unnamed} small groups have no name" if unnamed else ""
    label_below(axes[-1], f"{ordered}; {len(names)} clusters{shared}{small}")
    if len(names) <= NUMBERED:
        _colour_legend(axes[0], names, colours)
    return axes


def _aligned(runs: Any) -> Alignment:
    """Bring clusterings into a common order, unless they are."""
    from ..results import Alignment  # Deferred: results import plots.

    if isinstance(runs, Alignment):
        return runs
    partitions, _ = read_named(runs, None, InputOptions())
    reference = first_reference(partitions)
    found = common_order(partitions, partitions[reference])
    return Alignment(found.order, reference, [str(label) for label in found.labels], partitions)


def _coded(groups: Any, partitions: Sequence[Partition]) -> tuple[IntArray, list[str]]:
    """Return the number of the group of each point that was kept, and the names of groups."""
    if groups is None:
        return np.zeros(partitions[0].n, dtype=np.intp), []
    given = [str(label) for label in groups]
    labels = [given[row] for row in rows_of_points(partitions, groups, "groups").tolist()]
    numbers = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    return np.array([numbers[label] for label in labels], dtype=np.intp), list(numbers)


def _mark_groups(axes: Sequence[Any], sizes: IntArray, names: Sequence[str]) -> int:
    """Draw lines between groups, write their names below, and return how many have none."""
    ends = np.cumsum(sizes)
    on = ground()
    for ax in axes:
        for end in ends[:-1]:
            ax.axvline(float(end), color="black", linewidth=0.8)
    last = axes[-1]
    room, height = room_of(last)
    total = float(ends[-1])
    points = room / total  # of the picture, for a point of the data
    middles = ends - 0.5 * sizes
    size: str | float = SMALL
    widths = np.array([text_width(name, size) + 6.0 for name in fit(names, room, size)])
    upright = bool(widths.sum() <= 0.95 * room)
    if not upright:
        # Each name takes a line; print gets smaller before names are left out.
        least, usual = 0.6 * points_of(TINY), points_of(SMALL)
        size = float(np.clip(0.85 * room / (len(names) * LINE), least, usual))
        widths = np.full(len(names), 1.15 * size)
    most = int(room // widths.max()) if not upright else len(names)
    chosen = np.sort(np.argsort(-sizes, kind="stable")[:most])
    places = spread_out(middles[chosen], widths[chosen] / points, 0.0, total)
    shown = fit([names[group] for group in chosen], room if upright else 1.2 * height, size)
    last.set_xticks(places, shown, fontsize=size, rotation=0 if upright else 90)
    last.tick_params(axis="x", length=0, pad=LEADER + 2.0)
    for middle, place in zip(middles[chosen], places, strict=True):
        last.annotate(
            "", (middle, 0.0), xycoords=("data", "axes fraction"), annotation_clip=False,
            xytext=((place - middle) * points, -LEADER), textcoords="offset points",
            arrowprops={
                "arrowstyle": "-", "linewidth": 0.6, "color": on.faint, "shrinkA": 0, "shrinkB": 0,
            },
        )  # fmt: skip
    return len(names) - len(chosen)


def _name_points(ax: Any, partitions: Sequence[Partition], order: IntArray) -> None:
    """Write the ids of a few points below their bars."""
    ids = ids_of_points(partitions)
    wide = room_of(ax)[0] / order.size
    if ids is None or isinstance(ids, range) or order.size > NAMED or wide < points_of(TINY):
        return
    size = SMALL if wide > 1.2 * points_of(SMALL) else TINY
    names = fit([str(ids[point]) for point in order.tolist()], room_of(ax)[1], size)
    ax.set_xticks(np.arange(order.size) + 0.5, names, rotation=90, fontsize=size)
    ax.tick_params(axis="x", length=0)


def memberships_size(count: int, groups: int = 0) -> tuple[float, float]:
    """Return the width and the height in inches of a figure of several clusterings."""
    return min(max(8.0, 1.6 + 0.12 * groups), 16.0), 1.3 + min(max(0.8 * count, 1.2), 12.0)


def _colour_legend(ax: Any, names: Sequence[str], colours: Sequence[Any]) -> None:
    from matplotlib.patches import Patch

    width, height = room_of(ax)
    font = points_of(SMALL)
    # Names are cut so that a few rows hold them; if even short ones take too many, none is shown.
    columns = -(-len(names) // ROWS)
    shown = fit(names, 0.95 * width / columns - 3.5 * font, SMALL)
    handles = [Patch(color=c, label=name) for c, name in zip(colours, shown, strict=True)]
    if legend_rows(ax, handles) * LINE * font < max(height, ROWS * LINE * font):
        head(ax, "", handles)
