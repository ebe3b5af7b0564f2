"""How hard to work: accuracy, randomness, threads. One object instead of six arguments."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from .errors import ParameterError, UnknownNameError

#: Work beyond which the observed index of two fuzzy clusterings is sampled: pairs of points times
#: columns (plus ten for bookkeeping). About half a minute on two cores.
EXACT_WORK = 1e11

DEFAULT_TOL = 5e-4
DEFAULT_MAX_DRAWS = 4_000_000


@dataclass(frozen=True)
class Effort:
    """Accuracy asked for, and the means allowed.

    Attributes
    ----------
    tol : float
        Standard error of the adjusted index at which sampling stops.
    seed : int
        Seed of every random stream.
    pairs : "auto", "all" or int
        Whether the observed pairs of two fuzzy clusterings are summed or sampled.
    max_draws : int
        Most agreements drawn on a side.
    threads : int or None
        None: all cores.
    """

    tol: float = DEFAULT_TOL
    seed: int = 0
    pairs: str | int = "auto"
    max_draws: int = DEFAULT_MAX_DRAWS
    threads: int | None = None

    def exact_pairs(self, pairs: int, work: float) -> bool:
        """Are all of so many pairs to be visited, at so many operations?"""
        if self.pairs == "auto":
            return work <= EXACT_WORK
        return self.pairs == "all" or pairs <= int(self.pairs)

    def stream(self, *key: int) -> np.random.Generator:
        """The random stream of one purpose; streams of different keys are independent."""
        seed = np.random.SeedSequence(self.seed, spawn_key=key)
        return np.random.Generator(np.random.SFC64(seed))


def as_effort(
    tol: float, random_state: Any, pairs: Any, max_draws: int, n_threads: int | None
) -> Effort:
    """Check the arguments that say how hard to work."""
    if not (isinstance(tol, Real) and tol > 0):
        raise ParameterError(f"tol must be positive, got {tol!r}.")
    if not (_is_whole(pairs) and pairs >= 1000) and not (
        isinstance(pairs, str) and pairs in ("auto", "all")
    ):
        refusal = UnknownNameError if isinstance(pairs, str) else ParameterError
        raise refusal(
            f'pairs must be "auto", "all" or a number of pairs of at least 1000, got {pairs!r}.'
        )
    if not (_is_whole(max_draws) and max_draws > 0):
        raise ParameterError(f"max_draws must be a positive whole number, got {max_draws!r}.")
    if n_threads is not None and not (_is_whole(n_threads) and n_threads > 0):
        raise ParameterError(f"n_threads must be a positive whole number, got {n_threads!r}.")
    return Effort(
        float(tol),
        _as_seed(random_state),
        pairs if isinstance(pairs, str) else int(pairs),
        int(max_draws),
        n_threads,
    )


def _as_seed(random_state: Any) -> int:
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    if _is_whole(random_state) and random_state >= 0:
        return int(random_state)
    raise ParameterError(
        f"random_state must be a whole number from 0, a numpy Generator or None, "
        f"got {random_state!r}."
    )


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
