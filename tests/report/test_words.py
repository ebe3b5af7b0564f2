"""What models and indices are said to be."""

import fuzzyrand as fr
from fuzzyrand._base.effort import Effort
from fuzzyrand.models import MODELS
from fuzzyrand.report.words import INDEX_WORDS, MODEL_WORDS

from ..reports import SOFT, report


def test_a_model_of_ones_own_is_not_taken_for_a_namesake():
    flat = MODELS["flat"].rows(SOFT, Effort())
    html = report(SOFT, SOFT, [fr.Custom(flat, name="fit")])
    assert "given by whoever ran the comparison" in html
    assert MODEL_WORDS["fit"][0] not in html


def test_every_model_and_index_is_explained():
    assert set(MODEL_WORDS) == set(MODELS)
    assert set(INDEX_WORDS) == set(fr.indices.INDICES)
