"""Weights that users pass in: read, checked, and matched with the points of clusterings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from .._base.errors import InputError, NotApplicableError
from .._base.types import FloatArray
from .._base.wording import Option, Sentence
from .noise import subset
from .partition import Partition
from .points.rows_of_points import rows_if_moved
from .reading.arraylike import to_array
from .reading.foreign import unwrapped
from .reading.labels import encode_labels
from .weighting import Weighting

#: Effective number of points below which weights need a note, and share of a single point.
FEW, LARGE_SHARE = 30, 0.1


def balanced_weights(labels: Any) -> FloatArray:
    """Return weights with which every class counts alike: one over the size of the class.

    Parameters
    ----------
    labels : label vector
        The class of each point.

    Returns
    -------
    array of float
        The weight of each point, to be passed as ``weights``. The weights of each class sum to 1.

    Raises
    ------
    InputError
        If the labels cannot be read, or are memberships.

    See Also
    --------
    compare : Takes weights.

    Notes
    -----
    Without weights, pairs of points of large classes dominate every index of pairs, so that a small
    class may be lost without a trace in the result.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> truth = ["b"] * 6 + ["t"] * 2
    >>> fr.balanced_weights(truth)[[0, 7]].tolist()
    [0.16666666666666666, 0.5]
    >>> found = [0] * 6 + [0, 1]
    >>> round(fr.adjusted_similarity(truth, found), 3)
    0.462
    >>> weights = fr.balanced_weights(truth)
    >>> round(fr.adjusted_similarity(truth, found, weights=weights), 3)
    0.118
    """
    if getattr(labels, "ndim", 1) != 1:
        raise InputError("the classes must be one label for each point; got a matrix.")
    codes, _ = encode_labels(labels, "labels")
    return np.asarray(1.0 / np.bincount(codes)[codes])


def weight_values(weights: Any) -> FloatArray:
    """Return weights, one number for each point, or refuse them by row and value."""
    given = to_array(weights, "weights")
    try:
        values = given.astype(np.float64, copy=False) if given.dtype.kind in "biufO" else None
    except (TypeError, ValueError):
        values = None
    if values is None or values.ndim != 1:
        raise InputError(
            "{parameter} must hold one number for each point.", parameter=Option("weights")
        )
    low, high = (values.min(), values.max()) if values.size else (0.0, 0.0)
    if high < np.inf and low >= 0.0:  # false for NaN
        return values
    row = int(np.flatnonzero(~(np.isfinite(values) & (values >= 0.0)))[0])
    raise InputError(
        "entry {row} of {parameter} is {value!r}; weights must be finite and not negative. A "
        "weight of 0 leaves a point out.",
        row=row,
        parameter=Option("weights"),
        value=float(values[row]),
    )


def require_some(keep: npt.NDArray[np.bool_]) -> int:
    """Return the number of points that have a weight above 0, or refuse fewer than two."""
    left = int(np.count_nonzero(keep))
    if left < 2:
        raise InputError(
            "{parameter}: {left} of {n:,} points have a weight above 0; at least 2 are needed to "
            "have a pair.",
            parameter=Option("weights"),
            left="none" if left == 0 else "only 1",
            n=keep.size,
        )
    return left


def with_weights(partitions: Sequence[Partition], weights: Any) -> list[Partition]:
    """Return clusterings of the same points with weights, without points of weight 0.

    Parameters
    ----------
    partitions : sequence of Partition
        Clusterings of the same points in the same order.
    weights : sequence, array, series or None
        A weight for each point, matched by ids where both have them.
    """
    if weights is None:
        return list(partitions)
    weights = unwrapped(weights)
    values = weight_values(weights)
    rows = rows_if_moved(partitions, weights, "weights")
    own = values if rows is None else values[rows]
    if own.min() > 0.0:
        zeros, parts = 0, list(partitions)
    else:
        keep = own > 0.0
        own, zeros = own[keep], own.size - require_some(keep)
        parts = [_without(partition, keep) for partition in partitions]
    weighting = Weighting.of(own, zeros)
    if weighting.equal and not zeros:
        return parts
    return [replace(part, weighting=weighting) for part in parts]


def _without(partition: Partition, keep: Any) -> Partition:
    """Return the clustering of points that count; those without a label stay marked."""
    absent = partition.absent
    part = subset(partition, keep)
    return replace(part, absent=None if absent is None or not absent[keep].any() else absent[keep])


def refuse_weights(partitions: Iterable[Partition], what: str) -> None:
    """Refuse weighted points where only points that count alike are supported.

    Parameters
    ----------
    partitions : iterable of Partition
        The clusterings.
    what : str
        What is not available with weights, for the message.
    """
    if any(partition.weights is not None for partition in partitions):
        raise NotApplicableError(
            "{parameter} cannot be combined with {what}.", parameter=Option("weights"), what=what
        )


def weight_notes(partition: Partition) -> Iterable[Sentence]:
    """Return notes on weights that leave few points to count."""
    weighting = partition.weighting
    if weighting is None:
        return
    if weighting.effective < FEW:
        yield Sentence.of(
            "with these weights, the effective number of points is only {effective:.3g} of {n:,}. "
            "The result depends on the points with large weights.",
            n=partition.n,
            effective=weighting.effective,
        )
    elif weighting.largest_share > LARGE_SHARE:
        yield Sentence.of(
            "a single point has {share:.0%} of the total weight, so the result depends on it.",
            share=weighting.largest_share,
        )


def weight_facts(partition: Partition) -> dict[str, float] | None:
    """Return what a result says about the weights of the points; None without weights."""
    return None if partition.weighting is None else partition.weighting.to_dict()


def weight_line(facts: Mapping[str, float] | None) -> str:
    """Return a line on the weights of the points; "" without weights.

    Examples
    --------
    >>> weight_line(Weighting.of(np.array([1.0, 1.0, 2.0]), 4).to_dict())
    'Weighted points: sum of weights 4, effective number of points 2.7; 4 of weight 0 left out'
    """
    if facts is None:
        return ""
    effective, left_out = facts["effective_points"], int(facts["left_out"])
    out = f"; {left_out:,} of weight 0 left out" if left_out else ""
    worth = f"{effective:,.{1 if effective < 100 else 0}f}"
    return (
        f"Weighted points: sum of weights {facts['sum']:,.6g}, effective number of points "
        f"{worth}{out}"
    )
