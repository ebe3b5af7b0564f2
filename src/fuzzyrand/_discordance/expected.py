"""The expected discordance of two independent agreement laws: exact where possible, else sampled.

In order of preference: moments, where the concordance needs no more (products, squares, a hard
side); two finite laws are combined by prefix sums, two continuous ones by quadrature; everything
else by Monte Carlo over *all* cross pairs of the draws of both sides. Means that are known exactly,
of the agreement and of a control drawn with it (see ``agreements``), serve as control variates: the
one catches what is linear in the agreement, the other what is curved.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .._base.effort import Effort
from .._base.estimate import PAIR_ROUNDING, ROUNDING, Estimate
from .._base.threads import map_in_order
from .._base.types import FloatArray
from .._distributions.atoms import Curve
from .._distributions.continuous import mean_distance
from .._distributions.mass_table import MassTable
from .._laws.laws import BLOCKS_A_BATCH, FIRST_BATCHES, Law
from ..indices.concordances import Concordance, FunctionConcordance, PowerConcordance

#: A variance is believed when it does not rest on fewer blocks than this (normal blocks: a third
#: of their number), or when so many agreements have been drawn.
EFFECTIVE_BLOCKS, ENOUGH_DRAWS = 12.0, 1 << 20

#: From an estimate of the expected discordance to the standard error wanted of it.
Goal = Callable[[float], float]


def moments_suffice(first: Law, second: Law, concordance: Concordance) -> int | None:
    """How many moments give the expected discordance, if they are known; else None."""
    needed = concordance.moments_needed(first.binary + second.binary)
    if needed is None or not (first.knows(needed) and second.knows(needed)):
        return None
    return needed


def expected_discordance(
    first: Law, second: Law, concordance: Concordance, goal: Goal, effort: Effort
) -> Estimate:
    """E[discordance(A1, A2)] for independent A1, A2."""
    needed = moments_suffice(first, second, concordance)
    if needed is not None:
        return _by_moments(first, second, needed)
    exact = _both_finite(first, second, concordance) or _by_quadrature(first, second, concordance)
    if exact is None:
        exact = _by_sampling(first, second, concordance, goal, effort)
    judged = isinstance(concordance, FunctionConcordance)
    return replace(exact, judged=judged)


def _by_moments(first: Law, second: Law, needed: int) -> Estimate:
    """E[A1] + E[A2] - 2 E[A1] E[A2], or with squares in place of the first two."""
    mean1, mean2 = first.mean, second.mean
    one, two = (law.mean if needed == 1 else law.square for law in (first, second))
    assert mean1 is not None
    assert mean2 is not None
    assert one is not None
    assert two is not None
    value = one.value + two.value - 2.0 * mean1.value * mean2.value
    error = one.error + two.error + 2.0 * (mean1.error + mean2.error)
    rounding = 0.0 if first.binary and second.binary else ROUNDING
    return Estimate(max(value, 0.0), error_bound=error + rounding, how="closed form")


def _both_finite(first: Law, second: Law, concordance: Concordance) -> Estimate | None:
    # Laws to be drawn from first: asking observed pairs for their bracket is the costly part.
    if first.drawn or second.drawn:
        return None
    one, two = first.bracket(), second.bracket()
    if one is None or two is None:
        return None
    low, error = concordance.mean_between(one.inner, two.inner)
    if one.exact and two.exact:
        return Estimate(low, error_bound=error + PAIR_ROUNDING, how="all pairs, sorted")
    high, _ = concordance.mean_between(one.outer, two.outer)
    middle, half = 0.5 * (low + high), 0.5 * abs(high - low)
    return Estimate(middle, error_bound=half + error + PAIR_ROUNDING, how="all pairs, binned")


def _by_quadrature(first: Law, second: Law, concordance: Concordance) -> Estimate | None:
    if concordance != PowerConcordance(1.0):
        return None
    one, two = first.continuous, second.continuous
    if one is not None and two is not None:
        value, error = mean_distance(one, two)
        return Estimate(value, error_bound=error, how="quadrature")
    known = one if one is not None else two
    bracket = (second if one is not None else first).bracket() if known is not None else None
    if known is None or bracket is None:
        return None
    curve, error = known.absolute_curve()
    low, high = bracket.inner.expect(curve), bracket.outer.expect(curve)
    return Estimate(0.5 * (low + high), error_bound=error + 0.5 * (high - low), how="quadrature")


class _Drawn:
    """One side of a Monte Carlo run: its draws so far, a row a block."""

    def __init__(self, law: Law, stream: int, effort: Effort) -> None:
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
        """Does the variance rest on enough blocks?

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


def _by_sampling(
    first: Law, second: Law, concordance: Concordance, goal: Goal, effort: Effort
) -> Estimate:
    # In a fixed order of the laws, so that swapping the sides gives the same number.
    laws = sorted((first, second), key=lambda law: law.sort_key)
    curves = [_exact_curve(law, concordance) for law in laws]
    sides = [
        _Drawn(law, stream, effort)
        for stream, (law, known) in enumerate(zip(laws, curves, strict=True), start=1)
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
    if law.continuous is not None and concordance == PowerConcordance(1.0):
        return law.continuous.absolute_curve()
    bracket = None if law.drawn else law.bracket()
    if bracket is None:
        return None
    low, error = concordance.curve(bracket.inner)
    if bracket.exact:
        return low, error
    high, _ = concordance.curve(bracket.outer)
    if isinstance(concordance, PowerConcordance):
        error += concordance.q * bracket.curve_error
    else:
        grid = np.linspace(0.0, 1.0, 1025)
        error += 0.5 * float(np.abs(high(grid) - low(grid)).max())
    return (lambda a: 0.5 * (low(a) + high(a))), error
