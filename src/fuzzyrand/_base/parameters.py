"""Parameters of clustering methods: which are numbers of clusters, and how values are written."""

from __future__ import annotations

#: A value of a parameter.
Value = int | float | str

#: Parameters that are numbers of clusters.
COUNTS = ("n_clusters", "n_components", "k")


def is_count(parameter: str) -> bool:
    """Return whether a parameter is the number of clusters.

    Examples
    --------
    >>> is_count("n_clusters"), is_count("kmeans__n_clusters"), is_count("resolution")
    (True, True, False)
    """
    return parameter.lower() in COUNTS or parameter.endswith("__n_clusters")


def written(value: Value) -> str:
    """Write a value; fractions with up to six digits.

    Examples
    --------
    >>> written(0.1 + 0.2), written(3), written("ward")
    ('0.3', '3', 'ward')
    """
    return f"{value:.6g}" if isinstance(value, float) else str(value)
