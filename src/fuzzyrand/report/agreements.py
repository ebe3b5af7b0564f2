"""The agreement laws of a comparison, in bins: observed, and under the model that was used."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._base.types import FloatArray
from .._distributions.atoms import Atoms
from .._laws.distance import atoms_of
from ..indices import PairIndex
from ..results import Comparison
from ..results.model_check import LEVELS

BINS = 40
#: Agreements drawn of a law that is not written down: a bin of 2% is then known to 1 in 1000.
DRAWS = 1 << 16


@dataclass(frozen=True)
class BinnedLaw:
    """Share of pairs in each of ``BINS`` steps from 0 to 1, mean and quantiles."""

    shares: FloatArray
    mean: float
    quantiles: tuple[float, ...]

    @classmethod
    def of(cls, atoms: Atoms) -> BinnedLaw:
        """Put a law into bins."""
        values = np.clip(atoms.values, 0.0, 1.0)
        shares, _ = np.histogram(values, np.linspace(0.0, 1.0, BINS + 1), weights=atoms.weights)
        return cls(shares, atoms.mean, atoms.quantiles(LEVELS))


@dataclass(frozen=True)
class SideLaws:
    """What pairs of one clustering do, and what they do under the model.

    ``model`` is None where that is the same, because the side is ``fixed`` or its rows are
    ``kept``.
    """

    observed: BinnedLaw
    model: BinnedLaw | None = None
    fixed: bool = False
    kept: bool = False


def side_laws(c: Comparison) -> tuple[SideLaws, ...] | None:
    """Return both sides' laws; None for an index without agreements, or an unpickled result."""
    setting = c.setting
    if setting is None or not isinstance(setting.index, PairIndex):
        return None
    laws = []
    for side, law, name in zip(setting.sides, setting.laws, ("first", "second"), strict=True):
        observed = BinnedLaw.of(atoms_of(side.pairs_law, setting.effort, DRAWS))
        if name == c.fixed:
            laws.append(SideLaws(observed, fixed=True))
        elif (setting.model.keeps_rows and not side.partition.is_hard) or setting.model.shuffles:
            laws.append(SideLaws(observed, kept=True))
        else:
            modelled = BinnedLaw.of(atoms_of(law, setting.effort, DRAWS))
            laws.append(SideLaws(observed, modelled))
    return tuple(laws)
