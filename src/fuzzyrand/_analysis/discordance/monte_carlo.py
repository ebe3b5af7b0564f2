"""The expected discordance of two independent laws, by Monte Carlo over *all* cross pairs of draws.

The agreement and a control drawn with it (see ``indices.agreements``) may have known means and then
serve as control variates: the first removes what is linear in the agreement, the second much of the
curvature. A regression on them amounts to a weight for each block of draws.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ..._base.effort import Precision
from ..._base.estimate import PAIR_ROUNDING, Estimate
from ..._base.progress import progress
from ..._base.streams import Stream
from ..._base.threads import map_in_order
from ..._base.types import FloatArray
from ..._distributions.atoms import Curve
from ..._distributions.mass_table import MassTable
from ...indices.concordances import Concordance
from ...models._laws.base import BLOCKS_A_BATCH, FIRST_BATCHES, Law
from .controls import Controls

#: Number of effective blocks from which a variance is trusted (for normally distributed blocks,
#: this number is a third of the blocks), and number of draws beyond which no more are added for it.
EFFECTIVE_BLOCKS, ENOUGH_DRAWS = 12.0, 1 << 20

#: A number of batches that no limit on draws allows.
MOST_BATCHES = 1 << 40

#: Function from an estimate of the expected discordance to the Monte Carlo error it should have.
Goal = Callable[[float], float]


def by_sampling(
    first: Law, second: Law, concordance: Concordance, goal: Goal, effort: Precision
) -> Estimate:
    """Estimate the mean discordance of two independent laws, at least one of which is sampled."""
    # The laws are sorted, so that exchanging the sides gives the same result.
    laws = sorted((first, second), key=lambda law: law.sort_key)
    curves = [_exact_curve(law, concordance) for law in laws]
    streams = (Stream.FIRST_LAW, Stream.SECOND_LAW)
    sides = [
        _Drawn(law, stream, effort)
        for law, stream, curve in zip(laws, streams, curves, strict=True)
        if curve is None
    ]
    for side in sides:
        side.extend(FIRST_BATCHES)
    while True:
        if len(sides) == 1:
            exact_curve, bound = next(curve for curve in curves if curve is not None)
            value = sides[0].estimate(exact_curve)
        else:
            value, bound = _all_cross_pairs(sides[0], sides[1], concordance)
        value = max(value, 0.0)
        stderr = math.sqrt(sum(side.variance for side in sides))
        wanted = goal(value)
        before = [side.batches for side in sides]
        if stderr > wanted:
            for side, batches in zip(sides, _batches_needed(sides, wanted), strict=True):
                side.extend(min(batches, side.most_batches))
        for side in sides:
            if not side.believed and side.agreements.size < ENOUGH_DRAWS:
                side.extend(min(2 * side.batches, side.most_batches))
        if before == [side.batches for side in sides]:
            break  # The result is accurate enough, or the limit is reached.
    draws = sum(side.agreements.size for side in sides)
    how = f"Monte Carlo, {draws:,} co-memberships, all cross pairs"
    return Estimate(value, stderr, bound, how, draws, reached=stderr <= wanted)


def _all_cross_pairs(
    first: _Drawn, second: _Drawn, concordance: Concordance
) -> tuple[float, float]:
    """Return the corrected mean over all cross pairs of draws, and a bound on its table error.

    Each side enters with its correcting weights. The mean is then the same from both sides, and any
    noise that is bilinear in the controls of the two sides is removed. Correcting the plain mean
    separately for each side would subtract such a term twice; for nearly hard rows, this term
    exceeds all other noise.
    """
    low = float(min(side.agreements.min() for side in (first, second)))
    high = float(max(side.agreements.max() for side in (first, second)))
    cells = concordance.cells_of_draws
    mass1, mass2 = (
        MassTable.of(side.agreements, low, high, side.draw_weights(), cells=cells)
        for side in (first, second)
    )
    table1, table2 = concordance.curve_table(mass1), concordance.curve_table(mass2)
    value = first.estimate(lambda a: mass2.interpolate(table2, a))
    second.estimate(lambda a: mass1.interpolate(table1, a))
    return value, concordance.table_error(mass1, mass2, value)


def _batches_needed(sides: list[_Drawn], wanted: float) -> list[int]:
    """Return the numbers of batches that reach the Monte Carlo error at least cost, plus 10%.

    The work is divided between the sides by Neyman's optimal allocation.
    """
    variances = [side.unit_variance / BLOCKS_A_BATCH for side in sides]
    costs = [side.law.batch_cost for side in sides]
    total = sum(math.sqrt(v * c) for v, c in zip(variances, costs, strict=True))
    # An error of 1e-15 cannot be reached, nor can a smaller one, whose square may be 0.
    square = max(wanted, PAIR_ROUNDING) ** 2
    return [
        math.ceil(min(1.1 * total * math.sqrt(v / c) / square, MOST_BATCHES))
        for v, c in zip(variances, costs, strict=True)
    ]


def _exact_curve(law: Law, concordance: Concordance) -> tuple[Curve, float] | None:
    """Return a -> E[discordance(a, A)] and a bound on its error; None if A must be sampled."""
    if law.continuous is not None and concordance.power == 1.0:
        return law.continuous.absolute_curve()
    bracket = None if law.drawn else law.bracket()
    if bracket is None:
        return None
    low, error = concordance.curve(bracket.inner)
    if bracket.exact:
        return low, error
    high, _ = concordance.curve(bracket.outer)
    if concordance.power is not None:
        error += concordance.power * bracket.curve_error
    else:
        grid = np.linspace(0.0, 1.0, 1025)
        error += 0.5 * float(np.abs(high(grid) - low(grid)).max())
    return (lambda a: 0.5 * (low(a) + high(a))), error


class _Drawn:
    """A side of a Monte Carlo run, with its draws so far; each block is a row."""

    def __init__(self, law: Law, stream: Stream, effort: Precision) -> None:
        self.law, self.stream, self.effort = law, stream, effort
        self.agreements = np.zeros((0, 0))
        self.controls = np.zeros(0)
        self.unit_variance = math.inf
        self.effective_blocks = 0.0

    @property
    def blocks(self) -> int:
        """Number of blocks drawn so far."""
        return self.agreements.shape[0]

    @property
    def batches(self) -> int:
        """Number of batches drawn so far."""
        return self.blocks // BLOCKS_A_BATCH

    def extend(self, batches: int) -> None:
        """Draw until there are ``batches`` batches.

        A batch depends only on its number, not on when or on which thread it is drawn.
        """
        if batches <= self.batches:
            return

        def draw(batch: int) -> tuple[FloatArray, FloatArray]:
            agreements, controls = self.law.draw(self.effort, self.stream, batch)
            return agreements, controls.mean(axis=1)

        numbers = range(self.batches, batches)
        found = map_in_order(draw, numbers, self.effort.n_threads)
        fresh = list(progress(found, len(numbers), "draws"))
        have = [self.agreements] if self.blocks else []
        self.agreements = np.concatenate([*have, *(agreements for agreements, _ in fresh)])
        self.controls = np.concatenate([self.controls, *(controls for _, controls in fresh)])

    def estimate(self, curve: Curve) -> float:
        """Return the mean of the curve over the draws, corrected by the controls.

        The blocks are the independent units, because draws within a block share rows.
        """
        y = curve(self.agreements.ravel()).reshape(self.agreements.shape).mean(axis=1)
        mean = self._controls().mean_of(y)
        self.unit_variance, self.effective_blocks = mean.unit_variance, mean.effective_units
        return mean.value

    def draw_weights(self) -> FloatArray:
        """Return the weight of every draw in a corrected mean; they sum to 1."""
        weights = self._controls().weights
        return np.repeat(weights / self.agreements.shape[1], self.agreements.shape[1])

    def _controls(self) -> Controls:
        """Return the block means of the controls, with their exact means."""
        columns, exact_means = np.empty((self.blocks, 0)), []
        if self.law.control is not None:
            columns, exact_means = self.controls[:, None], [self.law.control]
        if self.law.mean is not None:
            columns = np.column_stack([columns, self.agreements.mean(axis=1)])
            exact_means.append(self.law.mean.value)
        return Controls.of(columns, np.array(exact_means))

    @property
    def believed(self) -> bool:
        """Whether the variance is based on enough blocks.

        Rows of tiny precision are nearly always one-hot. The controls then explain all but a few
        blocks, and the variance comes from those few.
        """
        return self.effective_blocks >= EFFECTIVE_BLOCKS

    @property
    def variance(self) -> float:
        """Variance of the corrected mean.

        If the variance is not trusted, the squared effect of an event that occurs once in as many
        draws is added, since such an event may never have been drawn.
        """
        unseen = 0.0 if self.believed else 1.0 / self.agreements.size
        return self.unit_variance / self.blocks + unseen**2

    @property
    def most_batches(self) -> int:
        """Largest number of batches that the limit on draws allows."""
        a_batch = BLOCKS_A_BATCH * self.agreements.shape[1]
        return max(FIRST_BATCHES, self.effort.max_draws // a_batch)
