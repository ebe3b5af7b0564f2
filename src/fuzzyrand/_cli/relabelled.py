"""Clusterings in the order and with the names of others, as CSV or Q files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import output

if TYPE_CHECKING:
    from .._clusterings.partition import Partition


def write_relabelled(
    path: str, partition: Partition, columns: Sequence[int], labels: Sequence[Any], title: str
) -> None:
    """Write a clustering in another order: labels if it is hard, else memberships.

    Parameters
    ----------
    path : str
        The file.
    partition : Partition
        The clustering.
    columns : sequence of int
        The new column of each cluster.
    labels : sequence
        The names of all new columns.
    title : str
        Heading of the ids of the points, if they have any.
    """
    # Deferred: NumPy, which --help does not need.
    from .._clusterings.matching.form import Form

    form = Form("array", not partition.is_hard)
    values = form.made(partition, columns, labels).tolist()
    header, rows = ["label"], [[value] for value in values]
    if form.matrix:
        header, rows = [str(label) for label in labels], values
        header += ["noise"] * partition.noise_is_singletons
    if partition.ids is not None:
        header = [title, *header]
        rows = [[key, *row] for key, row in zip(partition.ids, rows, strict=True)]
    output.save_csv(path, header, rows)


def write_shares(
    path: str, partition: Partition, columns: Sequence[int], labels: Sequence[Any]
) -> None:
    """Write memberships as ADMIXTURE does: spaces between six decimals, and no header.

    The arguments are those of :func:`write_relabelled`.
    """
    # Deferred: NumPy, which --help does not need.
    from .._clusterings.matching.form import Form

    rows = Form("array", True).made(partition, columns, labels).tolist()
    text = "".join(" ".join(f"{share:.6f}" for share in row) + "\n" for row in rows)
    output.save(path, lambda target: target.write_text(text, encoding="ascii", newline="\n"))
