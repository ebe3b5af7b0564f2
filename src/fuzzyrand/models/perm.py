"""The permutation model, which shuffles the memberships over the points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ._laws.base import Law
from ._laws.side import Side
from .base import Model


@dataclass(frozen=True)
class Perm(Model):
    """The permutation model: the same memberships, shuffled over the points.

    It is the default. All rows stay the same, and so do the number and the sizes of the clusters.
    It makes no difference which side is fixed. With the NDC the adjusted index of two hard
    clusterings is the adjusted Rand index, and that of fuzzy ones the adjusted concordance index.
    Possibilistic clusterings are accepted.

    See Also
    --------
    Empirical : Rows drawn with replacement.

    Notes
    -----
    Co-memberships on a side are those of its observed pairs. The expected index is therefore the
    mean of concordance(a₁(p), a₂(q)) over all N² pairs (p, q) of the N = n(n−1)/2 pairs of points.

    References
    ----------
    .. [1] Hubert, L., P. Arabie, Comparing partitions, J. Classification 2 (1985).
    .. [2] D'Ambrosio, A., S. Amodio, C. Iorio, G. Pandolfo, R. Siciliano, Adjusted concordance
           index: an extension of the adjusted Rand index to fuzzy partitions, J. Classification 38
           (2021).

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> a, b = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]
    >>> round(fr.adjusted_similarity(a, b, model="perm"), 4)
    0.3243
    """

    name: ClassVar[str] = "perm"
    title: ClassVar[str] = "permutation model"
    citation: ClassVar[str] = "Hubert & Arabie, 1985"
    fuzzy_citation: ClassVar[str] = "D'Ambrosio et al., 2021"
    assumption: ClassVar[str] = "the same memberships, shuffled over the points"
    recipe: ClassVar[str] = "All memberships are kept, and assigned to the points in random order."
    question: ClassVar[str] = (
        "Do the clusterings agree more than they would if the same memberships were assigned to "
        "the points in random order? The usual adjusted Rand index uses this model."
    )
    keeps_rows: ClassVar[bool] = True
    takes_weights: ClassVar[bool] = True
    shuffles: ClassVar[bool] = True

    def law(self, side: Side) -> Law:
        return side.pairs_law
