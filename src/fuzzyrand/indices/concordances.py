"""Concordances: how well the agreements of a pair in two clusterings match.

The package computes with the *discordance*, 1 - concordance. For some concordances, the mean needs
only one or two moments of the two agreement laws. For others it needs the laws themselves, through
the curve a -> E[discordance(a, A)].
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from .._base.types import FloatArray
from .._distributions.atoms import Atoms, Curve
from .._distributions.mass_table import CELLS, LARGEST_BY_FOURIER, MassTable

#: Largest number of pairs of values that a mean sums over, and number of those at a time.
FEW_PAIRS, PAIRS_AT_ONCE = 1 << 22, 1 << 16


class Concordance(ABC):
    """Match of two agreements of the same pair, from 0 to 1."""

    #: Whether equal agreements have concordance 1. The index of a clustering with itself is then 1.
    reflexive: bool = True
    #: The q of a discordance |a1 - a2|^q, which the compiled loops compute; None for any other.
    power: float | None = None
    #: Whether errors of tables are estimated, because nothing is known between the nodes.
    bound_is_estimate: bool = False
    #: Number of cells of a table of agreements.
    cells: int = CELLS

    @property
    def cells_of_draws(self) -> int:
        """The same for a table of draws, which is made again when there are more draws."""
        return self.cells

    @abstractmethod
    def discordance(self, a: FloatArray, b: FloatArray) -> FloatArray:
        """Return 1 - concordance, element by element."""

    def moments_needed(self, binary_sides: int) -> int | None:
        """Return how many moments of each law the mean discordance needs; None if the whole laws.

        With one moment it is E[A] + E[B] - 2 E[AB], and with two E[A^2] + E[B^2] - 2 E[AB]. If both
        sides have only the agreements 0 and 1, all concordances are the same.
        """
        return 1 if binary_sides == 2 else None

    @abstractmethod
    def curve(self, atoms: Atoms) -> tuple[Curve, float]:
        """Return a -> E[discordance(a, A)] for finitely many values, and a bound on its error."""

    def mean_between(self, first: Atoms, second: Atoms) -> tuple[float, float]:
        """Return E[discordance(A, B)] for two finite laws, and a bound on its error."""
        if self.moments_needed(0) is not None or self.power == 1.0:
            curve, error = self.curve(second)
            return first.expect(curve), error
        if first.values.size * second.values.size <= FEW_PAIRS:
            return self._over_all_pairs(first, second), 0.0
        # The tables cover only the range of the values, which may be narrow.
        low = min(first.values[0], second.values[0])
        high = max(first.values[-1], second.values[-1])
        mass1, mass2 = (
            MassTable.of(atoms.values, low, high, atoms.weights, self.cells)
            for atoms in (first, second)
        )
        mean = float(mass1.nodes @ self.curve_table(mass2))
        return mean, self.table_error(mass1, mass2, mean)

    def _over_all_pairs(self, first: Atoms, second: Atoms) -> float:
        rows = max(PAIRS_AT_ONCE // second.values.size, 1)
        total = 0.0
        for start in range(0, first.values.size, rows):
            here = slice(start, start + rows)
            table = self.discordance(first.values[here, None], second.values[None, :])
            total += float(first.weights[here] @ (table @ second.weights))
        return total

    @abstractmethod
    def curve_table(self, mass: MassTable) -> FloatArray:
        """Return the curve at the nodes of a table; the mass may be signed."""

    @abstractmethod
    def table_error(self, first: MassTable, second: MassTable, mean: float) -> float:
        """Return a bound on the error of the mean discordance of two tabulated laws."""


@dataclass(frozen=True)
class PowerConcordance(Concordance):
    """The concordance 1 - |a1 - a2|^q."""

    q: float = 1.0

    @property
    def power(self) -> float:  # type: ignore[override]
        return self.q

    @property
    def cells_of_draws(self) -> int:
        return CELLS if self.q <= LARGEST_BY_FOURIER else CELLS // 8

    def discordance(self, a: FloatArray, b: FloatArray) -> FloatArray:
        return np.asarray(np.abs(a - b) ** self.q)

    def moments_needed(self, binary_sides: int) -> int | None:
        if self.q == 2.0:
            return 2
        return 1 if binary_sides == 2 or (binary_sides == 1 and self.q == 1.0) else None

    def curve(self, atoms: Atoms) -> tuple[Curve, float]:
        return atoms.curve(self.q)

    def curve_table(self, mass: MassTable) -> FloatArray:
        return mass.curve_table(self.q)

    def table_error(self, first: MassTable, second: MassTable, mean: float) -> float:
        return first.error(self.q, second.cells, mean)


@dataclass(frozen=True)
class ProductConcordance(Concordance):
    """The concordance a1 a2 + (1 - a1)(1 - a2).

    It is the probability that two independent events with probabilities a1 and a2 both occur or
    both fail. Equal agreements have concordance 1 only at 0 and 1, so the index of a fuzzy
    clustering with itself is below 1.
    """

    reflexive = False

    def discordance(self, a: FloatArray, b: FloatArray) -> FloatArray:
        return np.asarray(a + b - 2.0 * a * b)

    def moments_needed(self, binary_sides: int) -> int | None:
        return 1

    def curve(self, atoms: Atoms) -> tuple[Curve, float]:
        mean = atoms.mean
        return (lambda a: np.asarray(a + mean - 2.0 * mean * a)), 0.0

    def curve_table(self, mass: MassTable) -> FloatArray:
        total, moment = mass.nodes.sum(), mass.nodes @ mass.positions
        return np.asarray(mass.positions * (total - 2.0 * moment) + moment)

    def table_error(self, first: MassTable, second: MassTable, mean: float) -> float:
        return 0.0  # The discordance is linear in each agreement, and tables keep means.
