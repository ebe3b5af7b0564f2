"""The error of sampled pairs covers the truth, also where a file is sorted by cluster."""

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._analysis.discordance.block_sample import BlockSample
from fuzzyrand._analysis.discordance.observed import Observed
from fuzzyrand._base.effort import Precision
from fuzzyrand.indices import as_index
from fuzzyrand.models._laws.side import prepare_sides

from .blocked import in_blocks


def sorted_clusterings(n):
    """Two fuzzy clusterings of points that are sorted by cluster, of very different fuzziness."""
    rng = np.random.default_rng(0)
    z = np.sort(rng.choice(3, n, p=[0.6, 0.3, 0.1]))
    sharpness = np.array([30.0, 1.0, 6.0])[z][:, None]
    first = rng.standard_gamma(0.5 + sharpness * np.eye(3)[z])
    second = rng.standard_gamma(1.0 + 5.0 * np.eye(3)[np.where(z == 2, 0, z)])
    return [rows / rows.sum(axis=1, keepdims=True) for rows in (first, second)]


@pytest.mark.parametrize("index", ["ndc", "belief"])
def test_errors_cover_on_a_sorted_file(index):
    # Small groups and few of them, so that many samples are quick.
    budget = fr.Budget(group_points=40, fewest_groups=32)
    n = 2000
    partitions = in_blocks(sorted_clusterings(n), [500] * 4)
    exact = prepare_sides(partitions, as_index(index), Precision(pairs="all"))
    truth = Observed((exact[0], exact[1])).estimate.value
    estimates = []
    for seed in range(120):
        effort = Precision(seed=seed, pairs=1000, budget=budget)
        sides = prepare_sides(partitions, as_index(index), effort)
        for side, kept in zip(sides, exact, strict=True):
            side.__dict__["pairs_law"] = kept.pairs_law  # its mean is computed once
        estimates.append(BlockSample((sides[0], sides[1])).estimate(1000))
    z = np.array([(estimate.value - truth) / estimate.stderr for estimate in estimates])
    # Student's t with about 27 degrees of freedom: 95% lie within 2.05, and its sd is 1.04.
    assert 0.88 <= np.mean(np.abs(z) < 2.05) <= 0.99
    assert abs(z.mean()) < 4.0 / np.sqrt(z.size)
    assert 0.8 < z.std() < 1.25
