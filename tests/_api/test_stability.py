"""Stability of clusterings over the number of clusters."""

import dataclasses
import json
import math
import pickle

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._methods.stability.choice import choose

cluster = pytest.importorskip("sklearn.cluster")
mixture = pytest.importorskip("sklearn.mixture")


def kmeans(k):
    return cluster.KMeans(k, n_init=2)


def blobs(seed=0, n=120):
    rng = np.random.default_rng(seed)
    centres = np.array([[0, 0], [7, 0], [0, 7], [8, 8]])
    return centres[np.arange(n) % 4] + rng.normal(size=(n, 2))


def thirds(k, x):
    """Cut a line at its quantiles: a method without any chance in it."""
    return np.argsort(np.argsort(x)) * k // len(x)


class TestValues:
    def test_every_value_is_that_of_compare(self):
        """Clusterings are caught on their way, and compared again on the rows that both hold."""
        x = np.random.default_rng(3).normal(size=40)
        seen = []

        def catch(k, rows):
            memberships = np.random.default_rng(rows.sum()).dirichlet(np.ones(k), size=rows.size)
            memberships[:, 0] += x[rows] > 0
            memberships /= memberships.sum(axis=1, keepdims=True)
            seen.append((k, rows, memberships))
            return memberships

        result = fr.stability(catch, np.arange(40), [2, 4], repeats=3, model="fit", index="brouwer")
        assert [rows.size for _, rows, _ in seen[:2]] == [40, 40]  # all rows, for each value
        del seen[:2]
        values = {2: [], 4: []}
        for (k, rows, first), (other, others, second) in zip(seen[::2], seen[1::2], strict=True):
            assert k == other
            assert rows.size == others.size == len(set(rows.tolist())) == 32
            both = sorted(set(rows.tolist()) & set(others.tolist()))
            a = first[[rows.tolist().index(row) for row in both]]
            b = second[[others.tolist().index(row) for row in both]]
            values[k].append(fr.adjusted_similarity(a, b, model="fit", index="brouwer"))
        for k in (2, 4):
            assert result.scores[k] == pytest.approx(values[k], abs=1e-9)
            # The same rows are drawn for each number of clusters.
            assert [r.tolist() for j, r, _ in seen if j == 2] == [
                r.tolist() for j, r, _ in seen if j == k
            ]

    def test_unrelated_clusterings_have_no_stability(self):
        def noise(k, x, random_state):
            return np.random.default_rng(random_state).integers(k, size=len(x))

        result = fr.stability(noise, np.arange(100), [2, 5, 20], repeats=100)
        for k in result.values:
            assert abs(result.means[k]) < 4 * result.stderrs[k]
        assert result.best is None

    def test_same_call_same_answer(self):
        one, two = (fr.stability(kmeans, blobs(), [3, 5], repeats=5) for _ in range(2))
        other = fr.stability(kmeans, blobs(), [3, 5], repeats=5, random_state=1)
        assert all(np.array_equal(one.scores[k], two.scores[k]) for k in (3, 5))
        assert not np.array_equal(one.scores[5], other.scores[5])

    def test_values_do_not_depend_on_other_numbers_or_repeats(self):
        few = fr.stability(kmeans, blobs(), [3], repeats=3, reference=None)
        more = fr.stability(kmeans, blobs(), [5, 3, 2], repeats=5, reference=None)
        assert more.values == (2, 3, 5)
        assert few.scores[3].tolist() == more.scores[3][:3].tolist()

    def test_processes_give_the_same(self):
        pytest.importorskip("joblib")
        pytest.importorskip("psutil")
        one = fr.stability(kmeans, blobs(), [2, 5], repeats=5)
        two = fr.stability(kmeans, blobs(), [2, 5], repeats=5, n_jobs=2)
        for k in (2, 5):
            assert one.scores[k].tolist() == two.scores[k].tolist()
            assert one.reference[k].tolist() == two.reference[k].tolist()

    def test_hard_and_fuzzy_and_mixed(self):
        """A method may return labels for some subsamples and memberships for others."""

        def either(k, X, random_state):
            if random_state % 2:
                return cluster.KMeans(k, n_init=2, random_state=random_state).fit_predict(X)
            model = mixture.GaussianMixture(k, random_state=random_state, n_init=2)
            return model.fit(X).predict_proba(X)

        result = fr.stability(either, blobs(), [4], repeats=8)
        assert result.means[4] > 0.9
        assert result.best == 4

    def test_groups_are_drawn_together(self):
        groups = np.repeat(list("abcdefghij"), 6)
        seen = []

        def catch(k, rows):
            seen.append(rows)
            return rows % k

        result = fr.stability(catch, np.arange(60), [2], repeats=5, groups=groups)
        for rows in seen[1:]:  # the first are all rows
            assert sorted(np.unique(groups[rows], return_counts=True)[1].tolist()) == [6] * 8
        assert (result.groups, result.drawn, result.n) == (10, 8, 60)
        assert "60 points in 10 groups" in str(result)

    def test_frames_and_noise(self):
        pd = pytest.importorskip("pandas")
        frame = pd.DataFrame(blobs(), columns=["a", "b"]).sample(frac=1.0, random_state=0)

        def with_noise(k, X):
            assert list(X.columns) == ["a", "b"]
            labels = pd.Series(kmeans(k).set_params(random_state=0).fit_predict(X), index=X.index)
            return labels.where(X["a"] < 8.5, -1)

        options = {"repeats": 3, "reference": None}
        kept = fr.stability(with_noise, frame, [4], noise=-1, noise_as="drop", **options)
        assert kept.means[4] > 0.9
        with pytest.raises(fr.ParameterError, match="not what noise is"):
            fr.stability(with_noise, frame, [4], noise_as="drop", **options)


class TestUndefined:
    def test_a_single_cluster_has_no_value(self):
        def sometimes(k, rows):
            return np.zeros(rows.size) if k == 3 or rows[0] > 0 else rows % k

        result = fr.stability(sometimes, np.arange(30), [2, 3], repeats=10)
        assert np.isnan(result.scores[3]).all()
        assert math.isnan(result.means[3])
        assert result.most_stable == 2
        assert "10 of 10 with k = 3" in " ".join(result.notes)
        assert "   3         1     0       –" in str(result)  # one cluster of all points
        text = json.dumps(result.to_dict(), allow_nan=False)
        assert json.loads(text)["scores"]["3"] == [None] * 10

    def test_equal_memberships_have_no_value(self):
        result = fr.stability(
            lambda k, rows: np.full((rows.size, k), 1 / k), np.arange(30), [4], repeats=3
        )
        assert np.isnan(result.scores[4]).all()
        assert result.most_stable is None
        assert result.advice == "No number of clusters has a stability: nothing could be compared."
        result.plot()

    def test_one_cluster_against_several_is_chance(self):
        def sometimes(k, rows, random_state):
            return np.zeros(rows.size) if random_state % 2 else rows % k

        values = fr.stability(sometimes, np.arange(30), [2], repeats=20).scores[2]
        assert {round(value, 9) for value in values[~np.isnan(values)]} == {0.0, 1.0}
        assert np.isnan(values).any()


class TestCheckpoint:
    def test_an_interrupted_run_goes_on(self, tmp_path):
        calls = []

        def counted(k, X, random_state):
            if len(calls) == 33:
                raise KeyboardInterrupt
            calls.append(random_state)
            return cluster.KMeans(k, n_init=1, random_state=random_state).fit_predict(X)

        path, X = tmp_path / "done.jsonl", blobs(n=60)
        with pytest.raises(KeyboardInterrupt):
            fr.stability(counted, X, [2, 3], repeats=5, checkpoint=path)
        assert len(path.read_text().splitlines()) == 1 + 2 + 15
        calls.append(None)  # past the interruption
        result = fr.stability(counted, X, [2, 3], repeats=5, checkpoint=path)
        # 30 repeats of two clusterings each, of which 15 are there; and all rows again
        assert len(calls) == 34 + 2 + 60 - 30
        whole = fr.stability(counted, X, [2, 3], repeats=5)
        for k in (2, 3):
            assert result.scores[k].tolist() == whole.scores[k].tolist()
            assert result.reference[k].tolist() == whole.reference[k].tolist()
            for name in ("found_again", "by_chance", "counts", "points"):
                assert np.array_equal(getattr(result, name)[k], getattr(whole, name)[k])
        assert str(result) == str(whole)

    def test_more_repeats_go_on_and_other_settings_are_refused(self, tmp_path):
        path, X = tmp_path / "done.jsonl", blobs(n=60)
        options = {"reference": None, "checkpoint": path}
        fr.stability(kmeans, X, [2, 3], repeats=3, **options)
        lines = len(path.read_text().splitlines())
        more = fr.stability(kmeans, X, [2, 3, 4], repeats=4, **options)
        assert len(path.read_text().splitlines()) == lines + 1 + 3 + 3
        assert more.scores[4].size == 4
        other = X.copy()
        other[0, 0] += 1
        less = fr.Effort(budget=fr.Budget(kept_pairs=10))
        for method, data, changed, named in (
            (kmeans, other, {}, "data"),
            (kmeans, X, {"share": 0.7}, "share 0.8, now 0.7"),
            (kmeans, X, {"random_state": 1}, "random_state 0, now 1"),
            (kmeans, X, {"model": "num"}, "model 'perm', now 'num'"),
            (kmeans, X, {"tol": 0.1}, "tol 0.0005, now 0.1"),
            (kmeans, X, {"effort": fr.Effort(pairs=5000)}, "pairs 'auto', now 5000"),
            (kmeans, X, {"effort": less}, "budget None, now 'Budget(kept_pairs=10)'"),
            (kmeans, X, {"index": "brouwer"}, "index"),
            (kmeans, X, {"groups": np.arange(60) // 2}, "groups"),
            (kmeans, X, {"reference": "normal"}, "reference None, now 'normal'"),
            (cluster.AgglomerativeClustering, X, {}, "cluster 'KMeans"),
        ):
            with pytest.raises(fr.ParameterError, match="other settings") as error:
                fr.stability(method, data, [2], repeats=5, **{**options, **changed})
            assert named in str(error.value)
        with pytest.raises(fr.ParameterError, match="random_state"):
            fr.stability(kmeans, X, [2], random_state=None, **options)


class TestRefusals:
    @pytest.mark.parametrize(
        ("changed", "message"),
        [
            ({"values": [1, 2]}, "always agrees with itself"),
            ({"values": [2.5]}, "integers of at least 2"),
            ({"values": []}, "values is empty"),
            ({"values": [2, 40]}, "about 32 rows, too few for 40"),
            ({"share": 0.5}, "above 0.5"),
            ({"share": 1}, "below 1"),
            ({"repeats": 1}, "an integer of at least 2"),
            ({"n_jobs": 0}, "number of processes"),
            ({"groups": [0, 1]}, "each of the 40 rows; got 2"),
            ({"groups": [0, 1] * 20}, "there are only 2 groups, too few"),
            ({"reference": "gap"}, "unknown reference"),
            ({"model": "fitt"}, "unknown model"),
        ],
    )
    def test_arguments(self, changed, message):
        arguments = {"values": [2], "repeats": 2, **changed}
        with pytest.raises(fr.FuzzyRandError, match=message):
            fr.stability(thirds, np.arange(40.0), arguments.pop("values"), **arguments)

    def test_clusterings_that_fail(self):
        X = blobs(n=40)
        with pytest.raises(fr.ParameterError, match="into 3 clusters failed with ZeroDivision"):
            fr.stability(lambda k, X: 1 / 0, X, [3], repeats=5)
        with pytest.raises(fr.InputError, match="has 5 points, but 40 rows were clustered"):
            fr.stability(lambda k, X: [0, 1, 0, 1, 0], X, [3], repeats=5)

        def only_small(k, X):
            if np.abs(X).max() > 100:
                raise ValueError("too large")
            return X[:, 0] > 0

        with pytest.raises(fr.ParameterError, match=r"of reference data .* reference=None"):
            fr.stability(only_small, X, [2], repeats=5, reference=lambda X, rng: 1000 * X)

    def test_hard_models_refuse_fuzzy_clusterings(self):
        with pytest.raises(fr.NotApplicableError, match="'cat' draws hard clusterings"):
            fr.stability(mixture.GaussianMixture, blobs(n=40), [2], repeats=5, model="cat")


class TestBest:
    """Data whose number of clusters is known, and data without clusters."""

    @pytest.mark.parametrize("method", [kmeans, lambda k: mixture.GaussianMixture(k)])
    def test_four_blobs(self, method):
        result = fr.stability(method, blobs(), range(2, 7), repeats=10)
        assert result.best == result.most_stable == 4
        assert result.pvalue < 1e-3
        assert result.excess[4] > 0.95

    def test_iris(self):
        datasets = pytest.importorskip("sklearn.datasets")
        X = datasets.load_iris().data
        result = fr.stability(lambda k: mixture.GaussianMixture(k), X, [2, 3, 4], repeats=10)
        assert result.best == 2  # setosa, and the other two, which overlap

    @pytest.mark.simulation
    @pytest.mark.parametrize(
        ("centres", "least"),
        [
            ([[0, 0], [7, 0], [0, 7], [8, 8]], 12),
            ([[0, 0], [6, 0], [20, 0]], 12),  # two of three are close: 2 are as stable as 3
            ([[0, 0], [6, 0], [25, 0], [31, 0]], 11),
            ([[0, 0], [6, 0], [3, 5]], 11),
        ],
    )
    def test_planted_numbers_are_found(self, centres, least):
        found = 0
        for seed in range(12):
            rng = np.random.default_rng([seed, 11])
            X = np.array(centres)[np.arange(120) % len(centres)] + rng.normal(size=(120, 2))
            result = fr.stability(kmeans, X, range(2, 7), repeats=10, random_state=seed)
            found += result.best == len(centres)
        assert found >= least

    def test_own_reference(self):
        X = blobs()
        same = fr.stability(kmeans, X, [3, 4], repeats=10, reference=lambda X, rng: X + 1.0)
        assert same.best is None
        assert same.reference_words == "data from your function"

    @pytest.mark.simulation
    @pytest.mark.parametrize("law", ["uniform", "correlated"])
    def test_data_without_clusters_have_no_best_number(self, law):
        bests = []
        for seed in range(12):
            rng = np.random.default_rng([seed, 7])
            X = rng.uniform(size=(150, 2)) if law == "uniform" else rng.normal(size=(150, 2))
            X = X @ [[3.0, 1.0], [0.0, 1.0]] if law == "correlated" else X
            found = fr.stability(kmeans, X, range(2, 6), repeats=10, random_state=seed)
            bests.append(found.best)
        # At a level of 0.05, three of 12 or more would be called wrong with a chance of 2%.
        assert sum(best is not None for best in bests) <= 2

    def test_a_cloud_has_no_best_number(self):
        for seed in range(3):
            X = np.random.default_rng(seed).normal(size=(80, 2))
            result = fr.stability(kmeans, X, [2, 3, 4], repeats=8)
            assert result.best is None
            assert "No number of clusters stands out" in str(result)


class TestParameters:
    """Parameters that are no numbers of clusters."""

    def test_the_planted_radius_is_found(self):
        X = blobs(n=160)
        result = fr.stability(
            cluster.DBSCAN(), X, [0.3, 0.6, 1.8, 4, 9], parameter="eps", repeats=10, noise=-1
        )
        assert result.best == 1.8
        assert result.numbers[1.8] == 4
        assert result.numbers[9] <= 1
        assert result.values == (0.3, 0.6, 1.8, 4, 9)
        assert result.means[9] == 0.0  # nothing to be found again
        text = " ".join(str(result).split())
        assert "Best: eps = 1.8 (4 clusters), with a mean of" in text
        assert "over all values of eps" in text
        assert "counts as 0 if both subsamples had no cluster" in text
        assert "10 of 10 with eps = 9" in text
        told = json.loads(json.dumps(result.to_dict(), allow_nan=False))
        assert (told["parameter"], told["best"]) == ("eps", 1.8)
        assert told["summary"]["clusters"] == [*result.numbers.values()]

    def test_a_planted_resolution_of_a_graph_is_found(self):
        """Communities by modularity: four planted ones, and a resolution that splits them."""
        networkx = pytest.importorskip("networkx")
        graph = networkx.planted_partition_graph(4, 15, 0.7, 0.03, seed=1)

        def communities(rows, resolution):
            part = graph.subgraph(rows.tolist())
            found = networkx.community.greedy_modularity_communities(part, resolution=resolution)
            where = {node: number for number, nodes in enumerate(found) for node in nodes}
            return [where[row] for row in rows.tolist()]

        result = fr.stability(
            communities, np.arange(60), [0.1, 1.0, 8.0], parameter="resolution", repeats=5
        )
        assert result.most_stable == 1.0
        assert result.numbers[1.0] == 4
        assert result.numbers[0.1] < 4 < result.numbers[8.0]
        assert result.firmness[1.0].min() > 0.85
        assert result.columns()["firm"][1] == 4
        believed = result.columns()["firm"][2] / result.numbers[8.0]
        assert believed < 0.5  # most are single points, or pieces of clusters

    @pytest.mark.simulation
    def test_data_without_clusters_have_no_best_radius(self):
        """Where a method decides on the number of clusters, it finds dense places by chance."""
        bests = []
        for seed in range(12):
            X = np.random.default_rng([seed, 5]).uniform(0, 8, size=(120, 2))
            options = {"parameter": "eps", "noise": -1, "random_state": seed}
            result = fr.stability(cluster.DBSCAN(), X, [0.4, 0.6, 0.8, 1, 1.3], **options)
            bests.append(result.best)
        # At a level of 0.05, three of 12 or more would be called wrong with a chance of 2%.
        assert sum(best is not None for best in bests) <= 2

    def test_an_index_without_scores_of_points_says_so(self):
        result = fr.stability(kmeans, blobs(n=40), [4], repeats=5, index="frobenius")
        assert np.isnan(result.points[4]).all()
        assert result.firmness[4].size == 4
        assert any("Points have no firmness: the index 'frobenius'" in n for n in result.notes)

    def test_texts_keep_their_order_and_seeds_differ(self):
        def random(word, X, random_state):
            seen.append(random_state)
            return np.random.default_rng(random_state).integers(2, size=len(X))

        seen = []
        result = fr.stability(random, np.arange(40), ["b", "a", "b"], parameter="word", repeats=2)
        assert result.values == ("b", "a")
        assert len(set(seen)) == len(seen) == 2 + 8
        frame = result.columns("scores")
        assert frame["word"] == ["b", "b", "a", "a"]
        again = fr.stability(random, np.arange(40), ["a"], parameter="word", repeats=2)
        assert again.scores["a"].tolist() == result.scores["a"].tolist()

    def test_estimators_are_copied_and_numbers_of_clusters_known_by_name(self):
        method = mixture.GaussianMixture(7)
        result = fr.stability(method, blobs(), [3, 4], parameter="n_components", repeats=5)
        by_function = fr.stability(lambda k: mixture.GaussianMixture(k), blobs(), [3, 4], repeats=5)
        assert result.best == by_function.best == 4
        assert result.scores[4].tolist() == by_function.scores[4].tolist()
        assert method.n_components == 7
        assert "Best: 4 clusters" in str(result)
        assert result.columns()["n_components"] == [3, 4]

    @pytest.mark.parametrize(
        ("changed", "message"),
        [
            ({"values": [np.nan]}, "finite numbers or texts, got nan"),
            ({"values": [True]}, "finite numbers or texts, got True"),
            ({"values": [[1, 2]]}, r"finite numbers or texts, got \[1, 2\]"),
            ({"values": None}, r"values of eps, such as \[0.1, 0.2, 0.5\]; got None"),
            ({"parameter": 3}, "must be the name of a parameter"),
            ({"parameter": "epsilon"}, "DBSCAN has no parameter 'epsilon'. Did you mean"),
            ({"values": [-1.0]}, "with eps = -1 failed with InvalidParameterError"),
        ],
    )
    def test_refusals(self, changed, message):
        arguments = {"values": [0.5], "parameter": "eps", "repeats": 5, **changed}
        with pytest.raises(fr.ParameterError, match=message):
            fr.stability(cluster.DBSCAN(), blobs(n=40), **arguments)

    def test_a_checkpoint_notices_a_method_without_a_seed(self, tmp_path):
        count = iter(range(100))

        def fickle(width, X):
            return np.arange(len(X)) < 10 + next(count)

        options = {"parameter": "width", "repeats": 2, "checkpoint": tmp_path / "done.jsonl"}
        fr.stability(fickle, np.arange(40), [0.5], **options)
        with pytest.raises(fr.InputError, match=r"another clustering of all rows.*random state"):
            fr.stability(fickle, np.arange(40), [0.5], **options)


@pytest.fixture(scope="module")
def result():
    return fr.stability(kmeans, blobs(), [2, 4, 6], repeats=8)


class TestResult:
    def test_summaries(self, result):
        for k, values in result.scores.items():
            assert result.means[k] == pytest.approx(values.mean())
            assert result.stderrs[k] == pytest.approx(values.std(ddof=1) / math.sqrt(8))
            assert result.spreads[k] == pytest.approx(np.quantile(values, [0.05, 0.95]))
            expected = result.reference[k].mean()
            assert result.reference[k].shape == (8, 2)
            assert result.reference_means[k] == pytest.approx(expected)
            assert result.excess[k] == pytest.approx((values.mean() - expected) / (1 - expected))

    def test_frames(self, result):
        pytest.importorskip("pandas")
        pytest.importorskip("polars")
        for backend in ("pandas", "polars"):
            summary = result.to_frame(backend=backend)
            assert summary["n_clusters"].to_list() == [2, 4, 6]
            assert summary["mean"].to_list() == [*result.means.values()]
            scores = result.to_frame("scores", backend=backend)
            assert scores.shape == (24, 3)
            assert scores["adjusted"].to_list()[8:16] == result.scores[4].tolist()
        for wrong in ({"what": "mean"}, {"backend": "spark"}):
            with pytest.raises(fr.UnknownNameError):
                result.to_frame(**wrong)

    def test_texts(self, result):
        text = str(result)
        assert "Best: 4 clusters" in text
        assert "necessary, not sufficient" in text
        assert max(map(len, text.splitlines())) <= 94
        assert sum(line.endswith("best") for line in text.splitlines()) == 1
        html = result._repr_html_()
        assert html.count("<tr>") == 4
        assert "Best: 4 clusters" in html

    def test_plain_values_and_pickles(self, result):
        plain = json.loads(json.dumps(result.to_dict(), allow_nan=False))
        assert plain["best"] == 4
        assert plain["summary"]["mean"] == [*result.means.values()]
        assert plain["scores"]["6"] == result.scores[6].tolist()
        assert str(pickle.loads(pickle.dumps(result))) == str(result)

    def test_without_reference(self):
        result = fr.stability(thirds, np.arange(40.0), [2, 3], repeats=3)
        assert result.best is result.pvalue is result.pvalues is result.excess is None
        assert result.most_stable in (2, 3)
        assert "best is None" in " ".join(result.notes)
        assert "was not tested" in result.advice
        assert "reference" not in result.columns()
        assert result.to_dict()["reference_scores"] is None

    def test_few_repeats_are_refused_before_any_work(self):
        def never(k, X):
            raise AssertionError("this would take long")

        with pytest.raises(fr.ParameterError, match=r"at least 5 .* got 4.*reference=None"):
            fr.stability(never, blobs(), [4], repeats=4)
        assert fr.stability(kmeans, blobs(), [4], repeats=2, reference=None).repeats == 2
        assert fr.stability(thirds, np.arange(40.0), [2], repeats=2).repeats == 2  # no reference

    def test_sentences_agree_with_best(self):
        """Ten clusters: the excess of 12 is larger by less than its error."""
        rng = np.random.default_rng(0)

        def centred(shape, mean):
            values = rng.normal(0.0, 0.05, shape)
            return values - values.mean() + mean

        def of(means, references):
            scores = {k: centred(20, mean) for k, mean in means.items()}
            reference = {k: centred((20, 2), mean) for k, mean in references.items()}
            choice = choose(scores, reference, {k: k for k in scores})
            given = dataclasses.asdict(choice)
            return fr.Stability(
                **given, scores=scores, reference=reference, index="ndc", model="perm", n=99,
                groups=None, drawn=79, repeats=20, reference_words="a box",
            )  # fmt: skip

        near = of({8: 0.60, 10: 0.769, 12: 0.749}, {8: 0.45, 10: 0.3937, 12: 0.3360})
        assert near.best == near.most_stable == 10
        assert near.excess[12] > near.excess[10]
        told = "10 and 12 clusters have the same excess to within one standard error (0.619 and "
        assert f"{told}0.622). Of these, 10 clusters are the most stable." in near.advice
        assert "but" not in near.advice
        far = of({2: 0.95, 3: 0.9}, {2: 0.93, 3: 0.4})
        assert (far.best, far.most_stable) == (3, 2)
        assert far.advice.endswith(
            "2 clusters are more stable (mean 0.950), but data without clusters have 0.930 there: "
            "the excess is only 0.286."
        )
        equal = of({2: 0.80, 4: 0.796}, {2: 0.6, 4: 0.59})
        assert equal.best == equal.most_stable == 4
        told = "4 is the largest that is as stable as the most stable, to within 0.01"
        assert told in equal.advice
        for result in (near, far, equal):
            assert f"Best: {result.best} clusters" in str(result)
            assert json.loads(json.dumps(result.to_dict()))["candidates"][str(result.best)] >= 0.0


def test_repeats_without_two_points_to_compare_have_no_value():
    X = np.random.default_rng(0).normal(size=(40, 2))
    uneven = [0] * 38 + [1, 2]  # two subsamples of two groups may share one point
    result = fr.stability(halves, X, [2], repeats=5, reference=None, groups=uneven)
    assert 0 < np.isnan(result.scores[2]).sum() < 5
    dropped = {"noise": -1, "noise_as": "drop"}
    result = fr.stability(nearly_all_noise, X, [2], repeats=5, reference=None, **dropped)
    assert np.isnan(result.scores[2]).all()
    assert any("fewer than two points" in note for note in result.notes)


def test_groups_are_matched_by_index():
    import pandas as pd

    X = pd.DataFrame(
        np.random.default_rng(0).normal(size=(40, 2)), index=map("p{}".format, range(40))
    )
    groups = pd.Series(np.repeat(np.arange(10), 4), index=X.index)
    shuffled = groups.sample(frac=1, random_state=1)
    values = [
        fr.stability(halves, X, [2], repeats=5, reference=None, groups=g).means
        for g in (groups, shuffled, groups.to_numpy())
    ]
    assert values[0] == values[1] == values[2]


def halves(k, X):
    return np.asarray(X)[:, 0] > np.median(np.asarray(X)[:, 0])


def nearly_all_noise(k, X):
    return np.where(np.arange(len(X)) < len(X) - 1, -1, 0)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"noise": -1}, "Noise (label -1) counted as one cluster."),
        (
            {"noise": -1, "noise_as": "singletons"},
            "Noise (label -1) counted as clusters of one point each.",
        ),
        (
            {"noise": -1, "noise_as": "drop"},
            "Noise (label -1) was left out, in both clusterings of a pair.",
        ),
        ({"missing": "drop"}, "Points without a label or memberships in one of two clusterings"),
        (
            {"missing": "noise"},
            "Noise (no label, or the part of a row missing to a sum of 1) counted as",
        ),
    ],
)
def test_the_treatment_of_noise_is_told(options, told):
    def some_noise(k, X):
        return np.where(np.arange(len(X)) % 7 == 0, -1, thirds(k, X))

    x = np.random.default_rng(0).normal(size=40)
    result = fr.stability(some_noise, x, [2], repeats=2, **options)
    assert told in result.notes[0]
    assert f"Note: {told}" in " ".join(str(result).split())
    assert result.to_dict()["notes"] == list(result.notes)
    plain = fr.stability(some_noise, x, [2], repeats=2)
    (note,) = (note for note in plain.notes if "oise" in note)
    assert note.startswith("Points with the label -1 count as a cluster (n_clusters = 2).")
    assert note.endswith("HDBSCAN, use noise=-1.")
    assert not any("count as a cluster" in note for note in result.notes) or "noise" not in options
