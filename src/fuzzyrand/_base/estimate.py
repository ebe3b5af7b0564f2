"""Numbers that know how sure they are."""

from __future__ import annotations

from dataclasses import dataclass

#: Errors of double precision: of a mean over pairs of differences, each taken by itself, and of a
#: difference of means of the size of one.
PAIR_ROUNDING, ROUNDING = 1e-15, 1e-14


@dataclass(frozen=True)
class Estimate:
    """A number, how sure it is and where it comes from.

    Attributes
    ----------
    value : float
    stderr : float
        Standard error of sampling; 0 where nothing was sampled.
    error_bound : float
        Bound on the error of binning or quadrature; 0 where there is none.
    how : str
        For people.
    draws : int
        Agreements drawn, or pairs sampled.
    reached : bool
        Was the accuracy asked for reached?
    judged : bool
        Is the error bound a judgement (of a function that only its author knows), not a proof?
    """

    value: float
    stderr: float = 0.0
    error_bound: float = 0.0
    how: str = ""
    draws: int = 0
    reached: bool = True
    judged: bool = False

    @property
    def is_zero(self) -> bool:
        """Whether the number is exactly 0, without any error."""
        return self.value == 0.0 and self.stderr == 0.0 and self.error_bound == 0.0


@dataclass(frozen=True)
class Moment:
    """A moment that is known without sampling, and a bound on its error."""

    value: float
    error: float = 0.0
