"""What the clusters of a clustering are called: labels or columns, as text for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

import numpy.typing as npt


class ClusterNames(Sequence[str]):
    """Names of clusters by their number from 0, made into text when somebody asks for them.

    There may be as many clusters as points, and most clusterings are never looked at by name.

    Parameters
    ----------
    labels : sequence
        Whatever the clusters were called by: anything that has a length and takes an index.

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
        """What the clusters were called by, as it was given."""
        return self._labels

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self[:5])) + ", ..." * (len(self) > 5)
        return f"ClusterNames({shown})"

    def __reduce__(self) -> tuple[type[ClusterNames], tuple[tuple[str, ...]]]:
        # Not every label can be pickled; every text can.
        return ClusterNames, (tuple(self),)


def _text(label: Any) -> str:
    return label.decode("utf-8", "replace") if isinstance(label, bytes) else str(label)
