"""What an index is: a mean over pairs of points, or a measure of two clusterings as wholes.

The package computes with the *discordance*, 1 - index: with D the observed discordance and E its
expectation under a random model, the adjusted index is 1 - D/E.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from .._base.errors import NotApplicableError
from .._base.estimate import Estimate
from .._base.wording import Option
from .._inputs.partition import Partition
from .agreements import Agreement, NormAgreement
from .concordances import Concordance, PowerConcordance

if TYPE_CHECKING:
    from ..models.base import Model

NDC_AGREEMENT, NDC_CONCORDANCE = NormAgreement(), PowerConcordance()


@dataclass(frozen=True, repr=False)
class Index(ABC):
    """A measure of how alike two clusterings are, from 0 to 1.

    Attributes
    ----------
    name : str
        What results call it.
    hard_only : bool
        Whether it refuses fuzzy clusterings.
    """

    #: What it measures, for somebody who has never heard of it.
    measures: ClassVar[str] = "The index was given by whoever ran the comparison."

    name: str
    hard_only: bool = False

    @property
    def explanation(self) -> str:
        """What it measures, with its options."""
        return self.measures

    @property
    def reflexive(self) -> bool:
        """Whether the index of every clustering with itself is 1."""
        return True

    def require_applicable(self, *partitions: Partition) -> None:
        """Refuse clusterings that the index is not defined for."""
        if self.hard_only and not all(partition.is_hard for partition in partitions):
            raise NotApplicableError(
                "the index {index!r} is defined for hard clusterings only; {ndc} equals it there "
                "and extends it to fuzzy ones.",
                index=self.name,
                ndc=Option("index", "ndc"),
            )

    def require_model(self, model: Model) -> None:
        """Refuse a model under which the index has no expectation."""
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
        How far two points sit in the same place within one clustering.
    concordance : Concordance
        How far two clusterings say the same about a pair.
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
    """An index of two clusterings as wholes, which is no mean over pairs of points.

    It has no agreement law, so that only a model that shuffles the points has an expectation.
    """

    @abstractmethod
    def observed(self, first: Partition, second: Partition) -> Estimate:
        """Return the discordance of two clusterings."""

    @abstractmethod
    def expected(self, first: Partition, second: Partition) -> Estimate:
        """Return its mean when the points of either clustering are shuffled."""

    def require_model(self, model: Model) -> None:
        if not model.shuffles:
            raise NotApplicableError(
                "the index {index!r} is no mean over pairs of a function of two agreements: its "
                "scale depends on all points at once, and only shuffling the points has a closed "
                "expectation. Use {perm} with it, or {ndc} with {model!r}.",
                index=self.name,
                model=model.name,
                perm=Option("model", "perm"),
                ndc=Option("index", "ndc"),
            )
        super().require_model(model)
