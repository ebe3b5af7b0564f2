"""The chart of agreement laws: the shares of pairs of points by their agreement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..._base.types import FloatArray
from ..._distributions.atoms import Atoms
from .axes import Tick, decimal_ticks, percent_ticks, round_values

#: Number of bins from 0 to 1.
BINS = 50
#: Height of the axis, relative to the highest bar.
HEADROOM = 1.08


@dataclass(frozen=True, eq=False)
class BinnedLaw:
    """A law in ``BINS`` bins of equal width from 0 to 1.

    Attributes
    ----------
    shares : array
        Share of pairs in each bin.
    mean : float
        Mean agreement, before binning.
    """

    shares: FloatArray
    mean: float

    @classmethod
    def of(cls, atoms: Atoms) -> BinnedLaw:
        """Put a law into bins."""
        values = np.clip(atoms.values, 0.0, 1.0)
        shares, _ = np.histogram(values, bin_edges(), weights=atoms.weights)
        return cls(shares, atoms.mean)


def bin_edges() -> FloatArray:
    """Return the edges of the bins."""
    return np.linspace(0.0, 1.0, BINS + 1)


@dataclass(frozen=True, eq=False)
class LawChart:
    """Shares of pairs by their agreement, observed and under a model.

    Attributes
    ----------
    observed : BinnedLaw
        Drawn as bars.
    model : BinnedLaw or None
        Drawn as an outline; None where there is none to draw.
    top : float
        Upper end of the vertical axis, which starts at 0.
    share_ticks, agreement_ticks : tuple of Tick
        Marks on the vertical and the horizontal axis.
    """

    observed: BinnedLaw
    model: BinnedLaw | None
    top: float
    share_ticks: tuple[Tick, ...]
    agreement_ticks: tuple[Tick, ...]

    @classmethod
    def side_by_side(cls, laws: Sequence[tuple[Atoms, Atoms | None]]) -> tuple[LawChart, ...]:
        """Make charts of the same height from pairs of laws: observed, and under the model."""
        binned = [
            (BinnedLaw.of(observed), None if model is None else BinnedLaw.of(model))
            for observed, model in laws
        ]
        highest = max(float(law.shares.max()) for pair in binned for law in pair if law is not None)
        top = HEADROOM * highest
        shares = percent_ticks(round_values(0.0, top))
        agreements = decimal_ticks([0.0, 0.25, 0.5, 0.75, 1.0])
        return tuple(cls(observed, model, top, shares, agreements) for observed, model in binned)

    @property
    def description(self) -> str:
        """The means of the laws, in words."""
        mean = f"mean agreement {self.observed.mean:z.3f}"
        return mean if self.model is None else f"{mean}, under the model {self.model.mean:z.3f}"
