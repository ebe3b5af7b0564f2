"""The agreement law of a side: the distribution of the agreement of a random pair of points.

The two sides of a comparison are independent under every random model, so an expected index
depends on the two laws only. A law provides exact moments, curves and brackets where it can, and
draws agreements otherwise; ``_discordance.expected`` combines two laws.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from .._base.effort import Effort
from .._base.estimate import Moment
from .._base.streams import Stream
from .._base.types import FloatArray
from .._distributions.atoms import Bracket
from .._distributions.continuous import ContinuousAgreement

if TYPE_CHECKING:
    from .observed import ObservedPairs

#: Draws come in batches of independent blocks. The first batches give a first Monte Carlo error.
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
        """Whether another law is the same up to rounding, as far as that is seen at once."""
        return self is other

    @property
    @abstractmethod
    def mean(self) -> Moment | None:
        """The exact mean, or None where it is not known."""

    @property
    @abstractmethod
    def square(self) -> Moment | None:
        """The exact mean square, or None where it is not known."""

    def knows(self, moments: int) -> bool:
        """Return whether this many moments are known without visiting pairs or drawing."""
        return True

    def bracket(self) -> Bracket | None:
        """Return the law if it has finitely many values that may be visited, else None."""
        return None

    @property
    def continuous(self) -> ContinuousAgreement | None:
        """The law if its distribution function can be evaluated, else None."""
        return None

    @property
    def observed(self) -> ObservedPairs | None:
        """The law of observed pairs that this law is made from, if any."""
        return None

    @property
    def at_hand(self) -> bool:
        """Whether :meth:`bracket` needs no pass over very many pairs."""
        return not self.drawn

    @property
    def visited(self) -> bool:
        """Whether the result of :meth:`bracket` has been computed already."""
        return not self.drawn

    @property
    def control(self) -> float | None:
        """Exact mean of the control that is drawn with the agreement, or None."""
        raise AssertionError(f"a {self.kind} law is known exactly and never drawn from")

    def draw(self, effort: Effort, stream: Stream, batch: int) -> FloatArray:
        """Draw a batch of agreements and controls, of shape (2, BLOCKS_A_BATCH, m).

        Different blocks, batches and streams are independent.
        """
        raise AssertionError(f"a {self.kind} law is known exactly and never drawn from")

    @property
    def batch_cost(self) -> float:
        """Approximate work of a batch, to divide the work between two sides."""
        return 1.0

    @property
    def sort_key(self) -> tuple[Any, ...]:
        """Key that sorts two sides, so that exchanging them does not change the result."""
        return (self.kind,)

    @abstractmethod
    def describe(self) -> str:
        """Describe the law in one line."""

    def to_dict(self) -> dict[str, Any]:
        """Return the parameters of the law as plain Python values."""
        return {"law": self.kind}
