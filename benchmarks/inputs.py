"""Random clusterings that the benchmarks compare."""

from __future__ import annotations

import numpy as np
from peers import FloatArray


def labels(n: int, k: int, seed: int) -> np.ndarray:
    """A random hard clustering."""
    return np.random.default_rng(seed).integers(k, size=n)


def memberships(n: int, k: int, seed: int) -> FloatArray:
    """A random fuzzy clustering in which every entry is positive."""
    return np.random.default_rng(seed).dirichlet(np.full(k, 1.0 / (1 + seed % 2)), n)


def require_close(ours: float, peer: float, tolerance: float) -> None:
    """Require that answers agree, since times are compared only then."""
    assert abs(ours - peer) <= tolerance, f"ours {ours!r}, the peer's {peer!r}"
