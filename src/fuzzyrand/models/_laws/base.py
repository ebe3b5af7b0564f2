"""The agreement law of a side: the distribution of the agreement of a random pair of points.

The two sides of a comparison are independent under every random model, so an expected index
depends only on the two laws. A law provides exact moments, curves and brackets if it can, and
draws agreements otherwise; ``_analysis.discordance.expected`` combines two laws.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._base.effort import Precision
from ..._base.estimate import Moment
from ..._base.streams import Stream
from ..._base.types import FloatArray
from ..._distributions.atoms import Atoms, Bracket
from ..._distributions.continuous import ContinuousAgreement
from ..._distributions.row_distributions import Categorical, Identical

if TYPE_CHECKING:
    from .observed_pairs import ObservedPairs

#: Draws come in batches of independent blocks. The first batches give an initial Monte Carlo error.
BLOCKS_A_BATCH = 16
FIRST_BATCHES = 4


class Law(ABC):
    """The law of the agreement of a random pair."""

    #: One of "observed", "resampled", "bernoulli", "constant", "rows", "whole".
    kind: str
    #: Whether the agreement is always 0 or 1.
    binary: bool = False
    #: Whether the law can only be sampled.
    drawn: bool = False

    def same_as(self, other: Law) -> bool:
        """Return whether another law is evidently the same up to rounding."""
        return self is other

    @property
    @abstractmethod
    def mean(self) -> Moment | None:
        """The exact mean, or None if it is not known."""

    @property
    @abstractmethod
    def square(self) -> Moment | None:
        """The exact mean square, or None if it is not known."""

    def knows(self, moments: int) -> bool:
        """Return whether this many moments are known without visiting pairs or drawing."""
        return True

    def bracket(self) -> Bracket | None:
        """Return finite laws that bound this law if it has few enough values, otherwise None."""
        return None

    @property
    def continuous(self) -> ContinuousAgreement | None:
        """The law if its distribution function can be evaluated, otherwise None."""
        return None

    @property
    def observed(self) -> ObservedPairs | None:
        """The law of observed pairs from which this law is derived, if any."""
        return None

    @property
    def at_hand(self) -> bool:
        """Whether :meth:`bracket` is available without a pass over very many pairs."""
        return not self.drawn

    @property
    def visited(self) -> bool:
        """Whether the result of :meth:`bracket` has been computed already."""
        return not self.drawn

    @property
    def control(self) -> float | None:
        """Exact mean of the control variate that is drawn with the agreement, or None."""
        raise AssertionError(f"a {self.kind} law is known exactly and never drawn from")

    def draw(self, effort: Precision, stream: Stream, batch: int) -> FloatArray:
        """Draw a batch of agreements and control variates, of shape (2, BLOCKS_A_BATCH, m).

        Different blocks, batches and streams are independent.
        """
        raise AssertionError(f"a {self.kind} law is known exactly and never drawn from")

    @property
    def batch_cost(self) -> float:
        """Approximate work of a batch, used to divide the work between two sides."""
        return 1.0

    @property
    def sort_key(self) -> tuple[Any, ...]:
        """Key for sorting two sides, so that exchanging them does not change the result."""
        return (self.kind,)

    @abstractmethod
    def describe(self) -> str:
        """Describe the law in one line."""

    def to_dict(self) -> dict[str, Any]:
        """Return the parameters of the law as plain Python values."""
        return {"law": self.kind}


# --- laws that are known exactly ----------------------------------------------------------------


class Bernoulli(Law):
    """The law of hard clusters: agreement 1 with probability q, otherwise 0."""

    kind = "bernoulli"
    binary = True

    def __init__(self, q: float, reason: str, rows: Categorical | None = None) -> None:
        self.q = q
        self.reason = reason
        self.rows = rows

    @property
    def mean(self) -> Moment:
        return Moment(self.q)

    @property
    def square(self) -> Moment:
        return Moment(self.q)

    def bracket(self) -> Bracket:
        return Bracket.exactly(Atoms(np.array([0.0, 1.0]), np.array([1.0 - self.q, self.q])))

    def describe(self) -> str:
        return f"{self.reason}; a pair is together with probability {self.q:.4g}"

    def to_dict(self) -> dict[str, Any]:
        extra = self.rows.to_dict() if self.rows is not None else {}
        return {"law": self.kind, "probability": self.q, **extra}


class Constant(Law):
    """The law of identical rows: every pair has the same agreement."""

    kind = "constant"

    def __init__(self, value: float, rows: Identical) -> None:
        self.value = value
        self.rows = rows

    @property
    def mean(self) -> Moment:
        return Moment(self.value)

    @property
    def square(self) -> Moment:
        return Moment(self.value**2)

    def bracket(self) -> Bracket:
        return Bracket.exactly(Atoms(np.array([self.value]), np.ones(1)))

    def describe(self) -> str:
        return f"{self.rows.describe()}; every pair agrees by {self.value:.4g}"

    def to_dict(self) -> dict[str, Any]:
        return {"law": self.kind, "agreement": self.value, **self.rows.to_dict()}
