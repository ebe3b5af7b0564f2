"""The expected discordance of two independent laws by Monte Carlo over *all* cross pairs of draws.

Means that are known exactly, of the agreement and of a control drawn with it (see
``indices.agreements``), serve as control variates: the one catches what is linear in the
agreement, the other what is curved.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .._base.effort import Effort
from .._base.estimate import Estimate
from .._base.streams import Stream
from .._base.threads import map_in_order
from .._base.types import FloatArray
from .._distributions.atoms import Curve
from .._distributions.mass_table import MassTable
from .._laws.base import BLOCKS_A_BATCH, FIRST_BATCHES, Law
from ..indices.concordances import Concordance

#: A variance is believed when it does not rest on fewer blocks than this (normal blocks: a third
#: of their number), or when so many agreements have been drawn.
EFFECTIVE_BLOCKS, ENOUGH_DRAWS = 12.0, 1 << 20

#: From an estimate of the expected discordance to the Monte Carlo error wanted of it.
Goal = Callable[[float], float]


def by_sampling(
    first: Law, second: Law, concordance: Concordance, goal: Goal, effort: Effort
) -> Estimate:
    """Estimate the mean discordance of two independent laws, at least one of them drawn from."""
    # In a fixed order of the laws, so that swapping the sides gives the same number.
    laws = sorted((first, second), key=lambda law: law.sort_key)
    curves = [_exact_curve(law, concordance) for law in laws]
    streams = (Stream.FIRST_LAW, Stream.SECOND_LAW)
    sides = [
        _Drawn(law, stream, effort)
        for law, stream, known in zip(laws, streams, curves, strict=True)
        if known is None
    ]
    for side in sides:
        side.extend(FIRST_BATCHES)
    while True:
        if len(sides) == 1:
            curve, bound = next(known for known in curves if known is not None)
            mean, correction = sides[0].estimate(curve)
            value = mean - correction
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
            break  # accurate enough, or at the limit
    draws = sum(side.agreements.size for side in sides)
    how = f"Monte Carlo, {draws:,} agreements, all cross pairs"
    return Estimate(value, stderr, bound, how, draws, reached=stderr <= wanted)


def _all_cross_pairs(one: _Drawn, two: _Drawn, concordance: Concordance) -> tuple[float, float]:
    """The mean over every draw of one side with every draw of the other, and a bound on its error.

    The mean is the same from both sides; each adds the correction by its own controls.
    """
    low = float(min(side.agreements.min() for side in (one, two)))
    high = float(max(side.agreements.max() for side in (one, two)))
    mass1, mass2 = (
        MassTable.of(side.agreements, low, high, cells=concordance.cells) for side in (one, two)
    )
    table1, table2 = concordance.curve_table(mass1), concordance.curve_table(mass2)
    mean, correction1 = one.estimate(lambda a: mass2.interpolate(table2, a))
    _, correction2 = two.estimate(lambda a: mass1.interpolate(table1, a))
    # What is bilinear, as for nearly hard rows: both corrections contain it, so it came twice.
    twice = _bilinear_part(mass1, mass2, concordance) * one.deviation() * two.deviation()
    value = mean - correction1 - correction2 + twice
    return value, concordance.table_error(mass1, mass2)


def _bilinear_part(mass1: MassTable, mass2: MassTable, concordance: Concordance) -> float:
    """The coefficient of (a1 - mean)(a2 - mean) in the regression of the discordance on it."""
    tilted1, tilted2 = mass1.tilted(), mass2.tilted()
    spread = mass1.variance * mass2.variance
    return float(tilted1.nodes @ concordance.curve_table(tilted2)) / spread if spread > 0.0 else 0.0


def _batches_needed(sides: list[_Drawn], wanted: float) -> list[int]:
    """Batches that reach the standard error at the least cost (after Neyman), a tenth to spare."""
    variances = [side.unit_variance / BLOCKS_A_BATCH for side in sides]
    costs = [side.law.batch_cost for side in sides]
    total = sum(math.sqrt(v * c) for v, c in zip(variances, costs, strict=True))
    return [
        math.ceil(1.1 * total * math.sqrt(v / c) / wanted**2)
        for v, c in zip(variances, costs, strict=True)
    ]


def _exact_curve(law: Law, concordance: Concordance) -> tuple[Curve, float] | None:
    """a -> E[discordance(a, A)] with a bound on its error, for a law that is written down."""
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
    """One side of a Monte Carlo run: its draws so far, a row a block."""

    def __init__(self, law: Law, stream: Stream, effort: Effort) -> None:
        self.law, self.stream, self.effort = law, stream, effort
        self.agreements = np.zeros((0, 0))
        self.controls = np.zeros(0)
        self.unit_variance = math.inf
        self.effective_blocks = 0.0

    @property
    def blocks(self) -> int:
        """Blocks so far."""
        return self.agreements.shape[0]

    @property
    def batches(self) -> int:
        """Batches so far."""
        return self.blocks // BLOCKS_A_BATCH

    def extend(self, batches: int) -> None:
        """Draw until there are so many batches; each is the same whoever draws it, and when."""
        if batches <= self.batches:
            return

        def one(batch: int) -> tuple[FloatArray, FloatArray]:
            agreements, controls = self.law.draw(self.effort, self.stream, batch)
            return agreements, controls.mean(axis=1)

        fresh = list(map_in_order(one, range(self.batches, batches), self.effort.threads))
        have = [self.agreements] if self.blocks else []
        self.agreements = np.concatenate([*have, *(agreements for agreements, _ in fresh)])
        self.controls = np.concatenate([self.controls, *(controls for _, controls in fresh)])

    def estimate(self, curve: Curve) -> tuple[float, float]:
        """Mean of the curve over the draws; how far the known means correct it.

        Blocks are the independent units: draws within a block share rows. The correction is the
        regression of the blocks' means of the curve on those of the controls.
        """
        y = curve(self.agreements.ravel()).reshape(self.agreements.shape).mean(axis=1)
        correction, squared = self._regression(y)
        self.unit_variance = float(squared.mean())
        self.effective_blocks = float(squared.sum() ** 2 / max((squared**2).sum(), 1e-300))
        return float(y.mean()), correction

    def deviation(self) -> float:
        """How far the mean agreement of the draws is off, by what the controls tell."""
        return self._regression(self.agreements.mean(axis=1))[0]

    def _regression(self, y: FloatArray) -> tuple[float, FloatArray]:
        """How far the controls say that the mean of y is off; squared residuals of the blocks."""
        x, known = self._known_controls()
        mean = y.mean()
        axes, sizes, rotation = np.linalg.svd(x - x.mean(axis=0), full_matrices=False)
        used = sizes > 1e-10 * max(sizes.max(initial=0.0), 1e-300)
        loads = axes[:, used].T @ (y - mean)
        slopes = rotation[used].T @ (loads / sizes[used])
        # A block that alone fixes a slope leaves no residual of its own: judge each block by what
        # the others predict of it.
        leverage = 1.0 / self.blocks + (axes[:, used] ** 2).sum(axis=1)
        residual = (y - mean - axes[:, used] @ loads) / np.maximum(1.0 - leverage, 1e-6)
        return float(slopes @ (x.mean(axis=0) - known)), residual**2

    def _known_controls(self) -> tuple[FloatArray, FloatArray]:
        """Means by block of what has a known mean, a column each, and those means."""
        columns, known = np.empty((self.blocks, 0)), []
        if self.law.control is not None:
            columns, known = self.controls[:, None], [self.law.control]
        if self.law.mean is not None:
            columns = np.column_stack([columns, self.agreements.mean(axis=1)])
            known.append(self.law.mean.value)
        return columns, np.array(known)

    @property
    def believed(self) -> bool:
        """Whether the variance rests on enough blocks.

        Rows of a tiny precision are nearly always one-hot, and the controls then explain all but
        a few blocks: those few are the variance.
        """
        return self.effective_blocks >= EFFECTIVE_BLOCKS

    @property
    def variance(self) -> float:
        """Of the corrected mean. What was never seen may still happen once in as many rows."""
        unseen = 0.0 if self.believed else 1.0 / self.agreements.size
        return self.unit_variance / self.blocks + unseen**2

    @property
    def most_batches(self) -> int:
        """Batches allowed by the limit on draws."""
        a_batch = BLOCKS_A_BATCH * self.agreements.shape[1]
        return max(FIRST_BATCHES, self.effort.max_draws // a_batch)
