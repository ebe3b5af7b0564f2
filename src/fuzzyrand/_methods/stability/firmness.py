"""Firmness of clusters: how well each cluster of all rows is found again in a subsample."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..._base.types import FloatArray, IntArray
from ..._clusterings.matching.jaccards import jaccards_of
from ..._clusterings.noise import treat_noise
from ..._clusterings.options import InputOptions
from ..._clusterings.partition import Noise, Partition
from ..._clusterings.rows import DenseRows, LabelRows


def without_noise(partition: Partition, options: InputOptions) -> Partition:
    """Return a clustering in which noise, and points without a label, are in no cluster.

    Whatever the treatment of noise in comparisons, it is not a cluster that could be firm. No point
    is left out, and clusters keep their numbers unless noise was one of them.
    """
    absent = partition.absent
    if absent is not None and partition.is_hard:
        points, k = int(np.count_nonzero(absent)), partition.k
        partition = replace(
            partition,
            rows=LabelRows(np.where(absent, np.intp(k), partition.rows.codes), k + 1),
            noise=Noise("cluster", points, points / partition.n, cluster=k),
            absent=None,
        )
    elif absent is not None:
        rows = np.where(absent[:, None], 0.0, partition.rows.dense)
        partition = replace(partition, rows=DenseRows(rows), absent=None)
    reading = InputOptions(noise=options.noise, noise_as="singletons", missing="noise")
    return treat_noise([partition], reading, ["clustering"])[0]


def found_again(whole: Partition, rows: IntArray, part: Partition) -> FloatArray:
    """Return, for each cluster of all rows, the largest Jaccard similarity with one of a subsample.

    Parameters
    ----------
    whole : Partition
        Clustering of all rows.
    rows : array of int
        The rows of the subsample.
    part : Partition
        Clustering of the subsample.

    Returns
    -------
    array
        NaN for clusters that have no points among these rows.
    """
    here = whole.take(rows)
    found = np.zeros(here.clusters)
    if part.clusters:
        found = jaccards_of(here, part).max(axis=1)
    return np.where(here.sizes[: here.clusters] > 0.0, found, np.nan)
