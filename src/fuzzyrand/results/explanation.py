"""The result of explaining where two clusterings disagree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from .. import plot
from .._base.errors import NotApplicableError, ParameterError, unknown_name
from .._base.jsonable import ready_for_json
from .._base.types import FloatArray
from .._base.wording import PYTHON, Option, Sentence, Voice, capitalised
from .._clusterings.matching.form import Form
from .._clusterings.matching.overlap import overlap_of
from .._clusterings.partition import Partition
from .._clusterings.points.rows_of_points import ids_of_points
from .comparison import Comparison
from .explanation_text import POINTS, SIDES, difference_sentence, explanation_lines
from .frames import columns_of, frame_of
from .matching import Matching, matching_of
from .result import Explorable
from .wallace import Wallace
from .worst_points import NOISE, PointScore, WorstPoints, belonging, cluster_name, lowest

#: Share of 1 − adjusted from which a reason is the only one that is given.
MOSTLY = 2.0 / 3.0
#: An adjusted index that is closer to 1 than this needs no reason.
ALIKE = 0.05


def difference_of(adjusted: float, hardened: float) -> str:
    """Return how two clusterings differ; see :attr:`Explanation.difference`.

    Parameters
    ----------
    adjusted, hardened : float
        The adjusted index of the clusterings, and that with each point in its strongest cluster
        only.
    """
    lacking = 1.0 - adjusted
    if lacking < ALIKE:
        return "nothing"
    structure = (1.0 - hardened) / lacking
    if structure >= MOSTLY:
        return "structure"
    return "fuzziness" if structure <= 1.0 - MOSTLY else "both"


@dataclass(frozen=True, eq=False)
class Explanation(Explorable):
    """Result of :func:`explain`: where two clusterings disagree, and in what way.

    ``print`` shows the main findings. In a notebook it is displayed with the worst points.

    Attributes
    ----------
    comparison : Comparison
        The comparison that is explained.
    points : array
        The score of each point. The mean of the scores is the adjusted index.
    points_stderr : array or None
        Monte Carlo error of each score; None if all pairs were visited.
    clusters : tuple of two arrays
        The mean score of the points of each cluster, weighted by memberships, for both
        clusterings; NaN for an empty cluster.
    sizes : tuple of two arrays
        Number of points, or total membership, of each cluster. The mean score of the clusters,
        weighted by their sizes, is the adjusted index if memberships sum to 1 and no noise was set
        apart with ``noise_as="singletons"``.
    wallace : Wallace
        Whether pairs that one clustering puts together are together in the other, for an index that
        is a mean over pairs. It is computed when it is first used, because it takes longer than the
        rest for two large fuzzy clusterings.
    hardened : float
        Adjusted index with each point in its strongest cluster only.
    hardened_model : str
        The model of ``hardened``: that of the comparison, or ``perm`` if that model has no value.
    mean_agreements : tuple of two floats, or None
        Mean agreement of the pairs of each clustering; None if the index is not a mean over pairs.
    partitions : tuple of two Partition
        The clusterings as they were compared.
    renamed : Partition or None
        The second clustering with the names of its partners in the first, where its clusters are
        only numbered; ``names``, tables and pages have these. None if nothing was renamed.
    notes : tuple of str
        What a reader must know before quoting the numbers.

    See Also
    --------
    explain : The function that returns it.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> result = fr.explain(list("aaabbb"), list("xxyyyy"))
    >>> result.points.round(2).tolist()
    [0.59, 0.59, -1.03, 0.59, 0.59, 0.59]
    >>> result.names, [scores.round(2).tolist() for scores in result.clusters]
    ((['a', 'b'], ['x', 'y']), [[0.05, 0.59], [0.59, 0.19]])
    >>> result.overlap.tolist()
    [[2.0, 1.0], [0.0, 3.0]]
    """

    comparison: Comparison
    points: FloatArray = field(repr=False)
    points_stderr: FloatArray | None = field(repr=False)
    clusters: tuple[FloatArray, FloatArray]
    sizes: tuple[FloatArray, FloatArray]
    find_wallace: Callable[[], Wallace] | None = field(repr=False)
    hardened: float
    hardened_model: str
    mean_agreements: tuple[float, float] | None
    partitions: tuple[Partition, Partition] = field(repr=False)
    renamed: Partition | None = field(default=None, repr=False)
    #: Notes on the explanation, apart from those on the comparison.
    own_notes: tuple[Sentence, ...] = field(default=(), repr=False)

    @property
    def adjusted(self) -> float:
        """The adjusted index."""
        return self.comparison.adjusted

    @property
    def left_out(self) -> tuple[int, int]:
        """Numbers of points of each clustering that were left out, because another lacks them."""
        return self.comparison.left_out

    @property
    def note_sentences(self) -> tuple[Sentence, ...]:
        """The notes as objects that can be written in another voice."""
        return (*self.own_notes, *self.comparison.note_sentences)

    @cached_property
    def wallace(self) -> Wallace:
        """Whether pairs that one clustering puts together are together in the other.

        Raises
        ------
        NotApplicableError
            If the index is not a mean over pairs of points; see :attr:`of_pairs`.
        """
        if self.find_wallace is None:
            raise NotApplicableError(
                "Wallace indices need an index that is a mean over pairs of points, and {index!r} "
                "is "
                "not. Use {ndc}.",
                index=self.comparison.index,
                ndc=Option("index", "ndc"),
            )
        return self.find_wallace()

    def __getstate__(self) -> dict[str, Any]:
        # The Wallace indices are computed from the sides, which are not stored.
        known = {"wallace": self.wallace} if self.of_pairs else {}
        return {**self.__dict__, **known, "find_wallace": None}

    @property
    def homogeneity(self) -> float:
        """Wallace's index of the pairs of the second clustering; see :attr:`wallace`.

        If the first is the truth, it says whether the clusters of the second are pure. It is based
        on pairs, and is not scikit-learn's measure of this name, which is based on entropy.
        """
        return self.wallace.homogeneity

    @property
    def completeness(self) -> float:
        """Wallace's index of the pairs of the first clustering; see :attr:`wallace`.

        If the first is the truth, it says whether the second keeps its clusters whole. It is based
        on pairs, and is not scikit-learn's measure of this name, which is based on entropy.
        """
        return self.wallace.completeness

    @property
    def of_pairs(self) -> bool:
        """Whether the index is a mean over pairs of points, so that there are Wallace indices."""
        return self.mean_agreements is not None

    @cached_property
    def names(self) -> tuple[list[str], list[str]]:
        """Names of the clusters of both clusterings; numbers from 0 where they have none."""
        first, second = (
            [cluster_name(side, cluster) for cluster in range(side.clusters)]
            for side in self.shown_sides
        )
        return first, second

    @property
    def shown_sides(self) -> tuple[Partition, Partition]:
        """The clusterings with the names of clusters that are shown."""
        first, second = self.partitions
        return first, second if self.renamed is None else self.renamed

    @cached_property
    def overlap(self) -> FloatArray | None:
        """Overlap of the clusters c of the first clustering (rows) and d of the second (columns).

        The entries are Σᵢ u_ic v_id. They add up to the number of points if memberships sum to 1
        and no noise was set apart with ``noise_as="singletons"``. None if there would be more
        entries than the budget allows (:class:`Budget`, ``table_cells``).
        """
        first, second = self.partitions
        most = self.comparison.analysis.effort.budget.table_cells
        return None if first.clusters * second.clusters > most else overlap_of(first, second, most)

    @cached_property
    def matching(self) -> Matching:
        """Which clusters of the two clusterings correspond, as found by :func:`match`.

        Clusters have their own numbers here, also where ``names`` has those of their partners.
        """
        first, second = self.partitions
        return matching_of(first, second, Form.of(second, second))

    def worst(self, count: int = 20) -> WorstPoints:
        """Return the points with the lowest scores, the lowest first.

        Parameters
        ----------
        count : int
            Number of points.

        Returns
        -------
        WorstPoints
            A sequence of points with id, score and memberships, which prints as a table.
        """
        if not isinstance(count, int | np.integer) or isinstance(count, bool) or count < 1:
            raise ParameterError(
                "{parameter} must be a positive integer, got {value!r}.",
                parameter=Option("count"),
                value=count,
            )
        places = lowest(self.points, int(count))
        return WorstPoints([self._point(int(place)) for place in places])

    def _point(self, place: int) -> PointScore:
        first, second = self.shown_sides
        return PointScore(
            position=place,
            id=self.id_of(place),
            score=float(self.points[place]),
            stderr=0.0 if self.points_stderr is None else float(self.points_stderr[place]),
            first=belonging(first, place),
            second=belonging(second, place),
        )

    def id_of(self, place: int) -> Any:
        """Return the id of the point in this position; without ids, its position in the input."""
        ids = ids_of_points(self.partitions)
        if ids is not None:
            return ids[place]
        places = self.partitions[0].places
        return place if places is None else int(places[place])

    @property
    def difference(self) -> str:
        """How the clusterings differ: in "fuzziness", "structure", "both" or "nothing".

        The adjusted index is 1 − adjusted short of perfect agreement. Of this, 1 − hardened is
        attributed to structure, and the rest to fuzziness. Either is named alone if it is at least
        two thirds.
        """
        return difference_of(self.adjusted, self.hardened)

    @property
    def difference_sentence(self) -> str:
        """How the clusterings differ, in words."""
        return difference_sentence(self)

    @property
    def reasons(self) -> list[str]:
        """Sentences on what kind of difference it is."""
        wallace = [self.wallace.sentence] if self.of_pairs else []
        return [*wallace, self.difference_sentence]

    @property
    def sentence(self) -> str:
        """The adjusted index in a sentence."""
        c = self.comparison
        return f"{capitalised(c.adjusted_title)}: {c.adjusted:z.3f} ({c.accuracy})."

    def text(self, voice: Voice = PYTHON) -> str:
        """Return what ``print`` shows, with options written in the given voice."""
        return "\n".join([*explanation_lines(self), *self._note_lines(voice)])

    def to_frame(self, what: str = "points", *, backend: str = "pandas") -> Any:
        """Return scores as a data frame.

        Parameters
        ----------
        what : "points", "clusters" or "left_out"
            Points with id, score, its Monte Carlo error, and the strongest cluster in both
            clusterings with its membership; clusters with side, name, size, score and Wallace
            index; or, with ``points="common"``, clusters with side, name, size before points were
            left out, how much of it was left out, and its share.
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

    def columns(self, what: str = "points") -> dict[str, Sequence[Any]]:
        """Return scores as named columns; see :meth:`to_frame`."""
        if what == "points":
            return self._point_columns()
        if what == "clusters":
            return self._cluster_columns()
        if what == "left_out":
            return self._left_out_columns()
        raise unknown_name("table", what, ("points", "clusters", "left_out"), parameter="what")

    def _left_out_columns(self) -> dict[str, Sequence[Any]]:
        rows = []
        for side, partition in zip(SIDES, self.partitions, strict=True):
            if (lost := partition.unmatched) is None:
                continue
            names = () if lost.names is None else lost.names
            for c, (size, gone) in enumerate(
                zip(lost.sizes.tolist(), lost.lost.tolist(), strict=True)
            ):
                name = str(names[c] if c < len(names) else c)
                rows.append((side, name, size, gone, gone / max(size, 1e-300)))
        return columns_of(("side", "cluster", "size", "left_out", "share"), rows)

    def _point_columns(self) -> dict[str, Sequence[Any]]:
        n = self.points.size
        table: dict[str, Sequence[Any]] = {
            "id": [self.id_of(place) for place in range(n)],
            "score": self.points.tolist(),
            "stderr": [0.0] * n if self.points_stderr is None else self.points_stderr.tolist(),
        }
        for side, name in zip(self.shown_sides, SIDES, strict=True):
            called = [cluster_name(side, cluster) for cluster in range(side.clusters)]
            table[name] = [
                called[cluster] if cluster < len(called) else NOISE
                for cluster in side.rows.strongest.tolist()
            ]
            table[f"{name}_membership"] = side.rows.largest.tolist()
        return table

    def _cluster_columns(self) -> dict[str, Sequence[Any]]:
        table: dict[str, list[Any]] = defaultdict(list)
        for number, side in enumerate(SIDES):
            table["side"] += [side] * len(self.names[number])
            table["cluster"] += self.names[number]
            table["size"] += self.sizes[number].tolist()
            table["score"] += self.clusters[number].tolist()
            wallace = vars(getattr(self.wallace, side).clusters) if self.of_pairs else {}
            for name, values in wallace.items():
                table[f"wallace_{name}"] += values.tolist()
        return dict(table)

    @ready_for_json
    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, ready for JSON."""
        return {
            "adjusted": self.adjusted,
            "points": self.points,
            "points_stderr": self.points_stderr,
            "worst": self.worst().to_dict(),
            "clusters": {
                side: [
                    {"cluster": name, "size": size, "score": score}
                    for name, size, score in zip(
                        self.names[number], self.sizes[number], self.clusters[number], strict=True
                    )
                ]
                for number, side in enumerate(SIDES)
            },
            "left_out": {"points": self.left_out, "clusters": self.columns("left_out")},
            "overlap": self.overlap,
            "wallace": self.wallace.to_dict() if self.of_pairs else None,
            "hardened": self.hardened,
            "hardened_model": self.hardened_model,
            "mean_agreements": self.mean_agreements,
            "difference": self.difference,
            "comparison": self.comparison.to_dict(),
            "notes": self.notes,
            "meaning": " ".join([self.sentence, *self.reasons]),
        }

    def plot(self, xy: Any = None, ax: Any = None) -> Any:
        """Draw the scores of points at coordinates, or of clusters if there are none.

        See :func:`fuzzyrand.plot.points` and :func:`fuzzyrand.plot.clusters`, which returns two
        axes.
        """
        return plot.clusters(self, ax) if xy is None else plot.points(xy, self, ax)

    def _repr_html_(self) -> str:
        text = self._html([self.sentence, *self.reasons])
        return f"{text}{self.worst(POINTS)._repr_html_()}"
