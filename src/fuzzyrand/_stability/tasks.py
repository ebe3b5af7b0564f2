"""The pieces of work: two subsamples of one data set, clustered into k clusters and compared."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from .._base.effort import Precision
from .._base.errors import (
    FuzzyRandError,
    InputError,
    NotApplicableError,
    NoValueError,
    ParameterError,
)
from .._base.estimate import ROUNDING
from .._base.streams import Stream
from .._base.wording import Option
from .._engine import Question, compare_under
from .._inputs.common_points import reordered
from .._inputs.noise import TooFewPointsError
from .._inputs.options import InputOptions
from .._inputs.partition import Partition, read_partition
from .._inputs.same_points import read_together
from .._inputs.trivial import is_trivial
from ..models import Model
from .clusterer import Clusterer
from .data import take_rows
from .references import Reference
from .subsamples import Sampling

#: Number of the user's data set; reference data sets are numbered from 0.
DATA = -1
#: Purposes within the random stream.
ROWS, REFERENCE, CLUSTERING = 0, 1, 2


class Task(NamedTuple):
    """One repeat: a number of clusters, a data set and the number of the repeat."""

    k: int
    dataset: int
    repeat: int


@dataclass(frozen=True, eq=False)
class Design:
    """Everything that the value of a task depends on.

    Attributes
    ----------
    data : rows
        What is clustered.
    clusterer : Clusterer
        The method.
    sampling : Sampling
        How subsamples are drawn.
    reference : Reference or None
        Where data without clusters come from.
    question : Question
        Index, effort and seed.
    model : Model
        The random model.
    options : InputOptions
        How the clusterings are read.
    """

    data: Any
    clusterer: Clusterer
    sampling: Sampling
    reference: Reference | None
    question: Question
    model: Model
    options: InputOptions

    @property
    def effort(self) -> Precision:
        """Accuracy and seed."""
        return self.question.effort

    def stream(self, purpose: int, *key: int) -> np.random.Generator:
        """Return the random generator for a purpose and a key of non-negative numbers."""
        return self.effort.stream(Stream.STABILITY, purpose, *key)

    def dataset(self, number: int) -> Any:
        """Return the data, or reference data by their number."""
        if number == DATA:
            return self.data
        assert self.reference is not None
        return self.reference.draw(self.data, self.stream(REFERENCE, number))

    def value(self, task: Task) -> tuple[Task, float]:
        """Return the adjusted index of two subsamples on the points that both hold.

        It is NaN if every random clustering would agree perfectly, as when both subsamples have a
        single cluster, or if fewer than two points are left to compare. The rows drawn are the same
        for each number of clusters.
        """
        k, number, repeat = task
        data = self.dataset(number)
        pair = self.sampling.draw(self.stream(ROWS, number + 1, repeat))
        clusterings = {}
        for side, (rows, shared) in enumerate(zip(pair.rows, pair.shared, strict=True)):
            seed = int(self.stream(CLUSTERING, number + 1, repeat, k, side).integers(2**31 - 1))
            partition = self._clustering(task, take_rows(data, rows), rows.size, seed)
            clusterings[f"clustering of subsample {side + 1}"] = reordered(partition, shared)
        if pair.shared[0].size < 2:  # groups of very different sizes
            return task, math.nan
        try:
            first, second = read_together(clusterings, self.options)
        except TooFewPointsError:  # nearly all points are noise, which is dropped
            return task, math.nan
        return task, self._adjusted(first, second)

    def _adjusted(self, first: Partition, second: Partition) -> float:
        one, two = self.question.sides(first, second)
        try:
            comparison = compare_under((one, two), self.model, self.question)
        except NoValueError:
            return math.nan
        except NotApplicableError:
            if is_trivial(first) or is_trivial(second):
                return math.nan
            raise
        return math.nan if 1.0 - comparison.expected <= ROUNDING else comparison.adjusted

    def _clustering(self, task: Task, data: Any, n: int, seed: int) -> Partition:
        try:
            given = self.clusterer.cluster(task.k, data, seed)
        except FuzzyRandError:
            raise
        except Exception as error:
            # The traceback of the cause shows the line of the user's code that failed.
            raise ParameterError(
                "clustering {n:,} rows{where} into {k} clusters failed with {kind}: {error}{hint}",
                n=n,
                where="" if task.dataset == DATA else " of reference data",
                k=task.k,
                kind=type(error).__name__,
                error=error,
                hint=""
                if task.dataset == DATA
                else (
                    " (If the method cannot take such data, give a function as reference, or "
                    "reference=None.)"
                ),
                parameter=Option("cluster"),
            ) from error
        partition = read_partition(given, self.options, f"clustering into {task.k} clusters")
        if partition.n != n:
            raise InputError(
                "the clustering into {k} clusters has {m:,} points, but {n:,} rows were clustered; "
                "{parameter} must return a label or a row of memberships for each row it is given.",
                k=task.k,
                m=partition.n,
                n=n,
                parameter=Option("cluster"),
            )
        # Rows are identified by position; the ids that a method returns do not matter here.
        return replace(partition, ids=None)
