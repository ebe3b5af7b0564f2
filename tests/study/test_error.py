"""The study of errors."""

import itertools

import numpy as np
import pytest

from study import error

pq = pytest.importorskip("pyarrow.parquet")
pytest.importorskip("matplotlib")


def test_error_study(tmp_path, monkeypatch):
    monkeypatch.setattr(error, "LEVELS", ((2, 6), (40,), (0.8,), (1.0,), (0.5,)))
    page = error.run(tmp_path / "error", pairs=1, repeats=3, n_jobs=1)
    assert "{" not in page.read_text()
    table = {
        k: np.array(v) for k, v in pq.read_table(page.parent / "error.parquet").to_pydict().items()
    }
    assert table["adjusted"].size == 2 * 3 * 2 * 3
    for k, model in itertools.product((2, 6), error.MODELS):
        chosen = (table["clusters"] == k) & (table["model"] == model)
        ours, plain = (
            table["adjusted"][chosen & (table["estimator"] == e)] for e in ("ours", "plain")
        )
        assert (np.ptp(ours) == 0.0) == (k == 2 or model == "flat")
        assert np.ptp(ours) < 6 * 5e-4
        assert np.abs(plain - ours.mean()).max() < 0.5


def test_plain_sampler_is_right():
    """Flat rows of three clusters: the expected index is 27/35."""
    ones = np.ones(3)
    value = error.plain_expectation(ones, ones, np.random.default_rng(0), seconds=0.2)
    assert value == pytest.approx(27 / 35, abs=0.02)
