"""Base classes of indices: means over pairs of points, and functions of contingency tables.

The package computes with the *discordance*, 1 - index. If D is the observed discordance and E its
expectation under a random model, the adjusted index is 1 - D/E.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol

from .._base.errors import NotApplicableError
from .._base.estimate import ROUNDING, Estimate
from .._base.types import FloatArray
from .._base.wording import Option
from .._clusterings.partition import Partition
from .._distributions.row_distributions import ClusterSizes, RowDistribution
from .._pairs.table import CrossTabulation, Table
from .agreements import Agreement, NormAgreement
from .concordances import Concordance, PowerConcordance

NDC_AGREEMENT, NDC_CONCORDANCE = NormAgreement(), PowerConcordance()


class ModelFacts(Protocol):
    """What an index asks of a random model."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def shuffles(self) -> bool:
        """Whether it shuffles the points."""

    @property
    def draws_fuzzy(self) -> bool:
        """Whether it draws fuzzy clusterings."""

    @property
    def corrects_bias(self) -> bool | None:
        """Whether it corrects for the bias of a fit; None if it has none."""


@dataclass(frozen=True, repr=False)
class Index(ABC):
    """Base class of the similarity indices of two clusterings, from 0 to 1.

    Functions take an index by its name or as an object of a subclass.

    Attributes
    ----------
    name : str
        Name of the index in results.
    hard_only : bool
        Whether the index is defined for hard clusterings only.

    See Also
    --------
    NDC, Rand, Brouwer, Consistency, Belief, Jousselme, Frobenius : The built-in indices.
    CustomIndex : An index from an agreement and a concordance of your own.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> isinstance(fr.NDC(), fr.Index), fr.NDC(p=2).name
    (True, 'ndc(p=2, q=1)')
    """

    #: Its name in texts and pictures, as in "adjusted NDC"; empty if that is ``name``.
    title: ClassVar[str] = ""

    #: Its name in full, with an article, for a paper; empty if it was made for a comparison.
    full_name: ClassVar[str] = ""

    #: What the index measures, for readers who do not know it.
    measures: ClassVar[str] = "The index was defined for this comparison."

    #: Whether the index is defined for covers, whose clusters overlap.
    takes_covers: ClassVar[bool] = False

    #: Its source, one of ``REFERENCES``; empty if it was made for a comparison.
    citation: ClassVar[str] = ""

    name: str
    hard_only: bool = False

    @property
    def explanation(self) -> str:
        """What the index measures, with its options."""
        return self.measures

    @property
    def reflexive(self) -> bool:
        """Whether the index of every clustering with itself is 1."""
        return True

    @property
    def equals_rand(self) -> bool:
        """Whether the index of hard clusterings is the Rand index."""
        return True

    def require_applicable(self, *partitions: Partition) -> None:
        """Raise an error if the index is not defined for a clustering."""
        if not self.takes_covers and any(partition.cover for partition in partitions):
            raise NotApplicableError(
                "clusters overlap (points are in several clusters, or in none), and the index "
                "{index!r} is not defined for that. {omega} is: it counts the clusters that two "
                "points share.",
                index=self.name,
                omega=Option("index", "omega"),
            )
        if self.hard_only and not all(partition.is_hard for partition in partitions):
            extends = "equals it there and extends it to" if self.equals_rand else "also takes"
            raise NotApplicableError(
                "the index {index!r} is defined for hard clusterings only; {ndc} "
                f"{extends} fuzzy ones.",
                index=self.name,
                ndc=Option("index", "ndc"),
            )

    def require_model(self, model: ModelFacts) -> None:
        """Raise an error if the index has no expectation under a model."""
        if self.hard_only and model.draws_fuzzy:
            raise NotApplicableError(
                "the model {model!r} draws fuzzy clusterings, for which the index {index!r} is "
                "not defined; use another model, or {ndc}.",
                model=model.name,
                index=self.name,
                ndc=Option("index", "ndc"),
            )

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


@dataclass(frozen=True, repr=False)
class PairIndex(Index):
    """The mean, over all pairs of points, of the concordance of two agreements.

    Attributes
    ----------
    agreement : Agreement
        How close together two points are within a clustering.
    concordance : Concordance
        How well the agreements of a pair in two clusterings match.
    """

    agreement: Agreement = NDC_AGREEMENT
    concordance: Concordance = NDC_CONCORDANCE

    @property
    def reflexive(self) -> bool:
        return self.concordance.reflexive

    def require_applicable(self, *partitions: Partition) -> None:
        super().require_applicable(*partitions)
        for partition in partitions:
            refusal = self.agreement.refusal(partition)
            if refusal is not None:
                raise NotApplicableError(
                    "index {index!r}: " + refusal.template, index=self.name, **refusal.fields
                )


#: What stands for a side under a model: the clustering itself (None), independent rows, or random
#: cluster sizes.
Chance = RowDistribution | ClusterSizes | None


class TableIndex(Index):
    """An index that depends on two clusterings through their contingency table.

    A subclass implements ``discordance``. Its expectation is then found by drawing tables, and
    a subclass that knows better implements ``expected`` or ``remainder`` as well.

    See Also
    --------
    MI, VI, Frobenius : Built-in indices of this kind.
    CustomIndex : An index that is a mean over pairs of points.
    """

    #: Whether it has an expectation under models that shuffle points only.
    shuffles_only: ClassVar[bool] = False

    #: Whether it has :meth:`heights`: it is a mean over points, and vanishes by chance.
    sums_points: ClassVar[bool] = False

    #: Whether its expectation tends to 0 for more and more points in as many clusters.
    vanishes_by_chance: ClassVar[bool] = False

    @property
    def equals_rand(self) -> bool:
        return False

    def constants(self, pair: CrossTabulation) -> Any:
        """Return what the index takes from the observed clusterings, whatever the table is."""
        return None

    @abstractmethod
    def discordance(self, table: Table, constants: Any) -> float:
        """Return 1 minus the index of a table."""

    def observed(self, pair: CrossTabulation) -> Estimate:
        """Return the discordance of two clusterings."""
        value = self.discordance(pair.table, self.constants(pair))
        return Estimate(value, error_bound=ROUNDING, how=how_tabulated(pair))

    def self_discordance(self, pair: CrossTabulation) -> Estimate:
        """Return the mean discordance of each clustering with itself, on the scale of both."""
        constants = self.constants(pair)
        one, two = (self.discordance(table, constants) for table in pair.selves)
        return Estimate(0.5 * (one + two), error_bound=ROUNDING)

    def expected(self, pair: CrossTabulation, first: Chance, second: Chance) -> Estimate | None:
        """Return the mean discordance under a model, if it is known without drawing tables.

        Parameters
        ----------
        pair : CrossTabulation
            The observed clusterings.
        first, second : RowDistribution, ClusterSizes or None
            What the model puts in place of each clustering. The rows of clusterings that stay as
            they are (None) are shuffled over the points, unless the other side is drawn anyway.
        """
        return None

    def remainder(self, pair: CrossTabulation, first: Chance, second: Chance) -> Remainder:
        """Return the part of the discordance whose mean must be found by drawing tables.

        The parameters are those of :meth:`expected`.
        """
        constants = self.constants(pair)
        return Remainder(0.0, lambda table: self.discordance(table, constants))

    def details(self, pair: CrossTabulation) -> dict[str, float]:
        """Return other numbers about two clusterings that a result should have."""
        return {}

    def heights(self, pair: CrossTabulation) -> FloatArray:
        """Return numbers for the cells whose mean over points is the discordance times a constant.

        The number of a point is the mean of those of the cells, weighted by its memberships.
        """
        raise AssertionError(f"the index {self.name} is not a mean over points")

    def require_model(self, model: ModelFacts) -> None:
        super().require_model(model)
        if model.shuffles:
            return
        if self.shuffles_only:
            raise NotApplicableError(
                "the expected value of the index {index!r} is known under {perm} only, because the "
                "index is not a mean over pairs of points. Use {perm}, or {ndc} with {model!r}.",
                index=self.name,
                model=model.name,
                perm=Option("model", "perm"),
                ndc=Option("index", "ndc"),
            )
        if model.corrects_bias:
            raise NotApplicableError(
                "{bias} is for indices that are means over pairs of points, which {index!r} is "
                "not. Use {plugin}, or {ndc}.",
                bias=Option("bias", "corrected"),
                plugin=Option("bias", "plugin"),
                index=self.name,
                ndc=Option("index", "ndc"),
            )


class Remainder(NamedTuple):
    """A discordance as the sum of a part whose mean is known and a part to be drawn."""

    known: float
    drawn: Callable[[Table], float]


def how_tabulated(pair: CrossTabulation) -> str:
    """Return how the table of two clusterings was computed, in words."""
    return f"contingency table{pair.first.in_blocks}"
