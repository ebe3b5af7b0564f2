"""Work that a computation may do, and the accuracy that it must reach."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from .budget import DEFAULT_BUDGET, Budget
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


@dataclass(frozen=True, kw_only=True)
class Effort:
    """Work that a computation may do: pairs to visit, draws to make, threads to use.

    Every function that compares clusterings takes such an object as ``effort``. The defaults suit
    nearly all data.

    Parameters
    ----------
    pairs : "auto", "all" or int
        Pairs of points that are visited if both clusterings are fuzzy: all of them, or a random
        sample of this size. "auto" visits all pairs if that takes at most about half a minute (see
        ``exact_work``), and otherwise samples until ``tol`` is reached.
    max_draws : int
        Largest number of agreements drawn for each side. If ``tol`` is not reached within this
        limit, the result says so.
    n_threads : int, optional
        Number of threads. The default is the environment variable ``FUZZYRAND_NUM_THREADS`` if it
        is set, else the number of cores.
    exact_work : float
        Work up to which ``pairs="auto"`` visits all pairs: the number of pairs, times ten plus the
        number of columns. The default takes about half a minute on two cores.
    budget : Budget
        Limits of single steps, such as the number of pairs that are kept in memory.

    Raises
    ------
    ParameterError, UnknownNameError
        If a value is not allowed.

    See Also
    --------
    compare : Takes it as ``effort``; ``tol`` and ``random_state`` are arguments of their own.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> import numpy as np
    >>> a, b = np.random.default_rng(0).dirichlet([1, 1, 1], (2, 200))
    >>> fr.compare(a, b, effort=fr.Effort(pairs=5000)).computed["observed"]
    '5,000 random pairs'
    """

    pairs: str | int = "auto"
    max_draws: int = DEFAULT_MAX_DRAWS
    n_threads: int | None = None
    exact_work: float = EXACT_WORK
    budget: Budget = DEFAULT_BUDGET

    def __post_init__(self) -> None:
        pairs = self.pairs
        if not (_is_whole(pairs) and int(pairs) >= 1000) and not (
            isinstance(pairs, str) and pairs in ("auto", "all")
        ):
            refusal = UnknownNameError if isinstance(pairs, str) else ParameterError
            raise refusal(
                '{parameter} must be "auto", "all" or a number of pairs of at least 1000, '
                "got {value!r}.",
                parameter=Option("pairs"),
                value=pairs,
            )
        _require_whole("max_draws", self.max_draws)
        if self.max_draws > MOST_DRAWS:
            raise ParameterError(
                "{parameter} must be at most {most:,}, got {value!r}: draws are kept in memory.",
                parameter=Option("max_draws"),
                most=MOST_DRAWS,
                value=self.max_draws,
            )
        if self.n_threads is not None:
            _require_whole("n_threads", self.n_threads)
        _require_positive("exact_work", self.exact_work)
        if not isinstance(self.budget, Budget):
            raise ParameterError(
                "{parameter} must be a Budget, such as fuzzyrand.Budget(kept_pairs=1000), got "
                "{value!r}.",
                parameter=Option("budget"),
                value=self.budget,
            )


@dataclass(frozen=True, kw_only=True)
class Precision(Effort):
    """The accuracy asked for, the seed, and the work allowed to reach it.

    Attributes
    ----------
    tol : float
        Monte Carlo error of the adjusted index at which sampling stops.
    seed : int
        Seed of every random stream.
    """

    tol: float = DEFAULT_TOL
    seed: int = 0

    def __post_init__(self) -> None:
        """Accept everything: :func:`as_precision` has checked what comes from users."""

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


def as_precision(effort: Any, tol: Any = DEFAULT_TOL, random_state: Any = 0) -> Precision:
    """Check the arguments for accuracy, randomness and effort, and collect them."""
    if effort is None:
        effort = Effort()
    if not isinstance(effort, Effort):
        raise ParameterError(
            "{parameter} must be an Effort, such as fuzzyrand.Effort(pairs='all'), got {value!r}.",
            parameter=Option("effort"),
            value=effort,
        )
    _require_positive("tol", tol)
    return Precision(
        pairs=effort.pairs if isinstance(effort.pairs, str) else int(effort.pairs),
        max_draws=int(effort.max_draws),
        n_threads=None if effort.n_threads is None else int(effort.n_threads),
        exact_work=float(min(effort.exact_work, sys.float_info.max)),
        budget=effort.budget,
        tol=float(min(tol, sys.float_info.max)),
        seed=_as_seed(random_state),
    )


def _require_positive(name: str, value: Any) -> None:
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not (is_number and value > 0):  # which, unlike float(), takes integers of any size
        raise ParameterError(
            "{parameter} must be positive, got {value!r}.", parameter=Option(name), value=value
        )


def _require_whole(name: str, value: Any) -> None:
    if not (_is_whole(value) and value > 0):
        raise ParameterError(
            "{parameter} must be a positive integer, got {value!r}.",
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
        "{parameter} must be a non-negative integer, a numpy Generator or None, got {value!r}.",
        parameter=Option("random_state"),
        value=random_state,
    )


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
