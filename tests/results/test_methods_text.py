"""The paragraph for a methods section: what it says, and what it refuses to say."""

import pickle
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import fuzzyrand as fr
from fuzzyrand._base.references import REFERENCES
from fuzzyrand.indices import INDICES
from fuzzyrand.models import MODELS

ROOT = Path(__file__).parents[2]
RNG = np.random.default_rng(0)
FIRST, SECOND, THIRD = RNG.dirichlet([0.5] * 3, (3, 50))
LABELS = FIRST.argmax(axis=1)
RESULT = fr.compare(FIRST, SECOND, model="perm")


def test_the_maximum_is_said():
    options = {"index": "brouwer", "model": "perm"}
    plain = fr.compare(FIRST, SECOND, **options)
    own = fr.compare(FIRST, SECOND, maximum="self", **options)
    assert "is 1 for perfect agreement and 0 for chance" in plain.methods_text()
    said = f"is 1 for the mean index of each clustering with itself ({own.maximum:.3f}) and 0 for"
    assert said in own.methods_text()
    assert "perfect agreement" not in own.methods_text()
    interval = fr.confidence_interval(FIRST, SECOND, **options)
    plain.methods_text(interval=interval)
    with pytest.raises(fr.ParameterError, match=r"1 is perfect agreement.*maximum='self'"):
        own.methods_text(interval=interval)
    own.methods_text(fr.significance(FIRST, SECOND, **options))


INTERVALS = {
    "difference of two": lambda: fr.confidence_interval(FIRST, (SECOND, THIRD), model="perm"),
    "observed index": lambda: fr.confidence_interval(FIRST, THIRD, model="perm"),
    "number of points is 40, but here it is 50": lambda: fr.confidence_interval(
        FIRST[:40], SECOND[:40], model="perm"
    ),
    "index is 'belief', but here it is 'ndc'": lambda: fr.confidence_interval(
        FIRST, SECOND, model="perm", index="belief"
    ),
    "model is 'flat', but here it is 'perm'": lambda: fr.confidence_interval(
        FIRST, SECOND, model="flat"
    ),
}


@pytest.mark.parametrize("differs", INTERVALS)
def test_intervals_of_something_else_are_refused(differs):
    with pytest.raises(fr.ParameterError, match=differs):
        RESULT.methods_text(interval=INTERVALS[differs]())


TESTS = {
    "observed index": lambda: fr.significance(FIRST, THIRD, model="perm", draws=99),
    "number of points": lambda: fr.significance(FIRST[:40], SECOND[:40], model="perm", draws=99),
    "index is 'belief'": lambda: fr.significance(
        FIRST, SECOND, model="perm", index="belief", draws=99
    ),
    "model is 'flat'": lambda: fr.significance(FIRST, SECOND, model="flat", draws=99),
}


@pytest.mark.parametrize("differs", TESTS)
def test_tests_of_something_else_are_refused(differs):
    with pytest.raises(fr.ParameterError, match=differs):
        RESULT.methods_text(TESTS[differs]())


def test_what_belongs_to_the_result_is_accepted():
    test = fr.significance(FIRST, SECOND, model="perm", draws=99)
    interval = fr.confidence_interval(SECOND, FIRST, model="perm")  # in the other order
    assert "p = " in RESULT.methods_text(test, interval)
    # A test by shuffles may stand beside any model; the text says so.
    fixed = fr.compare(FIRST, SECOND, model="flat", fixed="first")
    assert "permutation test with 99 shuffles, one-sided p" in fixed.methods_text(test)
    with pytest.raises(fr.ParameterError, match="fixed side is none, but here it is first"):
        fixed.methods_text(interval=fr.confidence_interval(FIRST, SECOND, model="flat"))
    again = pickle.loads(pickle.dumps(test))
    assert RESULT.methods_text(again) == RESULT.methods_text(test)
    names = np.array(["c", "a", "b"])[LABELS]
    hard = fr.compare(LABELS, SECOND, model="perm")
    hard.methods_text(fr.significance(names, SECOND, model="perm", draws=99))


def test_clusterings_with_the_same_number_are_told_apart():
    order = np.random.default_rng(1).permutation(50)
    one = fr.compare(LABELS, LABELS[::-1], model="perm")
    other = fr.significance(LABELS[order], LABELS[::-1][order], model="perm", draws=99)
    assert one.observed == other.comparison.observed
    with pytest.raises(fr.ParameterError, match="are not those of this one"):
        one.methods_text(other)
    sparse = sp.csr_array(np.eye(3)[LABELS])
    one.methods_text(fr.significance(sparse, LABELS[::-1], model="perm", draws=99))


def test_indices_and_models_have_names_and_references_in_full():
    page = " ".join(
        (ROOT / "docs/theory/references.md").read_text("utf-8").replace("*", "").split()
    )
    cited = {}
    for index in INDICES.values():
        assert index.title
        assert index.full_name
        cited[index.name] = index.citation
    for model in MODELS.values():
        assert model.title.endswith(("model", "clusters", "partitions", "rows"))
        cited |= {model.name: model.citation, f"{model.name} fuzzy": model.fuzzy_citation}
    assert {citation for citation in cited.values() if citation} == set(REFERENCES)
    for reference in REFERENCES.values():
        authors_and_title = reference.rpartition(", ")[0].rpartition(" (")[0].rpartition(", ")[0]
        assert authors_and_title in page
