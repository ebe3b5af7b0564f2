"""Base classes of indices: means over pairs of points, and measures of whole clusterings.

The package computes with the *discordance*, 1 - index. If D is the observed discordance and E its
expectation under a random model, the adjusted index is 1 - D/E.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from .._base.errors import NotApplicableError
from .._base.estimate import Estimate
from .._base.types import FloatArray
from .._base.wording import Option
from .._inputs.partition import Partition
from .agreements import Agreement, NormAgreement
from .concordances import Concordance, PowerConcordance

if TYPE_CHECKING:
    from ..models.base import Model

NDC_AGREEMENT, NDC_CONCORDANCE = NormAgreement(), PowerConcordance()


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

    #: What the index measures, for readers who do not know it.
    measures: ClassVar[str] = "The index was defined for this comparison."

    #: Whether the index is defined for covers, whose clusters overlap.
    takes_covers: ClassVar[bool] = False

    #: Citation of its source, for a paper; empty if it was made for a comparison.
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

    def require_applicable(self, *partitions: Partition) -> None:
        """Raise an error if the index is not defined for a clustering."""
        if not self.takes_covers and any(partition.cover for partition in partitions):
            raise NotApplicableError(
                "clusters overlap: points are in several clusters at once, or in none, and the "
                "index {index!r} compares points that divide one membership among clusters. "
                "{omega} counts the clusters that two points share.",
                index=self.name,
                omega=Option("index", "omega"),
            )
        if self.hard_only and not all(partition.is_hard for partition in partitions):
            raise NotApplicableError(
                "the index {index!r} is defined for hard clusterings only; {ndc} equals it there "
                "and extends it to fuzzy ones.",
                index=self.name,
                ndc=Option("index", "ndc"),
            )

    def require_model(self, model: Model) -> None:
        """Raise an error if the index has no expectation under a model."""
        if self.hard_only and model.draws_fuzzy:
            raise NotApplicableError(
                "the model {model!r} draws fuzzy clusterings, for which the index {index!r} is "
                "not defined; {ndc} equals it for hard ones.",
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


class WholeIndex(Index):
    """An index of two whole clusterings, which is not a mean over pairs of points.

    It has no agreement law, so it has an expectation only under a model that shuffles points.
    """

    @abstractmethod
    def observed(self, first: Partition, second: Partition) -> Estimate:
        """Return the discordance of two clusterings."""

    def observed_by_points(
        self, first: Partition, second: Partition
    ) -> tuple[Estimate, FloatArray | None]:
        """Return the discordance, and the mean over the pairs of each point, where it is known."""
        return self.observed(first, second), None

    @abstractmethod
    def expected(self, first: Partition, second: Partition) -> Estimate:
        """Return the mean discordance when the points of a clustering are shuffled."""

    def require_model(self, model: Model) -> None:
        if not model.shuffles and self.takes_covers:
            raise NotApplicableError(
                "the model {model!r} has no clusters that overlap: it draws points that divide one "
                "membership among clusters. Use {perm}, which keeps them as they are.",
                model=model.name,
                perm=Option("model", "perm"),
            )
        if not model.shuffles:
            raise NotApplicableError(
                "the index {index!r} is not a mean over pairs of a function of two agreements: its "
                "scale depends on all points at once, and only shuffling the points has a closed "
                "expectation. Use {perm} with it, or {ndc} with {model!r}.",
                index=self.name,
                model=model.name,
                perm=Option("model", "perm"),
                ndc=Option("index", "ndc"),
            )
        super().require_model(model)
