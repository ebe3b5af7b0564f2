"""Tasks on several processes."""

import pytest

from fuzzyrand._base import parallel


@pytest.mark.parametrize("backend", ["threading", "sequential", "grudging"])
def test_any_backend(backend, monkeypatch):
    """Also one that hands back results only when all are there, as Ray's does."""
    joblib = pytest.importorskip("joblib")
    from joblib._parallel_backends import ThreadingBackend

    class Grudging(ThreadingBackend):
        supports_return_generator = False

    joblib.register_parallel_backend("grudging", Grudging)
    monkeypatch.setattr(parallel, "CHUNK", 3)
    with joblib.parallel_config(backend=backend):
        found = sorted(parallel.as_they_finish(abs, range(-10, 0), n_jobs=2))
    assert found == list(range(1, 11))
