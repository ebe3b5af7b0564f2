"""Dask arrays and dataframes give what the same clusterings give in memory."""

import numpy as np
import pandas as pd
import pytest

import fuzzyrand as fr

da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")


@pytest.fixture(scope="module")
def sides():
    rng = np.random.default_rng(0)
    n = 300
    z = rng.integers(4, size=n)
    soft = rng.standard_gamma(0.6 + 4.0 * np.eye(4)[z])
    other = rng.standard_gamma(1.0 + 3.0 * np.eye(3)[z % 3])
    return {
        "labels": z,
        "words": np.array(["a", "b", "c"], dtype=object)[np.where(rng.random(n) < 0.3, 0, z % 3)],
        "soft": soft / soft.sum(axis=1, keepdims=True),
        "other": other / other.sum(axis=1, keepdims=True),
    }


def chunked(array, rows, columns=-1):
    return da.from_array(array, chunks=rows if array.ndim == 1 else (rows, columns))


@pytest.mark.parametrize(
    ("first", "second", "model"),
    [
        ("labels", "words", "perm"),
        ("labels", "words", "num"),
        ("labels", "soft", "fit"),
        ("soft", "other", "perm"),
        ("soft", "other", "sym"),
    ],
)
def test_arrays(sides, first, second, model):
    expected = fr.compare(sides[first], sides[second], model=model)
    # Different chunks, and chunks over columns.
    a, b = chunked(sides[first], 70, 2), chunked(sides[second], 110)
    found = fr.compare(a, b, model=model)
    error = found.error_bound + expected.error_bound + 1e-12
    assert found.adjusted == pytest.approx(expected.adjusted, abs=error)
    # The blocks are those of the widest clustering.
    blocks = 3 if second == "soft" else 5
    assert f"{blocks} blocks" in found.computed["observed"]
    assert found.exact == expected.exact


def test_single_numbers(sides):
    a, b = chunked(sides["labels"], 100), chunked(sides["soft"], 100)
    for function, options in [
        (fr.similarity, {}),
        (fr.expected_similarity, {"model": "perm"}),
        (fr.adjusted_similarity, {"fixed": "first"}),
    ]:
        expected = function(sides["labels"], sides["soft"], **options)
        assert function(a, b, **options) == pytest.approx(expected, abs=1e-7)


def test_one_side_in_memory(sides):
    expected = fr.compare(sides["labels"], sides["soft"], model="perm")
    for a, b in [
        (chunked(sides["labels"], 90), sides["soft"]),
        (sides["labels"].tolist(), chunked(sides["soft"], 90)),
        (fr.as_partition(sides["labels"]), chunked(sides["soft"], 90)),
        (pd.Series(sides["labels"]), chunked(sides["soft"], 90)),
    ]:
        assert fr.compare(a, b, model="perm").adjusted == pytest.approx(expected.adjusted, abs=1e-7)


def test_names_of_clusters_are_kept(sides):
    frame = dd.from_pandas(pd.DataFrame(sides["other"], columns=["p", "q", "r"]), npartitions=3)
    c = fr.compare(frame, sides["words"].tolist(), model="perm")
    names = [list(partition.names) for partition in c.analysis.partitions]
    assert names == [["p", "q", "r"], list(fr.as_partition(sides["words"].tolist()).names)]


def test_frames_and_their_columns(sides):
    frame = pd.DataFrame(sides["soft"], columns=list("pqrs"))
    frame["label"] = sides["words"]
    frame["kind"] = pd.Categorical(sides["words"])
    parts = dd.from_pandas(frame, npartitions=4)
    expected = fr.compare(sides["words"], sides["soft"])
    for column in ("label", "kind"):
        found = fr.compare(parts[column], parts[list("pqrs")])
        assert found.adjusted == pytest.approx(expected.adjusted, abs=1e-7)
    # Unknown divisions and unequal parts: by position.
    other = dd.from_pandas(frame, npartitions=3).clear_divisions()
    found = fr.compare(parts["label"], other[list("pqrs")])
    assert found.adjusted == pytest.approx(expected.adjusted, abs=1e-7)


def test_unknown_chunks_are_computed_first(sides):
    a = chunked(sides["soft"], 80)
    a = a[da.from_array(np.ones(300, dtype=bool), chunks=80)]
    assert np.isnan(a.shape[0])
    found = fr.compare(a, sides["labels"], model="perm")
    assert found.adjusted == pytest.approx(
        fr.compare(sides["soft"], sides["labels"], model="perm").adjusted, abs=1e-7
    )


def test_different_indexes_are_refused(sides):
    one = pd.Series(sides["labels"])
    two = pd.Series(sides["words"], index=np.arange(300) + 7)
    a, b = dd.from_pandas(one, npartitions=3), dd.from_pandas(two, npartitions=3)
    with pytest.raises(fr.InputError, match="known divisions"):
        fr.compare(a, b)
    assert fr.compare(a, b.clear_divisions(), model="perm").n == 300
    # The same divisions, and other points between them.
    shuffled = two.set_axis(one.index).sort_index().iloc[[*range(50), 51, 50, *range(52, 300)]]
    c = dd.from_pandas(shuffled, npartitions=3, sort=False)
    c = dd.from_delayed(c.to_delayed(), divisions=a.divisions, verify_meta=False)
    with pytest.raises(fr.InputError, match="indexes differ"):
        fr.compare(a, c)


def test_other_partitions_of_the_same_index(sides):
    """What the message says to do works."""
    labels = pd.Series(sides["labels"])
    x, y = (dd.from_pandas(labels, npartitions=parts) for parts in (3, 5))
    with pytest.raises(fr.InputError, match="divided into partitions at different rows") as caught:
        fr.compare(x, y, model="perm")
    cure = str(caught.value).partition("like the first: ")[2].removesuffix(".")
    assert fr.compare(x, eval(cure, {"x": x, "y": y}), model="perm").adjusted == 1.0


def test_functions_for_memory_say_how_to_take_a_sample(sides):
    """For frames, their columns and arrays; the call in the message works."""
    frame = dd.from_pandas(pd.DataFrame(sides["soft"]), npartitions=3)
    column = dd.from_pandas(pd.Series(sides["labels"]), npartitions=3)
    array, rows = chunked(sides["soft"], 100), np.array([2, 3, 5, 211])
    for x, whole in ((frame, sides["soft"]), (column, sides["labels"]), (array, sides["soft"])):
        for a, b in ((x, x), (x, sides["labels"]), (sides["labels"], x)):
            for function in (fr.explain, fr.significance, fr.match):
                with pytest.raises(fr.InputError, match="Dask objects go to compare") as caught:
                    function(a, b)
        call = str(caught.value).partition("row numbers, ")[2].removesuffix(".")
        assert np.array_equal(eval(call, {"x": x, "rows": rows}), whole[rows])


def test_advice_names_only_options_that_blocks_have(sides):
    empty, short = sides["soft"].copy(), 0.9 * sides["soft"]
    empty[3] = np.nan
    unlabelled = sides["labels"].astype(float)
    unlabelled[5] = np.nan
    for bad in (empty, short, unlabelled):
        with pytest.raises(fr.InputError) as caught:
            fr.compare(chunked(bad, 40), sides["labels"], model="perm")
        said = str(caught.value)
        assert "possibilistic" not in said
        assert "HDBSCAN" not in said
        assert "missing='drop'" not in said or "missing='drop' is not available" in said


def test_different_numbers_of_points_are_refused(sides):
    with pytest.raises(fr.InputError, match="300 points and the second clustering has 299"):
        fr.compare(chunked(sides["labels"], 100), sides["labels"][1:])


def test_faults_are_told_by_their_row(sides):
    bad = sides["soft"].copy()
    bad[[250, 123], 2] = np.nan, -0.5
    with pytest.raises(fr.InputError, match=r"row 123, column 2 of the first clustering is -0\.5"):
        fr.compare(chunked(bad, 40), sides["labels"])
    bad = sides["soft"].copy()
    bad[211] *= 0.5
    with pytest.raises(fr.InputError, match=r"row 211 of the second clustering sums to 0\.5"):
        fr.compare(sides["labels"], chunked(bad, 40))
    assert fr.compare(sides["labels"], chunked(bad, 40), normalize=True).adjusted == pytest.approx(
        fr.compare(sides["labels"], bad, normalize=True).adjusted, abs=1e-7
    )
    labels = sides["labels"].astype(float)
    labels[299] = 0.5
    with pytest.raises(fr.InputError, match=r"point 299 is 0\.5, which is not a label"):
        fr.compare(chunked(labels, 40), sides["labels"])


def test_pairwise(sides):
    given = {name: chunked(side, 100) for name, side in sides.items()}
    found = fr.pairwise(given, model="perm", effort=fr.Effort(pairs="all"))
    expected = fr.pairwise(sides, model="perm", effort=fr.Effort(pairs="all"))
    np.testing.assert_allclose(found.adjusted, expected.adjusted, atol=1e-7)


@pytest.mark.parametrize(("side", "model"), [("soft", "fit"), ("soft", "flat"), ("labels", "num")])
def test_check_model(sides, side, model):
    found = fr.check_model(chunked(sides[side], 100), model)
    expected = fr.check_model(sides[side], model)
    assert found.pvalue == expected.pvalue
    assert found.distance == pytest.approx(expected.distance, abs=1e-6)
    assert found.mean == pytest.approx(expected.mean, abs=1e-7)


def test_every_model_at_once(sides):
    table = fr.compare(
        chunked(sides["soft"], 100), chunked(sides["other"], 100), model="every", tol=0.05
    )
    assert {"perm", "fit", "sym", "flat", "mixed", "generalised", "empirical"} == {*table.models}
    assert "in one place" in str(table.reasons["kernel"])


@pytest.mark.parametrize(
    "function", [fr.significance, fr.confidence_interval, fr.explain, fr.match]
)
def test_functions_of_single_points_say_what_to_do(sides, function):
    with pytest.raises(fr.InputError, match=r"x\[rows\]\.compute\(\)"):
        function(chunked(sides["labels"], 100), sides["soft"])


def test_a_huge_chunk_is_split(sides, monkeypatch):
    from fuzzyrand._clusterings.blocks import dask_reading as reading

    monkeypatch.setattr(reading, "ENTRIES_A_BLOCK", 120)
    found = fr.compare(chunked(sides["soft"], 300), sides["labels"], model="perm")
    assert "10 blocks" in found.computed["observed"]
    expected = fr.compare(sides["soft"], sides["labels"], model="perm")
    assert found.adjusted == pytest.approx(expected.adjusted, abs=1e-7)


def test_a_block_that_does_not_fit_is_explained():
    def load(block_id=None):
        raise MemoryError("Unable to allocate 80. GiB")

    chunks = da.map_blocks(load, chunks=((50, 50),), dtype=int, meta=np.zeros(0, dtype=int))
    with pytest.raises(fr.FuzzyRandError, match="use smaller chunks"):
        fr.compare(chunks, np.arange(100))


def test_nothing_is_loaded_at_once():
    # No more blocks are in memory at a time than threads may hold, and each is dropped.
    alive, most = [], []

    class Counted(np.ndarray):
        def __array_finalize__(self, _):
            pass

    def load(block_id=None):
        import weakref

        rows = np.random.default_rng(block_id[0]).dirichlet([1, 1, 1], 500).view(Counted)
        alive.append(1)
        weakref.finalize(rows, alive.pop)
        most.append(len(alive))
        return rows

    rows = da.map_blocks(load, chunks=((500,) * 40, (3,)), dtype=float, meta=np.zeros((0, 0)))
    import dask

    with dask.config.set(scheduler="threads", num_workers=2):
        fr.compare(rows, np.arange(20_000) % 5, model="fit")
    assert len(most) >= 80  # two passes
    assert max(most) <= 12


def test_progress_moves_on_with_every_block(sides, monkeypatch):
    from fuzzyrand._clusterings.blocks import dask_source as source

    passes = []

    def watched(items, total, what, weigh):
        done = 0.0
        for item in items:
            done += weigh(item)
            yield item
        passes.append((what, done, total))

    monkeypatch.setattr(source, "progress", watched)
    fr.compare(chunked(sides["labels"], 50), chunked(sides["soft"], 60))
    assert passes == [("first look", 5.0, 5), ("histograms", 5.0, 5)]
