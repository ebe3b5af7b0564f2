"""The family of indices: observed and expected values against their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score, rand_score

import fuzzyrand as fr
from fuzzyrand.indices import INDICES

from .. import brute
from ..clusterings import LABELS, SOFT
from ..own_indices import own_ndc
from ..strategies import hard, two_clusterings

TOY = fr.toy_clusterings()


NAMES = list(brute.DEFINITIONS)


@given(two_clusterings(), st.sampled_from(NAMES))
def test_observed_and_shuffled_are_the_definitions(pair, name):
    u, v = (brute.memberships(x) for x in pair)
    exact = brute.index_by_name(name, u, v)
    assert fr.similarity(*pair, index=name) == pytest.approx(exact, abs=1e-12)
    exact = brute.expected_perm_by_name(name, u, v)
    for fixed in (None, "first"):
        ours = fr.expected_similarity(*pair, index=name, model="perm", fixed=fixed)
        assert ours == pytest.approx(exact, abs=1e-12)


@given(st.integers(2, 30).flatmap(lambda n: st.tuples(hard(n), hard(n))))
def test_hard_clusterings_give_rand_and_ari_by_every_index(pair):
    a, b = pair
    of_pairs = (index for index in INDICES.values() if index.equals_rand)
    for index in (*of_pairs, own_ndc(), fr.NDC(p=2, q=3)):
        assert fr.similarity(a, b, index=index) == pytest.approx(rand_score(a, b), abs=1e-12)
        adjusted = fr.adjusted_similarity(a, b, index=index, model="perm")
        assert adjusted == pytest.approx(adjusted_rand_score(a, b), abs=1e-10)


@pytest.mark.parametrize("model", ["cat", "num", "all", "fit", "sym", "mixture", "empirical"])
@pytest.mark.parametrize("fixed", [None, "second"])
def test_hard_clusterings_are_alike_for_every_index_and_model(model, fixed):
    rng = np.random.default_rng(0)
    a, b = rng.integers(4, size=60), rng.integers(3, size=60)
    reference = fr.compare(a, b, model=model, fixed=fixed)
    for index in ("rand", *NAMES, own_ndc()):
        c = fr.compare(a, b, index=index, model=model, fixed=fixed)
        assert c.exact
        assert c.adjusted == pytest.approx(reference.adjusted, abs=1e-12)


def test_indices_go_in_by_name_class_and_object():
    for name, index in INDICES.items():
        kind = type(index)
        assert getattr(fr, kind.__name__) is kind
        hard = index.hard_only or index.takes_covers
        u = TOY["even_hard"] if hard else TOY["high_fuzzy"]
        v = TOY["uneven_hard"] if hard else TOY["uneven_low_fuzzy"]
        values = {fr.similarity(u, v, index=i) for i in (name, name.upper(), index, kind, kind())}
        assert len(values) == 1
    assert eval(repr(fr.NDC(p=float("inf"), q=2)), {"NDC": fr.NDC}) == fr.NDC(np.inf, 2)
    with pytest.raises(fr.UnknownNameError, match="brouwer"):
        fr.similarity([0, 1], [0, 1], index="brower")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("ari", "index='rand' with model='perm'"),
        ("Adjusted_Rand_Score", "index='rand' with model='perm'"),
        ("RI", "index='rand'"),
        ("ami", "index='mi'"),
        ("normalized_mutual_info_score", "index='mi'"),
        ("fmi", "index='fm'"),
    ],
)
def test_names_of_other_libraries(name, said):
    with pytest.raises(fr.UnknownNameError) as caught:
        fr.compare([0, 0, 1], [0, 1, 1], index=name, model="perm")
    assert said in str(caught.value)
    assert (caught.value.parameter, caught.value.value) == ("index", name)


def test_the_rand_index_refuses_fuzzy_clusterings():
    with pytest.raises(fr.NotApplicableError, match="ndc"):
        fr.compare(LABELS, SOFT, index="rand")


def test_the_rand_index_has_no_flat_model():
    with pytest.raises(fr.NotApplicableError, match="'flat' draws fuzzy"):
        fr.compare([0, 1, 1], [0, 0, 1], index="rand", model="flat")
    assert "flat" not in fr.compare([0, 1, 1], [0, 0, 1], index="rand", model="every").models
