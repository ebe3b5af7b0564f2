"""What a random model is, and the one that keeps everything: the permutation model."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar

from .._base.effort import Effort
from .._base.errors import NotApplicableError
from .._distributions.rows import RowDistribution
from .._inputs.partition import Partition
from .._laws.laws import Law, law_of_rows
from .._laws.side import Side
from ..indices.indices import Index


@dataclass(frozen=True)
class Model:
    """What "at random" means.

    A model replaces a clustering by a random one and says how the agreement of a pair is then
    distributed. Models are compared and printed by name and options.
    """

    name: ClassVar[str]
    #: Completes "chance means ...".
    assumption: ClassVar[str]
    #: When it is worth asking.
    use: ClassVar[str]
    #: Does it draw hard clusterings, and stand in for no others?
    hard_only: ClassVar[bool] = False
    #: Does it draw fuzzy ones, even in place of a hard clustering?
    draws_fuzzy: ClassVar[bool] = False
    #: Does it draw the rows of the clustering itself, whatever they are?
    keeps_rows: ClassVar[bool] = False
    #: Does it say nothing of a hard clustering that ``cat`` does not?
    refines_cat: ClassVar[bool] = False
    fuzzy_counterpart: ClassVar[str] = ""

    def rows(self, partition: Partition, effort: Effort) -> RowDistribution | None:
        """What the rows of random points are drawn from; None if they are not independent."""
        return None

    def law(self, side: Side) -> Law:
        """The agreement law of a random clustering in place of this one."""
        rows = self.rows(side.partition, side.effort)
        assert rows is not None, "a model without independent rows has a law of its own"
        return law_of_rows(rows, side.index.agreement)

    def require_applicable(self, partition: Partition, index: Index) -> None:
        """Refuse a clustering that the model cannot stand in for, or an index it cannot meet."""
        if not index.pairwise and not isinstance(self, Perm):
            raise NotApplicableError(
                f"the index {index.name!r} is no mean over pairs of a function of two agreements: "
                "its scale depends on all points at once, and only shuffling the points has a "
                f"closed expectation. Use model='perm' with it, or index='ndc' with {self.name!r}."
            )
        if index.hard_only and self.draws_fuzzy:
            raise NotApplicableError(
                f"the model {self.name!r} draws fuzzy clusterings, for which the index "
                f"{index.name!r} is not defined; index='ndc' equals it for hard ones."
            )
        if self.hard_only and not partition.is_hard:
            raise NotApplicableError(
                f"the model {self.name!r} draws hard clusterings and cannot stand in for a "
                f"{partition.kind} one. Its fuzzy counterpart is {self.fuzzy_counterpart}; "
                "models for fuzzy clusterings are 'fit', 'sym', 'flat', 'perm' and more."
            )
        if partition.possibilistic and not self.keeps_rows:
            raise NotApplicableError(
                f"the model {self.name!r} draws memberships that sum to 1, but this clustering is "
                "possibilistic: its rows do not. Use model='perm' or 'empirical', or "
                "normalize=True."
            )

    def __str__(self) -> str:
        changed = [
            f"{field.name}={getattr(self, field.name)!r}"
            for field in fields(self)
            if getattr(self, field.name) != field.default
        ]
        return f"{self.name}({', '.join(changed)})" if changed else self.name


@dataclass(frozen=True)
class Perm(Model):
    """The permutation model: the same memberships, dealt out to the points anew.

    Number and sizes of the clusters, and every single row, stay as they are. One- and two-sided
    versions coincide. For two hard clusterings it gives the adjusted Rand index of Hubert and
    Arabie (1985), for fuzzy ones the adjusted concordance index of D'Ambrosio et al. (2021).
    """

    name: ClassVar[str] = "perm"
    assumption: ClassVar[str] = "the same memberships, shuffled over the points"
    use: ClassVar[str] = "to compare with published values"
    keeps_rows: ClassVar[bool] = True

    def law(self, side: Side) -> Law:
        return side.pairs_law
