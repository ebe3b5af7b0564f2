"""Labels of matched clusters: those of one clustering, and new ones where these are taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..cluster_names import ClusterNames
from ..partition import Partition


def labels_of(partition: Partition) -> list[Any]:
    """Return the labels of all clusters as given; clusters without a label get their numbers.

    Examples
    --------
    >>> labels_of(Partition.from_labels([7, 5])), labels_of(Partition.from_labels(["a", "b"]))
    ([5, 7], ['a', 'b'])
    """
    names, k = partition.names, partition.clusters
    given: Any = names.labels if isinstance(names, ClusterNames) else (names or ())
    labels = [_plain(label) for label in list(given)[:k]]
    return labels + distinct(list(range(len(labels), k)), labels)


def distinct(own: Sequence[Any], taken: Sequence[Any], suffix: str = "") -> list[Any]:
    """Return labels that differ from those taken, even when written as text.

    If all labels are integers, a taken one is replaced by the largest integer plus 1; otherwise it
    gets a suffix.

    Examples
    --------
    >>> distinct([1, 4], [0, 1, 2]), distinct(["x", "y"], ["x"], "b")
    ([5, 4], ['x (b)', 'y'])
    """
    numbers = all(_is_number(label) for label in (*own, *taken))
    used = {str(label) for label in taken}
    # A label that is not taken stays with its cluster.
    waiting = {str(label) for label in own} - used
    out: list[Any] = []
    for label in own:
        new = label
        if str(label) in used:
            tries = 1
            new = max((*own, *taken, *out)) + 1 if numbers else _suffixed(label, suffix, tries)
            while str(new) in used or str(new) in waiting:
                tries += 1
                new = _suffixed(label, suffix, tries)
        used.add(str(new))
        out.append(new)
    return out


def as_array(labels: Sequence[Any]) -> npt.NDArray[Any]:
    """Return labels as an array; labels of several types are converted to text.

    Examples
    --------
    >>> as_array([1, 2]).dtype.kind, as_array(["a", 2]).tolist()
    ('i', ['a', '2'])
    """
    types = {type(label) for label in labels}
    if types <= {int} or types <= {str} or types <= {float}:
        return np.array(list(labels))
    if len(types) == 1:
        out = np.empty(len(labels), dtype=object)
        out[:] = labels
        return out
    return np.array([str(label) for label in labels])


def are_numbers(labels: Sequence[Any]) -> bool:
    """Return whether labels are whole numbers, which say nothing about what is in a cluster.

    Examples
    --------
    >>> are_numbers([0, 1]), are_numbers(["1", "2"]), are_numbers(["north", "2"])
    (True, True, False)
    """
    return all(_is_number(label) or str(label).isdecimal() for label in labels)


def _suffixed(label: Any, suffix: str, tries: int) -> str:
    parts = [part for part in (suffix, "" if tries == 1 and suffix else str(tries + 1)) if part]
    return f"{label} ({' '.join(parts)})"


def _is_number(label: Any) -> bool:
    return isinstance(label, int) and not isinstance(label, bool)


def _plain(label: Any) -> Any:
    if isinstance(label, bytes):
        return label.decode("utf-8", "replace")
    if isinstance(label, np.integer | np.floating | np.str_ | np.bool_):
        return label.item()
    return label
