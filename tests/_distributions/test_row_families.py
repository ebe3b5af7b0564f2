"""Row distributions beyond one Dirichlet: their closed forms, by drawing."""

import numpy as np
import pytest

from fuzzyrand._distributions.row_distributions import Categorical, Dirichlet, Identical
from fuzzyrand._distributions.row_families import (
    DirichletMixture,
    GeneralisedDirichlet,
    HardOrFuzzy,
)
from fuzzyrand.indices.agreements import CosineAgreement, DotAgreement, NormAgreement

from .. import brute

DISTRIBUTIONS = {
    "generalised": GeneralisedDirichlet(
        (
            Dirichlet(np.array([0.4, 0.7])),
            Categorical(np.array([0.3, 0.7])),
            Dirichlet(np.array([9.0, 20.0])),
            Identical(np.array([0.25, 0.75])),
        ),
    ),
    "mixture": DirichletMixture(
        np.array([0.5, 0.3, 0.2]),
        np.array([[8.0, 1.0, 0.5], [0.05, 0.2, 0.1], [300.0, 0.0, 200.0]]),
    ),
    "hard or fuzzy": HardOrFuzzy(
        0.3, Categorical(np.array([0.2, 0.5, 0.3])), Dirichlet(np.array([2.0, 0.5, 1.0]))
    ),
    "tiny and huge": DirichletMixture(
        np.array([0.6, 0.4]), np.array([[1e-3, 2e-3, 1e-3], [5e5, 2e5, 1e5]])
    ),
}


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_closed_forms_by_drawing(name):
    rows = DISTRIBUTIONS[name]
    rng = np.random.default_rng(0)
    x, y = (rows.sample(rng, 300_000) for _ in range(2))
    np.testing.assert_allclose(x.sum(axis=1), 1.0, rtol=1e-12)
    for i in range(x.shape[1]):
        assert brute.is_mean_of(x[:, i], rows.mean()[i], 4.5)
        for j in range(i + 1):
            assert brute.is_mean_of(x[:100_000, i] * x[:100_000, j], rows.products()[i, j], 4.5)
    assert rows.products() == pytest.approx(rows.products().T)
    assert brute.is_mean_of(((x - y) ** 2).sum(axis=1), rows.mean_square_distance())
    dots = (x * y).sum(axis=1)
    assert brute.is_mean_of(dots, DotAgreement().row_mean(rows).value)
    assert brute.is_mean_of(dots**2, DotAgreement().row_square(rows).value)
    for agreement, kind in ((NormAgreement(), "l1"), (CosineAgreement(), "cosine")):
        known = agreement.row_mean(rows)
        if name == "generalised":
            assert known is None
        else:
            assert known.error < 1e-9
            assert brute.is_mean_of(brute.ROW_AGREEMENTS[kind](x, y), known.value)


def test_columns_are_rows_in_an_order_of_their_own():
    for rows in DISTRIBUTIONS.values():
        one = rows.columns(np.random.default_rng(1), 5)
        assert one.sum(axis=0) == pytest.approx(np.ones(5))
