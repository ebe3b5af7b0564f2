"""The laws of agreements that a report draws."""

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._base.effort import Effort
from fuzzyrand._engine import Question
from fuzzyrand._laws.misfit import atoms_of
from fuzzyrand.indices import as_index
from fuzzyrand.models import as_model
from fuzzyrand.report import comparison_report
from fuzzyrand.report.agreements import DRAWS, BinnedLaw, side_laws

from ..reports import HARD, OTHER, SOFT, SOFTER


@pytest.mark.parametrize(
    "model",
    [
        "fit",
        "sym",
        "flat",
        "generalised",
        "mixed",
        fr.Mixture(components=2),
        fr.Fit(resolution=1e-3),
    ],
    ids=str,
)
@pytest.mark.parametrize("index", ["ndc", fr.NDC(2, 1.5)], ids=str)
def test_the_law_drawn_is_the_law_that_was_used(model, index):
    c = fr.compare(SOFT, SOFTER, model=model, index=index, tol=0.05)
    (side,) = Question(as_index(index), Effort()).sides(SOFTER)
    wanted = BinnedLaw.of(atoms_of(side.law(as_model(model)), Effort(), DRAWS))
    found = side_laws(c, SOFT, SOFTER)[1].model
    np.testing.assert_allclose(found.shares, wanted.shares, atol=1e-12)
    np.testing.assert_allclose(found.quantiles, wanted.quantiles, atol=1e-12)


def test_laws_of_hard_sides_are_two_bars():
    c = fr.compare(HARD, OTHER, model="cat")
    for side, partition in zip(side_laws(c, HARD, OTHER), (HARD, OTHER), strict=True):
        together = partition.same_cluster_pairs / partition.pairs
        assert side.observed.shares[-1] == pytest.approx(together, abs=1e-12)
        assert side.observed.shares[1:-1].sum() == 0.0
        drawn = ((partition.sizes / partition.n) ** 2).sum()
        assert side.model.shares[-1] == pytest.approx(drawn, abs=1e-12)


def test_a_side_that_stays_and_one_that_cannot_be_drawn_again_have_no_outline():
    fixed = side_laws(fr.compare(SOFT, HARD, model="fit", fixed="first"), SOFT, HARD)
    assert (fixed[0].model, fixed[0].fixed) == (None, True)
    assert (fixed[1].model is None, fixed[1].fixed) == (False, False)
    hard = side_laws(fr.compare(HARD, OTHER, model="fit", fixed="second"), HARD, OTHER)
    assert [side.fixed for side in hard] == [side.model is None for side in hard] == [False, True]
    for partition in (HARD, SOFT):
        kept = side_laws(fr.compare(partition, OTHER, model="perm"), partition, OTHER)
        assert [(side.model, side.kept) for side in kept] == [(None, True)] * 2
    kernel = fr.compare(SOFT, HARD, model="kernel", tol=0.05)
    (soft, hard) = side_laws(kernel, SOFT, HARD)
    assert (soft.model, soft.kept) == (None, False)
    assert hard.model is not None
    html = comparison_report(
        fr.ComparisonTable([kernel]), SOFT, HARD, names=("a", "b"), command="x"
    )
    assert "makes of it is not drawn" in html
