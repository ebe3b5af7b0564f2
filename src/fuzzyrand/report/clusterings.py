"""What one clustering looks like: how large its clusters are, and how fuzzy its points."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from .._inputs.partition import Partition
from .markup import SHORT, bar, full_name, name, number, percent, table

#: Clusters listed one by one; of more, the smaller ones are summed up.
LISTED = 20
#: Borders of the largest membership of a point, from clear to fuzzy.
BORDERS = (0.99, 0.9, 0.7, 0.5)


def clustering_part(partition: Partition, called: str, side: str, fixed: bool) -> str:
    """One clustering, as a column of the page."""
    clusters = f"{partition.k} cluster" + "s" * (partition.k != 1)
    empty = partition.k - partition.occupied
    told = f"The {side} clustering: {partition.kind}, {partition.n:,} points, {clusters}"
    if empty:
        told += f", {empty} of them empty"
    told += "; taken as given." if fixed else "."
    return (
        f'<div><h3>{full_name(called)}</h3><p class="small">{told}</p>'
        f"{_sizes(partition)}{_fuzziness(partition)}</div>"
    )


def _sizes(partition: Partition) -> str:
    sizes = partition.sizes
    total = float(sizes.sum()) or 1.0
    order = np.argsort(-sizes, kind="stable")
    listed = order[: LISTED if partition.k > LISTED + 1 else partition.k]
    largest = float(sizes.max()) or 1.0
    rows = [
        [
            _called(partition, int(cluster)),
            _amount(partition, float(sizes[cluster])),
            percent(float(sizes[cluster]) / total),
            bar(float(sizes[cluster]) / largest),
        ]
        for cluster in listed
    ]
    rest = sizes[order[listed.size :]]
    if rest.size:
        rows.append(
            [
                f"{rest.size} more",
                _amount(partition, float(rest.sum())),
                percent(float(rest.sum()) / total),
                bar(float(rest.max()) / largest, "rest"),
            ]
        )
    what = "points" if partition.is_hard else "membership"
    caption = "Cluster sizes, largest first"
    caption += "." if partition.is_hard else ": memberships of all points, added up."
    if partition.names is None:
        caption += " Clusters are numbered as the columns are, from 1."
    if rest.size:
        caption += " The hatched bar is the largest of the others."
    head = ["cluster", what, "share", '<span aria-hidden="true"></span>']
    kind = "num" if partition.names is None else "text"
    return table(head, rows, [kind, "num", "num", "drawn"], caption, "sizes")


def _called(partition: Partition, cluster: int) -> str:
    """The name of a cluster, or its number where clusters have no names."""
    if partition.names is None:
        return str(cluster + 1)
    if cluster >= len(partition.names):  # which no label stands for
        return '<span class="soft">not used</span>'
    called = partition.names[cluster]
    return name(called, SHORT) if called.strip() else f"“{name(called)}”"


def _amount(partition: Partition, size: float) -> str:
    return f"{size:,.0f}" if partition.is_hard else f"{size:,.1f}"


def _fuzziness(partition: Partition) -> str:
    if partition.memberships is None:
        return '<p class="small">Every point belongs to one cluster entirely.</p>'
    largest = partition.memberships.max(axis=1)
    edges = (np.inf, *BORDERS, -np.inf)
    rows = []
    for upper, lower in pairwise(edges):
        count = int(np.count_nonzero((largest > lower) & (largest <= upper)))
        words = (
            f"above {lower:g}"
            if upper == np.inf
            else f"{upper:g} or less"
            if lower == -np.inf
            else f"{lower:g} to {upper:g}"
        )
        share = count / partition.n
        rows.append([words, f"{count:,}", percent(share), bar(share)])
    caption = (
        "Fuzziness: the largest membership of each point; 1 is a point that belongs to one cluster "
        f"entirely. Mean {number(float(largest.mean()), 3)}."
    )
    if partition.possibilistic:
        sums = partition.memberships.sum(axis=1)
        caption += (
            f" The memberships of a point need not sum to 1 here: {number(float(sums.min()), 3)} "
            f"to {number(float(sums.max()), 3)}."
        )
    head = ["largest membership", "points", "share", '<span aria-hidden="true"></span>']
    return table(head, rows, ["text", "num", "num", "drawn"], caption, "sizes")
