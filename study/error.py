"""The error analysis: the same comparison, computed many times with different seeds."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import fuzzyrand as fr
from fuzzyrand._base.parallel import as_they_finish
from fuzzyrand._base.progress import progress

from .design import (
    FACTORS,
    FloatArray,
    Setting,
    dirichlet_rows,
    every_setting,
    generator,
    misfit_expected,
)
from .store import Record, Store

#: Levels of clusters, points, imbalance, precision and share.
LEVELS = ((2, 50), (100, 1000), (0.8, 0.2), (0.1, 1.0, 1.5), (0.5, 1.0))
MODELS = ("fit", "sym", "flat")
KEY = (*FACTORS, "pair")
#: Number of draws that the plain sampler makes before it checks the time.
PIECE = 500
#: Computations of each comparison by the plain sampler: fewer than by ours, to save time.
PLAIN = 10


@dataclass(frozen=True)
class Pair:
    """A pair of clusterings that is compared many times."""

    setting: Setting
    pair: int
    repeats: int
    seed: int

    @property
    def coordinates(self) -> Record:
        """Coordinates of the pair in the design."""
        return {**asdict(self.setting), "pair": self.pair}

    @property
    def cost(self) -> float:
        """Approximate time in seconds, for the progress bar."""
        if self.setting.clusters == 2:
            return 1.0
        return self.repeats * (1.5 * self.setting.precision if self.setting.share == 1.0 else 0.15)


def design(pairs: int, repeats: int, seed: int) -> list[Pair]:
    """Return all pairs in random order."""
    ordered = [
        Pair(setting, pair, repeats, seed)
        for setting in every_setting(*LEVELS)
        for pair in range(pairs)
    ]
    return [ordered[i] for i in np.random.default_rng(0).permutation(len(ordered))]


@misfit_expected()
def compute(pair: Pair) -> Record:
    """Compare a pair under each model with many seeds, by our estimator and by the plain one."""
    rng = generator(pair.seed, *pair.coordinates.values())
    first, second = pair.setting.draw(rng, 2)
    table = fr.compare(first, second, model=list(MODELS), effort=fr.Effort(n_threads=1))
    seeds = [int(seed) for seed in rng.integers(2**31, size=pair.repeats)]
    ours, plain, seconds = [], [], []
    for c in table:
        exact = c.stderr == 0.0  # All seeds then give the same value.
        runs = [_compute_once(first, second, c, seed) for seed in (seeds[:1] if exact else seeds)]
        seconds.append(float(np.mean([duration for _, duration in runs])))
        ours.append([adjusted for adjusted, _ in runs] * (pair.repeats if exact else 1))
        plain.append([_compute_plainly(c, seed, seconds[-1]) for seed in seeds[:PLAIN]])
    return {
        **pair.coordinates,
        "observed": table.observed,
        "exact": [c.stderr == 0.0 for c in table],
        "ours": ours,
        "plain": plain,
        "seconds": seconds,
    }


def _compute_once(
    first: fr.Partition, second: fr.Partition, c: fr.Comparison, seed: int
) -> tuple[float, float]:
    """Return the adjusted index and the processor time that it took.

    The observed index is the same for all seeds. Only the expected index is computed again,
    accurately enough for the adjusted index to meet the library's default tolerance.
    """
    goal = c.tol * (1.0 - c.expected) ** 2 / (1.0 - c.observed)
    started = time.process_time()
    expected = fr.expected_similarity(
        first, second, model=c.model, tol=goal, random_state=seed, effort=fr.Effort(n_threads=1)
    )
    return _adjusted(c.observed, expected), time.process_time() - started


def _compute_plainly(c: fr.Comparison, seed: int, seconds: float) -> float:
    """Return the adjusted index as the paper's sampler estimates it in a given time."""
    laws = [np.array(law["concentrations"]) for law in c.laws]
    expected = plain_expectation(laws[0], laws[1], np.random.default_rng(seed), seconds)
    return _adjusted(c.observed, expected)


def _adjusted(observed: float, expected: float) -> float:
    return 1.0 - (1.0 - observed) / (1.0 - expected)


def plain_expectation(
    first: FloatArray, second: FloatArray, rng: np.random.Generator, seconds: float
) -> float:
    """Estimate the expected NDC of two Dirichlet models by the paper's sampler.

    Each draw takes two rows from each side, and the difference between the two agreements.
    Processor time is measured, which does not depend on other programs.
    """
    stop, total, draws = time.process_time() + seconds, 0.0, 0
    while draws == 0 or time.process_time() < stop:
        difference = _agreements(rng, first) - _agreements(rng, second)
        total += float(np.abs(difference).sum())
        draws += PIECE
    return 1.0 - total / draws


def _agreements(rng: np.random.Generator, alpha: FloatArray) -> FloatArray:
    alpha = alpha[alpha > 0.0]
    rows = rng.dirichlet(alpha, 2 * PIECE)
    lost = np.isnan(rows).any(axis=1)
    if lost.any():  # All entries underflowed.
        rows[lost] = dirichlet_rows(rng, alpha, int(lost.sum()))
    return np.asarray(np.minimum(rows[:PIECE], rows[PIECE:]).sum(axis=1))


def run(
    out: str | Path,
    *,
    quick: bool = False,
    pairs: int | None = None,
    repeats: int | None = None,
    seed: int = 0,
    n_jobs: int | None = -1,
) -> Path:
    """Compute the missing part of a study in a directory, then write its tables and page.

    Parameters
    ----------
    out : path
        Directory of the study; an interrupted study is continued.
    quick : bool
        Whether to use only one pair of clusterings per setting and five computations of each
        comparison.
    pairs, repeats : int, optional
        Pairs per setting and computations of each comparison. The defaults are 10 and 100, as in
        the paper.
    seed : int
        Seed of the study; the seed of a pair is derived from it and from the coordinates.
    n_jobs : int, optional
        Number of pairs computed at a time, as in joblib.

    Returns
    -------
    Path
        The page.
    """
    from . import error_page

    pairs = pairs if pairs is not None else 1 if quick else 10
    repeats = repeats if repeats is not None else 5 if quick else 100
    if repeats < 2:
        raise fr.InputError(f"an error needs at least 2 computations, got repeats={repeats}.")
    options = {"pairs": pairs, "repeats": repeats, "seed": seed, "fuzzyrand": fr.__version__}
    with Store(out, "error", options, KEY) as store:
        missing = [
            pair
            for pair in design(pairs, repeats, seed)
            if store.key_of(pair.coordinates) not in store.records
        ]
        costs = {store.key_of(pair.coordinates): pair.cost for pair in missing}
        finished = as_they_finish(compute, missing, n_jobs, "study")
        total = sum(costs.values())
        for record in progress(finished, total, "error", lambda r: costs[store.key_of(r)]):
            store.append(record)
        return error_page.write(store, pairs=pairs, repeats=repeats)


def columns_of(records: list[Record]) -> dict[str, Any]:
    """Return the results as tidy columns, with a row for each computation."""
    rows = [
        (*(r[name] for name in KEY), model, estimator, repeat, adjusted)
        for r in records
        for i, model in enumerate(MODELS)
        for estimator in ("ours", "plain")
        for repeat, adjusted in enumerate(r[estimator][i])
    ]
    names = (*KEY, "model", "estimator", "repeat", "adjusted")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
