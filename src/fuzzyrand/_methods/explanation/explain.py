"""Put together everything that explains a comparison."""

from __future__ import annotations

from functools import partial

import numpy as np

from ..._analysis import Analysis
from ..._base.errors import NotApplicableError
from ..._base.streams import Stream
from ..._base.wording import Option, Sentence
from ..._clusterings.matching.renaming import named_like
from ..._pairs.cover_levels import levels_of
from ..._pairs.random_pairs import pairs_of, random_agreements
from ...indices import Index, Omega, PairIndex, TableIndex
from ...models._laws.side import Side
from ...results import Comparison, Explanation
from .hardened import hardened_index
from .scores import cluster_scores, point_scores
from .wallace import wallace_of

#: Number of random pairs from which a mean agreement is estimated if it is not known.
PAIRS = 1 << 18


def is_divisible(index: Index) -> bool:
    """Return whether an index is a mean over points, or pairs of points, which have scores."""
    return not isinstance(index, TableIndex) or index.sums_points


def require_divisible(index: Index) -> None:
    """Refuse an index that is not a mean over points, or pairs of points."""
    if not is_divisible(index):
        raise NotApplicableError(
            "the index {index!r} is not a mean over points, so points and clusters have no scores. "
            "Use {ndc} or another index of pairs, or {mi}.",
            index=index.name,
            ndc=Option("index", "ndc"),
            mi=Option("index", "mi"),
        )


def explanation_of(analysis: Analysis, *, quick: bool = False) -> Explanation:
    """Find out where two clusterings disagree.

    Parameters
    ----------
    analysis : Analysis
        The clusterings under a model. If an adjusted index of 1 stands for the self-similarity,
        another analysis is made, because scores of points refer to perfect agreement.
    quick : bool
        Whether to compute the Wallace indices of large fuzzy clusterings from fewer pairs, so that
        an explanation takes about as long as the comparison.
    """
    require_divisible(analysis.index)
    analysis = analysis.against_one()
    comparison, sides = Comparison.of(analysis), analysis.sides
    first, second = analysis.partitions
    renamed, note = named_like(first, second)
    points, stderr = point_scores(comparison)
    points.flags.writeable = False  # the adjusted index is their mean
    hardened = hardened_index(analysis)
    of_pairs = isinstance(analysis.index, PairIndex | Omega)
    return Explanation(
        comparison=comparison,
        points=points,
        points_stderr=stderr,
        clusters=(cluster_scores(first, points), cluster_scores(second, points)),
        sizes=(first.sizes[: first.clusters], second.sizes[: second.clusters]),
        find_wallace=partial(wallace_of, sides, quick=quick) if of_pairs else None,
        hardened=hardened.adjusted,
        hardened_model=hardened.model,
        mean_agreements=(_mean_agreement(sides[0]), _mean_agreement(sides[1]))
        if of_pairs
        else None,
        partitions=(first, second),
        renamed=None if note is None else renamed,
        own_notes=(
            *([] if note is None else [note]),
            *_remarks(comparison, sides, stderr is not None, hardened.model),
        ),
    )


def _mean_agreement(side: Side) -> float:
    """Return the mean agreement of the pairs, estimated from a sample if it is not known."""
    if isinstance(side.index, Omega):
        shares = levels_of(side.partition).shares
        return float(shares @ np.arange(shares.size))
    known = side.pairs_law.mean
    if known is not None:
        return known.value
    assert isinstance(side.index, PairIndex)
    rng = side.effort.stream(Stream.EXPLANATIONS, 0, 2)
    i, j = pairs_of(side.partition, rng, PAIRS)
    return float(np.mean(random_agreements(side.partition, side.index.agreement, i, j)[0]))


def _remarks(
    comparison: Comparison, sides: tuple[Side, Side], sampled: bool, hardened_model: str
) -> tuple[Sentence, ...]:
    remarks = []
    if sampled:
        remarks.append(
            Sentence.of(
                "there are too many pairs to visit all of them. The score of each point comes from "
                "a few hundred random pairs and has a Monte Carlo error. {all} visits all pairs.",
                all=Option("pairs", "all"),
            )
        )
    if any(side.partition.noise_is_singletons for side in sides):
        remarks.append(
            Sentence.of(
                "noise treated as singletons is not a cluster: noise points have scores, but count "
                "in the score of no cluster."
            )
        )
    if hardened_model != comparison.model:
        remarks.append(
            Sentence.of(
                "the model {model!r} does not apply to the strongest clusters alone. They were "
                "compared under 'perm'.",
                model=comparison.model,
            )
        )
    return tuple(remarks)
