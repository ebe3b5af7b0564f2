"""Plot of the memberships in two or three clusters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._base.errors import NotApplicableError
from .._base.types import FloatArray
from .._clusterings.matching.cluster_labels import labels_of
from .._clusterings.partition import as_partition
from ._lettering import SMALL, fold, plain, room_of, widest
from ._style import ground, new_axes

#: Corners of the triangle of three clusters: the first on the left, the third on top.
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])
#: Number of different memberships beyond which dots of a simplex shrink.
MANY_DOTS = 1000


def simplex(clustering: Any, ax: Any = None) -> Any:
    """Draw the memberships of all points: in a triangle for three clusters, on a line for two.

    Every corner is a cluster, with its name or its number from 0. The larger the membership of a
    point in a cluster, the closer the point lies to its corner. Points in the same place are drawn
    as one dot whose area is proportional to their number, with a minimum that keeps single points
    visible.

    Parameters
    ----------
    clustering : array_like of shape (n,) or (n, k), or Partition
        Labels or memberships in any form that :func:`fuzzyrand.as_partition` accepts, with two or
        three clusters.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that hold the drawing.

    Raises
    ------
    NotApplicableError
        For other numbers of clusters, and for memberships that do not sum to 1.
    MissingExtraError
        If Matplotlib is not installed.

    See Also
    --------
    fuzzyrand.as_partition : Read a clustering.

    Notes
    -----
    Memberships are rounded to three decimals first. With two clusters, points with memberships in
    both are moved up or down a little, so that they hide each other less.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import fuzzyrand as fr
    >>> axes = fr.plot.simplex([[0.2, 0.3, 0.5], [0.9, 0.1, 0.0], [0.9, 0.1, 0.0]])
    >>> len(axes.collections[0].get_offsets())
    2
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
    if partition.is_hard:
        used = partition.sizes > 0
        rows, counts = np.eye(partition.k)[used], partition.sizes[used].astype(np.intp)
    else:
        # Points closer together than a pixel are in the same place.
        rounded = np.round(partition.rows.dense, 3)
        rows, counts = np.unique(rounded, axis=0, return_counts=True)
    axes = new_axes(ax, (5.0, 4.4) if partition.k == 3 else (6.4, 1.6))
    outline = np.vstack([corners, corners[0]])
    on = ground()
    axes.plot(*outline.T, color=on.faint, linewidth=1.0, zorder=1)
    places = rows @ corners
    if partition.k == 2:
        # Dots are moved up and down a little, evenly spread, so that they do not hide each other.
        # Hard points, which have one dot per cluster, need not be moved.
        golden = np.arange(len(places)) * 0.5 * (np.sqrt(5.0) - 1.0)
        places[:, 1] = np.where(rows.max(axis=1) < 1.0, 0.12 * (golden % 1.0 - 0.5), 0.0)
    # Areas are proportional to numbers of points, but single points stay visible. Very many dots
    # are small and transparent, so that it is seen where they crowd.
    many = min(MANY_DOTS / len(rows), 1.0)
    areas = np.maximum(14.0 * max(many, 0.1), 700.0 * counts / partition.n)
    axes.scatter(
        *places.T, s=areas, color=on.observed, alpha=0.6 * max(many, 0.05) ** 0.5,
        edgecolor=on.paper, linewidth=0.5 * (many == 1.0), rasterized=many < 1.0,
    )  # fmt: skip
    _name_corners(axes, corners, [str(label) for label in labels_of(partition)])
    many_points = f"{partition.n:,} points; area of a dot: number of points"
    axes.set_title(fold(many_points, room_of(axes)[0], SMALL), fontsize=SMALL, pad=18)
    axes.set_axis_off()
    axes.set_aspect("equal")
    return axes


def _name_corners(axes: Any, corners: FloatArray, names: Sequence[str]) -> None:
    """Write the names of clusters: above the upper corner, and below those at the bottom."""
    room = room_of(axes)[0]
    labels = [f"cluster {name}" for name in names]
    if widest(labels) > 0.45 * room:
        labels = list(names)
    above = len(corners) == 3
    lower = [fold(label, 0.45 * room, None, 3) for label in labels[:2]]
    low = np.array([0.0, 0.0 if above else -0.07])  # below points that were moved down
    for corner, label, side in zip(corners, lower, ("left", "right"), strict=False):
        axes.annotate(
            plain(label), corner + low, xytext=(-8.0 if side == "left" else 8.0, -11.0), ha=side,
            textcoords="offset points", va="top",
        )  # fmt: skip
    if above:
        top = fold(labels[2], room, None, 2)
        axes.annotate(
            plain(top), corners[2], xytext=(0.0, 8.0), textcoords="offset points", ha="center",
            va="bottom",
        )  # fmt: skip
    axes.margins(0.08, 0.08 if above else 0.5)
