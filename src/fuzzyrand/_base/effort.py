"""Accuracy, randomness and threads of a computation, in one object."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from .errors import ParameterError, UnknownNameError
from .streams import Stream
from .wording import Option

#: Amount of work up to which all pairs of two fuzzy clusterings are visited; beyond it, pairs are
#: sampled. The unit is one column of one pair of points, plus ten columns per pair for bookkeeping.
#: The default takes about half a minute on two cores.
EXACT_WORK = 1e11

DEFAULT_TOL = 5e-4
DEFAULT_MAX_DRAWS = 4_000_000
#: Largest number of draws that may be asked for; they would take 16 GB.
MOST_DRAWS = 1_000_000_000


@dataclass(frozen=True)
class Effort:
    """Requested accuracy, and the work allowed to reach it.

    Attributes
    ----------
    tol : float
        Monte Carlo error of the adjusted index at which sampling stops.
    seed : int
        Seed of every random stream.
    pairs : "auto", "all" or int
        Whether the observed pairs of two fuzzy clusterings are all summed or sampled.
    max_draws : int
        Largest number of agreements drawn for each side.
    threads : int or None
        Number of threads; None for all cores.
    exact_work : float
        Amount of work up to which ``pairs="auto"`` visits all pairs.
    """

    tol: float = DEFAULT_TOL
    seed: int = 0
    pairs: str | int = "auto"
    max_draws: int = DEFAULT_MAX_DRAWS
    threads: int | None = None
    exact_work: float = EXACT_WORK

    def visits(self, pairs: int, work: float) -> bool:
        """Return whether to visit all pairs.

        Parameters
        ----------
        pairs : int
            Number of pairs.
        work : float
            Amount of work needed to visit all of them, in the unit of ``EXACT_WORK``.
        """
        if self.pairs == "auto":
            return work <= self.exact_work
        return self.pairs == "all" or pairs <= int(self.pairs)

    def stream(self, purpose: Stream, *key: int) -> np.random.Generator:
        """Return the random stream for a purpose; streams with different keys are independent."""
        seed = np.random.SeedSequence(self.seed, spawn_key=(int(purpose), *key))
        return np.random.Generator(np.random.SFC64(seed))


def as_effort(
    tol: Any,
    random_state: Any,
    pairs: Any,
    max_draws: Any,
    n_threads: Any,
    exact_work: Any = EXACT_WORK,
) -> Effort:
    """Check the arguments for accuracy, randomness and threads, and collect them."""
    _require_positive("tol", tol)
    _require_positive("exact_work", exact_work)
    if not (_is_whole(pairs) and pairs >= 1000) and not (
        isinstance(pairs, str) and pairs in ("auto", "all")
    ):
        refusal = UnknownNameError if isinstance(pairs, str) else ParameterError
        raise refusal(
            '{parameter} must be "auto", "all" or a number of pairs of at least 1000, '
            "got {value!r}.",
            parameter=Option("pairs"),
            value=pairs,
        )
    _require_whole("max_draws", max_draws)
    if max_draws > MOST_DRAWS:
        raise ParameterError(
            "{parameter} must be at most {most:,}, got {value!r}: all draws are kept in memory.",
            parameter=Option("max_draws"),
            most=MOST_DRAWS,
            value=max_draws,
        )
    if n_threads is not None:
        _require_whole("n_threads", n_threads)
    return Effort(
        float(tol),
        _as_seed(random_state),
        pairs if isinstance(pairs, str) else int(pairs),
        int(max_draws),
        n_threads,
        float(exact_work),
    )


def _require_positive(name: str, value: Any) -> None:
    if isinstance(value, bool) or not (isinstance(value, Real) and float(value) > 0.0):
        raise ParameterError(
            "{parameter} must be positive, got {value!r}.", parameter=Option(name), value=value
        )


def _require_whole(name: str, value: Any) -> None:
    if not (_is_whole(value) and value > 0):
        raise ParameterError(
            "{parameter} must be a positive whole number, got {value!r}.",
            parameter=Option(name),
            value=value,
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
        "{parameter} must be a whole number from 0, a numpy Generator or None, got {value!r}.",
        parameter=Option("random_state"),
        value=random_state,
    )


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
