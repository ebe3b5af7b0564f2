"""The form in which a clustering was passed in, so that it can be returned in the same form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..cluster_names import ClusterNames
from ..partition import Partition
from ..points.point_ids import ids_of
from ..reading.arraylike import dimensions, is_sequence
from ..reading.communities import read_communities
from ..rows import DenseRows, LabelRows
from .cluster_labels import as_array, distinct, labels_of
from .overlap import matrix_of


@dataclass(frozen=True)
class Form:
    """Kind of object in which a clustering was passed.

    Attributes
    ----------
    kind : "partition", "pandas", "dict" or "array"
        A Partition, a pandas Series or frame, sets or a dict of points, or anything else.
    matrix : bool
        Whether it was a matrix of memberships rather than a vector of labels.
    title : object
        Name of a Series.
    levels : tuple
        Names of the levels of an index.
    """

    kind: str
    matrix: bool
    title: Any = None
    levels: tuple[Any, ...] = ()

    @classmethod
    def of(cls, clustering: Any, partition: Partition) -> Form:
        """Return the form of a clustering that was read as the given partition."""
        if isinstance(clustering, Partition):
            return cls("partition", not partition.is_hard)
        if read_communities(clustering, "clustering") is not None:
            return cls("dict", False)
        kind = "array" if ids_of(clustering) is None else "pandas"
        matrix = dimensions(clustering, "clustering") == 2
        if is_sequence(clustering):  # a list of rows, or of labels, which may be tuples
            names = partition.names
            matrix = names is None or not partition.is_hard
        if kind == "array":
            return cls(kind, matrix)
        return cls(kind, matrix, getattr(clustering, "name", None), tuple(clustering.index.names))

    def made(self, partition: Partition, columns: Sequence[int], labels: Sequence[Any]) -> Any:
        """Return a clustering in this form, with its clusters moved to other columns.

        Parameters
        ----------
        partition : Partition
            The clustering.
        columns : sequence of int
            The new column of each cluster.
        labels : sequence
            Names of all new columns, including those that no cluster moves to.
        """
        labels = list(labels)
        if partition.noise_is_singletons:
            labels += distinct([_noise_label(partition)], labels, "noise")
        if self.kind == "partition":
            return _moved(partition, columns, labels)
        if self.matrix:
            rows = matrix_of(partition, noise=True)
            moved = np.zeros((partition.n, len(labels)))
            last = [len(labels) - 1] if partition.noise_is_singletons else []
            moved[:, [*columns, *last]] = rows
            return self._framed(moved, labels, partition)
        places = np.append(np.asarray(columns, dtype=np.intp), len(labels) - 1)
        codes = places[np.minimum(partition.rows.codes, partition.clusters, dtype=np.intp)]
        return self._framed(as_array(labels)[codes], labels, partition)

    def _framed(self, values: Any, labels: Sequence[Any], partition: Partition) -> Any:
        if self.kind == "dict":
            assert partition.ids is not None
            return dict(zip(partition.ids, values.tolist(), strict=True))
        if self.kind != "pandas":
            return values
        import pandas as pd  # Deferred: optional, but installed if its objects were passed.

        ids: Any = partition.ids
        index = pd.RangeIndex(len(ids)) if isinstance(ids, range) else pd.Index(ids)
        index = index.set_names(list(self.levels))
        if not self.matrix:
            return pd.Series(values, index=index, name=self.title)
        return pd.DataFrame(values, index=index, columns=as_array(labels))


def _noise_label(partition: Partition) -> Any:
    """Return the label of noise points; an integer if all labels are integers."""
    assert partition.noise is not None
    label = partition.noise.label or "noise"
    numbers = partition.names is not None and all(type(x) is int for x in labels_of(partition))
    return int(label) if numbers and label.removeprefix("-").isdecimal() else label


def _moved(partition: Partition, columns: Sequence[int], labels: Sequence[Any]) -> Partition:
    """Return a Partition with its clusters moved to other columns and renamed."""
    alone, k = partition.noise_is_singletons, len(labels)
    noise = partition.noise if alone else None
    if not partition.is_hard:
        rows = np.zeros((partition.n, k))
        rows[:, [*columns, *([k - 1] if alone else [])]] = matrix_of(partition, noise=True)
        names = ClusterNames(as_array(labels))
        return replace(partition, rows=DenseRows(rows), names=names, noise=noise)
    shared = k - 1 if alone else k
    # Noise points are clusters of their own, after all others.
    places = np.append(
        np.asarray(columns, dtype=np.intp),
        shared + np.arange(partition.k - partition.clusters, dtype=np.intp),
    )
    return replace(
        partition,
        rows=LabelRows(places[partition.rows.codes], shared + partition.k - partition.clusters),
        names=ClusterNames(as_array(labels[:shared])),
        noise=noise,
    )
