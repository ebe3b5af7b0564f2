"""Repeat a comparison with every point only in its strongest cluster."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..._analysis import Analysis
from ..._base.errors import FuzzyRandError
from ..._clusterings.cluster_names import ClusterNames
from ..._clusterings.noise import last_as_singletons
from ..._clusterings.partition import Partition
from ..._clusterings.rows import LabelRows
from ...models import MODELS, Perm


class Hardened(NamedTuple):
    """The adjusted index of the strongest clusters, and the model by which it is adjusted."""

    adjusted: float
    model: str


def hardened_index(analysis: Analysis) -> Hardened:
    """Compare the strongest clusters under the same model, or under ``perm`` if it has no value."""
    partitions = analysis.partitions
    # Points of a cover are wholly in all of their clusters, and in none most strongly.
    if all(partition.is_hard or partition.cover for partition in partitions):
        return Hardened(analysis.adjusted.value, str(analysis.model))
    hard = [part if part.is_hard else strongest_clusters(part) for part in partitions]
    hardened = analysis.of_others(hard)
    try:
        return Hardened(hardened.adjusted.value, str(analysis.model))
    except Exception as error:
        # A model written by a user may support only fuzzy clusterings, and fail in any way.
        ours = type(analysis.model) in {type(model) for model in MODELS.values()}
        if ours and not isinstance(error, FuzzyRandError):
            raise
        return Hardened(hardened.under(Perm()).adjusted.value, str(Perm()))


def strongest_clusters(partition: Partition) -> Partition:
    """Return the labels of the strongest clusters of a fuzzy clustering.

    As in any label vector, clusters that are not the strongest of any point do not exist. If
    several are equally strong, the first one counts.
    """
    occurring, codes = np.unique(partition.rows.strongest, return_inverse=True)
    names = partition.names
    hard = replace(
        partition,
        rows=LabelRows(codes.astype(np.intp).reshape(-1), occurring.size),
        possibilistic=False,
        noise=None,
        names=None if names is None else ClusterNames([names[c] for c in occurring.tolist()]),
    )
    noisy = partition.noise_is_singletons and occurring[-1] == partition.k - 1
    return last_as_singletons(hard) if noisy else hard
