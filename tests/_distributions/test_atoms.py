"""Laws of finitely many values, and laws that are known within bins."""

import numpy as np
import pytest

from fuzzyrand._distributions.atoms import Atoms, bracket_of_bins


@pytest.mark.parametrize("power", [1.0, 1.5, 2.0, 3.0])
def test_curves_of_atoms(power):
    rng = np.random.default_rng(0)
    values = rng.beta(0.5, 0.7, 500)
    points = rng.random(200)
    exact = (np.abs(points[:, None] - values[None, :]) ** power).mean(axis=1)
    curve, error = Atoms.of_sample(values).curve(power)
    assert curve(points) == pytest.approx(exact, abs=error + 1e-13)
    assert error == 0.0 if power in (1.0, 2.0) else 0.0 < error < 1e-6


def test_a_mean_square_is_never_negative():
    atoms = Atoms.of_sample(np.full(45, 0.3))
    curve, _ = atoms.curve(2.0)
    assert 0.0 <= curve(np.array([0.3]))[0] < 1e-30
    spread = Atoms.of_sample(0.3 + 1e-10 * np.arange(10.0))
    exact = ((spread.values - 0.3) ** 2).mean()
    assert spread.curve(2.0)[0](np.array([0.3]))[0] == pytest.approx(exact, rel=1e-5)


def test_bins_bracket_every_convex_mean():
    rng = np.random.default_rng(0)
    values = rng.beta(0.3, 0.4, 5000)
    edges = np.unique(np.concatenate([[0.0, 1.0], rng.random(30)]))
    counts = np.histogram(values, edges)[0].astype(float)
    sums = np.histogram(values, edges, weights=values)[0]
    bracket = bracket_of_bins(edges, counts, sums)
    assert bracket.inner.mean == pytest.approx(values.mean())
    assert bracket.outer.mean == pytest.approx(values.mean())
    for point in np.linspace(0, 1, 21):
        for power in (1.0, 2.0, 3.0):
            exact = (np.abs(values - point) ** power).mean()
            low = bracket.inner.expect(lambda a, c=point, q=power: np.abs(a - c) ** q)
            high = bracket.outer.expect(lambda a, c=point, q=power: np.abs(a - c) ** q)
            assert low - 1e-12 <= exact <= high + 1e-12
