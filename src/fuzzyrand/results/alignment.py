"""The result of bringing the clusters of many clusterings into a common order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from .. import plot
from .._base.errors import unknown_name
from .._base.naming import abbreviate
from .._base.types import FloatArray, IntArray
from .._base.wording import PYTHON, Sentence, Voice
from .._clusterings.matching.series import in_common_order
from .._clusterings.noise_notes import noise_notes
from .._clusterings.partition import Partition
from .._clusterings.points.common_points import left_out_line, left_out_notes, left_out_of
from .._clusterings.points.rows_of_points import ids_of_points
from .._clusterings.weights import weight_facts, weight_line
from .collected_notes import Noted, collected
from .frames import frame_of
from .result import WIDTH, Reported, paragraphs


@dataclass(frozen=True, eq=False)
class Alignment(Reported):
    """Result of :func:`align`: clusterings whose clusters have a common order.

    ``print`` shows the column that each cluster got. Clusters and columns are numbered from 0.

    Attributes
    ----------
    order : dict
        For each run, the column of the common order that each of its clusters got.
    reference : str
        The run whose order the others follow; "reference" if it is not one of the runs.
    names : list of str
        Names of the columns: as in the reference, then as in the run where they first appeared.
    partitions : dict
        The runs as they were read, by name.
    notes : tuple of str
        How noise was treated.

    See Also
    --------
    align : The function that returns it.
    fuzzyrand.plot.memberships : Draw it.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> alignment = fr.align({"a": [0, 0, 1, 1, 1], "b": [1, 1, 0, 0, 2]}, reference="a")
    >>> alignment.order
    {'a': (0, 1), 'b': (1, 0, 2)}
    >>> alignment.labels["b"].tolist()
    [0, 0, 1, 1, 2]
    """

    order: Mapping[str, tuple[int, ...]]
    reference: str
    names: list[str]
    partitions: Mapping[str, Partition] = field(repr=False)

    @property
    def n(self) -> int:
        """Number of points."""
        return next(iter(self.partitions.values())).n

    @property
    def weights(self) -> dict[str, float] | None:
        """What is known of the weights of the points; None without weights."""
        return weight_facts(next(iter(self.partitions.values())))

    @property
    def left_out(self) -> dict[str, int]:
        """For each run, the number of points that were left out, because another lacks them."""
        return {name: left_out_of(run) for name, run in self.partitions.items()}

    @cached_property
    def runs(self) -> dict[str, FloatArray]:
        """Memberships of each run as a matrix in the common order, with zeros in columns it lacks.

        All matrices have the same number of columns. Noise with ``noise_as="singletons"`` has no
        column.
        """
        k = len(self.names)
        return {
            name: in_common_order(run, self.order[name], k) for name, run in self.partitions.items()
        }

    @property
    def labels(self) -> dict[str, IntArray]:
        """Column of each point, in the common order: that of its largest membership.

        Noise points with ``noise_as="singletons"`` have −1.
        """
        found = {}
        for name, run in self.partitions.items():
            columns = np.append(np.asarray(self.order[name], dtype=np.intp), -1)
            # In a hard clustering, noise points that are singletons have codes after those of the
            # clusters.
            found[name] = columns[np.minimum(run.rows.strongest, run.clusters, dtype=np.intp)]
        return found

    @property
    def note_sentences(self) -> tuple[Sentence, ...]:
        """The notes as objects that can be written in another voice."""
        noted = [
            Noted(
                name, name, left_out_notes([(repr(name), run)]) + noise_notes([(repr(name), run)])
            )
            for name, run in self.partitions.items()
        ]
        return collected(noted, len(noted), "runs")

    def text(self, width: int = WIDTH, voice: Voice = PYTHON) -> str:
        """Return what ``print`` shows, in a given width, with options in the given voice."""
        k, runs = len(self.names), len(self.order)
        names = abbreviate(list(self.order), max(width // 3, 10))
        left = max(len("run"), *map(len, names))
        left_out = left_out_line(tuple(self.left_out.values()), names)
        lines = [
            f"{runs} run{'s' * (runs != 1)} of {self.n:,} points in {k} common "
            f"column{'s' * (k != 1)}, in the order of {self.reference}",
            *paragraphs([weight_line(self.weights), left_out], width),
            f"{'run':<{left}}  clusters  columns (from 0)",
        ]
        for name, columns in zip(names, self.order.values(), strict=True):
            line = f"{name:<{left}}  {len(columns):>8}  {' '.join(map(str, columns))}"
            lines.append(line if len(line) <= width else f"{line[: width - 2].rstrip()} …")
        lines += self._note_lines(voice, width)
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the memberships as plain Python values, ready for JSON."""
        return {
            "n": self.n,
            "left_out": self.left_out,
            "weights": self.weights,
            "reference": self.reference,
            "names": list(self.names),
            "order": {name: list(columns) for name, columns in self.order.items()},
            "notes": list(self.notes),
        }

    def to_frame(self, name: str | None = None) -> Any:
        """Return memberships in the common order, or the main column of each point in all runs.

        Parameters
        ----------
        name : str, optional
            The run whose memberships are returned, with the common names as columns. By default the
            columns are the runs, and hold the name of the main cluster of each point in the common
            order; it is missing for noise points with ``noise_as="singletons"``.

        Returns
        -------
        pandas.DataFrame
            With the ids of the points as its index, where they have any.

        Raises
        ------
        MissingExtraError
            If pandas is not installed.

        Examples
        --------
        >>> import fuzzyrand as fr
        >>> alignment = fr.align({"a": list("xxyyy"), "b": [1, 1, 0, 0, 0]}, reference="a")
        >>> alignment.to_frame().T
           0  1  2  3  4
        a  x  x  y  y  y
        b  x  x  y  y  y
        """
        ids = ids_of_points(self.partitions.values())
        index = None if ids is None else list(ids)
        instead = "runs and labels hold arrays"
        if name is not None:
            if name not in self.partitions:
                raise unknown_name("run", name, tuple(self.partitions), parameter="name")
            return frame_of(self.runs[name], instead=instead, index=index, columns=self.names)
        called = np.array([*self.names, None], dtype=object)
        table = {run: called[columns] for run, columns in self.labels.items()}
        return frame_of(table, instead=instead, index=index)

    def plot(
        self, axes: Any = None, *, groups: Any = None, order_by: str | int | None = None
    ) -> Any:
        """Draw the memberships of all points; see :func:`fuzzyrand.plot.memberships`."""
        return plot.memberships(self, axes, groups=groups, order_by=order_by)
