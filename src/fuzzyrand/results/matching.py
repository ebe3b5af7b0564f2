"""The result of matching the clusters of two clusterings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from .. import plot
from .._base.errors import NotApplicableError, unknown_name
from .._base.jsonable import ready_for_json
from .._base.naming import abbreviate
from .._base.types import FloatArray
from .._base.wording import PYTHON, Option, Sentence, Voice
from .._clusterings.matching.cluster_labels import distinct, labels_of
from .._clusterings.matching.form import Form
from .._clusterings.matching.overlap import best_pairs, overlap_of, self_share
from .._clusterings.noise_notes import noise_notes
from .._clusterings.partition import Partition
from .._clusterings.points.common_points import left_out_line, left_out_notes, left_out_of
from .._clusterings.weights import weight_facts, weight_line
from .frames import frame_of
from .numbers import percent_written
from .result import WIDTH, Reported, paragraphs

#: Numbers of rows of the table, and of sentences below it, that are printed.
SHOWN, SAID = 40, 10
#: Share of the overlap of a clustering with itself from which it needs no explanation.
NEARLY_HARD = 0.99
#: What :meth:`Matching.to_frame` can return.
FRAMES = ("pairs", "overlap")


@dataclass(frozen=True)
class Split:
    """A cluster without a partner, and the cluster of the other side that holds most of it.

    Attributes
    ----------
    side : "a" or "b"
        The clustering that the cluster belongs to.
    cluster : int
        Its number, from 0.
    into : int
        Number of the cluster of the other clustering that holds most of it.
    share : float
        The share of the cluster that it holds.
    names : tuple of str
        Names of both.
    """

    side: str
    cluster: int
    into: int
    share: float
    names: tuple[str, str]

    def __str__(self) -> str:
        own, other = self.names
        of, whose = ("first", "second") if self.side == "a" else ("second", "first")
        share = percent_written(self.share)
        if self.share > 0.5:
            how = "inside" if share == "100%" else f"mostly ({share}) inside"
            return f"Cluster {own} of the {of} clustering is {how} cluster {other} of the {whose}."
        return (
            f"Cluster {own} of the {of} clustering is spread over several clusters; its largest "
            f"part ({share}) is in cluster {other} of the {whose}."
        )

    @ready_for_json
    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, ready for JSON."""
        return vars(self)


@dataclass(frozen=True, eq=False)
class Matching(Reported):
    """Result of :func:`match`: which clusters of two clusterings correspond.

    ``print`` shows it as a table. Clusters are numbered from 0, in the order of
    ``names``.

    Attributes
    ----------
    pairs : list of tuple
        Numbers (i, j) of clusters of a and b that are partners, in the order of a.
    unmatched : tuple of list
        Numbers of the clusters of a, and of b, without a partner.
    overlap : array of shape (clusters of a, clusters of b)
        Sums of products of memberships, UᵀV; for hard clusterings, the contingency table. The
        entries add up to the number of points if memberships sum to 1 and no noise was set apart
        with ``noise_as="singletons"``.
    names : tuple of list
        Names of the clusters of a, and of b.
    splits : list of Split
        For each cluster without a partner, which was split off or merged, the cluster of the other
        clustering that holds most of it, and the share. Empty clusters are left out.
    n : int
        Number of points.
    notes : tuple of str
        How noise was treated, and what a share of the overlap means for fuzzy clusterings.

    See Also
    --------
    match : The function that returns it.
    fuzzyrand.plot.overlap, fuzzyrand.plot.flow : Draw it.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> matching = fr.match(["x", "x", "y", "y", "y"], [1, 1, 0, 0, 2])
    >>> matching.pairs, matching.unmatched
    ([(0, 1), (1, 0)], ([], [2]))
    >>> print(matching.splits[0])
    Cluster 2 of the second clustering is inside cluster y of the first.
    >>> matching.relabel().tolist()
    ['x', 'x', 'y', 'y', '2']
    """

    pairs: list[tuple[int, int]]
    unmatched: tuple[list[int], list[int]]
    overlap: FloatArray = field(repr=False)
    names: tuple[list[str], list[str]]
    splits: list[Split]
    n: int
    #: The clusterings that were matched, and the form of the second.
    partitions: tuple[Partition, Partition] = field(repr=False)
    form: Form = field(repr=False)

    @property
    def share(self) -> float:
        """Share of the overlap that is in pairs: 1 if the clusterings are hard and identical.

        It is less for a fuzzy clustering, even for one that is matched with itself; see
        :attr:`self_shares`.
        """
        return float(sum(self.overlap[pair] for pair in self.pairs) / self.overlap.sum())

    @cached_property
    def self_shares(self) -> tuple[float, float]:
        """Share of the overlap that is in pairs if a, or b, is matched with itself.

        It is Σ u² / Σ (Σ u)², with the inner sum over the clusters of a point: 1 for a hard
        clustering, and the less, the fuzzier a clustering is.
        """
        first, second = (self_share(partition) for partition in self.partitions)
        return first, second

    @property
    def weights(self) -> dict[str, float] | None:
        """What is known of the weights of the points; None without weights."""
        return weight_facts(self.partitions[0])

    @property
    def left_out(self) -> tuple[int, int]:
        """Numbers of points of each clustering that were left out, because another lacks them."""
        first, second = self.partitions
        return left_out_of(first), left_out_of(second)

    @property
    def note_sentences(self) -> tuple[Sentence, ...]:
        """The notes as objects that can be written in another voice."""
        named = list(zip(("first", "second"), self.partitions, strict=True))
        noise = [*left_out_notes(named), *noise_notes(named)]
        if min(self.self_shares) > NEARLY_HARD:
            return tuple(noise)
        covers = any(partition.cover for partition in self.partitions)
        first, second = map(percent_written, self.self_shares)
        below = Sentence.of(
            "{why}, so 100% cannot be reached. Matched with itself, the first clustering has "
            "{first} and the second {second}.",
            why="points are in several clusters at once" if covers else "memberships are fuzzy",
            first=first,
            second=second,
        )
        return (*noise, below)

    @property
    def columns(self) -> list[int]:
        """The column of each cluster of b in the order of a; those without a partner come last."""
        places = {j: i for i, j in self.pairs}
        k = self.overlap.shape[0]
        places |= {j: k + number for number, j in enumerate(self.unmatched[1])}
        return [places[j] for j in range(self.overlap.shape[1])]

    @property
    def labels(self) -> list[Any]:
        """Names of the columns after :meth:`relabel`: those of a, then those that only b has."""
        first, second = (labels_of(partition) for partition in self.partitions)
        return first + distinct([second[j] for j in self.unmatched[1]], first, "b")

    def relabel(self) -> Any:
        """Return b with the order and the names of a.

        Returns
        -------
        array, Series, DataFrame or Partition
            The same kind of object as b: a NumPy array for arrays and lists (including arrays of
            other libraries), a pandas object with its index for pandas, and a Partition for a
            Partition. Points are in the order of a, without those that were dropped. Labels become
            the labels of a. A cluster of b without a partner keeps its label, or gets a new one if
            a has the same label. Labels of different types become text. The columns of a matrix
            follow the order of a. Clusters of b without a partner come after them, and clusters of
            a without a partner have columns of zeros.

        Examples
        --------
        >>> import fuzzyrand as fr
        >>> soft = [[0.1, 0.9, 0.0], [0.2, 0.7, 0.1], [1.0, 0.0, 0.0], [0.2, 0.2, 0.6]]
        >>> fr.match([0, 0, 1, 1], soft).relabel().round(3).tolist()
        [[0.9, 0.1, 0.0], [0.7, 0.2, 0.1], [0.0, 1.0, 0.0], [0.2, 0.2, 0.6]]
        """
        return self.form.made(self.partitions[1], self.columns, self.labels)

    def text(self, width: int = WIDTH, voice: Voice = PYTHON) -> str:
        """Return what ``print`` shows, in a given width, with options in the given voice."""
        k1, k2 = self.overlap.shape
        found = len(self.pairs)
        head = (
            f"{found} pair{'s' * (found != 1)} of matched clusters ({k1} in the first clustering, "
            f"{k2} in the second) with {percent_written(self.share)} of the overlap of {self.n:,} "
            f"points{self._counted()}"
        )
        left_out = left_out_line(self.left_out, ("the first", "the second"))
        lines = paragraphs([head, left_out, weight_line(self.weights)], width)
        rows = self.rows
        lines += _table(rows[:SHOWN], width)
        if len(rows) > SHOWN:
            lines.append(f"and {len(rows) - SHOWN:,} more pairs")
        lines += paragraphs(map(str, self.splits[:SAID]), width)
        if len(self.splits) > SAID:
            lines.append(f"and {len(self.splits) - SAID:,} more clusters without a match")
        lines += self._note_lines(voice, width)
        return "\n".join(lines)

    def _counted(self) -> str:
        """Say whose clusters have no names."""
        sides = zip(("first", "second"), self.partitions, strict=True)
        unnamed = [side for side, run in sides if not run.names]
        whose = f" of the {unnamed[0]}" if len(unnamed) == 1 else ""
        return f"; clusters{whose} are counted from 0" if unnamed else ""

    @property
    def sizes(self) -> tuple[FloatArray, FloatArray]:
        """Sizes of the clusters of a and of b: their total overlaps, if clusters do not overlap."""
        if any(partition.cover for partition in self.partitions):
            first, second = (run.sizes[: run.clusters] for run in self.partitions)
            return first, second
        return self.overlap.sum(axis=1), self.overlap.sum(axis=0)

    @property
    def rows(self) -> list[tuple[str, str, float, float, float]]:
        """The pairs: names, overlap, and its share of each of the two clusters."""
        sizes_a, sizes_b = self.sizes
        return [
            (
                self.names[0][i],
                self.names[1][j],
                float(self.overlap[i, j]),
                float(self.overlap[i, j] / sizes_a[i]),
                float(self.overlap[i, j] / sizes_b[j]),
            )
            for i, j in self.pairs
        ]

    @ready_for_json
    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, ready for JSON."""
        return {
            "n": self.n,
            "left_out": self.left_out,
            "weights": self.weights,
            "pairs": self.pairs,
            "unmatched": dict(zip("ab", self.unmatched, strict=True)),
            "names": dict(zip("ab", self.names, strict=True)),
            "share": self.share,
            "self_shares": dict(zip("ab", self.self_shares, strict=True)),
            "splits": [split.to_dict() for split in self.splits],
            "overlap": self.overlap,
            "notes": self.notes,
        }

    def to_frame(self, what: str = "pairs") -> Any:
        """Return the pairs, or the overlaps, as a pandas DataFrame.

        Parameters
        ----------
        what : "pairs" or "overlap"
            A row for each pair, with the names, the overlap and its share of both clusters; or
            the table of all overlaps, with the names on both axes.

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        MissingExtraError
            If pandas is not installed.
        """
        if what not in FRAMES:
            raise unknown_name("table", what, FRAMES, parameter="what")
        instead = "overlap is an array and pairs is a list"
        if what == "overlap":
            rows, columns = self.names
            return frame_of(self.overlap, instead=instead, index=rows, columns=columns)
        columns = ["a", "b", "overlap", "share_of_a", "share_of_b"]
        return frame_of(self.rows, instead=instead, columns=columns)

    def plot(self, ax: Any = None, *, names: tuple[str, str] = ("the first", "the second")) -> Any:
        """Draw the overlaps; see :func:`fuzzyrand.plot.overlap`.

        :func:`fuzzyrand.plot.flow` draws them as bands.
        """
        return plot.overlap(self, ax, names=names)


def splits_of(
    overlap: FloatArray,
    unmatched: Sequence[Sequence[int]],
    names: Sequence[Sequence[str]],
    sizes: Sequence[FloatArray] | None = None,
) -> list[Split]:
    """Return the clusters without a partner, each with the cluster that holds most of it.

    Parameters
    ----------
    overlap : array of shape (k1, k2)
        The overlaps.
    unmatched, names : pairs of sequences
        As the attributes of :class:`Matching`.
    sizes : pair of arrays, optional
        Sizes of the clusters, where they are not the sums of their overlaps.
    """
    splits = []
    for number, (side, table) in enumerate((("a", overlap), ("b", overlap.T))):
        for cluster in unmatched[number]:
            row = table[cluster]
            if row.sum() > 0.0:
                into = int(np.argmax(row))
                both = names[number][cluster], names[1 - number][into]
                size = row.sum() if sizes is None else sizes[number][cluster]
                splits.append(Split(side, cluster, into, float(row[into] / size), both))
    return splits


def _table(rows: Sequence[tuple[str, str, float, float, float]], width: int) -> list[str]:
    if not rows:
        return []
    room = max((width - 36) // 2, 10)
    firsts, seconds = (
        abbreviate(names, room) for names in ([r[0] for r in rows], [r[1] for r in rows])
    )
    left, middle = (max(6, *map(len, names)) for names in (firsts, seconds))
    whole = all(row[2].is_integer() for row in rows)
    lines = [f"{'first':<{left}}  {'second':<{middle}}   overlap  of first  of second"]
    for first, second, (_, _, shared, of_a, of_b) in zip(firsts, seconds, rows, strict=True):
        number = f"{shared:,.0f}" if whole else f"{shared:,.2f}"
        lines.append(
            f"{first:<{left}}  {second:<{middle}}  {number:>8}  {percent_written(of_a):>8}  "
            f"{percent_written(of_b):>9}"
        )
    return lines


def matching_of(first: Partition, second: Partition, form: Form) -> Matching:
    """Match the clusters of two clusterings.

    Parameters
    ----------
    first, second : Partition
        The clusterings.
    form : Form
        The form in which the second was given.
    """
    overlap = overlap_of(first, second)
    if not overlap.any():
        raise NotApplicableError(
            "every point is noise in one of the two clusterings, so no clusters overlap. "
            "{cluster} counts noise points as a cluster.",
            cluster=Option("noise_as", "cluster"),
        )
    pairs = best_pairs(overlap)
    taken = [{pair[side] for pair in pairs} for side in (0, 1)]
    left_a, left_b = (
        [cluster for cluster in range(k) if cluster not in matched]
        for k, matched in zip(overlap.shape, taken, strict=True)
    )
    covers = any(side.cover for side in (first, second))
    sizes = [side.sizes[: side.clusters] for side in (first, second)] if covers else None
    names_a, names_b = ([str(label) for label in labels_of(side)] for side in (first, second))
    return Matching(
        pairs=pairs,
        unmatched=(left_a, left_b),
        overlap=overlap,
        names=(names_a, names_b),
        splits=splits_of(overlap, (left_a, left_b), (names_a, names_b), sizes),
        n=first.n,
        partitions=(first, second),
        form=form,
    )
