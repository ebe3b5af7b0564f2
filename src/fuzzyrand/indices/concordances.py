"""Concordances: how far two clusterings say the same about a pair, from its two agreements.

The package computes with the *discordance*, 1 - concordance. A concordance says how much of two
agreement laws its mean needs: a moment or two, or the laws themselves, through the curve
a -> E[discordance(a, A)].
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._base.errors import ParameterError
from .._base.types import FloatArray
from .._base.user_code import call_user
from .._distributions.atoms import Atoms, Curve
from .._distributions.mass_table import CELLS, MassTable

#: Up to so many values a curve is a sum over them; up to so many pairs, a mean is.
FEW_ATOMS, FEW_PAIRS = 64, 1 << 22


class Concordance(ABC):
    """How two agreements of the same pair are scored."""

    #: Do equal agreements always concord fully? Then a clustering is 1 like itself.
    reflexive: bool = True
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

    Equal agreements concord fully only at 0 and 1, so that a fuzzy clustering is less than 1 like
    itself.
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


class FunctionConcordance(Concordance):
    """A concordance written by the user: a function of two arrays of agreements.

    Nothing is known of it between its values, so large laws are shared among the nodes of a coarse
    table, and the error is judged by a table half as fine, twice over.
    """

    cells = 1 << 10

    def __init__(self, function: Callable[[FloatArray, FloatArray], Any]) -> None:
        self.function = function
        self._check()
        grid = np.linspace(0.0, 1.0, 257)
        self.reflexive = bool(self.discordance(grid, grid).max() < 1e-12)

    def discordance(self, a: FloatArray, b: FloatArray) -> FloatArray:
        a, b = np.broadcast_arrays(np.asarray(a, dtype=np.float64), b)
        values = call_user(self.function, "concordance", a, b)
        if values.shape != a.shape:
            raise ParameterError(
                f"the concordance gave an array of shape {values.shape} for agreements of shape "
                f"{a.shape}; it must work element by element, e.g. 1 - np.abs(a1 - a2)."
            )
        bad = np.argwhere(~((values >= -1e-9) & (values <= 1.0 + 1e-9)))
        if bad.size:
            at = tuple(bad[0])
            raise ParameterError(
                f"the concordance of the agreements {a[at]:g} and {b[at]:g} is {values[at]:g}; "
                "concordances lie from 0 to 1."
            )
        return np.clip(1.0 - values, 0.0, 1.0)

    def curve(self, atoms: Atoms) -> tuple[Curve, float]:
        if atoms.values.size <= FEW_ATOMS:

            def direct(a: FloatArray) -> FloatArray:
                rows = self.discordance(np.asarray(a)[..., None], atoms.values)
                return np.asarray(rows @ atoms.weights)

            return direct, 0.0
        mass = MassTable.of(atoms.values, 0.0, 1.0, atoms.weights, self.cells)
        table = self.curve_table(mass)
        # Half of the nodes, and between them the table read as a straight line.
        nodes = np.arange(table.size)
        coarse = np.interp(nodes, nodes[::2], self.curve_table(mass.halved()))
        error = 2.0 * float(np.abs(table - coarse).max())
        return (lambda a: mass.interpolate(table, np.asarray(a))), error

    def mean_between(self, one: Atoms, two: Atoms) -> tuple[float, float]:
        if one.values.size * two.values.size <= FEW_PAIRS:
            table = self.discordance(one.values[:, None], two.values[None, :])
            return float(one.weights @ table @ two.weights), 0.0
        # A table of the values there are, which may lie close together.
        low = min(one.values[0], two.values[0])
        high = max(one.values[-1], two.values[-1])
        mass1, mass2 = (
            MassTable.of(atoms.values, low, high, atoms.weights, self.cells) for atoms in (one, two)
        )
        return float(mass1.nodes @ self.curve_table(mass2)), self.table_error(mass1, mass2)

    def curve_table(self, mass: MassTable) -> FloatArray:
        at = np.clip(mass.positions, 0.0, 1.0)
        return np.asarray(self.discordance(at[:, None], at[None, :]) @ mass.nodes)

    def table_error(self, one: MassTable, two: MassTable) -> float:
        fine = one.nodes @ self.curve_table(two)
        return 2.0 * abs(float(fine - one.halved().nodes @ self.curve_table(two.halved())))

    def _check(self) -> None:
        """The definition: full concordance of equal hard agreements, none of different ones."""
        a, b = np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.0, 1.0, 0.0, 1.0])
        wrong = np.flatnonzero(np.abs(self.discordance(a, b) - (a != b)) > 1e-9)
        if wrong.size:
            at = int(wrong[0])
            raise ParameterError(
                f"the concordance of the agreements {a[at]:g} and {b[at]:g} is "
                f"{1.0 - float(self.discordance(a, b)[at]):g}; it must be {int(a[at] == b[at])} "
                "for the index to extend the Rand index."
            )
        grid = np.linspace(0.0, 1.0, 33)
        table = self.discordance(grid[:, None], grid[None, :])
        off = float(np.abs(table - table.T).max())
        if off > 1e-9:
            raise ParameterError(
                f"the concordance of a1 and a2 differs from that of a2 and a1 by up to {off:.2g}; "
                "it must not depend on which clustering comes first."
            )
