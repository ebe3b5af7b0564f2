"""An index from two functions of the user's own: an agreement and a concordance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._base.errors import ParameterError
from .._base.types import FloatArray
from .._base.user_code import call_user
from .._distributions.atoms import Atoms, Curve
from .._distributions.mass_table import MassTable
from .agreements import Agreement
from .base import PairIndex
from .concordances import Concordance

#: Up to so many values a curve is a sum over them; up to so many pairs, a mean is.
FEW_ATOMS, FEW_PAIRS = 64, 1 << 22


class CustomIndex(PairIndex):
    """An index from two functions of your own.

    Parameters
    ----------
    agreement : function
        ``agreement(u, v)`` of two arrays of rows, both (m, k), gives m numbers from 0 to 1: 1 for
        rows in the same hard cluster, 0 in different ones.
    concordance : function
        ``concordance(a1, a2)`` of two arrays of agreements, element by element, from 0 to 1: 1
        for (0, 0) and (1, 1), 0 for (0, 1) and (1, 0).
    name : str
        What results call it.

    Notes
    -----
    The conditions are checked here, once. Every model applies. Nothing is known of the functions
    in closed form, so that fuzzy clusterings are compared by visiting or sampling pairs, and
    expected by sampling rows; results say that they are not exact. Memory does not grow with the
    number of pairs.

    Examples
    --------
    >>> overlap = CustomIndex(
    ...     lambda u, v: np.minimum(u, v).sum(axis=1) ** 2,
    ...     lambda a1, a2: 1 - np.abs(a1 - a2),
    ...     name="squared overlap",
    ... )
    >>> overlap.name
    'squared overlap'
    """

    def __init__(
        self,
        agreement: Callable[[FloatArray, FloatArray], Any],
        concordance: Callable[[FloatArray, FloatArray], Any],
        name: str = "custom",
    ) -> None:
        for what, function in (("agreement", agreement), ("concordance", concordance)):
            if not callable(function):
                raise ParameterError(f"the {what} must be a function, got {function!r}.")
        super().__init__(
            name,
            agreement=FunctionAgreement(agreement),
            concordance=FunctionConcordance(concordance),
        )

    def __repr__(self) -> str:
        return f"CustomIndex(name={self.name!r})"


class FunctionAgreement(Agreement):
    """An agreement written by the user: a function of two arrays of rows, both (m, k)."""

    def __init__(self, function: Callable[[FloatArray, FloatArray], Any]) -> None:
        self.function = function
        self._check()

    def between(self, x: FloatArray, y: FloatArray) -> FloatArray:
        x, y = np.broadcast_arrays(x, y)
        shape = x.shape[1:]
        values = self._call(x.reshape(x.shape[0], -1).T, y.reshape(x.shape[0], -1).T)
        return values.reshape(shape)

    def _call(self, u: FloatArray, v: FloatArray) -> FloatArray:
        values = call_user(self.function, "agreement", u, v)
        if values.shape != (u.shape[0],):
            raise ParameterError(
                f"the agreement gave an array of shape {values.shape} for two arrays of "
                f"{u.shape[0]} rows; expected one number a row, e.g. np.minimum(u, v).sum(axis=1)."
            )
        bad = np.flatnonzero(~((values >= -1e-9) & (values <= 1.0 + 1e-9)))
        if bad.size:
            at = int(bad[0])
            raise ParameterError(
                f"the agreement of {np.round(u[at], 4).tolist()} and "
                f"{np.round(v[at], 4).tolist()} is {values[at]:g}; agreements lie from 0 to 1."
            )
        return np.clip(values, 0.0, 1.0)

    def _check(self) -> None:
        """The definition: 1 in the same hard cluster, 0 in different ones; and no order."""
        rng = np.random.default_rng(0)
        for k in (2, 3, 5):
            hard = np.eye(k)
            i, j = (grid.ravel() for grid in np.indices((k, k)))
            values = self._call(hard[i], hard[j])
            wrong = np.flatnonzero(np.abs(values - (i == j)) > 1e-9)
            if wrong.size:
                at = int(wrong[0])
                same = "the same hard cluster" if i[at] == j[at] else "different hard clusters"
                raise ParameterError(
                    f"the agreement of two points in {same} (of {k}) is {values[at]:g}; "
                    f"it must be {int(i[at] == j[at])} for the index to extend the Rand index."
                )
            u, v = rng.dirichlet(np.ones(k), 50), rng.dirichlet(np.full(k, 0.3), 50)
            off = float(np.abs(self._call(u, v) - self._call(v, u)).max())
            if off > 1e-9:
                raise ParameterError(
                    f"the agreement of u and v differs from that of v and u by up to {off:.2g}; "
                    "a pair of points has no order."
                )


class FunctionConcordance(Concordance):
    """A concordance written by the user: a function of two arrays of agreements.

    Nothing is known of it between its values, so large laws are shared among the nodes of a coarse
    table, and the error is judged by a table half as fine, twice over.
    """

    cells = 1 << 10
    judged = True

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
