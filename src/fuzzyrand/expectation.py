"""The expected discordance of two independent agreement laws: exact where possible, else sampled.

In order of preference: a mean is enough when the other side is hard; two finite laws are combined
by prefix sums; two clusters by quadrature; everything else by Monte Carlo over *all* cross pairs of
the draws of both sides, with the exactly known mean agreements as control variates.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ._types import FloatArray
from .atoms import Atoms, Curve, table_error
from .effort import Effort
from .estimate import Estimate
from .laws import FIRST_BLOCKS, Bernoulli, Constant, DirichletPairs, Law, ObservedPairs
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
    both_drawn = isinstance(first, DirichletPairs) and isinstance(second, DirichletPairs)
    if not both_drawn:
        finite = _both_finite(first, second, power)
        if finite is not None:
            return finite
    if power == 1.0:
        quadrature = _by_quadrature(first, second)
        if quadrature is not None:
            return quadrature
    return _by_sampling(first, second, power, goal, effort)


def _both_finite(first: Law, second: Law, power: float) -> Estimate | None:
    one, two = first.bracket(), second.bracket()
    if one is None or two is None:
        return None
    low = one.inner.expect(two.inner.curve(power))
    if one.exact and two.exact:
        return Estimate(low, error_bound=table_error(power), how="all pairs, sorted")
    high = one.outer.expect(two.outer.curve(power))
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    return Estimate(middle, error_bound=half + table_error(power), how="all pairs, binned")


def _by_quadrature(first: Law, second: Law) -> Estimate | None:
    how = "quadrature (two clusters)"
    if isinstance(first, DirichletPairs) and isinstance(second, DirichletPairs):
        one, two = first.two_clusters, second.two_clusters
        if one is None or two is None:
            return None
        value, error = one.mean_distance(two)
        return Estimate(value, error_bound=error, how=how)
    for law, other in ((first, second), (second, first)):
        known = law.absolute_curve()
        bracket = other.bracket() if known is not None else None
        if known is not None and bracket is not None:
            curve, error = known
            low, high = bracket.inner.expect(curve), bracket.outer.expect(curve)
            return Estimate(0.5 * (low + high), error_bound=error + 0.5 * (high - low), how=how)
    return None


class _Drawn:
    """One side of a Monte Carlo run: its draws so far, a row a block."""

    def __init__(self, law: Law, stream: int, effort: Effort) -> None:
        self.law, self.stream, self.effort = law, stream, effort
        self.blocks = np.zeros((0, 0))
        self.unit_variance = math.inf

    def extend(self, blocks: int) -> None:
        """Draw until there are so many blocks. Block b is the same whoever draws it, and when."""
        have = self.blocks.shape[0]
        if blocks > have:

            def one(block: int) -> FloatArray:
                return self.law.draw(self.effort, self.stream, block)

            fresh = np.stack(list(map_in_order(one, range(have, blocks), self.effort.threads)))
            self.blocks = fresh if have == 0 else np.concatenate([self.blocks, fresh])

    def estimate(self, curve: Curve) -> tuple[float, float]:
        """Mean of the curve over the draws; how far the known mean agreement corrects it.

        Blocks are the independent units: draws within a block share rows. The correction is
        the regression of the blocks' means of the curve on their mean agreements.
        """
        y = curve(self.blocks.ravel()).reshape(self.blocks.shape).mean(axis=1)
        count = y.size
        mean, correction, lost = float(y.mean()), 0.0, 1
        residual = y - mean
        if self.law.mean is not None:
            x = self.blocks.mean(axis=1)
            deviation = x - x.mean()
            spread = float(deviation @ deviation)
            if spread > 0.0:
                slope = float(deviation @ residual) / spread
                correction = slope * (float(x.mean()) - self.law.mean)
                residual, lost = residual - slope * deviation, 2
        self.unit_variance = float(residual @ residual) / (count - lost)
        return mean, correction

    @property
    def variance(self) -> float:
        """Of the corrected mean."""
        return self.unit_variance / self.blocks.shape[0]

    @property
    def most_blocks(self) -> int:
        """Blocks allowed by the limit on draws."""
        return max(FIRST_BLOCKS, self.effort.max_draws // self.blocks.shape[1])


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
        side.extend(FIRST_BLOCKS)
    while True:
        if len(sides) == 1:
            curve, bound = next(known for known in curves if known is not None)
            mean, correction = sides[0].estimate(curve)
            value = mean - correction
        else:
            bound = table_error(power)
            # Both means are that over all cross pairs; each side adds its own correction.
            mean, c1 = sides[0].estimate(Atoms.of_sample(sides[1].blocks).curve(power))
            _, c2 = sides[1].estimate(Atoms.of_sample(sides[0].blocks).curve(power))
            value = mean - c1 - c2
        value = max(value, 0.0)
        stderr = math.sqrt(sum(side.variance for side in sides))
        wanted = goal(value)
        if stderr <= wanted:
            break
        before = [side.blocks.shape[0] for side in sides]
        for side, blocks in zip(sides, _blocks_needed(sides, wanted), strict=True):
            side.extend(min(blocks, side.most_blocks))
        if before == [side.blocks.shape[0] for side in sides]:
            break  # one side is at its limit, and more of the other would not help
    draws = sum(side.blocks.size for side in sides)
    how = f"Monte Carlo, {draws:,} agreements, all cross pairs"
    return Estimate(value, stderr, bound, how, draws, reached=stderr <= wanted)


def _blocks_needed(sides: list[_Drawn], wanted: float) -> list[int]:
    """Blocks that reach the standard error at the least cost (after Neyman), a tenth to spare."""
    total = sum(math.sqrt(side.unit_variance * side.law.block_cost) for side in sides)
    return [
        math.ceil(1.1 * total * math.sqrt(side.unit_variance / side.law.block_cost) / wanted**2)
        for side in sides
    ]


def _exact_curve(law: Law, power: float) -> tuple[Curve, float] | None:
    """a -> E|a - A|^power with a bound on its error, for a law that need not be drawn from."""
    if power == 1.0:
        known = law.absolute_curve()
        if known is not None:
            return known
    if not isinstance(law, Bernoulli | Constant | ObservedPairs):
        return None
    bracket = law.bracket()
    if bracket is None:
        return None
    low = bracket.inner.curve(power)
    if bracket.exact:
        return low, table_error(power)
    high = bracket.outer.curve(power)
    error = power * bracket.curve_error + table_error(power)
    return (lambda a: 0.5 * (low(a) + high(a))), error
