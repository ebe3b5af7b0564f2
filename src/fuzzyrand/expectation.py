"""The expected discordance of two independent agreement laws: exact where possible, else sampled.

In order of preference: a mean is enough when the other side is hard; two finite laws are combined
by prefix sums, two continuous ones by quadrature; everything else by Monte Carlo over *all* cross
pairs of the draws of both sides. Means that are known exactly, of the agreement and of the squared
distance of two rows, serve as control variates: the one catches what is linear in the agreement,
the other what is curved.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ._types import FloatArray
from .atoms import Curve, curve_error
from .continuous import mean_distance
from .effort import Effort
from .estimate import Estimate
from .laws import BLOCKS_A_BATCH, FIRST_BATCHES, Bernoulli, DirichletPairs, Law
from .tables import MassTable
from .threads import map_in_order

#: From an estimate of the expected discordance to the standard error wanted of it.
Goal = Callable[[float], float]


def needs_distribution(law: Law, other: Law, power: float) -> bool:
    """Is more than the mean of ``law`` needed to combine it with ``other``?"""
    return not (power == 1.0 and isinstance(other, Bernoulli) and law.knows_mean)


def expected_discordance(
    first: Law, second: Law, power: float, goal: Goal, effort: Effort
) -> Estimate:
    """E|A1 - A2|^power for independent A1, A2."""
    for law, other in ((first, second), (second, first)):
        if isinstance(other, Bernoulli) and not needs_distribution(law, other, power):
            q, mean = other.q, law.mean
            assert mean is not None
            return Estimate(q * (1.0 - mean) + (1.0 - q) * mean, how="closed form")
    finite = _both_finite(first, second, power)
    if finite is not None:
        return finite
    if power == 1.0:
        quadrature = _by_quadrature(first, second)
        if quadrature is not None:
            return quadrature
    return _by_sampling(first, second, power, goal, effort)


def _both_finite(first: Law, second: Law, power: float) -> Estimate | None:
    # Dirichlet laws first: asking observed pairs for their bracket is the costly part.
    if isinstance(first, DirichletPairs) or isinstance(second, DirichletPairs):
        return None
    one, two = first.bracket(), second.bracket()
    if one is None or two is None:
        return None
    low = one.inner.expect(two.inner.curve(power))
    if one.exact and two.exact:
        return Estimate(low, error_bound=curve_error(power), how="all pairs, sorted")
    high = one.outer.expect(two.outer.curve(power))
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    return Estimate(middle, error_bound=half + curve_error(power), how="all pairs, binned")


def _by_quadrature(first: Law, second: Law) -> Estimate | None:
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
        self.squares = np.zeros(0)
        self.unit_variance = math.inf

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
            agreements, squares = self.law.draw(self.effort, self.stream, batch)
            return agreements, squares.mean(axis=1)

        fresh = list(map_in_order(one, range(self.batches, batches), self.effort.threads))
        have = [self.agreements] if self.blocks else []
        self.agreements = np.concatenate([*have, *(agreements for agreements, _ in fresh)])
        self.squares = np.concatenate([self.squares, *(squares for _, squares in fresh)])

    def estimate(self, curve: Curve) -> tuple[float, float]:
        """Mean of the curve over the draws; how far the known means correct it.

        Blocks are the independent units: draws within a block share rows. The correction is the
        regression of the blocks' means of the curve on those of the controls.
        """
        y = curve(self.agreements.ravel()).reshape(self.agreements.shape).mean(axis=1)
        mean = float(y.mean())
        controls, known = [self.squares], [self.law.square_mean]
        if self.law.mean is not None:
            controls.append(self.agreements.mean(axis=1))
            known.append(self.law.mean)
        x = np.stack(controls, axis=1)
        deviation = x - x.mean(axis=0)
        slopes, _, rank, _ = np.linalg.lstsq(deviation, y - mean, rcond=1e-10)
        residual = y - mean - deviation @ slopes
        self.unit_variance = float(residual @ residual) / (self.blocks - 1 - int(rank))
        return mean, float(slopes @ (x.mean(axis=0) - known))

    @property
    def variance(self) -> float:
        """Of the corrected mean."""
        return self.unit_variance / self.blocks

    @property
    def most_batches(self) -> int:
        """Batches allowed by the limit on draws."""
        a_batch = BLOCKS_A_BATCH * self.agreements.shape[1]
        return max(FIRST_BATCHES, self.effort.max_draws // a_batch)


def _by_sampling(first: Law, second: Law, power: float, goal: Goal, effort: Effort) -> Estimate:
    # In a fixed order of the laws, so that swapping the sides gives the same number.
    laws = sorted((first, second), key=lambda law: law.sort_key)
    curves = [_exact_curve(law, power) for law in laws]
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
            value, bound = _all_cross_pairs(sides[0], sides[1], power)
        value = max(value, 0.0)
        stderr = math.sqrt(sum(side.variance for side in sides))
        wanted = goal(value)
        if stderr <= wanted:
            break
        before = [side.batches for side in sides]
        for side, batches in zip(sides, _batches_needed(sides, wanted), strict=True):
            side.extend(min(batches, side.most_batches))
        if before == [side.batches for side in sides]:
            break  # one side is at its limit, and more of the other would not help
    draws = sum(side.agreements.size for side in sides)
    how = f"Monte Carlo, {draws:,} agreements, all cross pairs"
    return Estimate(value, stderr, bound, how, draws, reached=stderr <= wanted)


def _all_cross_pairs(one: _Drawn, two: _Drawn, power: float) -> tuple[float, float]:
    """The mean over every draw of one side with every draw of the other, and a bound on its error.

    The mean is the same from both sides; each adds the correction by its own controls.
    """
    low = float(min(side.agreements.min() for side in (one, two)))
    high = float(max(side.agreements.max() for side in (one, two)))
    mass1, mass2 = (MassTable.of(side.agreements, low, high) for side in (one, two))
    table1, table2 = mass1.curve_table(power), mass2.curve_table(power)
    mean, correction1 = one.estimate(lambda a: mass2.interpolate(table2, a))
    _, correction2 = two.estimate(lambda a: mass1.interpolate(table1, a))
    return mean - correction1 - correction2, mass1.error(power, mass2.cells)


def _batches_needed(sides: list[_Drawn], wanted: float) -> list[int]:
    """Batches that reach the standard error at the least cost (after Neyman), a tenth to spare."""
    variances = [side.unit_variance / BLOCKS_A_BATCH for side in sides]
    costs = [side.law.batch_cost for side in sides]
    total = sum(math.sqrt(v * c) for v, c in zip(variances, costs, strict=True))
    return [
        math.ceil(1.1 * total * math.sqrt(v / c) / wanted**2)
        for v, c in zip(variances, costs, strict=True)
    ]


def _exact_curve(law: Law, power: float) -> tuple[Curve, float] | None:
    """a -> E|a - A|^power with a bound on its error, for a law that need not be drawn from."""
    if power == 1.0 and law.continuous is not None:
        return law.continuous.absolute_curve()
    if isinstance(law, DirichletPairs):
        return None
    bracket = law.bracket()
    if bracket is None:
        return None
    low = bracket.inner.curve(power)
    if bracket.exact:
        return low, curve_error(power)
    high = bracket.outer.curve(power)
    error = power * bracket.curve_error + curve_error(power)
    return (lambda a: 0.5 * (low(a) + high(a))), error
