"""Clusterings in blocks of arrays, without dask."""

import numpy as np

from fuzzyrand._analysis import Analysis
from fuzzyrand._analysis.discordance.observed import Observed
from fuzzyrand._base.effort import Precision
from fuzzyrand._clusterings.blocks.source import ArraySource
from fuzzyrand._clusterings.blocks.together import BlockedForm, read_blocks
from fuzzyrand._clusterings.options import InputOptions
from fuzzyrand.indices import as_index
from fuzzyrand.models import as_model
from fuzzyrand.models._laws.side import prepare_sides
from fuzzyrand.results import Comparison

NAMES = ("first clustering", "second clustering")


def in_blocks(arrays, sizes, options=None):
    forms = [
        BlockedForm(name, None if array.ndim == 1 else array.shape[1])
        for name, array in zip(NAMES, arrays, strict=False)
    ]
    return read_blocks(ArraySource(arrays, sizes), forms, options or InputOptions())


def compare_in_blocks(first, second, sizes, index="ndc", model="fit", effort=None, **question):
    partitions = in_blocks([first, second], sizes)
    effort = effort or Precision()
    return Comparison.of(
        Analysis.of(partitions, as_index(index), as_model(model), effort, **question)
    )


def observed_in_blocks(first, second, sizes, index="ndc", effort=None):
    partitions = in_blocks([first, second], sizes)
    one, two = prepare_sides(partitions, as_index(index), effort or Precision())
    return Observed((one, two)).estimate


def random_sizes(rng, n, blocks):
    cuts = np.sort(rng.integers(0, n + 1, size=blocks - 1))
    return np.diff(np.concatenate([[0], cuts, [n]])).tolist()
