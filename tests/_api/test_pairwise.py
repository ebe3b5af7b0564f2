"""Every clustering with every other, or with a reference."""

import itertools
import json

import joblib
import numpy as np
import pytest

import fuzzyrand as fr

from ..clusterings import RUNS

TOY = fr.toy_clusterings()


def test_the_fixed_side_of_a_symmetric_matrix():
    a, b = (fr.as_partition(TOY[name]) for name in ("even_hard", "high_fuzzy"))
    table = fr.pairwise({"a": a, "b": b}, model="perm", fixed="first")
    for (one, x), (two, y) in itertools.product((("a", a), ("b", b)), repeat=2):
        assert table[one, two] == fr.compare(x, y, model="perm", fixed="first")


@pytest.mark.parametrize("model", ["perm", "fit", "flat"])
@pytest.mark.parametrize("fixed", [None, "first"])
@pytest.mark.parametrize("n_jobs", [None, 2])
def test_pairwise_equals_compare(model, fixed, n_jobs):
    matrix = fr.pairwise(RUNS, model=model, fixed=fixed, n_jobs=n_jobs)
    assert matrix.rows == matrix.columns == tuple(RUNS)
    for a in RUNS:
        for b in RUNS:
            c = fr.compare(RUNS[a], RUNS[b], model=model, fixed=fixed)
            ours = matrix[a, b]
            assert ours.adjusted == pytest.approx(c.adjusted, abs=1e-12)
            assert ours.stderr == pytest.approx(c.stderr, abs=1e-12)
            assert ours.clusterings == c.clusterings
            assert ours.laws == c.laws
    assert np.diag(matrix.adjusted) == pytest.approx(1.0)


def test_pairwise_on_processes():
    threads = fr.pairwise(RUNS, model="fit")
    with joblib.parallel_config(backend="loky"):
        processes = fr.pairwise(RUNS, model="fit", n_jobs=2)
    assert (threads.adjusted == processes.adjusted).all()


def test_pairwise_with_a_reference():
    row = fr.pairwise(RUNS, reference="hard", fixed="first", model="sym")
    assert row.adjusted.shape == (1, 4)
    for name in RUNS:
        c = fr.compare(RUNS["hard"], RUNS[name], fixed="first", model="sym")
        assert row["hard", name].adjusted == c.adjusted
    outside = fr.pairwise(list(RUNS.values()), reference=RUNS["hard"], model="perm")
    assert outside.rows == ("reference",)
    assert outside.columns == ("0", "1", "2", "3")
    by_number = fr.pairwise(list(RUNS.values()), reference=3, model="perm")
    assert (by_number.adjusted == outside.adjusted).all()
    frame = row.to_frame()
    assert frame.loc["hard", "soft"] == row["hard", "soft"].adjusted
    assert "with hard under sym; reference fixed" in str(row)
    assert json.loads(json.dumps(row.to_dict()))["rows"] == ["hard"]
    with pytest.raises(KeyError, match="soft, softer"):
        row["hard", "nobody"]


def test_pairwise_fits_each_clustering_once(monkeypatch):
    calls = []
    original = fr.Fit.rows

    def counted(self, partition, effort):
        calls.append(partition)
        return original(self, partition, effort)

    monkeypatch.setattr(fr.Fit, "rows", counted)
    once = fr.Effort(budget=fr.Budget(note_redraws=0))  # none is drawn and fitted again
    fr.pairwise(RUNS, model="fit", effort=once)
    assert len(calls) == len(RUNS)


def test_pairwise_refuses_what_compare_refuses():
    with pytest.raises(fr.InputError, match="'a' has 3 points and 'b' has 2"):
        fr.pairwise({"a": [0, 1, 1], "b": [0, 1]})
    with pytest.raises(fr.InputError, match="row 0 of the clustering 'b' sums"):
        fr.pairwise({"a": [0, 1, 1], "b": np.full((3, 2), 0.4)})
    with pytest.raises(fr.InputError, match="no clusterings"):
        fr.pairwise([])
    with pytest.raises(fr.InputError, match="the reference has 2"):
        fr.pairwise({"a": [0, 1, 1]}, reference=[0, 1])
    with pytest.raises(fr.NotApplicableError):
        fr.pairwise(RUNS, model="num")


def test_a_member_called_reference_is_not_overwritten():
    a, b, c = [0, 0, 1, 1, 2], [0, 1, 1, 2, 2], [0, 0, 0, 1, 1]
    row = fr.pairwise({"reference": a, "x": b}, reference=c, model="perm")
    expected = [fr.adjusted_similarity(c, other, model="perm") for other in (a, b)]
    assert row.adjusted[0] == pytest.approx(expected)
    with pytest.raises(fr.InputError, match="same name"):
        fr.pairwise({1: a, "1": b})


def test_options_of_models_reach_the_test():
    rng = np.random.default_rng(0)
    runs = [rng.dirichlet([1, 2, 1], 30) for _ in range(2)]
    model = fr.Fit(bias="corrected")
    table = fr.pairwise(runs, model=model, test=model, draws=19)
    test = table.tests["0", "1"]
    assert test.comparison.model == table["0", "1"].model == "fit(bias='corrected')"
    shuffled = fr.pairwise(runs, model=model, test=True, draws=19)
    assert shuffled.tests["0", "1"].comparison.model == "perm"
