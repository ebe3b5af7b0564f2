"""Plot of the null distribution of an adjusted index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.errors import NotApplicableError
from ._colours import dashed, ground
from ._matplotlib import _axes, _short

if TYPE_CHECKING:
    from ..results import Significance

#: Largest number of different values that each have a bar of their own.
FEW_VALUES = 20
#: Distance from the mean, in standard deviations, beyond which the observed value is outside the
#: picture and marked by an arrow.
FAR = 40.0
#: Ends of the picture in that case, in standard deviations of the null, and room for the arrow, as
#: a share of the range between them.
REACH, ARROW = 5.0, 0.3


def significance(result: Significance, ax: Any = None) -> Any:
    """Draw the null distribution of an adjusted index, with the observed value in it.

    Parameters
    ----------
    result : Significance
        Result of :func:`fuzzyrand.significance`.
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
    NotApplicableError
        If there is no null distribution, because every order of the points gives the same index.

    See Also
    --------
    fuzzyrand.significance : Compute what is drawn.

    Notes
    -----
    Bars show the draws. The dashed line is the normal density with the mean and the standard
    deviation of the null, which the draws need not follow. If only some of the points were tested,
    the mean and the standard deviation are those of the draws. If the observed value is more than
    40 standard deviations away, the null would shrink to a line. The value is then outside the
    picture, and an arrow points towards it.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import fuzzyrand as fr
    >>> test = fr.significance([0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 2, 2, 2, 2])
    >>> fr.plot.significance(test).get_xlabel()
    'adjusted index (ndc)'
    """
    if result.draws == 0:
        raise NotApplicableError(
            "every order of the points gives the same index: there is no null distribution to draw."
        )
    axes = _axes(ax)
    name = _short(result.comparison.model)
    values = np.unique(result.null.round(12))
    bins: Any = "auto"
    if values.size <= FEW_VALUES:  # a bar for each value that is possible
        middles = 0.5 * (values[:-1] + values[1:])
        ends = (1.5 * values[0] - 0.5 * values[1], 1.5 * values[-1] - 0.5 * values[-2])
        bins = [ends[0], *middles, ends[1]] if values.size > 1 else 1
    on = ground()
    axes.hist(result.null, bins=bins, density=True, color=on.model, label=f"chance ({name})")
    mean, sd = result.null_mean, result.null_sd
    if result.points < result.n:  # Exact moments are for all points, draws are not.
        mean, sd = float(result.null.mean()), float(result.null.std())
    if sd > 0.0:
        reach = np.linspace(-4.0, 4.0, 201)
        density = np.exp(-0.5 * reach**2) / (np.sqrt(2.0 * np.pi) * sd)
        below, above = dashed()
        axes.plot(mean + sd * reach, density, **below)
        axes.plot(mean + sd * reach, density, label="normal", **above)
    axes.axvline(result.tested, color=on.observed, linewidth=2.5, label="observed")
    if sd > 0.0 and abs(result.tested - mean) > FAR * sd:
        _point_beyond(axes, result, mean, sd)
    some = f", {result.points:,} random points" if result.points < result.n else ""
    axes.set_xlabel(f"adjusted index ({_short(result.comparison.index)}){some}")
    axes.set_ylabel("density")
    axes.set_yticks([])
    equals = "≤" if result.pvalue_approx is not None else "="
    axes.set_title(f"p {equals} {result.pvalue:.2g}", loc="left")
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=3, frameon=False)
    axes.spines[["top", "right", "left"]].set_visible(False)
    return axes


def _point_beyond(axes: Any, result: Significance, mean: float, sd: float) -> None:
    """Show the null alone, with an arrow to the observed value beyond the picture."""
    low = min(float(result.null.min()), mean - REACH * sd)
    high = max(float(result.null.max()), mean + REACH * sd)
    room = ARROW * (high - low)
    above = result.tested > mean
    axes.set_xlim((low, high + room) if above else (low - room, high))
    colour = ground().observed
    share = ARROW / (1.0 + ARROW)  # of the width of the picture
    axes.annotate(
        "",
        xy=(1.0 if above else 0.0, 0.5),
        xytext=(1.0 - share if above else share, 0.5),
        xycoords="axes fraction",
        arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 2.5},
    )
    axes.annotate(
        f"{result.adjusted:z.3f}\nz = {result.z:,.0f}",
        (1.0 - 0.5 * share if above else 0.5 * share, 0.53),
        xycoords="axes fraction",
        ha="center",
        va="bottom",
    )
