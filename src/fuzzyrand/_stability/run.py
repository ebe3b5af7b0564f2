"""Computation of all repeats for all numbers of clusters, in one or several processes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from os import PathLike
from typing import Any

import numpy as np

from .._base.parallel import as_they_finish
from .._base.progress import progress
from .._base.types import FloatArray
from .._base.wording import Sentence
from .._inputs.options import InputOptions
from ..indices import CustomIndex
from ..models import Custom
from ..results import Stability
from .checkpoint import Checkpoint
from .choice import choose
from .clusterer import describe_function
from .data import fingerprint
from .references import Own
from .tasks import DATA, Design, Task

#: Repeats of each reference data set; more data sets say more than more repeats of each.
REFERENCE_REPEATS = 2


def stability_of(
    design: Design,
    ks: Sequence[int],
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
    ks : sequence of int
        Numbers of clusters.
    repeats : int
        Number of pairs of subsamples, and of reference data sets.
    n_jobs : int or None
        Number of processes.
    checkpoint : path or None
        File of finished repeats.
    remarks : sequence of Sentence
        Notes made so far.
    """
    tasks = [Task(k, DATA, repeat) for repeat in range(repeats) for k in ks]
    if design.reference is not None:
        tasks += [
            Task(k, dataset, repeat)
            for dataset in range(repeats)
            for repeat in range(REFERENCE_REPEATS)
            for k in ks
        ]
    values = dict(_values(design, tasks, n_jobs, checkpoint))

    scores = {k: np.array([values[Task(k, DATA, repeat)] for repeat in range(repeats)]) for k in ks}
    reference = None
    if design.reference is not None:
        reference = {k: _reference_values(values, k, repeats) for k in ks}
    choice = choose(scores, reference)
    sampling = design.sampling
    return Stability(
        scores=scores,
        reference=reference,
        best=choice.best,
        most_stable=choice.most_stable,
        candidates=choice.candidates,
        pvalue=choice.pvalue,
        pvalues=choice.pvalues,
        index=design.question.index.name,
        model=str(design.model),
        n=sampling.n,
        groups=None if sampling.groups is None else sampling.units,
        drawn=sampling.drawn,
        repeats=repeats,
        reference_words="" if design.reference is None else design.reference.words,
        remarks=(
            *_treatment(design.options),
            *remarks,
            *_remarks_on(scores, reference, repeats),
        ),
    )


def _values(
    design: Design,
    tasks: Sequence[Task],
    n_jobs: int | None,
    checkpoint: str | PathLike[str] | None,
) -> Iterator[tuple[Task, float]]:
    """Yield the values of all tasks: those in the file, then others as they are finished."""
    with ExitStack() as stack:
        store = None
        missing = tasks
        if checkpoint is not None:
            store = stack.enter_context(Checkpoint(checkpoint, settings_of(design)))
            missing = [task for task in tasks if task not in store.values]
            yield from [(task, store.values[task]) for task in tasks if task in store.values]
        finished = as_they_finish(design.value, missing, 1 if n_jobs is None else n_jobs)
        total = float(sum(task.k for task in missing))
        for task, value in progress(finished, total, "stability", lambda done: done[0].k):
            if store is not None:
                store.add(task, value)
            yield task, value


def settings_of(design: Design) -> Mapping[str, Any]:
    """Return what finished values depend on, which excludes ``repeats`` and ``ks``."""
    groups, options, effort = design.sampling.groups, design.options, design.effort
    return {
        "data": fingerprint(design.data),
        "groups": None if groups is None else fingerprint(groups),
        "share": design.sampling.share,
        "index": _described(design.question.index.name, *_functions_of(design.question.index)),
        "model": _described(str(design.model), *_functions_of(design.model)),
        "random_state": effort.seed,
        "tol": effort.tol,
        "pairs": effort.pairs,
        "max_draws": effort.max_draws,
        "exact_work": effort.exact_work,
        "reference": None
        if design.reference is None
        else _described(design.reference.name, *_functions_of(design.reference)),
        "cluster": design.clusterer.describe(),
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


def _reference_values(values: Mapping[Task, float], k: int, sets: int) -> FloatArray:
    return np.array(
        [
            [values[Task(k, dataset, repeat)] for repeat in range(REFERENCE_REPEATS)]
            for dataset in range(sets)
        ]
    )


def _treatment(options: InputOptions) -> Iterator[Sentence]:
    """Say how noise points and points without a label or memberships were treated."""
    sources = [f"label {options.noise}"] if options.noise is not None else []
    if options.missing == "noise":
        sources.append("no label, or what a row lacks to a sum of 1")
    if sources:
        how = {
            "cluster": "counted as one cluster of its clustering",
            "singletons": "was shared by no two points",
            "drop": "was left out: a point that is noise in one of two clusterings counts in "
            "neither",
        }
        yield Sentence.of(
            "Noise ({sources}) {how}.", sources="; ".join(sources), how=how[options.noise_as]
        )
    if options.missing == "drop":
        yield Sentence.of(
            "Points without a label or memberships in one of two clusterings were left out of both."
        )


def _remarks_on(
    scores: Mapping[int, FloatArray], reference: Mapping[int, FloatArray] | None, repeats: int
) -> Iterator[Sentence]:
    missing = {k: int(np.isnan(values).sum()) for k, values in scores.items()}
    if any(missing.values()):
        yield Sentence.of(
            "Some repeats have no value, because both clusterings had a single cluster, or none "
            "but single points, or because fewer than two points were left to compare: {listed}. "
            "Means are over the others.",
            listed=", ".join(
                f"k = {k} {count} of {repeats}" for k, count in missing.items() if count
            ),
        )
    if reference is None:
        return
    if any(np.isnan(values).any() for values in reference.values()):
        yield Sentence.of("Some repeats of reference data have no value and are left out.")
