"""Plot of the stability of clusterings over the number of clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._colours import ground
from ._matplotlib import _axes, _plain, _short

if TYPE_CHECKING:
    from ..results import Stability

#: Width of the sideways scatter of values, in numbers of clusters.
SCATTER = 0.22


def stability(result: Stability, ax: Any = None) -> Any:
    """Draw the values of all repeats for each number of clusters, with their means.

    Parameters
    ----------
    result : Stability
        Result of :func:`fuzzyrand.stability`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that hold the drawing.

    Raises
    ------
    MissingExtraError
        If Matplotlib is not installed.

    See Also
    --------
    fuzzyrand.stability : Compute what is drawn.

    Notes
    -----
    Small dots are repeats. The bar behind them spans the middle 90%, and is not a confidence
    interval. Circles are means, and that of the best number of clusters is filled. Squares are the
    means of data without clusters.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import fuzzyrand as fr
    >>> import numpy as np
    >>> x = np.random.default_rng(0).normal(size=40)
    >>> halves = lambda k, x: np.argsort(np.argsort(x)) * k // x.size
    >>> result = fr.stability(halves, x, [2, 3], repeats=5, reference=None)
    >>> fr.plot.stability(result).get_xlabel()
    'number of clusters'
    """
    axes = _axes(ax)
    on = ground()
    means, spreads = result.means, result.spreads
    for k, values in result.scores.items():
        low, high = spreads[k]
        axes.plot(
            [k, k], [low, high], color=on.observed, alpha=0.3, linewidth=7, solid_capstyle="butt"
        )
        # Values are spread in the order of repeats, so the same result gives the same picture.
        aside = np.linspace(-SCATTER, SCATTER, values.size) if values.size > 1 else [0.0]
        axes.plot(k + np.asarray(aside), values, ".", color=on.observed, alpha=0.6, markersize=4)
    expected = result.reference_means
    if expected is not None:
        axes.plot(
            [*expected], [*expected.values()], "s--", color=on.model, markersize=5, linewidth=1.5,
            label="no clusters", zorder=3,
        )  # fmt: skip
    axes.plot([*means], [*means.values()], color=on.observed, linewidth=1.5, zorder=4)
    for k, mean in means.items():
        filled = k == result.best
        axes.plot(
            k, mean, "o", color=on.observed, markersize=8, markeredgewidth=1.8, zorder=5,
            markerfacecolor=on.observed if filled else on.paper,
        )  # fmt: skip
    axes.plot([], [], "o-", color=on.observed, markerfacecolor=on.paper, markersize=8, label="mean")
    axes.axhline(0.0, color=on.faint, linewidth=0.8)
    low, high = axes.get_ylim()
    axes.set_ylim(min(low, -0.05), max(high, 1.05))
    axes.set_xticks(result.ks if len(result.ks) <= 20 else result.ks[:: len(result.ks) // 10])
    axes.set_xlabel("number of clusters")
    axes.set_ylabel(f"adjusted index ({_short(result.index)})")
    if expected is None:
        title = f"most stable: {result.most_stable}"
    else:
        title = "nothing stands out" if result.best is None else f"best: {result.best} clusters"
    axes.set_title(_plain(title), loc="left")
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    return axes
