"""The factorial study: partly random clusterings over five factors, under every random model."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

import fuzzyrand as fr
from fuzzyrand._base.parallel import as_they_finish
from fuzzyrand._base.progress import progress

from .authors import fit_expectation, has_zeros, sym_expectation
from .design import FACTORS, Setting, every_setting, generator, misfit_expected
from .store import Record, Store

#: Levels of clusters, points, imbalance, precision and share.
FULL = (
    (2, 4, 8, 16, 32, 64, 128),
    (128, 256, 512, 1024, 2048, 4096, 8192),
    (0.8, 0.6, 0.4, 0.2),
    (0.0, 0.01, 0.1, 1.0, 1.5),
    (0.2, 0.4, 0.6, 0.8, 1.0),
)
#: A selection of settings that takes a minute or two.
QUICK = (
    (2, 16, 128),
    (128, 512),
    (0.8, 0.2),
    (0.0, 0.01, 0.1, 1.0, 1.5),
    (0.2, 0.4, 0.6, 0.8, 1.0),
)

#: The models of a single call of ``compare``, which visits the pairs of points once.
MODELS: dict[str, str | fr.Model] = {
    "perm": "perm",
    "fit": "fit",
    "fit_categorical": fr.Fit(zeros="categorical"),
    "sym": "sym",
    "sym_categorical": fr.Sym(zeros="categorical"),
}
#: Columns of the results. The last two follow the authors' program; see ``authors``.
COLUMNS = (*MODELS, "flat", "fit_authors", "sym_authors")

#: Monte Carlo error allowed in a single cell. A mean over a panel averages thousands of cells.
TOL = 5e-3
#: Limit on the draws: for nearly hard rows the library draws until its Monte Carlo error can be
#: trusted, which is far more than is needed here.
MAX_DRAWS = 1 << 16

KEY = ("sides", *FACTORS, "run")


@dataclass(frozen=True)
class Cell:
    """A pair of clusterings."""

    sides: int
    setting: Setting
    run: int
    seed: int

    @property
    def coordinates(self) -> Record:
        """Coordinates of the cell in the design."""
        return {"sides": self.sides, **asdict(self.setting), "run": self.run}

    @property
    def cost(self) -> float:
        """Approximate time in seconds, for the progress bar."""
        s = self.setting
        if s.precision == 0.0:
            return 0.004
        if self.sides == 1:
            return 0.004 + 3e-7 * s.points * s.clusters
        return 0.03 + 2.5e-3 * s.clusters + s.points**2 * (7e-9 + 2.5e-10 * s.clusters)


def cells(quick: bool, runs: int, seed: int) -> list[Cell]:
    """Return all cells, run after run, with the settings in random order.

    The results are therefore balanced as soon as the first run is complete, and the first minutes
    are a fair sample of the whole study, for the estimate of the time left and for readers.
    """
    settings = list(every_setting(*(QUICK if quick else FULL)))
    order = np.random.default_rng(0).permutation(len(settings))
    return [
        Cell(sides, settings[i], run, seed)
        for run in range(runs)
        for i in order
        for sides in (2, 1)
    ]


@misfit_expected()
def compute(cell: Cell) -> Record:
    """Draw the two clusterings of a cell and compare them under all models."""
    started = time.perf_counter()
    rng = generator(cell.seed, *cell.coordinates.values())
    first, second = cell.setting.draw(rng, cell.sides)
    one_sided, seed = cell.sides == 1, int(rng.integers(2**31))
    table = fr.compare(
        first,
        second,
        model=[*MODELS.values(), *(["flat"] if one_sided else [])],
        fixed="second" if one_sided else None,
        tol=TOL,
        effort=fr.Effort(max_draws=MAX_DRAWS, n_threads=1),
        random_state=seed,
    )
    expected = [c.expected for c in table]
    if not one_sided:
        expected.append(_flat_expectation(first.k, second.k))
    zeros = has_zeros(first) or (not one_sided and has_zeros(second))
    ours = dict(zip(COLUMNS, expected, strict=False))
    expected += (
        _as_the_authors(first, second, ours, one_sided, seed)
        if zeros
        else [ours["fit"], ours["sym"]]
    )
    return {
        **cell.coordinates,
        "zeros": zeros,
        "observed": table.observed,
        "expected": expected,
        "adjusted": [_adjusted(table.observed, e) for e in expected],
        "stderr": [c.stderr for c in table][:5],
        "seconds": round(time.perf_counter() - started, 4),
    }


def _adjusted(observed: float, expected: float) -> float:
    """Return the adjusted index; 1 for clusterings that agree on every pair."""
    return 1.0 if observed == 1.0 else 1.0 - (1.0 - observed) / (1.0 - expected)


@cache
def _flat_expectation(k1: int, k2: int) -> float:
    """Return the expected index of two random sides under ``flat``."""
    # It depends on the numbers of clusters only, so any two clusterings will do.
    any_two = (fr.Partition.from_labels([0, 0], clusters=k) for k in (k1, k2))
    return fr.expected_similarity(*any_two, model="flat", effort=fr.Effort(n_threads=1))


def _as_the_authors(
    first: fr.Partition, second: fr.Partition, ours: dict[str, float], one_sided: bool, seed: int
) -> list[float]:
    """Return the expectations of fit and sym behind the published figures; see ``authors``."""
    return [
        fit_expectation(
            first, second, one_sided=one_sided, tol=TOL, max_draws=MAX_DRAWS, seed=seed
        ),
        sym_expectation(first, second, ours["sym"], one_sided=one_sided),
    ]


def _compute_all(batch: list[Cell]) -> list[Record]:
    return [compute(cell) for cell in batch]


def run(
    out: str | Path,
    *,
    quick: bool = False,
    runs: int | None = None,
    seed: int = 0,
    n_jobs: int | None = -1,
) -> Path:
    """Compute the missing part of a study in a directory, then write its tables and pages.

    Parameters
    ----------
    out : path
        Directory of the study; an interrupted study is continued.
    quick : bool
        Whether to compute only a small selection of the settings, with one run each.
    runs : int, optional
        Pairs of clusterings per setting: 5, or 1 if quick.
    seed : int
        Seed of the study; the seed of a cell is derived from it and from the coordinates.
    n_jobs : int, optional
        Number of cells computed at a time, as in joblib.

    Returns
    -------
    Path
        The page that compares the results with those of the paper.
    """
    from . import factorial_page

    runs = runs if runs is not None else 1 if quick else 5
    options = {"quick": quick, "runs": runs, "seed": seed, "fuzzyrand": fr.__version__}
    with Store(out, "factorial", options, KEY) as store:
        missing = [
            c for c in cells(quick, runs, seed) if store.key_of(c.coordinates) not in store.records
        ]
        for record in _records(missing, n_jobs):
            store.append(record)
        return factorial_page.write(store, quick=quick)


def _records(missing: list[Cell], n_jobs: int | None) -> Iterator[Record]:
    """Yield records of cells as they are computed."""
    costs = {tuple(c.coordinates.values()): c.cost for c in missing}
    batches = [list(group) for _, group in groupby(missing, key=lambda c: (c.run, c.setting))]
    finished = (
        record
        for records in as_they_finish(_compute_all, batches, n_jobs, "study")
        for record in records
    )

    def weigh(record: Record) -> float:
        return costs[tuple(record[name] for name in KEY)]

    return progress(finished, sum(costs.values()), "factorial", weigh)


def columns_of(records: list[Record]) -> dict[str, Any]:
    """Return the results as tidy columns, with a row for each cell and model."""
    wide = {name: np.array([r[name] for r in records]) for name in (*KEY, "zeros", "observed")}
    models = len(COLUMNS)
    tidy: dict[str, Any] = {name: np.repeat(values, models) for name, values in wide.items()}
    tidy["model"] = np.tile(np.array(COLUMNS), len(records))
    for name in ("expected", "adjusted"):
        tidy[name] = np.array([r[name] for r in records]).ravel()
    # Only sampled models have a Monte Carlo error; the others are exact or follow from these.
    stderr = np.zeros((len(records), models))
    stderr[:, : len(MODELS)] = np.array([r["stderr"] for r in records])
    tidy["stderr"] = stderr.ravel()
    return tidy
