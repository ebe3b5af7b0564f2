"""Names of the clusters of a clustering: its labels or columns, as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

#: Types of labels that can be pickled as they are.
PLAIN = (int, float, bool, str, bytes)


class ClusterNames(Sequence[str]):
    """Names of clusters by their number from 0, converted to text only on request.

    There may be as many clusters as points, and the names of most clusterings are never used.

    Parameters
    ----------
    labels : sequence
        The names as given; any object that has a length and can be indexed.

    Examples
    --------
    >>> names = ClusterNames(range(10, 13))
    >>> names[1], list(names)
    ('11', ['10', '11', '12'])
    """

    __slots__ = ("_labels",)

    def __init__(self, labels: Sequence[Any] | npt.NDArray[Any]) -> None:
        self._labels = labels

    def __len__(self) -> int:
        return len(self._labels)

    @overload
    def __getitem__(self, cluster: int) -> str: ...
    @overload
    def __getitem__(self, cluster: slice) -> Sequence[str]: ...
    def __getitem__(self, cluster: int | slice) -> str | Sequence[str]:
        if isinstance(cluster, slice):
            return ClusterNames(self._labels[cluster])
        return _text(self._labels[cluster])

    @property
    def labels(self) -> Sequence[Any] | npt.NDArray[Any]:
        """The names as they were given."""
        return self._labels

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self[:5])) + ", ..." * (len(self) > 5)
        return f"ClusterNames({shown})"

    def __reduce__(self) -> tuple[type[ClusterNames], tuple[Any]]:
        labels = self._labels
        plain = isinstance(labels, range) or (
            isinstance(labels, np.ndarray) and labels.dtype != object
        )
        if not plain:
            # Not every label can be pickled, but text always can.
            labels = tuple(label if type(label) in PLAIN else _text(label) for label in labels)
        return ClusterNames, (labels,)


def _text(label: Any) -> str:
    return label.decode("utf-8", "replace") if isinstance(label, bytes) else str(label)
