"""An index made from two functions of the user: an agreement and a concordance."""

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

#: Largest number of values that a curve sums over.
FEW_ATOMS = 64


class CustomIndex(PairIndex):
    """An index defined by an agreement (co-membership) and a concordance of your own.

    Parameters
    ----------
    agreement : callable
        ``agreement(u, v)`` takes two arrays of rows, both of shape (m, k), and returns m numbers
        from 0 to 1. It must be symmetric, 1 for rows in the same hard cluster and 0 for rows in
        different hard clusters.
    concordance : callable
        ``concordance(a1, a2)`` takes two arrays of co-memberships and returns numbers from 0 to 1,
        element by element. It must be symmetric, 1 for (0, 0) and (1, 1), and 0 for (0, 1) and
        (1, 0).
    name : str
        Name of the index in results.

    Raises
    ------
    ParameterError
        If a function is not callable, fails, or does not meet these conditions.

    See Also
    --------
    NDC : A norm and a power of your choice, with exact and fast computation.

    Notes
    -----
    The index is the mean of concordance(a₁, a₂) over all pairs of points, where a₁ and a₂ are the
    co-memberships of the pair in the two clusterings. For hard clusterings it equals the Rand
    index.

    The conditions are checked once, when the object is made. All models apply. There are no closed
    forms for functions of your own, so the pairs of fuzzy clusterings are visited or sampled, and
    expectations are sampled or tabulated; results say that they are not exact. Memory does not
    grow with the number of pairs.

    Examples
    --------
    >>> import numpy as np
    >>> import fuzzyrand as fr
    >>> overlap = fr.CustomIndex(
    ...     lambda u, v: np.minimum(u, v).sum(axis=1) ** 2,
    ...     lambda a1, a2: 1 - np.abs(a1 - a2),
    ...     name="squared overlap",
    ... )
    >>> soft = [[0.9, 0.1], [0.9, 0.1], [0.1, 0.9], [0.5, 0.5]]
    >>> round(fr.similarity([0, 0, 1, 1], soft, index=overlap), 4)
    0.76
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
    """An agreement given by a function of two arrays of rows, both of shape (m, k)."""

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
        """Check that the agreement is right for hard clusters, and symmetric."""
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
    """A concordance given by a function of two arrays of agreements.

    Nothing is known about the function between the points where it is evaluated. Laws of many
    values are therefore distributed over the nodes of a coarse table, and the error is estimated as
    twice the difference from a table with half as many cells.
    """

    cells = 1 << 10
    bound_is_estimate = True

    def __init__(self, function: Callable[[FloatArray, FloatArray], Any]) -> None:
        self.function = function
        self._check()
        grid = np.linspace(0.0, 1.0, 257)
        self.reflexive: bool = bool(self.discordance(grid, grid).max() < 1e-12)

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
        # The coarse table has every other node, with straight lines between them.
        nodes = np.arange(table.size)
        coarse = np.interp(nodes, nodes[::2], self.curve_table(mass.halved()))
        error = 2.0 * float(np.abs(table - coarse).max())
        return (lambda a: mass.interpolate(table, np.asarray(a))), error

    def curve_table(self, mass: MassTable) -> FloatArray:
        at = np.clip(mass.positions, 0.0, 1.0)
        return np.asarray(self.discordance(at[:, None], at[None, :]) @ mass.nodes)

    def table_error(self, first: MassTable, second: MassTable, mean: float) -> float:
        coarse = first.halved().nodes @ self.curve_table(second.halved())
        return 2.0 * abs(mean - float(coarse))

    def _check(self) -> None:
        """Check that the concordance is right for hard agreements, and symmetric."""
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
