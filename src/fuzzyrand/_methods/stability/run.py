"""Computation of all repeats for all values of a parameter, in one or several processes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from os import PathLike
from typing import Any

import numpy as np

from ..._base.budget import DEFAULT_BUDGET
from ..._base.errors import InputError
from ..._base.parallel import as_they_finish
from ..._base.parameters import Value, is_count, written
from ..._base.progress import progress
from ..._base.types import FloatArray
from ..._base.wording import Option, Sentence
from ..._clusterings.matching.cluster_labels import labels_of
from ..._clusterings.options import InputOptions
from ..._clusterings.partition import Partition
from ...indices import CustomIndex
from ...models import Custom
from ...results import Stability
from ..explanation.explain import is_divisible
from .checkpoint import Checkpoint
from .choice import choose
from .clusterer import describe_function
from .data import fingerprint
from .reference_data import Own
from .tasks import DATA, DECIMALS, Design, Finished, Task

#: Repeats of each reference data set; more data sets say more than more repeats of each.
REFERENCE_REPEATS = 2


def stability_of(
    design: Design,
    values: Sequence[Value],
    repeats: int,
    n_jobs: int | None,
    checkpoint: str | PathLike[str] | None,
    remarks: Sequence[Sentence],
) -> Stability:
    """Cluster and compare all subsamples.

    Parameters
    ----------
    design : Design
        Data, method and index.
    values : sequence
        Values of the parameter.
    repeats : int
        Number of pairs of subsamples, and of reference data sets.
    n_jobs : int or None
        Number of processes.
    checkpoint : path or None
        File of finished repeats.
    remarks : sequence of Sentence
        Notes made so far.
    """
    tasks = [Task(value, DATA, repeat) for repeat in range(repeats) for value in values]
    if design.reference is not None:
        tasks += [
            Task(value, dataset, repeat)
            for dataset in range(repeats)
            for repeat in range(REFERENCE_REPEATS)
            for value in values
        ]
    with ExitStack() as stack:
        store = None
        if checkpoint is not None:
            store = stack.enter_context(Checkpoint(checkpoint, settings_of(design)))
        wholes = _clusterings(design, values, n_jobs)
        if store is not None:
            for value, whole in wholes.items():
                store.confirm(value, whole.sizes[: whole.clusters])
        firm = {value: Firmness(design, whole, repeats) for value, whole in wholes.items()}
        found = {}
        for task, finished in _finished(design, wholes, tasks, n_jobs, store):
            found[task] = finished.score
            if task.dataset == DATA:
                firm[task.value].add(task.repeat, finished)

    scores = {v: np.array([found[Task(v, DATA, r)] for r in range(repeats)]) for v in values}
    reference = None
    if design.reference is not None:
        reference = {value: _reference_scores(found, value, repeats) for value in values}
    numbers = {v: int(np.count_nonzero(run.sizes[: run.clusters])) for v, run in wholes.items()}
    parameter = design.clusterer.parameter
    asked: dict[Value, int] = {value: value for value in values if isinstance(value, int)}
    choice = choose(scores, reference, asked if is_count(parameter) else numbers)
    sampling = design.sampling
    return Stability(
        scores=scores,
        reference=reference,
        best=choice.best,
        most_stable=choice.most_stable,
        candidates=choice.candidates,
        pvalue=choice.pvalue,
        pvalues=choice.pvalues,
        index=design.index.name,
        model=str(design.model),
        n=sampling.n,
        groups=None if sampling.groups is None else sampling.units,
        drawn=sampling.drawn,
        repeats=repeats,
        reference_words="" if design.reference is None else design.reference.words,
        parameter=parameter,
        clusterings=wholes,
        found_again={value: each.found for value, each in firm.items()},
        by_chance={value: each.chance for value, each in firm.items()},
        counts={value: each.counts for value, each in firm.items()},
        points={value: each.points for value, each in firm.items()},
        note_sentences=(
            *_treatment(design.options),
            *remarks,
            *_remarks_on(scores, reference, repeats, parameter),
            *_remarks_on_clusters(design, wholes, firm),
        ),
    )


def _clusterings(
    design: Design, values: Sequence[Value], n_jobs: int | None
) -> dict[Value, Partition]:
    """Return the clusterings of all rows."""
    finished = as_they_finish(design.cluster_all, values, 1 if n_jobs is None else n_jobs)
    wholes = dict(progress(finished, float(len(values)), "clusterings of all rows"))
    return {value: wholes[value] for value in values}


def _finished(
    design: Design,
    wholes: Mapping[Value, Partition],
    tasks: Sequence[Task],
    n_jobs: int | None,
    store: Checkpoint | None,
) -> Iterator[tuple[Task, Finished]]:
    """Yield all repeats: those in the file, then others as they are finished."""
    missing = []
    for task in tasks:
        known = None if store is None else store.finished.pop(task, None)
        if known is None:
            missing.append(task)
        else:
            yield task, known
    # Each process gets only the clustering of all rows that it needs.
    jobs = [(task, wholes[task.value] if task.dataset == DATA else None) for task in missing]
    finished = as_they_finish(design.finish, jobs, 1 if n_jobs is None else n_jobs)

    def weigh(done: tuple[Task, Finished | Partition | None]) -> float:
        """Return the work of a task: more clusters take longer."""
        return float(done[0].value) if is_count(design.clusterer.parameter) else 1.0

    for task, new in progress(finished, sum(map(weigh, jobs)), "stability", weigh):
        if store is not None:
            store.add(task, new)
        yield task, new


class Firmness:
    """What the repeats of one value say about its clusters and points.

    Parameters
    ----------
    design : Design
        Data, method and index.
    whole : Partition
        Clustering of all rows.
    repeats : int
        Number of repeats.
    """

    def __init__(self, design: Design, whole: Partition, repeats: int) -> None:
        self._design = design
        self.found, self.chance = (np.full((2 * repeats, whole.clusters), np.nan) for _ in "ab")
        self.counts = np.zeros(2 * repeats, dtype=np.intp)
        self.nothing = np.zeros(repeats, dtype=np.bool_)
        # Whole numbers, so that the order in which repeats are finished makes no difference.
        self._sums, self._times = (np.zeros(whole.n, dtype=np.int64) for _ in "ab")

    def add(self, repeat: int, finished: Finished) -> None:
        """Count what a repeat found."""
        both = slice(2 * repeat, 2 * repeat + 2)
        rows = self._design.shared_rows(repeat)
        if len(finished.found[0]) != self.found.shape[1] or finished.points.size not in (
            0,
            rows.size,
        ):
            raise InputError(
                "the checkpoint holds a repeat with {there} clusters where there are {here} now; "
                "remove the file to begin again.",
                there=len(finished.found[0]),
                here=self.found.shape[1],
            )
        self.found[both], self.chance[both] = finished.found, finished.chance
        self.counts[both] = finished.counts
        self.nothing[repeat] = finished.score == 0.0 and max(finished.counts) <= 1
        if finished.points.size:
            known = ~np.isnan(finished.points)
            scaled = np.rint(finished.points[known] * 10.0**DECIMALS)
            self._sums[rows[known]] += scaled.astype(np.int64)
            self._times[rows[known]] += 1

    @property
    def points(self) -> FloatArray:
        """Mean score of each point, NaN if it has none."""
        sums = self._sums / 10.0**DECIMALS
        means = np.full(sums.size, np.nan)
        np.divide(sums, self._times, out=means, where=self._times > 0)
        return means


def settings_of(design: Design) -> Mapping[str, Any]:
    """Return what finished values depend on, which excludes ``repeats`` and ``values``."""
    groups, options, effort = design.sampling.groups, design.options, design.effort
    return {
        "data": fingerprint(design.data),
        "groups": None if groups is None else fingerprint(groups),
        "share": design.sampling.share,
        "index": _described(design.index.name, *_functions_of(design.index)),
        "model": _described(str(design.model), *_functions_of(design.model)),
        "random_state": effort.seed,
        "tol": effort.tol,
        "pairs": effort.pairs,
        "max_draws": effort.max_draws,
        "exact_work": effort.exact_work,
        "budget": None if effort.budget == DEFAULT_BUDGET else repr(effort.budget),
        "reference": None
        if design.reference is None
        else _described(design.reference.name, *_functions_of(design.reference)),
        "cluster": design.clusterer.describe(),
        "parameter": design.clusterer.parameter,
        "normalize": options.normalize,
        "noise": None if options.noise is None else str(options.noise),
        "noise_as": options.noise_as,
        "missing": options.missing,
    }


def _functions_of(part: Any) -> list[Any]:
    """Return the functions of a user that an index, a model or a reference is made of."""
    if isinstance(part, CustomIndex):
        return [vars(part.agreement)["function"], vars(part.concordance)["function"]]
    if isinstance(part, Custom):
        return [part.distribution]
    return [part.function] if isinstance(part, Own) else []


def _described(name: str, *functions: Any) -> str:
    return " ".join([name, *map(describe_function, functions)])


def _reference_scores(scores: Mapping[Task, float], value: Value, sets: int) -> FloatArray:
    return np.array(
        [
            [scores[Task(value, dataset, repeat)] for repeat in range(REFERENCE_REPEATS)]
            for dataset in range(sets)
        ]
    )


def _treatment(options: InputOptions) -> Iterator[Sentence]:
    """Say how noise points and points without a label or memberships were treated."""
    sources = [f"label {options.noise}"] if options.noise is not None else []
    if options.missing == "noise":
        sources.append("no label, or the part of a row missing to a sum of 1")
    if sources:
        how = {
            "cluster": "counted as one cluster",
            "singletons": "counted as clusters of one point each",
            "drop": "was left out, in both clusterings of a pair",
        }
        yield Sentence.of(
            "Noise ({sources}) {how}.", sources="; ".join(sources), how=how[options.noise_as]
        )
    if options.missing == "drop":
        yield Sentence.of(
            "Points without a label or memberships in one of two clusterings were left out of both."
        )


def _remarks_on(
    scores: Mapping[Value, FloatArray],
    reference: Mapping[Value, FloatArray] | None,
    repeats: int,
    parameter: str,
) -> Iterator[Sentence]:
    missing = {value: int(np.isnan(found).sum()) for value, found in scores.items()}
    if any(missing.values()):
        name = "k" if is_count(parameter) else parameter
        yield Sentence.of(
            "Some repeats have no value and are left out, because both clusterings had one cluster "
            "only or single points only, or fewer than two points were left: {listed}.",
            listed=", ".join(
                f"{count} of {repeats} with {name} = {written(value)}"
                for value, count in missing.items()
                if count
            ),
        )
    if reference is None:
        return
    if any(np.isnan(found).any() for found in reference.values()):
        yield Sentence.of("Some repeats of reference data have no value and are left out.")


def _remarks_on_clusters(
    design: Design, wholes: Mapping[Value, Partition], firm: Mapping[Value, Firmness]
) -> Iterator[Sentence]:
    """Say where nothing was found, and if a label that usually means noise was a cluster."""
    name = design.clusterer.parameter
    nothing = {value: int(np.count_nonzero(each.nothing)) for value, each in firm.items()}
    if any(nothing.values()) and not is_count(name):
        yield Sentence.of(
            "A repeat counts as 0 if both subsamples had no cluster, or a single one without noise "
            "points: {listed}.",
            listed=", ".join(
                f"{count} of {firm[value].nothing.size} with {name} = {written(value)}"
                for value, count in nothing.items()
                if count
            ),
        )
    if not is_divisible(design.index):
        yield Sentence.of(
            "Points have no firmness: the index {index!r} is not a mean over points. {ndc} and "
            "other indices of pairs have it.",
            index=design.index.name,
            ndc=Option("index", "ndc"),
        )
    if design.options.noise is not None:
        return
    marked = [written(value) for value, run in wholes.items() if run.is_hard and -1 in _labels(run)]
    if marked:
        yield Sentence.of(
            "Points with the label -1 count as a cluster ({name} = {listed}). If these are noise "
            "points, as in DBSCAN and HDBSCAN, use {noise}.",
            name=name,
            listed=", ".join(marked[:5]) + (", ..." if len(marked) > 5 else ""),
            noise=Option("noise", -1),
        )


def _labels(run: Partition) -> list[Any]:
    return [label for label in labels_of(run) if isinstance(label, int)]
