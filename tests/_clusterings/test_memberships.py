"""Membership matrices in every form that users have them in, and rows that are refused."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

import fuzzyrand as fr

from ..clusterings import LABELS, SOFT

MEMBERSHIP_FORMS = {
    "nested list": SOFT.tolist(),
    "list of tuples": [tuple(row) for row in SOFT.tolist()],
    "list of arrays": list(SOFT),
    "fortran order": np.asfortranarray(SOFT),
    "objects": SOFT.astype(object),
    "frame": pd.DataFrame(SOFT, columns=["a", "b"], index=list("gfedcba")),
    "polars frame": pl.DataFrame({"a": SOFT[:, 0], "b": SOFT[:, 1]}),
    "sparse": sp.csc_matrix(SOFT),
    "matrix": SOFT.view(np.matrix),  # whose constructor warns
    "rounding": SOFT * (1 + 1e-9),
    "partition": fr.Partition.from_memberships(SOFT),
}


@pytest.mark.parametrize("form", MEMBERSHIP_FORMS)
def test_memberships_in_every_form_are_the_same_clustering(form):
    partition = fr.as_partition(MEMBERSHIP_FORMS[form])
    assert partition.kind == "fuzzy"
    assert (partition.n, partition.k) == (7, 2)
    ours = fr.adjusted_similarity(LABELS, MEMBERSHIP_FORMS[form], model="flat")
    assert ours == pytest.approx(fr.adjusted_similarity(LABELS, SOFT, model="flat"), abs=1e-12)


def test_single_precision():
    partition = fr.as_partition(SOFT.astype(np.float32))
    assert partition.memberships.sum(axis=1) == pytest.approx(np.ones(7), abs=1e-15)
    assert partition.memberships == pytest.approx(SOFT, abs=1e-7)


def test_normalize_and_possibilistic():
    counts = SOFT * np.arange(1, 8)[:, None] * 10
    ours = fr.adjusted_similarity(LABELS, counts, normalize=True)
    assert ours == pytest.approx(fr.adjusted_similarity(LABELS, SOFT), abs=1e-12)
    loose = SOFT * 0.9
    assert fr.as_partition(loose, possibilistic=True).kind == "possibilistic"
    assert fr.as_partition(SOFT, possibilistic=True).kind == "fuzzy"
    assert fr.compare(LABELS, loose, possibilistic=True, model="perm").exact


def test_zero_rows_cannot_be_normalized():
    with pytest.raises(fr.InputError, match=r"row 2.*all zeros"):
        fr.similarity(LABELS, np.where(np.arange(7)[:, None] == 2, 0.0, SOFT), normalize=True)


def test_sums_that_overflow_are_refused():
    with pytest.raises(fr.InputError, match="row 0"):
        fr.as_partition([[1e308, 1e308], [1, 3]], normalize=True)
