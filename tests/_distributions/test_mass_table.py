"""Laws on a fine grid: their curves, held to the definition."""

import numpy as np
import pytest

from fuzzyrand._distributions.mass_table import MassTable


@pytest.mark.parametrize("power", [1.0, 1.5, 2.0, 3.0])
def test_curves_of_mass_tables(power):
    rng = np.random.default_rng(0)
    values = rng.beta(0.5, 0.7, 500)
    points = rng.random(200)
    exact = (np.abs(points[:, None] - values[None, :]) ** power).mean(axis=1)
    table = MassTable.of(values, 0.0, 1.0)
    read = table.interpolate(table.curve_table(power), points)
    assert read == pytest.approx(exact, abs=table.error(power) + 1e-12)


def test_weights_may_be_negative():
    values = np.array([0.1, 0.4, 0.4001, 0.8])
    weights = np.array([0.5, -0.25, 0.5, 0.25])
    table = MassTable.of(values, 0.0, 1.0, weights, cells=64)
    exact = np.abs(0.4 - values) @ weights
    read = table.interpolate(table.curve_table(1.0), np.array([0.4]))
    assert read == pytest.approx(exact, abs=table.error(1.0))
    assert table.cells.sum() == 1.5
