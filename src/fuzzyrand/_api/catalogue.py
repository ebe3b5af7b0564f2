"""Tables of which index is exact under which model, found by actual comparisons.

``python -m fuzzyrand._api.catalogue FILE`` writes them between the markers of a Markdown file.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .._base.errors import NotApplicableError
from .._base.types import FloatArray, IntArray
from .._clusterings.covers import as_cover
from ..indices import INDICES, CustomIndex, Index, TableIndex
from ..models import MODELS, Custom, Model
from .compare import compare

BEGIN, END = "<!-- exactness: begin -->", "<!-- exactness: end -->"
#: Indices that are left out, because they are like ``mi``.
ALIKE = ("homogeneity", "completeness")
#: Number of points of the compared clusterings, and a tolerance that takes little time.
POINTS, TOL = 40, 0.05


class _AnyRows:
    """A sampler without moments, such as users write."""

    def sample(self, rng: np.random.Generator, size: int) -> FloatArray:
        """Draw rows."""
        return rng.dirichlet([2.0, 1.0, 1.0], size)


def exactness(index: Index, model: Model) -> str:
    """Return "exact", "sampled" or "approximate", for two kinds of pairs if they differ.

    These are a hard with a fuzzy clustering and two fuzzy ones. For an index of contingency tables,
    they are two hard and two fuzzy ones.

    Of an index of covers, clusters overlap instead.

    Examples
    --------
    >>> exactness(INDICES["ndc"], MODELS["fit"])
    'exact / sampled'
    """
    soft, softer, labels = _clusterings()
    hard = labels, labels[::-1]
    by_table = isinstance(index, TableIndex)
    pairs: list[tuple[Any, Any]] = [hard if by_table else (labels, soft), (soft, softer)]
    if model.hard_only or index.hard_only:
        pairs = [hard]
    elif index.takes_covers:
        cover, other = (as_cover((rows > 0.2).astype(float)) for rows in (soft, softer))
        pairs = [(labels, cover), (cover, other)]
    kinds = []
    for pair in pairs:
        try:
            c = compare(*pair, index=index, model=model, tol=TOL)
        except NotApplicableError:
            return "–"
        kinds.append("exact" if c.exact else "sampled" if c.stderr > 0.0 else "approximate")
    return kinds[0] if len(set(kinds)) == 1 else " / ".join(kinds)


def exactness_table() -> str:
    """Return the tables of all models with indices of pairs and of contingency tables."""
    custom = CustomIndex(
        lambda u, v: np.minimum(u, v).sum(axis=1), lambda a1, a2: 1.0 - np.abs(a1 - a2) ** 1.5
    )
    named = {f"`{name}`": index for name, index in INDICES.items() if name not in ALIKE}
    of_tables = {n: index for n, index in named.items() if isinstance(index, TableIndex)}
    of_pairs = {n: index for n, index in named.items() if n not in of_tables}
    return f"{_table({**of_pairs, 'your own': custom})}\n\n{_table(of_tables)}"


def _table(indices: Mapping[str, Index]) -> str:
    models = {**{f"`{name}`": model for name, model in MODELS.items()}, "your own": _own_model()}
    lines = [
        "| model \\ index | " + " | ".join(indices) + " |",
        "|---|" + "---|" * len(indices),
    ]
    for name, model in models.items():
        title = f"{name} (hard)" if model.hard_only else name
        cells = [exactness(index, model) for index in indices.values()]
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _own_model() -> Model:
    return Custom(_AnyRows())


def _clusterings() -> tuple[FloatArray, FloatArray, IntArray]:
    rng = np.random.default_rng(0)
    soft, softer = rng.dirichlet([0.8, 0.5, 1.0], POINTS), rng.dirichlet([2.0, 1.0, 1.5], POINTS)
    return soft, softer, rng.integers(3, size=POINTS)


def write_table(path: Path) -> None:
    """Write the table between the markers of a file."""
    before, rest = path.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    table = f"{before}{BEGIN}\n{exactness_table()}\n{END}{after}"
    path.write_text(table, encoding="utf-8")


if __name__ == "__main__":
    write_table(Path(sys.argv[1]))
