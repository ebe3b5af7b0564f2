"""Plots of how sure an adjusted index is: null distributions and confidence intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.errors import NotApplicableError
from .._base.wording import Option
from ._lettering import fit, plain, points_of, room_of, short
from ._style import ground, head, hide, label_below, new_axes

if TYPE_CHECKING:
    from ..results import ConfidenceInterval, Pairwise, Significance

#: Largest number of different values that each have a bar of their own.
FEW_VALUES = 20
#: Largest number for which these bars show shares, apart from each other.
VERY_FEW = 8
#: Distance from the mean, in standard deviations, beyond which the observed value is outside the
#: picture and marked by an arrow.
FAR = 40.0
#: Ends of the picture in that case, in standard deviations of the null, and room for the arrow, as
#: a share of the range between them.
REACH, ARROW = 5.0, 0.3
#: Width of axes, in points, up to which the ends of intervals are not written beside them.
NARROW = 250.0


def significance(result: Significance, ax: Any = None) -> Any:
    """Draw the null distribution of an adjusted index, with the observed value and the p-value.

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
    interval : Draw confidence intervals.

    Notes
    -----
    Bars show the draws; the legend says how many, and whether they are all that are possible. The
    dashed line is the normal density with the mean and the standard deviation of the null, which
    the draws need not follow. It is left out if no more than 8 different values were drawn, whose
    bars show their shares. If only some of the points were tested, the mean and the standard
    deviation are those of the draws. If the observed value is more than 40 standard deviations
    away, the null would shrink to a line. The value is then outside the picture, and an arrow
    points towards it.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import fuzzyrand as fr
    >>> test = fr.significance([0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 2, 2, 2, 2])
    >>> axes = fr.plot.significance(test)
    >>> axes.get_title(loc="left")
    'p = 0.013 under perm'
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['3,792 shuffles', 'observed 0.643']
    """
    if result.draws == 0:
        raise NotApplicableError(
            "every order of the points gives the same index: there is no null distribution to draw."
        )
    axes = new_axes(ax)
    on = ground()
    chance = f"{'all ' if result.exhaustive else ''}{result.draws:,} {result.drawn}"
    mean, sd = result.null_mean, result.null_sd
    if result.points < result.n:  # Exact moments are for all points, draws are not.
        mean, sd = float(result.null.mean()), float(result.null.std())
    values, counts = np.unique(result.null.round(12), return_counts=True)
    from matplotlib.patches import Patch  # Deferred: an extra.

    handles: list[Any] = [Patch(color=on.model, label=chance)]
    if values.size <= VERY_FEW:
        gap = float(np.diff(values).min()) if values.size > 1 else 0.1
        axes.bar(values, counts / counts.sum(), width=0.8 * gap, color=on.model)
        axes.set_ylabel(f"share of {result.drawn}")
    else:
        bins: Any = "auto"
        if values.size <= FEW_VALUES:  # a bar for each value that is possible
            middles = 0.5 * (values[:-1] + values[1:])
            bins = [2.0 * values[0] - middles[0], *middles, 2.0 * values[-1] - middles[-1]]
        axes.hist(result.null, bins=bins, density=True, color=on.model)
        axes.set_ylabel("density")
        axes.set_yticks([])
        hide(axes, "left")
        reach = np.linspace(-4.0, 4.0, 201)
        density = np.exp(-0.5 * reach**2) / (np.sqrt(2.0 * np.pi) * sd)
        axes.plot(mean + sd * reach, density, color=on.paper, linewidth=2.2)
        handles += axes.plot(
            mean + sd * reach, density, color=on.ink, linewidth=1.0, linestyle="--", label="normal"
        )
    far = sd > 0.0 and abs(result.tested - mean) > FAR * sd
    handles.append(
        axes.axvline(
            result.tested, color=on.observed, linewidth=2.5, label=f"observed {result.tested:z.3f}"
        )
    )
    if far:
        _point_beyond(axes, result, mean, sd)
    some = f", {result.points:,} random points" if result.points < result.n else ""
    label_below(axes, f"adjusted {short(result.comparison.title)}{some}")
    equals = "≤" if result.pvalue_approx is not None else "="
    title = f"p {equals} {result.pvalue:.2g} under {short(result.comparison.model)}"
    head(axes, title, handles)
    hide(axes, "top", "right")
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


def interval(
    result: ConfidenceInterval | Mapping[str, ConfidenceInterval] | Pairwise,
    ax: Any = None,
    *,
    differences: bool = False,
) -> Any:
    """Draw confidence intervals of adjusted indices, one below the other.

    Parameters
    ----------
    result : ConfidenceInterval, dict or Pairwise
        Result of :func:`fuzzyrand.confidence_interval`, several of them with names, or the result
        of :func:`fuzzyrand.pairwise` with ``confidence``.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default a new figure.
    differences : bool, default False
        Whether to draw the differences of the adjusted indices of each two clusterings with the
        reference, instead of the indices. This needs the result of :func:`fuzzyrand.pairwise` with
        ``reference`` and ``confidence``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes that hold the drawing.

    Raises
    ------
    NotApplicableError
        If there are no intervals, because ``confidence`` was not asked for.
    MissingExtraError
        If Matplotlib is not installed.

    See Also
    --------
    fuzzyrand.confidence_interval, fuzzyrand.pairwise : Compute what is drawn.
    significance : Draw a null distribution.

    Notes
    -----
    The largest value is on top. The dashed line at 0 is chance or, for differences, no difference.
    Dots are filled if their interval excludes 0. Where the points allow no interval, there is only
    a dot, which is not filled.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import fuzzyrand as fr
    >>> truth = [0, 0, 0, 1, 1, 1, 2, 2, 2, 2] * 4
    >>> methods = {"good": [0, 0, 0, 1, 1, 1, 2, 2, 2, 0] * 4, "poor": [0, 1] * 20}
    >>> result = fr.pairwise({"truth": truth, **methods}, reference="truth", confidence=0.95)
    >>> [label.get_text() for label in fr.plot.interval(result).get_yticklabels()]
    ['good', 'poor']
    """
    found = _named_intervals(result, differences)
    order = sorted(found, key=lambda name: -found[name].adjusted)
    axes = new_axes(ax, (6.4, 1.2 + max(0.26 * len(order), 0.4) if len(order) <= 40 else 11.6))
    on = ground()
    room = room_of(axes)
    beside = axes.get_yaxis_transform()
    line = room[1] / len(order)
    size = None if line > 1.6 * points_of() else min(points_of("small"), 0.85 * line)
    for y, name in enumerate(order):
        one = found[name]
        sure = one.low > 0.0 or one.high < 0.0
        colour = on.model if one.high < 0.0 else on.observed
        axes.plot([one.low, one.high], [y, y], color=colour, linewidth=2.0, zorder=2)
        axes.plot(
            one.adjusted, y, "o", color=colour, markersize=float(np.clip(0.5 * line, 2.0, 6.5)),
            markerfacecolor=colour if sure else on.paper, zorder=3,
        )  # fmt: skip
        axes.text(
            1.02, y, _value_and_ends(one, room[0] > NARROW), transform=beside, va="center",
            fontsize=size,
            color=on.ink,
        )  # fmt: skip
    axes.axvline(0.0, color=on.ink, linewidth=1.0, linestyle="--", zorder=1)
    axes.set_yticks(range(len(order)), fit(order, 0.4 * room[0], size), fontsize=size)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(order) - 0.5, -0.5)
    one = found[order[0]]
    of = short(one.comparisons[0].title)
    what = f"difference of adjusted {of}" if one.is_difference else f"adjusted {of}"
    zero = "no difference" if one.is_difference else "chance"
    label_below(axes, f"{what}; dashed: {zero}")
    head(axes, f"{100 * one.level:.6g}% intervals under {short(one.comparisons[0].model)}")
    hide(axes, "top", "right", "left")
    return axes


def _named_intervals(result: Any, differences: bool) -> dict[str, ConfidenceInterval]:
    """Return the intervals that are drawn, by the names that are written beside them."""
    if hasattr(result, "is_difference"):  # results import plots
        return {"" if result.is_difference else plain(result.comparisons[0].model): result}
    if isinstance(result, Mapping):
        return dict(result)
    found = result.differences if differences else result.intervals
    if not found:
        missing = "{reference} and {confidence}" if differences else "{confidence}"
        raise NotApplicableError(
            f"there are no intervals to draw; they need {missing}.",
            reference=Option("reference"),
            confidence=Option("confidence", 0.95),
        )
    if differences:
        return {f"{first} − {second}": one for (first, second), one in found.items()}
    if len(result.rows) == 1:
        return {
            next((name for name in pair if name != result.rows[0]), pair[1]): one
            for pair, one in found.items()
        }
    return {f"{first} and {second}": one for (first, second), one in found.items()}


def _value_and_ends(one: ConfidenceInterval, ends: bool) -> str:
    if np.isnan(one.low) or not ends:
        return f"{one.adjusted:z.2f}"
    return f"{one.adjusted:z.2f} [{one.low:z.2f}, {one.high:z.2f}]"
