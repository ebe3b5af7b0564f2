"""Concordances: how far two clusterings say the same about a pair, from its two agreements.

The package computes with the *discordance*, 1 - concordance. A concordance says how much of two
agreement laws its mean needs: a moment or two, or the laws themselves, through the curve
a -> E[discordance(a, A)].
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from .._base.types import FloatArray
from .._distributions.atoms import Atoms, Curve
from .._distributions.mass_table import CELLS, MassTable


class Concordance(ABC):
    """How two agreements of the same pair are scored."""

    #: Whether equal agreements always concord fully, so that a clustering scores 1 with itself.
    reflexive: bool = True
    #: The q of a discordance |a1 - a2|^q, which the compiled loops know; None for any other.
    power: float | None = None
    #: Whether errors of tables are estimates, because nothing is known between the nodes.
    judged: bool = False
    #: Cells of a table of many agreements.
    cells: int = CELLS

    @abstractmethod
    def discordance(self, a: FloatArray, b: FloatArray) -> FloatArray:
        """1 - concordance, element by element."""

    def moments_needed(self, binary_sides: int) -> int | None:
        """How many moments of each law give the mean discordance; None where no number does.

        With one moment it is E[A] + E[B] - 2 E[AB], with two E[A^2] + E[B^2] - 2 E[AB]. All
        concordances are alike for agreements of 0 and 1, on both sides.
        """
        return 1 if binary_sides == 2 else None

    @abstractmethod
    def curve(self, atoms: Atoms) -> tuple[Curve, float]:
        """a -> E[discordance(a, A)] for finitely many values A, and a bound on its error."""

    def mean_between(self, one: Atoms, two: Atoms) -> tuple[float, float]:
        """E[discordance(A, B)] of two finite laws, and a bound on its error."""
        curve, error = self.curve(two)
        return one.expect(curve), error

    @abstractmethod
    def curve_table(self, mass: MassTable) -> FloatArray:
        """The same at the nodes of a table; the mass may be signed."""

    @abstractmethod
    def table_error(self, one: MassTable, two: MassTable) -> float:
        """Most by which the mean discordance of two tabulated laws may err."""


@dataclass(frozen=True)
class PowerConcordance(Concordance):
    """1 - |a1 - a2|^q."""

    q: float = 1.0

    @property
    def power(self) -> float:  # type: ignore[override]
        return self.q

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

    def table_error(self, one: MassTable, two: MassTable) -> float:
        return one.error(self.q, two.cells)


@dataclass(frozen=True)
class ProductConcordance(Concordance):
    """a1 a2 + (1 - a1)(1 - a2): the chance that two independent coins with these odds agree.

    Equal agreements concord fully only at 0 and 1, so that the index of a fuzzy clustering with
    itself is below 1.
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

    def table_error(self, one: MassTable, two: MassTable) -> float:
        return 0.0  # linear in either agreement, and tables keep means
