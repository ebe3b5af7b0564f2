"""The result for many runs: which clusters recur, which runs agree, and how firm points are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from typing import Any, NamedTuple

import numpy as np

from .. import plot
from .._base.errors import unknown_name
from .._base.jsonable import ready_for_json
from .._base.types import FloatArray, IntArray
from .._base.wording import PYTHON, Sentence, Voice
from .._clusterings.partition import Partition
from .frames import frame_of
from .recurrence_text import LEVEL, headline, notes_on, recurrence_text
from .result import NAMES, WIDTH, Result, write_page

TABLES = ("families", "clusters", "points", "runs")


class RunCluster(NamedTuple):
    """A cluster of a run.

    Attributes
    ----------
    run : str
        Name of the run.
    cluster : object
        Label of the cluster, or the number of its column.
    family : int
        Number of its family.
    size : float
        Its share of all memberships (times weights) of the run, times the number of all points.
    firmness : float
        Mean correlation with the clusters of its family in other runs; NaN if there are none.
    """

    run: str
    cluster: Any
    family: int
    size: float
    firmness: float


@dataclass(frozen=True, eq=False)
class Family:
    """Clusters of different runs that are the same thing.

    Attributes
    ----------
    number : int
        Place among the families, from 0; the most frequent family is first.
    runs : int
        Number of runs in which it occurs.
    share : float
        The same as a share of all runs.
    interval : tuple of float
        95% confidence interval of the share (Wilson), for further runs of the same kind.
    members : list of (str, object)
        Its clusters: run, and label of the cluster there.
    size : float
        Mean size of its clusters in points; with weights, as if these had a mean of 1.
    firmness : float
        Mean correlation of its clusters over pairs of runs: 1 if all are the same. NaN if it occurs
        in one run only.
    core : list
        Ids (or numbers) of the points that belong to it in at least 90% of the runs in which it
        occurs: those whose strongest cluster it is.
    children : tuple of int
        Numbers of the smaller families most of whose weight lies within it, in the runs that lack
        them: its parts. The largest part often continues the family, and is no child.
    splits_at : int or None
        Smallest number of clusters of a run that has two of its parts; None if there is none.
    expected, stderr : float
        Mean number of families that occur in at least as many runs if the points of each run are
        shuffled, and its Monte Carlo error.
    pvalue : float
        Estimated probability that chance gives at least one such family.
    """

    number: int
    runs: int
    share: float
    interval: tuple[float, float]
    size: float
    firmness: float
    members: list[tuple[str, Any]] = field(repr=False)
    core: list[Any] = field(repr=False)
    children: tuple[int, ...]
    splits_at: int | None
    expected: float
    stderr: float
    pvalue: float

    @property
    def by_chance(self) -> bool:
        """Whether chance would also give a family that recurs this often (p > 0.05)."""
        return self.pvalue > LEVEL


@dataclass(frozen=True, eq=False)
class Mode:
    """Runs that tell the same story: any two of them are at least ``alike`` alike.

    Attributes
    ----------
    runs : list of str
        Names of the runs.
    share : float
        Their share of all runs.
    medoid : str
        The run that is most like the others of the mode.
    sum_of_squares : float
        Sum of the squared differences between the matched runs and the consensus.
    """

    runs: list[str]
    share: float
    medoid: str
    sum_of_squares: float
    #: Computes the consensus, which is large, when it is first asked for.
    compute: Callable[[], Partition] = field(repr=False)

    @cached_property
    def consensus(self) -> Partition:
        """The mean of the runs of the mode, after their clusters are matched."""
        return self.compute()


@dataclass(frozen=True, eq=False)
class Recurrence(Result):
    """Result of :func:`recurrence`: which clusters recur, and which runs agree.

    ``print`` shows the families and the modes, and :meth:`plot` draws them.

    Attributes
    ----------
    families : tuple of Family
        Clusters that are the same thing in different runs, the most frequent first; clusters that
        occur in one run only are families, too.
    expected : array
        For each family, the number of families that recur this often by chance.
    modes : tuple of Mode
        Groups of runs that tell the same story, the largest first.
    consensus : Partition
        The mean of all runs, after their clusters are matched.
    points : array
        Firmness of each point: the mean of its score over all pairs of runs, 1 if its pairs are
        treated alike in all runs, 0 if as by chance. NaN for a point in fewer than two runs.
    runs : tuple of str
        Names of the runs.
    clusters : tuple of RunCluster
        The clusters of all runs, with family, size and firmness.
    adjusted : array of shape (runs, runs)
        Adjusted index of every two runs (``jousselme`` under ``perm``; for hard runs, the adjusted
        Rand index).
    likeness : array
        Adjusted index of each run with the consensus.
    home, home_share : arrays
        Family to which each point belongs most often (−1 if to none), and the share of the runs
        with this point in which it does.
    ids : list
        Ids of the points, or their numbers.
    sum_of_squares : float
        Sum of the squared differences between the matched runs and the consensus.
    alike : float
        Adjusted index from which two runs are alike.
    draws : int
        Number of shuffles.
    notes : tuple of str
        What a reader must know before quoting the values.

    See Also
    --------
    recurrence : The function that returns it.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> result = fr.recurrence({"a": [0, 0, 0, 1, 1, 1, 2, 2], "b": [1, 1, 1, 0, 0, 0, 0, 0]})
    >>> for family in result.families:
    ...     print(family.share, family.members)
    1.0 [('a', 1), ('b', 0)]
    1.0 [('a', 0), ('b', 1)]
    0.5 [('a', 2)]
    """

    families: tuple[Family, ...]
    modes: tuple[Mode, ...]
    points: FloatArray = field(repr=False)
    runs: tuple[str, ...]
    clusters: tuple[RunCluster, ...] = field(repr=False)
    adjusted: FloatArray = field(repr=False)
    likeness: FloatArray = field(repr=False)
    home: IntArray = field(repr=False)
    home_share: FloatArray = field(repr=False)
    ids: list[Any] = field(repr=False)
    sum_of_squares: float
    alike: float
    draws: int
    consensus: Partition = field(repr=False)
    #: Number of points of each run, and of runs that have each point.
    run_sizes: tuple[int, ...] = field(repr=False)
    present: IntArray = field(repr=False)
    #: Notes on the noise of the runs.
    own_notes: tuple[Sentence, ...] = field(default=(), repr=False)

    @property
    def n(self) -> int:
        """Number of all points."""
        return self.points.size

    @property
    def expected(self) -> FloatArray:
        """For each family, the number of families that recur this often by chance."""
        return np.array([family.expected for family in self.families])

    @property
    def recurring(self) -> tuple[Family, ...]:
        """The families that occur in at least two runs, and more often than by chance."""
        return tuple(f for f in self.families if f.runs > 1 and not f.by_chance)

    @cached_property
    def cluster_counts(self) -> tuple[int, ...]:
        """Number of clusters of each run that are not empty."""
        counts = dict.fromkeys(self.runs, 0)
        for cluster in self.clusters:
            counts[cluster.run] += 1
        return tuple(counts.values())

    @property
    def common(self) -> int:
        """Number of points that all runs have."""
        return int(np.count_nonzero(self.present == len(self.runs)))

    @property
    def meaning(self) -> str:
        """What the families say, in words."""
        return headline(self)

    @property
    def note_sentences(self) -> tuple[Sentence, ...]:
        """The notes as objects that can be written in another voice."""
        return (*notes_on(self), *self.own_notes)

    def text(self, width: int = WIDTH, voice: Voice = PYTHON) -> str:
        """Return what ``print`` shows, in a given width, with options in the given voice."""
        return recurrence_text(self, width, voice)

    def columns(self, what: str = "families") -> dict[str, list[Any]]:
        """Return values as named columns; see :meth:`to_frame`."""
        if what == "families":
            every = self.families
            return {
                "family": [f.number for f in every],
                "runs": [f.runs for f in every],
                "share": [f.share for f in every],
                "low": [f.interval[0] for f in every],
                "high": [f.interval[1] for f in every],
                "size": [f.size for f in every],
                "firmness": [f.firmness for f in every],
                "core": [len(f.core) for f in every],
                "expected": [f.expected for f in every],
                "stderr": [f.stderr for f in every],
                "pvalue": [f.pvalue for f in every],
                "splits_at": [f.splits_at for f in every],
                "children": [" ".join(map(str, f.children)) for f in every],
            }
        if what == "clusters":
            table = zip(*self.clusters, strict=True)
            return dict(zip(RunCluster._fields, map(list, table), strict=True))
        if what == "points":
            return {
                "point": list(self.ids),
                "firmness": self.points.tolist(),
                "runs": self.present.tolist(),
                "family": self.home.tolist(),
                "family_share": self.home_share.tolist(),
            }
        if what == "runs":
            mode = {run: number for number, m in enumerate(self.modes) for run in m.runs}
            others = (self.adjusted.sum(axis=1) - 1.0) / (len(self.runs) - 1)
            return {
                "run": list(self.runs),
                "points": list(self.run_sizes),
                "clusters": list(self.cluster_counts),
                "mode": [mode[run] for run in self.runs],
                "mean_adjusted": others.tolist(),
                "consensus": self.likeness.tolist(),
            }
        raise unknown_name("table", what, TABLES, parameter="what")

    def to_frame(self, what: str = "families", *, backend: str = "pandas") -> Any:
        """Return values as a data frame.

        Parameters
        ----------
        what : "families", "clusters", "points" or "runs"
            What the rows are.
        backend : "pandas" or "polars"
            The library of the data frame.

        Returns
        -------
        pandas.DataFrame or polars.DataFrame

        Raises
        ------
        MissingExtraError
            If the library is not installed.
        """
        return frame_of(self.columns(what), backend)

    @ready_for_json
    def to_dict(self) -> dict[str, Any]:
        """Return everything but memberships as plain Python values, ready for JSON."""
        numbers = ("runs", "share", "medoid", "sum_of_squares")
        return {
            "n": self.n,
            "families": [
                {"family" if name == "number" else name: value for name, value in vars(f).items()}
                for f in self.families
            ],
            "modes": [{name: getattr(mode, name) for name in numbers} for mode in self.modes],
            "runs": self.columns("runs"),
            "points": self.columns("points"),
            "sum_of_squares": self.sum_of_squares,
            "alike": self.alike,
            "draws": self.draws,
            "notes": self.notes,
            "meaning": self.meaning,
        }

    def plot(self, ax: Any = None) -> Any:
        """Draw the families over the runs; see :func:`fuzzyrand.plot.recurrence`."""
        return plot.recurrence(self, ax)

    def report(
        self,
        path: str | PathLike[str],
        *,
        interactive: bool = False,
        xy: Any = None,
        command: str = "",
    ) -> None:
        """Write the result as an HTML page, which needs no network.

        Parameters
        ----------
        path, interactive, xy, command
            As in :meth:`Comparison.report`.
        """
        write_page(path, self, interactive, xy, command=command)

    def explore(self, xy: Any = None) -> Any:
        """Return linked charts of families, runs and points, which notebooks display.

        A click on a family shows its points; dragging over runs, points or their firmness shows
        their families.

        Parameters
        ----------
        xy : array-like of shape (points, 2), optional
            Coordinates of the points on their map. By default, two principal components of the
            consensus.

        Returns
        -------
        altair.ConcatChart
            The charts. With more than 5,000 points, they show the 2,500 that are least firm and
            2,500 others, drawn at random.

        Raises
        ------
        MissingExtraError
            If Altair is not installed.
        """
        from ..report import dispatch  # Deferred: reports are built on results.

        return dispatch.explorer_of(self, xy, NAMES)
