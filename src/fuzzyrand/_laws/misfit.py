"""How far a model's agreement law lies from that of the clustering it stands in for.

The distance is Wasserstein's, the area between the two distribution functions: how far agreements
must be moved, on average, to turn one law into the other. As |a - A| changes no faster than A, an
expected NDC moves by at most this much when the one law takes the other's place.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .._base.effort import Effort
from .._base.threads import map_in_order
from .._distributions.atoms import Atoms
from .._pairs.all_pairs import KEPT_PAIRS
from ..models import Model
from .laws import Law
from .side import Side

#: Agreements drawn of a law that is not written down.
DRAWS = 1 << 17
#: Most work for them, in units of ``batch_cost``: some seconds.
WORK = 2e9
#: Stream of these draws; expectations and sampled pairs use 1 to 3.
STREAM = 4

#: Of each side; None where it stays fixed.
Misfit = tuple[float | None, float | None]


def misfits(sides: tuple[Side, Side], models: Iterable[Model], fixed: str | None) -> list[Misfit]:
    """The distance of every model from both sides, where they are not fixed."""
    own = [
        None if name == fixed else atoms_of(side.pairs_law, side.effort)
        for side, name in zip(sides, ("first", "second"), strict=True)
    ]
    found = []
    for model in models:
        one, two = (
            None if atoms is None else distance(atoms, atoms_of(side.law(model), side.effort))
            for side, atoms in zip(sides, own, strict=True)
        )
        found.append((one, two))
    return found


def atoms_of(law: Law, effort: Effort, draws: int = DRAWS) -> Atoms:
    """The law itself where it is at hand, else as many draws of it, or fewer of huge rows."""
    known = None if law.continuous is None else law.continuous.atoms()
    if known is not None:
        return known
    if not law.drawn and _at_hand(law):
        bracket = law.bracket()
        if bracket is not None:
            return bracket.inner
    size = law.draw(effort, STREAM, 0)[0].size
    affordable = max(int(WORK / law.batch_cost), 1)
    batches = range(min(-(-draws // size), affordable))
    drawn = map_in_order(lambda b: law.draw(effort, STREAM, b)[0].ravel(), batches, effort.threads)
    return Atoms.of_sample(np.concatenate(list(drawn)))


def _at_hand(law: Law) -> bool:
    observed = law.observed
    return observed is None or not observed.missing or observed.partition.pairs <= KEPT_PAIRS


def distance(one: Atoms, two: Atoms) -> float:
    """The area between two distribution functions."""
    values = np.sort(np.concatenate([one.values, two.values]))
    heights = [
        np.append(0.0, np.cumsum(atoms.weights))[np.searchsorted(atoms.values, values, "right")]
        for atoms in (one, two)
    ]
    # Not a dot product, for which BLAS would wake its threads: more work than this.
    return float(np.sum(np.abs(heights[0] - heights[1])[:-1] * np.diff(values)))
