"""The expected discordance of two laws from few draws, for repeatedly drawn clusterings."""

from __future__ import annotations

import numpy as np

from .._base.effort import Precision
from .._base.streams import Stream
from .._base.types import FloatArray
from .._distributions.atoms import Atoms
from ..indices.concordances import Concordance
from ..models._laws.base import FIRST_BATCHES, Law
from .discordance.expected import discordance_of_laws, moments_suffice

#: Smaller variances of agreements are only rounding: identical rows agree by 1, up to 1e-16.
NO_SPREAD = 1e-24


def rough_expectation(
    laws: tuple[Law, Law],
    concordance: Concordance,
    effort: Precision,
    number: int,
    batches: int = 1,
) -> float:
    """Return the expected discordance of two laws: exactly if that is quick, else from few draws.

    The draws are some batches from each law; all cross pairs are used, with the known mean
    agreements as control variates.

    Parameters
    ----------
    laws : pair of Law
        The laws.
    concordance : Concordance
        That of the index.
    effort : Precision
        Seed.
    number : int
        Number of the redraw; different numbers give independent draws.
    batches : int
        Number of batches drawn from each law.
    """
    if moments_suffice(*laws, concordance) is not None:
        return discordance_of_laws(*laws, concordance, lambda _: 0.0, effort).value
    # Each side has its own batches, so that the two sides are independent.
    drawn = [
        _rough_atoms(law, effort, (2 * number + side) * batches, batches)
        for side, law in enumerate(laws)
    ]
    value = None
    for law, own, other in zip(laws, drawn, drawn[::-1], strict=True):
        heights = concordance.curve(other)[0](own.values)
        value = _mean(own, heights) if value is None else value
        if law.mean is not None:
            mean = _mean(own, own.values)
            value -= _slope(own, mean, heights) * (mean - law.mean.value)
    assert value is not None
    return value


def _rough_atoms(law: Law, effort: Precision, first: int, batches: int) -> Atoms:
    bracket = None if law.drawn else law.bracket()
    if bracket is not None:
        return bracket.inner
    drawn = [
        law.draw(effort, Stream.REDRAWS, FIRST_BATCHES + first + batch)[0].ravel()
        for batch in range(batches)
    ]
    return Atoms.of_sample(np.concatenate(drawn))


def _mean(atoms: Atoms, heights: FloatArray) -> float:
    # Not a dot product, because starting the threads of BLAS takes longer.
    return float((atoms.weights * heights).sum())


def _slope(atoms: Atoms, mean: float, heights: FloatArray) -> float:
    """Return the slope of the regression of heights on the values of a law."""
    centred = atoms.values - mean
    weighted = atoms.weights * centred
    spread = float((weighted * centred).sum())
    return float((weighted * heights).sum()) / spread if spread > NO_SPREAD else 0.0
