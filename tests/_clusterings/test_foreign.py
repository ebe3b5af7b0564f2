"""Containers of other libraries: the real ones where they are installed, otherwise stand-ins."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import fuzzyrand as fr

RNG = np.random.default_rng(3)
N = 40
CELLS = [f"cell{i}" for i in range(N)]
OBS = pd.DataFrame(
    {
        "leiden": pd.Categorical(RNG.integers(3, size=N).astype(str)),
        "louvain": RNG.integers(4, size=N),
        "type": RNG.choice(list("abc"), N),
    },
    index=CELLS,
)
TOPICS = RNG.dirichlet([1, 1, 1], size=N)


def stand_in():
    """The attributes of AnnData and MuData that are used."""
    return SimpleNamespace(n_obs=N, obs=OBS, obsm={"topics": TOPICS}, shape=(N, 5))


def anndata():
    ad = pytest.importorskip("anndata", reason="anndata is not installed")
    return ad.AnnData(np.zeros((N, 5)), obs=OBS.copy(), obsm={"topics": TOPICS})


@pytest.mark.parametrize("make", [stand_in, anndata])
def test_annotated_data(make):
    data = make()
    keys = ["leiden", "louvain", "topics"]
    found = fr.pairwise(data, keys=keys)
    expected = fr.pairwise([OBS["leiden"], OBS["louvain"], TOPICS])
    assert found.rows == tuple(keys)
    assert np.array_equal(found.adjusted, expected.adjusted)
    against = fr.pairwise(data, keys=keys, reference="type")
    assert against["type", "leiden"].adjusted == fr.adjusted_similarity(OBS["type"], OBS["leiden"])
    assert list(fr.align(data, keys=keys[:2]).order) == keys[:2]


def test_keys_of_annotated_data_are_named_in_errors():
    data = stand_in()
    with pytest.raises(fr.InputError, match=r"obs \(leiden, louvain, type\).*obsm \(topics\)"):
        fr.pairwise(data)
    with pytest.raises(fr.UnknownNameError, match="Did you mean 'leiden'"):
        fr.pairwise(data, keys=["leidn"])
    data.obsm["leiden"] = TOPICS
    with pytest.raises(fr.InputError, match="'leiden' is a column of obs and a table in obsm"):
        fr.pairwise(data, keys=["leiden"])
    with pytest.raises(fr.InputError, match=r"keys=\[...\]"):
        fr.compare(stand_in(), stand_in())


def test_columns_of_a_frame():
    found = fr.pairwise(OBS[["leiden", "type"]])
    again = fr.pairwise(OBS, keys=["leiden", "type"])
    assert found.rows == again.rows == ("leiden", "type")
    assert np.array_equal(found.adjusted, again.adjusted)
    with pytest.raises(fr.InputError, match="got a list"):
        fr.pairwise([[0, 1], [0, 1]], keys=["a"])


def test_xarray_keeps_coordinates():
    xr = pytest.importorskip("xarray", reason="xarray is not installed")
    labels = xr.DataArray(OBS["louvain"].to_numpy(), dims="cell", coords={"cell": CELLS})
    soft = xr.DataArray(
        TOPICS, dims=("cell", "topic"), coords={"cell": CELLS, "topic": ["x", "y", "z"]}
    )
    shuffled = fr.as_partition(soft[::-1])
    assert list(shuffled.names) == ["x", "y", "z"]
    assert list(shuffled.ids) == CELLS[::-1]
    expected = fr.adjusted_similarity(OBS["louvain"], TOPICS)
    assert fr.adjusted_similarity(labels, soft[::-1]) == pytest.approx(expected, abs=1e-13)
    assert fr.compare(labels[:30], soft, points="common").left_out == (0, 10)
    assert fr.as_partition(xr.DataArray([0, 1, 1])).ids == range(3)
    assert fr.Partition.from_labels(labels).n == N
    covers = xr.DataArray((TOPICS > 0.3).astype(int), dims=("cell", "topic"))
    assert fr.as_cover(covers).cover


class WithCoordinates:
    """The attributes of an xarray DataArray that are used."""

    dims, coords, ndim = ("cell",), {}, 1

    def to_pandas(self):
        return OBS["louvain"]


class ByDlpack:
    """An array that can be read by DLPack alone."""

    def __init__(self, array):
        self.array, self.shape = array, array.shape

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class ByArray:
    """An array of another library that NumPy can convert, as a tensor of torch."""

    def __init__(self, array):
        self.array, self.shape, self.ndim = array, array.shape, array.ndim

    def __array__(self, dtype=None, copy=None):
        return self.array


class WithGradient(ByArray):
    """An array that its library does not convert, as a tensor of torch that needs a gradient."""

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("Can't call numpy() on Tensor that requires grad")


class OnTheGpu(ByDlpack):
    def __dlpack_device__(self):
        raise BufferError("the array is on a GPU")

    def __dlpack__(self, **options):
        raise BufferError("the array is on a GPU")


def test_arrays_of_other_libraries():
    labels = OBS["louvain"].to_numpy()
    expected = fr.adjusted_similarity(labels, TOPICS)
    weights = np.random.default_rng(0).gamma(1.0, size=len(labels))
    weighted = fr.adjusted_similarity(labels, TOPICS, weights=weights)
    for kind in (ByDlpack, ByArray):
        assert fr.adjusted_similarity(kind(labels), kind(TOPICS)) == expected
        assert fr.adjusted_similarity(labels, TOPICS, weights=kind(weights)) == weighted
    for refused in (OnTheGpu(weights), WithGradient(weights)):
        with pytest.raises(fr.InputError, match="cannot be"):
            fr.adjusted_similarity(labels, TOPICS, weights=refused)
    assert fr.adjusted_similarity(WithCoordinates(), TOPICS) == expected
    with pytest.raises(fr.InputError, match=r"OnTheGpu cannot be read.*on a GPU"):
        fr.similarity(OnTheGpu(labels), TOPICS)


def test_torch():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    labels = pd.factorize(OBS["louvain"])[0]
    weights = np.random.default_rng(0).gamma(1.0, size=len(labels))
    wanted = fr.adjusted_similarity(labels, TOPICS, weights=weights)
    one, two, three = (torch.tensor(np.asarray(each)) for each in (labels, TOPICS, weights))
    assert fr.adjusted_similarity(one, two, weights=three) == pytest.approx(wanted, abs=1e-12)
    single = fr.adjusted_similarity(one.to(torch.int8), two.float(), weights=three.float())
    assert single == pytest.approx(wanted, abs=1e-5)
    for refused in (two.clone().requires_grad_(), two.to_sparse(), two.to(torch.bfloat16)):
        with pytest.raises(fr.InputError, match="cannot be turned into a NumPy array"):
            fr.adjusted_similarity(one, refused)
    with pytest.raises(fr.InputError, match="weights, of type Tensor, cannot be turned"):
        fr.adjusted_similarity(one, two, weights=three.clone().requires_grad_())
