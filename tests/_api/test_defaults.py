"""What everybody gets who names no model: unrelated clusterings score 0, labels give the ARI."""

import inspect

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzzyrand as fr

cluster = pytest.importorskip("sklearn.cluster", reason="needs scikit-learn")
datasets = pytest.importorskip("sklearn.datasets", reason="needs scikit-learn")
decomposition = pytest.importorskip("sklearn.decomposition", reason="needs scikit-learn")
metrics = pytest.importorskip("sklearn.metrics", reason="needs scikit-learn")
mixture = pytest.importorskip("sklearn.mixture", reason="needs scikit-learn")

#: What shuffled memberships may score. Their standard deviation is below a third of it.
NEAR_ZERO = 0.02
#: Functions that take a model, and mean the same where none is named.
WITH_A_MODEL = [
    fr.compare,
    fr.adjusted_similarity,
    fr.expected_similarity,
    fr.pairwise,
    fr.explain,
    fr.confidence_interval,
    fr.significance,
    fr.stability,
]


def fuzzy_c_means(x, k, seed, m):
    """Memberships of fuzzy c-means, by its two alternating steps."""
    centres = np.random.default_rng(seed).permutation(x)[:k]
    for _ in range(100):
        distance = ((x[:, None] - centres) ** 2).sum(axis=2) + 1e-12
        rows = distance ** (-1.0 / (m - 1.0))
        rows /= rows.sum(axis=1, keepdims=True)
        centres = (rows**m).T @ x / (rows**m).sum(axis=0)[:, None]
    return rows


def standardised(name):
    x = getattr(datasets, f"load_{name}")().data
    return (x - x.mean(axis=0)) / np.where(x.std(axis=0) > 0.0, x.std(axis=0), 1.0)


def by_means(name, k, m=2.0):
    return lambda: [fuzzy_c_means(standardised(name), k + extra, extra, m) for extra in (0, 1)]


def by_mixture(name, k):
    def memberships():
        x = decomposition.PCA(5 if name == "digits" else 3).fit_transform(standardised(name))
        models = (mixture.GaussianMixture(k + extra, random_state=extra) for extra in (0, 1))
        return [model.fit(x).predict_proba(x) for model in models]

    return memberships


def topics():
    """Topic shares of documents drawn from a topic model, as two LDA runs find them."""
    rng = np.random.default_rng(0)
    words = rng.dirichlet(np.full(200, 0.05), 8)
    shares = rng.dirichlet(np.full(8, 0.2), 400)
    counts = np.array([rng.multinomial(80, row) for row in shares @ words])
    models = (
        decomposition.LatentDirichletAllocation(8, random_state=seed, max_iter=5) for seed in (0, 1)
    )
    return [model.fit_transform(counts) for model in models]


REAL = {
    "iris, fuzzy c-means": by_means("iris", 3),
    "wine, fuzzy c-means": by_means("wine", 3),
    "breast cancer, fuzzy c-means": by_means("breast_cancer", 2),
    "digits, fuzzy c-means": by_means("digits", 10, m=1.2),  # with m = 2, all rows are alike
    "iris, mixtures": by_mixture("iris", 3),
    "wine, mixtures": by_mixture("wine", 3),
    "breast cancer, mixtures": by_mixture("breast_cancer", 2),
    "digits, mixtures": by_mixture("digits", 10),
    "topics": topics,
}


@pytest.mark.parametrize("kind", REAL)
def test_real_memberships_in_another_order_score_zero(kind):
    first, second = REAL[kind]()
    rng = np.random.default_rng(0)
    shuffled = [second[rng.permutation(len(second))] for _ in range(20)]
    values = [fr.adjusted_similarity(first, rows) for rows in shuffled]
    spread = fr.significance(first, second, draws=99).null_sd
    assert np.mean(values) == pytest.approx(0.0, abs=4.0 * spread / np.sqrt(20))
    assert np.abs(np.mean(values)) < NEAR_ZERO
    one = shuffled[0]
    value = values[0]
    assert fr.compare(first, one).adjusted == value
    assert fr.pairwise([first, one]).adjusted[0, 1] == pytest.approx(value, abs=1e-12)
    assert fr.explain(first, one).points.mean() == pytest.approx(value, abs=1e-9)
    assert fr.confidence_interval(first, one).adjusted == value
    assert fr.significance(first, one, draws=19).adjusted == value
    expected = fr.expected_similarity(first, one)
    observed = fr.similarity(first, one)
    assert (observed - expected) / (1.0 - expected) == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("function", WITH_A_MODEL, ids=lambda function: function.__name__)
def test_every_function_shuffles_unless_a_model_is_named(function):
    assert inspect.signature(function).parameters["model"].default == "perm"


@given(
    st.integers(2, 60).flatmap(
        lambda n: st.tuples(*[st.lists(st.integers(0, 5), min_size=n, max_size=n)] * 2)
    )
)
def test_hard_labels_give_the_adjusted_rand_index(pair):
    assert fr.adjusted_similarity(*pair) == pytest.approx(
        metrics.adjusted_rand_score(*pair), abs=1e-12
    )


def test_a_fixed_side_makes_no_difference_and_the_result_says_so():
    rng = np.random.default_rng(0)
    labels, soft = rng.integers(3, size=50), rng.dirichlet([1, 1, 1], 50)
    free, fixed = (fr.compare(labels, soft, fixed=side) for side in (None, "first"))
    assert fixed.adjusted == free.adjusted
    assert str(fixed).count("the same whichever is fixed") == 1
    assert "replaced by" not in str(fixed)


def test_a_model_that_does_not_describe_the_memberships_is_told_wherever_the_number_goes():
    first, second = REAL["digits, fuzzy c-means"]()
    rng = np.random.default_rng(0)
    shuffled = second[rng.permutation(len(second))]
    c = fr.compare(first, shuffled, model="fit")
    assert c.adjusted < -0.1, "which is why the default is another"
    about = "the model fit describes the"
    assert about in str(c.misfit_note)
    assert "which describes them poorly" in c.sentence
    assert "same cluster sizes and fuzziness" not in c.sentence
    assert about in c.methods_text().replace("The model", "the model")
    assert any(about in note for note in c.to_dict()["notes"])
    with pytest.warns(fr.MisfitWarning, match="Under perm, the adjusted index is about"):
        fr.adjusted_similarity(first, shuffled, model="fit")
    with pytest.warns(fr.MisfitWarning, match="Under perm, the expected index is about"):
        fr.expected_similarity(first, shuffled, model="fit")
    test = fr.significance(first[:300], shuffled[:300], model="fit", draws=19)
    assert any("does not show that the two are related" in note for note in test.notes)


def test_no_warning_where_the_model_describes_the_memberships(recwarn):
    rng = np.random.default_rng(0)
    pair = rng.dirichlet([1, 2, 3], (2, 300))
    for function in (fr.adjusted_similarity, fr.expected_similarity):
        function(*pair, model="fit")
    assert not recwarn.list
