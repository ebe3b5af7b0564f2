"""A law of very many values, with its mass distributed over the nodes of a table.

The mass of a value between two nodes is divided between them so that its mean is preserved. Then
the mean of |a - A| is exact if a and A lie in different cells, and nothing has to be sorted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._base.types import FloatArray

CELLS = 1 << 15
#: Largest power for which Fourier transforms are used. Their rounding errors are relative to the
#: largest value of a curve, beside which the others vanish for larger powers.
LARGEST_BY_FOURIER = 4.0
#: Share of the largest value below which others are left out of sums.
NEGLIGIBLE = 1e-100
#: Rounding error of the transforms, relative to the largest value.
FOURIER_ROUNDING = 1e-13


@dataclass(frozen=True, eq=False)
class MassTable:
    """Mass at the nodes ``low + i * width``, and absolute mass in the cells between them.

    There is one more node than there are cells.
    """

    low: float
    width: float
    nodes: FloatArray
    cells: FloatArray

    @classmethod
    def of(
        cls,
        values: FloatArray,
        low: float,
        high: float,
        weights: FloatArray | None = None,
        cells: int = CELLS,
    ) -> MassTable:
        """Return the table of values in [``low``, ``high``]; without weights, all count equally.

        Weights may be negative, as some weights of a regression are.
        """
        width = max(high - low, 1e-300) / cells
        position = (values.ravel() - low) / width
        cell = np.minimum(position.astype(np.intp), cells - 1)
        right = position - cell
        mass = np.full(right.size, 1.0 / right.size) if weights is None else weights
        to_right = np.bincount(cell, right * mass, cells)
        inside: FloatArray = np.bincount(cell, mass, cells).astype(np.float64)
        nodes = np.append(inside - to_right, 0.0)
        nodes[1:] += to_right
        if weights is not None and (weights < 0.0).any():
            inside = np.bincount(cell, np.abs(weights), cells).astype(np.float64)
        return cls(low, width, nodes, inside)

    @property
    def positions(self) -> FloatArray:
        """Positions of the nodes."""
        return np.asarray(self.low + self.width * np.arange(self.nodes.size))

    def halved(self) -> MassTable:
        """Return a table with half as many cells; the mass of removed nodes goes to neighbours."""
        nodes = self.nodes[::2].copy()
        shared = 0.5 * self.nodes[1::2]
        nodes[:-1] += shared
        nodes[1:] += shared
        return MassTable(self.low, 2.0 * self.width, nodes, self.cells.reshape(-1, 2).sum(axis=1))

    def curve_table(self, power: float) -> FloatArray:
        """Return E|a - A|^power at the nodes a."""
        if power == 1.0:
            passed = np.cumsum(self.nodes)
            steps = np.arange(float(self.nodes.size))
            moment = np.cumsum(self.nodes * steps)
            table = steps * (2.0 * passed - passed[-1]) + moment[-1] - 2.0 * moment
            return np.asarray(self.width * table)
        steps = np.arange(float(self.nodes.size))
        kernel = (self.width * steps) ** power
        if power > LARGEST_BY_FOURIER:
            # Sums of positive numbers, which keep their relative accuracy. Numbers that are too
            # small to count would slow the machine down.
            kernel[kernel < NEGLIGIBLE * kernel[-1]] = 0.0
            both_ways = np.concatenate([kernel[:0:-1], kernel])
            return np.convolve(both_ways, self.nodes, mode="valid")
        # Transforms that are long enough not to wrap around; longer distances do not occur.
        length = 4 * self.cells.size
        circular = np.zeros(length)
        circular[: kernel.size], circular[-kernel.size + 1 :] = kernel, kernel[:0:-1]
        transform = np.fft.rfft(circular) * np.fft.rfft(self.nodes, length)
        return np.fft.irfft(transform)[: self.nodes.size]

    def interpolate(self, table: FloatArray, a: FloatArray) -> FloatArray:
        """Interpolate a table linearly between its nodes, for ``a`` within its range."""
        position = (a - self.low) / self.width
        cell = np.minimum(position.astype(np.intp), self.cells.size - 1)
        position -= cell
        return np.asarray(table[cell] + position * (table[cell + 1] - table[cell]))

    def error(
        self, power: float, other_cells: FloatArray | None = None, mean: float | None = None
    ) -> float:
        """Return a bound on the error of the mean of the curve over another law.

        For power 1, the error comes from values of both laws in the same cell, and is at most half
        the width of a cell. For powers q from 2, a mean-preserving shift by up to a width w on both
        sides changes |x|^q by at most w²/4 times its second derivative. The mean of the latter is
        at most q (q - 1) (m + 2w)^(q - 2), where m^q is the mean of |x|^q (by Minkowski's and
        Lyapunov's inequalities).

        Parameters
        ----------
        power : float
            The power.
        other_cells : array, optional
            Mass of the other law in the same cells.
        mean : float, optional
            The mean itself; without it, the bound holds for every other law.
        """
        w, reach = self.width, self.width * self.cells.size
        if power == 1.0:
            shared = 1.0 if other_cells is None else float(self.cells @ other_cells)
            return 0.5 * w * shared
        rounding = FOURIER_ROUNDING * reach**power if power <= LARGEST_BY_FOURIER else 0.0
        if power < 2.0:
            return float(2.0 * w**power + rounding)
        size = reach if mean is None else min(max(mean, 0.0) ** (1.0 / power) + 2.0 * w, reach)
        return float(0.25 * power * (power - 1.0) * w**2 * size ** (power - 2.0) + rounding)
