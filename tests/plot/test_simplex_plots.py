"""The simplex: all points are where their memberships are."""

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._base.errors import NotApplicableError
from fuzzyrand.plot._simplex import CORNERS

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")

RNG = np.random.default_rng(2)
SOFT, HARD = RNG.dirichlet([0.4, 0.6, 0.5], 60), RNG.integers(3, size=60)


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.mark.parametrize("rows", [SOFT, HARD, SOFT[:, :2] / SOFT[:, :2].sum(axis=1, keepdims=True)])
def test_all_points_are_in_the_simplex(rows):
    axes = fr.plot.simplex(rows)
    axes.figure.canvas.draw()
    (dots,) = axes.collections
    k = fr.as_partition(rows).k
    texts = [text.get_text() for text in axes.texts]
    assert [text for text in texts if text.startswith("cluster")] == [
        f"cluster {i}" for i in range(k)
    ]
    corners = CORNERS[:k]
    memberships = np.eye(3)[rows] if rows.ndim == 1 else rows
    wanted = np.unique(np.round(memberships, 3), axis=0) @ corners
    np.testing.assert_allclose(np.sort(dots.get_offsets()[:, 0]), np.sort(wanted[:, 0]), atol=1e-12)


def test_the_area_of_a_dot_is_the_number_of_its_points():
    axes = fr.plot.simplex([0, 0, 0, 1, 2, 2])
    sizes = axes.collections[0].get_sizes()
    np.testing.assert_allclose(sizes / sizes.sum(), [3 / 6, 1 / 6, 2 / 6])


def test_the_simplex_refuses_what_it_cannot_hold():
    with pytest.raises(NotApplicableError, match="has 4"):
        fr.plot.simplex([0, 1, 2, 3])
    loose = fr.Partition.from_memberships([[0.2, 0.9, 0.1]] * 3, possibilistic=True)
    with pytest.raises(NotApplicableError, match="sum to 1"):
        fr.plot.simplex(loose)
