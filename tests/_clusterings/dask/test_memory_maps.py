"""Memory maps beside dask arrays: workers open the file, and nobody is sent its contents."""

import pickle

import numpy as np
import pytest

import fuzzyrand as fr

da = pytest.importorskip("dask.array")

import cloudpickle  # noqa: E402

from fuzzyrand._clusterings.blocks import dask_reading as reading  # noqa: E402
from fuzzyrand._clusterings.blocks.dask_memory_maps import MappedFile  # noqa: E402
from fuzzyrand._clusterings.options import InputOptions  # noqa: E402


@pytest.fixture
def rows(tmp_path):
    drawn = np.random.default_rng(0).dirichlet(np.ones(4), 500)
    np.save(tmp_path / "rows.npy", drawn)
    return np.load(tmp_path / "rows.npy", mmap_mode="r")


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x,
        lambda x: x[37:, 1:3],
        lambda x: x[::-2],
        lambda x: x.T[2],
        lambda x: x[100:][::3, ::-1],
    ],
)
def test_the_place_of_any_view(rows, view):
    file = MappedFile.of(view(rows))
    again = pickle.loads(pickle.dumps(file))
    assert (again.shape, again.ndim, again.dtype) == (view(rows).shape, view(rows).ndim, rows.dtype)
    assert np.array_equal(again[...], view(rows))
    assert np.array_equal(again[5:9], view(rows)[5:9])


def test_arrays_that_no_file_holds(rows, tmp_path):
    assert MappedFile.of(np.ones(3)) is None
    assert MappedFile.of(rows + 1.0) is None
    changed = np.load(tmp_path / "rows.npy", mmap_mode="c")
    changed[0] = 0.25
    assert MappedFile.of(changed) is None


def test_workers_are_not_sent_the_contents(rows, monkeypatch):
    monkeypatch.setattr(reading, "ENTRIES_A_BLOCK", 200)
    labels = np.random.default_rng(1).integers(3, size=500)
    blocks = da.from_array(labels, chunks=90)
    found = fr.compare(blocks, rows, model="perm")
    expected = fr.compare(blocks, np.array(rows), model="perm")
    assert found.adjusted == pytest.approx(expected.adjusted, abs=1e-12)
    sent = reading._in_memory(rows, "second clustering", InputOptions()).array
    assert len(cloudpickle.dumps(sent)) < rows.nbytes / 2
    assert np.array_equal(sent.compute(), rows)


def test_a_file_that_workers_do_not_see(rows, tmp_path):
    file = MappedFile.of(rows)
    (tmp_path / "rows.npy").unlink()
    with pytest.raises(fr.InputError, match="all workers must see its file"):
        file[:3]
