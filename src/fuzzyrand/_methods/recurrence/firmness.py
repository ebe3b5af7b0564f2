"""Firmness of points: the mean of their scores over all pairs of runs.

The score of a point in a comparison of two runs is 1 − Dₜ/E, where Dₜ is the mean discordance of
its pairs with all other points, and E the expected discordance of the runs (as in ``explain``).
With u and v the memberships of the point, and A, B and C the tables of products of the clusters of
the first run, of the second, and of both, the sum of (a₁ − a₂)² over the pairs of the point is
u'Au − 2u'Cv + v'Bv, up to the pair of the point with itself. Summed over all pairs of runs, this is
a single quadratic form in the memberships of the point in all runs.
"""

from __future__ import annotations

import numpy as np

from ..._base.estimate import ROUNDING
from ..._base.progress import progress
from ..._base.types import FloatArray
from .sums import RunSums, mixed, own_products


def point_firmness(sums: RunSums) -> FloatArray:
    """Return the mean score of each point over the pairs of runs that have it.

    A point in fewer than two runs has NaN. The table of products is overwritten: this comes last.
    """
    columns, expected = sums.columns, sums.expected
    # With weights, scores are scaled so that their weighted mean is the adjusted index.
    scale = np.zeros_like(expected)
    np.divide(sums.common, sums.pairs * expected, out=scale, where=expected > ROUNDING)
    np.fill_diagonal(scale, 0.0)
    groups = int(columns.groups.max()) + 1
    of_groups = np.stack(
        [scale[:, columns.groups == group].sum(axis=1) for group in range(groups)], axis=1
    )
    form = sums.gram
    own = [sums.within(run) * of_groups[run] for run in range(len(columns.runs))]
    for run in range(len(columns.runs)):
        form[:, columns.of(run)] *= scale[columns.run, run, None]
    out = np.full(columns.n, np.nan)
    blocks = list(columns.blocks())
    for points in progress(blocks, len(blocks), "points"):
        rows, mask = columns.block(points), columns.mask(points)
        total = -np.einsum("ij,ij->i", rows @ form, rows)
        for run, partition in enumerate(columns.runs):
            mine = rows[:, columns.of(run)]
            if partition.is_hard:
                total += np.einsum("ij,ij->i", mine @ own[run], mask)
            elif groups == 1:
                total += np.einsum("ij,ij->i", mine @ _square(own[run][:, 0], mine.shape[1]), mine)
            else:
                factors = mixed(mine.shape[1])[:, None] * own[run]
                for part, products in own_products(mine):
                    total += np.einsum("ij,ij->i", products @ factors[part], mask)
        lengths = columns.by_run(np.square(rows, out=rows), axis=1)
        present = mask[:, columns.groups]
        # The pair of a point with itself does not count.
        itself = np.einsum("ij,ij->i", lengths**2, present @ scale)
        itself -= np.einsum("ij,ij->i", lengths @ scale, lengths)
        total -= columns.weights[points] * itself
        pairs = 0.5 * columns.present[points] * (columns.present[points] - 1.0)
        out[points] = np.where(pairs > 0, 1.0 - total / np.maximum(pairs, 1.0), np.nan)
    return out


def _square(values: FloatArray, size: int) -> FloatArray:
    """Return a symmetric matrix from its upper triangle."""
    table = np.zeros((size, size))
    table[np.triu_indices(size)] = values
    return table + np.triu(table, 1).T
