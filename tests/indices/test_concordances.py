"""Concordances that moments suffice for: products and squares."""

import itertools

import numpy as np

import fuzzyrand as fr

from .. import brute


def test_products_and_squares_are_exact_under_every_dirichlet_model():
    rng = np.random.default_rng(1)
    u, v = brute.dirichlet_rows(rng, [0.5] * 4, 50), brute.dirichlet_rows(rng, [1.0] * 3, 50)
    for index, model, fixed in itertools.product(
        ("brouwer", "consistency", "jousselme"), ("perm", "fit", "sym", "flat"), (None, "first")
    ):
        c = fr.compare(u, v, index=index, model=model, fixed=fixed)
        assert c.exact
        assert c.stderr == 0.0
        assert c.computed["observed"] == "Gram matrices"
        assert c.computed["expected"] == "closed form"


def test_products_and_squares_need_no_pairs():
    """So many points that their pairs could not be visited, and still exact."""
    rng = np.random.default_rng(2)
    n = 200_000
    u, v = rng.dirichlet([0.5] * 4, n), rng.dirichlet([1.0] * 3, n)
    for index in ("brouwer", "consistency", "jousselme", "frobenius"):
        c = fr.compare(u, v, index=index, model="perm")
        assert c.exact
        assert abs(c.adjusted) < 1e-3  # independent clusterings
