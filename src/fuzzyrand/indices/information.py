"""Indices of information theory: mutual information and what is made of it.

With f(x) = x ln x, and C, p and q the contingency table of two clusterings and its margins as
shares of all points, the entropies are -sum f(p) and -sum f(q), and the mutual information is
sum f(C) - sum f(p) - sum f(q), in nats. For fuzzy clusterings, C is the soft table U'V/n.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import ClassVar, NamedTuple

import numpy as np

from .._base.errors import NotApplicableError, unknown_name
from .._base.estimate import PAIR_ROUNDING, ROUNDING, Estimate
from .._base.types import FloatArray
from .._base.wording import Option
from .._clusterings.partition import Partition
from .._pairs.table import CrossTabulation, Table
from .base import Chance, Remainder, TableIndex, how_tabulated
from .expected_information import (
    Information,
    entropy,
    expected_information,
    remaining_information,
)

NORMS = ("arithmetic", "max", "min", "geometric", "joint")


class Entropies(NamedTuple):
    """Entropies of a table in nats: of each clustering, and of each given the other."""

    first: float
    second: float
    first_given_second: float
    second_given_first: float

    @classmethod
    def of(cls, table: Table) -> Entropies:
        """Return the entropies of a table.

        Each term of a conditional entropy is 0 where a cluster lies in one cell, so that it is
        exactly 0 for clusters that are divided by no others.
        """
        shares, rows, columns = table.cells / table.n, table.first, table.second
        return cls(
            entropy(rows / table.n),
            entropy(columns / table.n),
            float(shares @ np.log(columns[table.columns] / table.cells)),
            float(shares @ np.log(rows[table.rows] / table.cells)),
        )

    def dot(self, other: Entropies) -> float:
        """Return the sum of the products with others."""
        return sum(one * two for one, two in zip(self, other, strict=True))

    @property
    def information(self) -> float:
        """The mutual information."""
        return max(0.5 * (self.first + self.second - self.variation), 0.0)

    @property
    def variation(self) -> float:
        """The variation of information."""
        return max(self.first_given_second, 0.0) + max(self.second_given_first, 0.0)


class Combined(NamedTuple):
    """Weights of the entropies: of the discordance times its scale, and of the scale."""

    short: Entropies
    scale: Entropies


#: What one clustering lacks to give all information on the other, relative to the entropy of that.
OF_FIRST = Combined(Entropies(0, 0, 1, 0), Entropies(1, 0, 0, 0))
OF_SECOND = Combined(Entropies(0, 0, 0, 1), Entropies(0, 1, 0, 0))
#: The mutual information, and what is not shared.
MUTUAL, VARIATION = Entropies(0.5, 0.5, -0.5, -0.5), Entropies(0, 0, 1, 1)


class InformationIndex(TableIndex):
    """Base class of the indices that are made of entropies."""

    citation: ClassVar[str] = "Vinh et al., 2010"
    #: Weights of the mutual information and of both entropies in the discordance, times the scale;
    #: and what is added to it.
    weights: ClassVar[Information] = Information(-1.0, 0.0, 0.0)
    offset: ClassVar[float] = 1.0
    sums_points: ClassVar[bool] = True
    vanishes_by_chance: ClassVar[bool] = True

    @abstractmethod
    def combined(self, entropies: Entropies) -> Combined:
        """Return how the entropies are combined; ``entropies`` says which of them is larger."""

    def scale(self, entropies: Entropies, n: int) -> float:
        """Return what the information of two clusterings is divided by."""
        return self.combined(entropies).scale.dot(entropies)

    @property
    def reflexive(self) -> bool:
        return False

    def require_applicable(self, *partitions: Partition) -> None:
        super().require_applicable(*partitions)
        for partition in partitions:
            if partition.possibilistic:
                raise NotApplicableError(
                    "the index {index!r} needs memberships that sum to 1, but this clustering is "
                    "possibilistic. Use {ndc}, 'brouwer' or 'frobenius', or {normalize}.",
                    index=self.name,
                    ndc=Option("index", "ndc"),
                    normalize=Option("normalize", True),
                )
            if not partition.is_hard and partition.noise_is_singletons:
                raise NotApplicableError(
                    "the index {index!r} is not defined for fuzzy noise treated as singletons; use "
                    "{ndc}, or {cluster}.",
                    index=self.name,
                    ndc=Option("index", "ndc"),
                    cluster=Option("noise_as", "cluster"),
                )

    def constants(self, pair: CrossTabulation) -> float:
        return self.scale(Entropies.of(pair.table), pair.table.n)

    def discordance(self, table: Table, constants: float) -> float:
        entropies = Entropies.of(table)
        information = Information(entropies.information, entropies.first, entropies.second)
        return self._of_information(information, constants)

    def _of_information(self, information: Information, scale: float) -> float:
        if scale <= 0.0:
            return self.offset
        return self.offset + self.weights.dot(information) / scale

    def observed(self, pair: CrossTabulation) -> Estimate:
        how, entropies = how_tabulated(pair), Entropies.of(pair.table)
        scale = self.scale(entropies, pair.table.n)
        if entropies.first <= 0.0 and entropies.second <= 0.0:
            return Estimate(0.0, how=how)  # two clusterings of one cluster each are the same
        if scale <= 0.0:
            return Estimate(1.0, how=how)
        short = self.combined(entropies).short.dot(entropies)
        if short == 0.0 or entropies.variation == 0.0:
            return Estimate(0.0, how=how)
        rounding = ROUNDING + PAIR_ROUNDING / scale
        return Estimate(max(short, 0.0) / scale, error_bound=rounding, how=how)

    def details(self, pair: CrossTabulation) -> dict[str, float]:
        entropies = Entropies.of(pair.table)
        return {
            "mutual_information": entropies.information,
            "entropy_of_first": entropies.first,
            "entropy_of_second": entropies.second,
        }

    def heights(self, pair: CrossTabulation) -> FloatArray:
        table = pair.table
        rows, columns = table.first[table.rows], table.second[table.columns]
        logs = (table.n / rows, table.n / columns, columns / table.cells, rows / table.cells)
        return np.asarray(self.combined(Entropies.of(table)).short @ np.log(np.stack(logs)))

    def expected(self, pair: CrossTabulation, first: Chance, second: Chance) -> Estimate | None:
        scale = self.constants(pair)
        if scale <= 0.0:
            entropies = Entropies.of(pair.table)
            trivial = entropies.first <= 0.0 and entropies.second <= 0.0
            return Estimate(0.0 if trivial else 1.0, how="one cluster")
        found = expected_information(pair, first, second)
        if found is None:
            return None
        weights = Information(*map(abs, self.weights))
        bound = weights.dot(found.errors) / scale + ROUNDING
        value = self._of_information(found.information, scale)
        return Estimate(
            value, error_bound=bound, how=found.how, bound_is_estimate=found.is_estimate
        )

    def remainder(self, pair: CrossTabulation, first: Chance, second: Chance) -> Remainder:
        if pair.first.weights is not None:
            return super().remainder(pair, first, second)
        scale, rest = self.constants(pair), remaining_information(pair, first, second)
        if rest is None:
            return super().remainder(pair, first, second)
        known, drawn = rest
        return Remainder(
            self._of_information(known, scale),
            lambda table: self.weights.dot(drawn(table)) / scale,
        )


class MI(InformationIndex):
    """Normalised mutual information; adjusted for chance, the adjusted mutual information (AMI).

    The index is the mutual information of two clusterings, divided by a mean of their entropies. It
    takes hard and fuzzy clusterings. With ``perm`` and the default norm, the adjusted index of hard
    clusterings equals scikit-learn's ``adjusted_mutual_info_score``, and the index itself its
    ``normalized_mutual_info_score``, which is the V-measure.

    Parameters
    ----------
    norm : "arithmetic", "max", "min", "geometric" or "joint"
        What the mutual information is divided by: a mean of the two entropies, the larger or the
        smaller of them, or the entropy of the contingency table.

    Raises
    ------
    UnknownNameError
        If there is no such norm.

    See Also
    --------
    VI : The variation of information.
    Homogeneity, Completeness : The mutual information relative to one of the clusterings.
    NDC : The default index, which counts pairs of points.

    Notes
    -----
    With the table C and its margins p and q as shares of all points, and φ(x) = x ln x, the mutual
    information is MI = Σφ(C) − Σφ(p) − Σφ(q), and the adjusted index is
    (MI − E[MI])/(norm − E[MI]), where the norm is that of the given clusterings under every model.
    For fuzzy clusterings C = UᵀV/n.

    E[MI] is exact for hard clusterings, under every model. For fuzzy ones it is about
    (S₁ − 1)(S₂ − 1)/(2n), where S = Σ E[u²]/E[u] over the clusters is an effective number of
    clusters. An expansion to the third order is used where its error is small enough, and what
    is left is drawn otherwise.

    The mutual information of a fuzzy clustering with itself is smaller than its entropy, so that
    its index with itself is below 1. ``maximum="self"`` measures against the mean of both instead.

    References
    ----------
    .. [1] Vinh, N. X., J. Epps, J. Bailey, Information theoretic measures for clusterings
           comparison, J. Machine Learning Research 11 (2010).
    .. [2] Lei, Y., J. C. Bezdek, J. Chan, N. X. Vinh, S. Romano, J. Bailey, Extending information-
           theoretic validity indices for fuzzy clustering, IEEE Trans. Fuzzy Systems 25 (2017).

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> a, b = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]
    >>> comparison = fr.compare(a, b, index="mi")
    >>> round(comparison.observed, 4), round(comparison.adjusted, 4)
    (0.4787, 0.3552)
    >>> round(fr.similarity(a, b, index=fr.MI(norm="max")), 4)
    0.4591
    """

    title = "NMI"
    full_name = "the normalised mutual information (NMI)"
    measures = (
        "The index is the information that one clustering gives about the other, as a share of the "
        "information in both."
    )

    def __init__(self, norm: str = "arithmetic") -> None:
        if norm not in NORMS:
            raise unknown_name("norm", norm, NORMS)
        super().__init__("mi" if norm == "arithmetic" else f"mi(norm={norm!r})")
        object.__setattr__(self, "norm", norm)

    norm: str

    def combined(self, entropies: Entropies) -> Combined:
        first, second = entropies.first, entropies.second
        match self.norm:
            case "max":
                return OF_FIRST if first >= second else OF_SECOND
            case "min":
                return OF_SECOND if first >= second else OF_FIRST
            case "joint":
                return Combined(VARIATION, Entropies(0.5, 0.5, 0.5, 0.5))
            case "geometric" if first > 0.0 and second > 0.0:
                ratio = math.sqrt(second / first)
                scale = Entropies(0.5 * ratio, 0.5 / ratio, 0.0, 0.0)
                short = Entropies(*(one - two for one, two in zip(scale, MUTUAL, strict=True)))
                return Combined(short, scale)
            case "geometric":
                return Combined(MUTUAL, Entropies(0, 0, 0, 0))
        return Combined(Entropies(0, 0, 0.5, 0.5), Entropies(0.5, 0.5, 0, 0))

    def __repr__(self) -> str:
        return "MI()" if self.norm == "arithmetic" else f"MI(norm={self.norm!r})"


class Homogeneity(InformationIndex):
    """Homogeneity: the share of the first clustering's information that the second one gives.

    It is 1 if every cluster of the second clustering lies within one cluster of the first, which is
    usually the truth. For hard clusterings it equals scikit-learn's ``homogeneity_score``, except
    if the first clustering alone has a single cluster and so no information: it is 0 then, not 1.

    See Also
    --------
    Completeness : The same for the second clustering.
    MI : Both together; its default norm gives the V-measure.

    References
    ----------
    .. [1] Rosenberg, A., J. Hirschberg, V-measure: a conditional entropy-based external cluster
           evaluation measure, EMNLP-CoNLL (2007).

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> fr.similarity([0, 0, 1, 1], [0, 0, 1, 2], index="homogeneity")
    1.0
    """

    citation = "Rosenberg & Hirschberg, 2007"
    title = "homogeneity"
    full_name = "homogeneity"
    measures = (
        "The index is the share of the information in the first clustering that the second one "
        "gives."
    )

    def __init__(self) -> None:
        super().__init__("homogeneity")

    def combined(self, entropies: Entropies) -> Combined:
        return OF_FIRST


class Completeness(InformationIndex):
    """Completeness: the share of the second clustering's information that the first one gives.

    It is 1 if every cluster of the first clustering, which is usually the truth, lies within one
    cluster of the second. For hard clusterings it equals scikit-learn's ``completeness_score``,
    except if the second clustering alone has a single cluster and so no information: it is 0 then,
    not 1.

    See Also
    --------
    Homogeneity : The same for the first clustering.

    References
    ----------
    .. [1] Rosenberg, A., J. Hirschberg, V-measure: a conditional entropy-based external cluster
           evaluation measure, EMNLP-CoNLL (2007).

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> round(fr.similarity([0, 0, 1, 1], [0, 0, 1, 2], index="completeness"), 4)
    0.6667
    """

    citation = "Rosenberg & Hirschberg, 2007"
    title = "completeness"
    full_name = "completeness"
    measures = (
        "The index is the share of the information in the second clustering that the first one "
        "gives."
    )

    def __init__(self) -> None:
        super().__init__("completeness")

    def combined(self, entropies: Entropies) -> Combined:
        return OF_SECOND


class VI(InformationIndex):
    """The variation of information, as a similarity: 1 − VI/ln n.

    The variation of information is the information that is not shared, H(U|V) + H(V|U), a distance
    from 0 to ln n for hard clusterings of n points. The adjusted index is 1 − VI/E[VI], which does
    not depend on the scale; with ``perm`` it equals that of :class:`MI`.

    See Also
    --------
    MI : The mutual information.

    Notes
    -----
    The index of very fuzzy clusterings may be negative, because their variation of information may
    exceed ln n.

    References
    ----------
    .. [1] Meilă, M., Comparing clusterings: an information based distance, J. Multivariate Analysis
           98 (2007).

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> round(fr.similarity([0, 0, 1, 1], [0, 0, 1, 2], index="vi"), 4)
    0.75
    """

    citation = "Meilă, 2007"
    title = "VI similarity"
    full_name = "1 minus the normalised variation of information"
    measures = (
        "The index is 1 minus the information that the clusterings do not share, relative to the "
        "most that so many points can hold."
    )
    weights: ClassVar[Information] = Information(-2.0, 1.0, 1.0)
    offset: ClassVar[float] = 0.0
    vanishes_by_chance: ClassVar[bool] = False

    def __init__(self) -> None:
        super().__init__("vi")

    def combined(self, entropies: Entropies) -> Combined:
        return Combined(VARIATION, Entropies(1, 1, 0, 0))

    def scale(self, entropies: Entropies, n: int) -> float:
        return math.log(n)
