"""Agreements of rows that are no distributions."""

import numpy as np
import pytest

import fuzzyrand as fr

TOY = fr.toy_clusterings()


def test_the_dot_product_refuses_possibilistic_rows():
    loose = TOY["high_fuzzy"] * 0.5
    for index in ("belief", "consistency", "jousselme"):
        with pytest.raises(fr.NotApplicableError, match="possibilistic"):
            fr.similarity(loose, loose, index=index, possibilistic=True)
    # The cosine of rows does not depend on their sums.
    value = fr.similarity(loose, TOY["uneven_low_fuzzy"], index="brouwer", possibilistic=True)
    assert value == pytest.approx(
        fr.similarity(TOY["high_fuzzy"], TOY["uneven_low_fuzzy"], index="brouwer")
    )


def test_possibilistic_rows_far_apart_agree_by_zero():
    # The rows of a pair differ by 3 in the L1 norm, more than two hard clusters do.
    u = np.array([[1.0, 1.0, 1.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    assert fr.similarity(u, [0, 1, 2], possibilistic=True) == pytest.approx(1.0 - 0.5 / 3)
