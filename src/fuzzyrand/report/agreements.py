"""The agreement laws of a comparison: observed, and under the model that was used."""

from __future__ import annotations

from dataclasses import dataclass

from .._distributions.atoms import Atoms
from ..indices import PairIndex
from ..models._laws.distance import atoms_of
from ..results import Comparison

#: Number of agreements drawn from a law that can only be sampled: enough to estimate a share of 2%
#: to within 0.1%.
DRAWS = 1 << 16


@dataclass(frozen=True)
class SideLaws:
    """The agreement law of one clustering, and its law under the model.

    ``model`` is None where both are the same, because the side is ``fixed`` or because the model
    shuffles the memberships and so has ``kept`` them.
    """

    observed: Atoms
    model: Atoms | None = None
    fixed: bool = False
    kept: bool = False


def side_laws(c: Comparison) -> tuple[SideLaws, ...] | None:
    """Return both sides' laws; None for an index that compares no agreements of single pairs."""
    analysis = c.analysis
    if not isinstance(analysis.index, PairIndex):
        return None
    laws = []
    for side, law, name in zip(analysis.sides, analysis.laws, ("first", "second"), strict=True):
        observed = atoms_of(side.pairs_law, side.effort, DRAWS)
        if analysis.model.shuffles:
            laws.append(SideLaws(observed, kept=True))
        elif name == c.fixed:
            laws.append(SideLaws(observed, fixed=True))
        else:
            laws.append(SideLaws(observed, atoms_of(law, side.effort, DRAWS)))
    return tuple(laws)
