"""Numbers with their errors."""

from __future__ import annotations

from dataclasses import dataclass

#: Rounding errors in double precision: of a mean of differences computed pair by pair, and of the
#: difference of two means of about 1.
PAIR_ROUNDING, ROUNDING = 1e-15, 1e-14
#: The spacing of doubles at 1; no resolution of memberships is finer.
FINEST = 2.2e-16


def error_of_sample(stderr: float, draws: int) -> float:
    """Return the Monte Carlo error of a mean of values from 0 to 1, given the error by its spread.

    A sample shows nothing of values that are rarer than one in all draws: if everything drawn is
    alike, the spread is 0, but the error is not.
    """
    return max(stderr, 1.0 / draws)


@dataclass(frozen=True)
class Estimate:
    """A number with its Monte Carlo error, its error bound and its origin.

    Attributes
    ----------
    value : float
        The number.
    stderr : float
        Monte Carlo error; 0 if nothing was sampled.
    error_bound : float
        Bound on the error of binning or quadrature; 0 if neither was used.
    how : str
        How the number was computed, in words.
    draws : int
        Number of agreements drawn, or number of pairs sampled.
    reached : bool
        Whether the requested accuracy was reached.
    bound_is_estimate : bool
        Whether the error bound is an estimate rather than proven. It is an estimate for functions
        written by users, which are known only at the points where they were evaluated.
    """

    value: float
    stderr: float = 0.0
    error_bound: float = 0.0
    how: str = ""
    draws: int = 0
    reached: bool = True
    bound_is_estimate: bool = False

    @property
    def is_zero(self) -> bool:
        """Whether the number is exactly 0; for a mean over pairs, whether every term is 0."""
        return self.value == 0.0 and self.stderr == 0.0 and self.error_bound <= PAIR_ROUNDING


@dataclass(frozen=True)
class Moment:
    """A moment that was computed without sampling, and a bound on its error."""

    value: float
    error: float = 0.0
