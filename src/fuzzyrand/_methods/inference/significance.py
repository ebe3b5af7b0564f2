"""Test whether two clusterings are more similar than expected by chance."""

from __future__ import annotations

import math

import numpy as np

from ..._analysis import Analysis
from ..._analysis.bias import knows_sizes_alone
from ..._analysis.permutations.draws import PermutationNull
from ..._analysis.permutations.moments import permutation_moments
from ..._analysis.permutations.tails import pearson3_tail
from ..._base.types import FloatArray
from ..._base.wording import Option, Sentence
from ...results import Comparison, Significance
from ...results.significance import MODEL_DRAWS
from .model_null import ModelNull
from .sequential import Draws, exhaustive_pvalue, sequential_pvalue

#: Default numbers of draws: quick shuffles; slower shuffles, and draws of hard clusterings from a
#: model; draws of fuzzy clusterings; the same if the model is slow to refit.
MANY, FEWER, FEW, FEWEST = 9999, 999, 199, 99


def significance_of(analysis: Analysis, alternative: str, draws: int | None) -> Significance:
    """Test whether an adjusted index may be due to chance.

    Parameters
    ----------
    analysis : Analysis
        The clusterings under the model of the null hypothesis.
    alternative : str
        "greater", "less" or "two-sided".
    draws : int or None
        Largest number of draws; None for a default.
    """
    model = analysis.model
    shuffles = model.shuffles or model.resamples_rows or keeps_sizes(analysis)
    test = _by_shuffles if shuffles else _by_model
    return test(analysis, alternative, draws)


def keeps_sizes(analysis: Analysis) -> bool:
    """Return whether the model depends on the clusterings only through the sizes of hard clusters.

    Given these sizes, every order of the points is then equally likely, so shuffling tests the
    model exactly, however small the clusters are.
    """
    return all(
        knows_sizes_alone(analysis.model, side, law) for _, side, law in analysis.replaced
    ) and all(partition.is_hard for partition in analysis.partitions)


def _by_shuffles(analysis: Analysis, alternative: str, draws: int | None) -> Significance:
    """Compare with shuffled points; the expected discordance is the same for all orders."""
    comparison, sides = Comparison.of(analysis), analysis.sides
    moments = permutation_moments(sides)
    null = PermutationNull(sides)
    scale = 1.0 - comparison.expected

    def adjusted(discordance: FloatArray | float) -> FloatArray:
        return np.asarray(1.0 - np.asarray(discordance) / scale)

    if scale <= 0.0 or (moments.variance is not None and moments.variance == 0.0):
        return _nothing_to_test(comparison, alternative, null.how)
    tolerance, observed = null.tolerance / scale, float(adjusted(null.observed))
    most = 0
    if null.exhaustive:
        found = exhaustive_pvalue(adjusted(null.batch(0)), observed, tolerance, alternative)
    else:
        most = draws if draws is not None else MANY if null.quick else FEWER
        found = sequential_pvalue(
            lambda number: adjusted(null.batch(number)),
            observed,
            tolerance,
            alternative,
            most,
            null.threads,
            "shuffles",
        )
    part = null.points < comparison.n
    if moments.variance is None:
        null_mean, null_sd = float(found.values.mean()), float(found.values.std())
        z, spread = _ratio(observed - null_mean, null_sd), "standard deviation of the draws"
    else:
        null_mean = 0.0 if analysis.model.shuffles else 1.0 - moments.mean / scale
        null_sd = math.sqrt(moments.variance) / scale
        z = _ratio(comparison.adjusted - null_mean, null_sd)
        spread = (
            f"standard deviation from {moments.how}"
            if moments.approximate
            else "exact mean and standard deviation"
        )
    return _result(
        comparison,
        alternative,
        found,
        (null_mean, null_sd, z),
        points=null.points,
        drawn="permutations" if null.exhaustive else "shuffles",
        method=f"{null.how}; {spread}",
        most=None if null.exhaustive else most,
        own_notes=[_part_of_points(comparison, null.points)] if part else [],
        tested=observed,
    )


def _by_model(analysis: Analysis, alternative: str, draws: int | None) -> Significance:
    """Compare with clusterings drawn from a model, which is refitted to them."""
    comparison, null = Comparison.of(analysis), ModelNull(analysis)
    few = FEWEST if analysis.model.refit == "slow" else FEW
    most = draws if draws is not None else few if null.draws_slowly else FEWER
    found = sequential_pvalue(
        null.batch,
        null.observed,
        null.tolerance,
        alternative,
        most,
        analysis.effort.n_threads,
        MODEL_DRAWS,
    )
    null_mean, null_sd = float(found.values.mean()), float(found.values.std(ddof=1))
    part = null.points < comparison.n
    return _result(
        comparison,
        alternative,
        found,
        (null_mean, null_sd, _ratio(null.observed - null_mean, null_sd)),
        points=null.points,
        drawn=MODEL_DRAWS,
        method=MODEL_DRAWS + (", with the model refitted to each" if null.refits else ""),
        most=most,
        own_notes=[_part_of_points(comparison, null.points)] if part else [],
        tested=null.observed,
    )


def _result(
    comparison: Comparison,
    alternative: str,
    found: Draws,
    null: tuple[float, float, float],
    *,
    points: int,
    drawn: str,
    method: str,
    most: int | None,
    own_notes: list[Sentence],
    tested: float,
) -> Significance:
    null_mean, null_sd, z = null
    approximate = None
    if found.at_floor and null_sd > 0.0:
        approximate = _three_moments(found.values, z, alternative)
    return Significance(
        pvalue=found.pvalue,
        pvalue_approx=approximate,
        adjusted=comparison.adjusted,
        null_mean=null_mean,
        null_sd=null_sd,
        z=z,
        draws=found.values.size,
        most=found.values.size if most is None else most,
        method=method,
        alternative=alternative,
        n=comparison.n,
        points=points,
        drawn=drawn,
        exhaustive=most is None,
        comparison=comparison,
        null=found.values,
        tested=tested,
        own_notes=tuple(own_notes),
    )


def _three_moments(values: FloatArray, z: float, alternative: str) -> float:
    """Return the tail of a Pearson type III law with the moments of the null."""
    centred = values - values.mean()
    spread = float(np.mean(centred**2))
    skewness = float(np.mean(centred**3)) / spread**1.5 if spread > 0.0 else 0.0
    above, below = float(pearson3_tail(z, skewness)), float(pearson3_tail(-z, -skewness))
    tails = {"greater": above, "less": below, "two-sided": min(1.0, 2.0 * min(above, below))}
    return tails[alternative]


def _ratio(difference: float, sd: float) -> float:
    return difference / sd if sd > 0.0 else math.nan


def _part_of_points(comparison: Comparison, points: int) -> Sentence:
    return Sentence.of(
        "to save time, the test used a random sample of {points:,} of {n:,} points. The p-value is "
        "valid, but all points might give a smaller one. {draws} sets the number of draws.",
        points=points,
        n=comparison.n,
        draws=Option("draws"),
    )


def _nothing_to_test(comparison: Comparison, alternative: str, how: str) -> Significance:
    """Return the result if every order of the points gives the same index."""
    return Significance(
        pvalue=1.0,
        pvalue_approx=None,
        adjusted=comparison.adjusted,
        null_mean=comparison.adjusted,
        null_sd=0.0,
        z=math.nan,
        draws=0,
        most=0,
        method=how,
        alternative=alternative,
        n=comparison.n,
        points=comparison.n,
        drawn="shuffles",
        exhaustive=True,
        comparison=comparison,
        null=np.zeros(0),
        tested=comparison.adjusted,
        own_notes=(
            Sentence.of(
                "every order of the points gives the same index, so there is nothing to test."
            ),
        ),
    )
