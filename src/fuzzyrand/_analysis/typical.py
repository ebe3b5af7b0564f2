"""Distances of clusterings drawn from a model to the model refitted to them.

A model that was fitted to a clustering is nearer to it than the truth. The distance is therefore
compared with those of clusterings drawn from the fitted model, each compared with the model
refitted to it in the same way: a parametric bootstrap. The rank of the clustering's own distance
among them gives a p-value for any number of draws.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from .._base.errors import FuzzyRandError
from .._base.progress import progress
from .._base.streams import Stream
from .._base.threads import map_in_order
from .._base.types import FloatArray
from .._clusterings.noise import sample
from .._clusterings.partition import Partition
from .._distributions.atoms import Atoms
from .._distributions.row_distributions import Categorical
from .._pairs.route import PLAIN_COST
from ..indices import PairIndex
from ..indices.agreements import Agreement
from ..models import Model
from ..models._laws.base import Bernoulli, Law
from ..models._laws.distance import CellGrid, CellMasses, atoms_of, distance
from ..models._laws.redraws import Redraws, try_to_fit
from ..models._laws.row_pairs import RowPairs
from ..models._laws.side import Side

#: Fewest points that are compared if there are very many clusters.
FEWEST_POINTS = 20
#: Rows drawn from a fitted law per point compared; fewest and most rows.
LAW_ROWS, FEWEST_LAW_ROWS, MOST_LAW_ROWS = 8, 2048, 16_384
#: Number of following rows that each of them is compared with.
PARTNERS = 8
#: Pairs compared by one call of NumPy, few enough to stay in the cache.
AT_ONCE = 1 << 13
#: Relative and absolute differences of distances below which they are ties.
TIE, NOTHING = 1e-9, 1e-13


class Typical(NamedTuple):
    """The distance of a clustering, and those of clusterings drawn from the model.

    Attributes
    ----------
    distance : float
        Distance of the points compared, measured in the same way as for drawn clusterings.
    points : int
        Number of points compared.
    middle, high : float
        Median and 95% quantile of the distances of drawn clusterings.
    draws : int
        Number of clusterings drawn.
    pvalue : float
        Probability of a distance at least as large under the model.
    drawn_from : str
        The model that was drawn from and refitted, if it differs from the one asked for.
    """

    distance: float
    points: int
    middle: float
    high: float
    draws: int
    pvalue: float
    drawn_from: str = ""


def typical_distances(
    side: Side,
    model: Model,
    law: Law,
    laws: tuple[Atoms, Atoms],
    *,
    repeats: int | None = None,
    most_points: int | None = None,
) -> Typical | None:
    """Draw clusterings from a model, and measure the distance of each from the refitted model.

    Parameters
    ----------
    side : Side
        The clustering, the index and the effort.
    model : Model
        The model.
    law : Law
        The agreement law of the model fitted to the clustering.
    laws : tuple of Atoms
        The observed agreements and those of the model.
    repeats : int, optional
        Number of clusterings drawn; by default, it depends on how quick the model is to fit.
    most_points : int, optional
        Most points to compare.

    Returns
    -------
    Typical or None
        None if the model cannot be drawn from, or cannot be fitted to its own draws.
    """
    if not side.partition.rows.in_memory:
        # The pilot sample is treated as a clustering in its own right, with its own fit.
        side = Side(side.partition.pilot, side.index, side.effort)
        law = side.law(model)
        laws = atoms_of(side.pairs_law, side.effort), atoms_of(law, side.effort)
    partition = side.partition
    if model.saturated(partition):
        # Given the statistics that the model is fitted to, all clusterings have the same distance.
        own = distance(*laws)
        return Typical(own, partition.n, own, own, 0, 1.0)
    return _Distances(side, model, law, laws, repeats, most_points).summary()


class _Distances:
    """Distances of clusterings drawn from a model from the model fitted to them again."""

    def __init__(
        self,
        side: Side,
        model: Model,
        law: Law,
        laws: tuple[Atoms, Atoms],
        repeats: int | None,
        most_points: int | None,
    ) -> None:
        assert isinstance(side.index, PairIndex)
        self.partition, self.index = side.partition, side.index
        self.effort, budget = side.effort, side.effort.budget
        # The draws share the threads; a single draw starts none.
        self.single = replace(side.effort, n_threads=1)
        rows = model.rows(side.partition, side.effort)
        again = model.refit_as(rows) if model.fitted(side.partition) else model
        if again != model:
            rows = again.rows(side.partition, side.effort)
        self.redraws = Redraws(side, again, law, rows)
        self.drawn_from = "" if again == model else str(again)
        self.grid = CellGrid.over(*laws)
        self.fixed = self.grid.masses_of_atoms(laws[1])
        self.points = min(self._affordable_points(), most_points or side.partition.n)
        slow = model.refit == "slow"
        self.repeats = repeats or (budget.slow_check_redraws if slow else budget.check_redraws)
        work = 0.5 * self.points**2 * side.partition.k * self.repeats
        self.compiled = work > budget.numpy_check_work and side.index.agreement.loop is not None

    def _affordable_points(self) -> int:
        """Return the number of points that can be compared in reasonable time."""
        partition, budget = self.partition, self.effort.budget
        rows, refit_points = self.redraws.rows, self.redraws.model.refit_points
        draws_hard = rows is None or isinstance(rows, Categorical)
        if partition.is_hard and draws_hard:
            return partition.n
        k = partition.k
        work = 10.0 + k
        if self.index.agreement.loop is None:
            work *= PLAIN_COST
        pairs = min(budget.check_work / work, budget.kept_pairs)
        by_pairs = max(int(np.sqrt(2.0 * pairs)), 2)
        most = min(by_pairs, max(budget.check_entries // k, FEWEST_POINTS))
        if self.redraws.fitted and refit_points is not None:
            most = min(most, refit_points)
        return min(partition.n, most)

    def summary(self) -> Typical | None:
        """Compare the distance of the clustering with those of drawn clusterings."""
        rng = self.effort.stream(Stream.TYPICAL, self.repeats)
        if not self.redraws.are_possible(rng):
            return None
        try:
            (some,) = sample([self.partition], self.points, rng)
            own = self._distance(some, rng)
        except FuzzyRandError:  # a part of the points may not allow a fit
            return None
        found = map_in_order(self._drawn_distance, range(self.repeats), self.effort.n_threads)
        drawn = np.array(list(progress(found, self.repeats, "random clusterings")))
        drawn = drawn[~np.isnan(drawn)]
        if not drawn.size:
            return None
        as_far = np.count_nonzero(drawn >= own * (1.0 - TIE) - NOTHING)
        middle, high = np.quantile(drawn, [0.5, 0.95])
        pvalue = (1 + int(as_far)) / (1 + drawn.size)
        size = int(drawn.size)
        return Typical(own, self.points, float(middle), float(high), size, pvalue, self.drawn_from)

    def _drawn_distance(self, repeat: int) -> float:
        """Return the distance of a clustering drawn from the model; NaN if it cannot be fitted."""
        rng = self.effort.stream(Stream.TYPICAL, repeat)
        found = try_to_fit(
            lambda: self._distance(self.redraws.draw_unordered(rng, self.points), rng)
        )
        return np.nan if found is None else found

    def _distance(self, partition: Partition, rng: np.random.Generator) -> float:
        """Return the distance of a clustering from the model fitted to it."""
        law = self.redraws.law_of(Side(partition, self.index, self.single))
        if partition.is_hard and isinstance(law, Bernoulli):
            return abs(partition.same_cluster_pairs / partition.pair_total - law.q)
        return self.grid.distance(self._observed_masses(partition), self._law_masses(law, rng))

    def _observed_masses(self, partition: Partition) -> CellMasses:
        if partition.is_hard:
            together = partition.same_cluster_pairs / partition.pair_total
            bracket = Bernoulli(together, "").bracket()
            return self.grid.masses_of_atoms(bracket.inner)
        agreement = self.index.agreement
        if self.compiled:
            return self.grid.masses_of_pairs(partition, agreement)
        columns = np.ascontiguousarray(partition.rows.dense.T)
        return self.grid.masses_of_sample(_all_agreements(columns, agreement.of(partition)))

    def _law_masses(self, law: Law, rng: np.random.Generator) -> CellMasses:
        if law is self.redraws.law and not self.redraws.fitted:
            return self.fixed
        atoms = None if law.continuous is None else law.continuous.atoms()
        if atoms is not None:
            return self.grid.masses_of_atoms(atoms)
        if isinstance(law, RowPairs):
            return self.grid.masses_of_sample(self._row_agreements(law, rng))
        bracket = law.bracket()
        assert bracket is not None, "a law that is not drawn from is written down"
        return self.grid.masses_of_atoms(bracket.inner)

    def _row_agreements(self, law: RowPairs, rng: np.random.Generator) -> FloatArray:
        """Draw agreements of rows, each of which is compared with a few others."""
        size = int(np.clip(LAW_ROWS * self.points, FEWEST_LAW_ROWS, MOST_LAW_ROWS))
        most = self.effort.budget.check_entries // self.partition.k
        size = min(size, max(most, 8 * PARTNERS))
        columns = law.drawn_columns(rng, size)
        return np.concatenate(_next_agreements(columns, law.agreement, PARTNERS))


def _all_agreements(columns: FloatArray, agreement: Agreement) -> FloatArray:
    """Return the agreements of all pairs of points (columns), in no particular order."""
    n = columns.shape[1]
    agreements = _next_agreements(columns, agreement, (n - 1) // 2)
    if n % 2 == 0:  # Pairs at a cyclic distance of n / 2 are still missing.
        half = n // 2
        agreements.append(agreement.between(columns[:, :half], columns[:, half:]))
    return np.concatenate(agreements)


def _next_agreements(columns: FloatArray, agreement: Agreement, partners: int) -> list[FloatArray]:
    """Return the agreements of each column with the next few columns (cyclically)."""
    n = columns.shape[1]
    wrapped = np.concatenate([columns, columns[:, :partners]], axis=1)
    shifted = np.lib.stride_tricks.sliding_window_view(wrapped, n, axis=1)
    few = max(AT_ONCE // n, 1)
    return [
        agreement.between(columns[:, None], shifted[:, low : min(low + few, partners + 1)]).ravel()
        for low in range(1, partners + 1, few)
    ]
