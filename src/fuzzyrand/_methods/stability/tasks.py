"""The pieces of work: two subsamples of one data set, clustered with one value and compared."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ..._analysis import Analysis
from ..._base.effort import Precision
from ..._base.errors import (
    FuzzyRandError,
    InputError,
    NotApplicableError,
    NoValueError,
    ParameterError,
)
from ..._base.estimate import ROUNDING
from ..._base.parameters import Value, is_count, written
from ..._base.streams import Stream
from ..._base.types import FloatArray, IntArray
from ..._base.wording import Option
from ..._clusterings.noise import TooFewPointsError
from ..._clusterings.options import InputOptions
from ..._clusterings.partition import Partition, read_partition
from ..._clusterings.points.common_points import reordered
from ..._clusterings.points.point_ids import ids_of
from ..._clusterings.points.same_points import read_together
from ...indices import Index
from ...models import Model
from ...results import Comparison
from ..explanation.explain import is_divisible
from ..explanation.scores import point_scores
from .clusterer import Clusterer
from .data import take_rows
from .firmness import found_again, without_noise
from .reference_data import Reference
from .subsamples import Sampling, TwoSubsamples
from .values import seed_of

#: Number of the user's data set; reference data sets are numbered from 0.
DATA = -1
#: Purposes within the random stream.
ROWS, REFERENCE, CLUSTERING, ALL_ROWS, SHUFFLE = 0, 1, 2, 3, 4
#: Decimals of what is kept of clusters and points, so that a run that is resumed has the same.
DECIMALS = 4


class Task(NamedTuple):
    """One repeat: a value of the parameter, a data set and the number of the repeat."""

    value: Value
    dataset: int
    repeat: int


class Finished(NamedTuple):
    """What a repeat gave.

    Attributes
    ----------
    score : float
        The adjusted index, or NaN.
    counts : tuple of int
        Number of clusters of each subsample. This and the following are empty for reference data.
    found : tuple of tuples
        For each subsample, how well each cluster of all rows was found again.
    chance : tuple of tuples
        The same with the rows of the subsample in random order.
    points : array
        Scores of the rows that both subsamples hold; NaN for rows that were left out. Empty if the
        index has none.
    """

    score: float
    counts: tuple[int, ...] = ()
    found: tuple[tuple[float, ...], ...] = ()
    chance: tuple[tuple[float, ...], ...] = ()
    points: FloatArray = np.empty(0)


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
    index : Index
        The index.
    effort : Precision
        Accuracy and seed.
    model : Model
        The random model.
    options : InputOptions
        How the clusterings are read.
    """

    data: Any
    clusterer: Clusterer
    sampling: Sampling
    reference: Reference | None
    index: Index
    effort: Precision
    model: Model
    options: InputOptions

    def stream(self, purpose: int, *key: int) -> np.random.Generator:
        """Return the random generator for a purpose and a key of non-negative numbers."""
        return self.effort.stream(Stream.STABILITY, purpose, *key)

    def dataset(self, number: int) -> Any:
        """Return the data, or reference data by their number."""
        if number == DATA:
            return self.data
        assert self.reference is not None
        return self.reference.draw(self.data, self.stream(REFERENCE, number))

    def cluster_all(self, value: Value) -> tuple[Value, Partition]:
        """Cluster all rows, with noise in no cluster."""
        seed = int(self.stream(ALL_ROWS, seed_of(value)).integers(2**31 - 1))
        partition = self._clustering(Task(value, DATA, 0), self.data, self.sampling.n, seed)
        return value, replace(without_noise(partition, self.options), ids=ids_of(self.data))

    def shared_rows(self, repeat: int) -> IntArray:
        """Return the rows of the data that both subsamples of a repeat hold."""
        pair = self.sampling.draw(self.stream(ROWS, DATA + 1, repeat))
        return np.asarray(pair.rows[0][pair.shared[0]])

    def finish(self, job: tuple[Task, Partition | None]) -> tuple[Task, Finished]:
        """Compare two subsamples on the points that both hold, and with the clusters of all rows.

        The adjusted index has no value if every random clustering would agree perfectly, as when
        both subsamples have a single cluster, or if fewer than two points are left to compare; see
        ``_without_clusters``. The rows drawn are the same for each value.

        Parameters
        ----------
        job : tuple of Task and Partition or None
            The repeat, and the clustering of all rows; None for reference data.
        """
        task, whole = job
        value, number, repeat = task
        data = self.dataset(number)
        pair = self.sampling.draw(self.stream(ROWS, number + 1, repeat))
        partitions = []
        for side, rows in enumerate(pair.rows):
            key = (number + 1, repeat, seed_of(value), side)
            seed = int(self.stream(CLUSTERING, *key).integers(2**31 - 1))
            partitions.append(self._clustering(task, take_rows(data, rows), rows.size, seed))
        compared = self._compared(pair, partitions)
        score = self._without_clusters(pair) if compared is None else compared.adjusted
        if whole is None:
            return task, Finished(score)
        parts = [without_noise(partition, self.options) for partition in partitions]
        found, chance = [], []
        for side, (rows, part) in enumerate(zip(pair.rows, parts, strict=True)):
            order = self.stream(SHUFFLE, repeat, seed_of(value), side).permutation(part.n)
            found.append(_rounded(found_again(whole, rows, part)))
            chance.append(_rounded(found_again(whole, rows[order], part)))
        return task, Finished(
            score,
            tuple(int(np.count_nonzero(part.sizes[: part.clusters])) for part in parts),
            tuple(found),
            tuple(chance),
            _scores_of(compared, pair.shared[0].size),
        )

    def _without_clusters(self, pair: TwoSubsamples) -> float:
        """Return the score of a repeat whose adjusted index has no value.

        Where the method decides on the number of clusters, it found none in both subsamples, and so
        nothing that is stable: 0. Where it was told their number, the score is missing.
        """
        told = is_count(self.clusterer.parameter)
        return math.nan if told or pair.shared[0].size < 2 else 0.0

    def _compared(self, pair: TwoSubsamples, partitions: Sequence[Partition]) -> Comparison | None:
        """Compare two clusterings on shared points; None if the adjusted index has no value."""
        if pair.shared[0].size < 2:  # groups of very different sizes
            return None
        clusterings = {
            f"clustering of subsample {side + 1}": reordered(partition, shared)
            for side, (partition, shared) in enumerate(zip(partitions, pair.shared, strict=True))
        }
        try:
            first, second = read_together(clusterings, self.options)
        except TooFewPointsError:  # nearly all points are noise, which is dropped
            return None
        try:
            analysis = Analysis.of((first, second), self.index, self.model, self.effort)
            comparison = Comparison.of(analysis)
        except NoValueError:
            return None
        except NotApplicableError:
            if first.is_trivial or second.is_trivial:
                return None
            raise
        return None if 1.0 - comparison.expected <= ROUNDING else comparison

    def _clustering(self, task: Task, data: Any, n: int, seed: int) -> Partition:
        try:
            given = self.clusterer.cluster(task.value, data, seed)
        except FuzzyRandError:
            raise
        except Exception as error:
            # The traceback of the cause shows the line of the user's code that failed.
            raise ParameterError(
                "clustering {n:,} rows{where} {how} failed with {kind}: {error}{hint}",
                n=n,
                where="" if task.dataset == DATA else " of reference data",
                how=self._how(task.value),
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
        partition = read_partition(given, self.options, f"clustering {self._how(task.value)}")
        if partition.n != n:
            raise InputError(
                "the clustering {how} has {m:,} points, but {n:,} rows were clustered; {parameter} "
                "must return a label or a row of memberships for each row it is given.",
                how=self._how(task.value),
                m=partition.n,
                n=n,
                parameter=Option("cluster"),
            )
        # Rows are identified by position; the ids that a method returns do not matter here.
        return replace(partition, ids=None)

    def _how(self, value: Value) -> str:
        """Say how rows are clustered: "into 3 clusters", or "with eps = 0.3"."""
        parameter = self.clusterer.parameter
        if is_count(parameter):
            return f"into {value} clusters"
        return f"with {parameter} = {written(value)}"


def _scores_of(comparison: Comparison | None, points: int) -> FloatArray:
    """Return the scores of all shared points, or nothing if the index has none."""
    if comparison is None or not is_divisible(comparison.analysis.index):
        return np.empty(0)
    scores = np.full(points, np.nan)
    places = comparison.analysis.partitions[0].places
    scores[slice(None) if places is None else places] = point_scores(comparison).scores
    return np.round(scores, DECIMALS)


def _rounded(values: FloatArray) -> tuple[float, ...]:
    return tuple(np.round(values, DECIMALS).tolist())
