"""Base class of random models, which replace a given clustering by a random one."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial
from typing import ClassVar, Literal

import numpy as np

from .._base.effort import Precision
from .._base.errors import NotApplicableError
from .._base.types import IntArray
from .._base.wording import Option
from .._clusterings.partition import Partition
from .._distributions.row_distributions import ClusterSizes, RowDistribution
from ..indices import Index, PairIndex
from ._laws.base import Law
from ._laws.row_pairs import law_of_rows
from ._laws.side import Side
from ._laws.whole import WholeClustering


@dataclass(frozen=True)
class Model:
    """Base class of random models.

    A model replaces a clustering by a random one, and gives the distribution of the co-membership
    of a random pair of points. Functions take a model by its name or as an object of a subclass.
    Models are equal if their classes and options are. A subclass with independent points implements
    ``rows``, and any other implements ``law``.

    See Also
    --------
    Perm : Permutations of the memberships.
    Cat, Num, All : Hard clusterings.
    Fit, Sym, Flat : A Dirichlet distribution.
    Generalised, Mixture, Kernel, Mixed, Empirical : Richer distributions.
    Custom : A distribution of your own.

    Notes
    -----
    The two sides of a comparison are independent under every model. The expected index is therefore
    E[concordance(A₁, A₂)] for independent A₁ and A₂, which follow the distributions of
    co-memberships on the two sides.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> str(fr.Fit(resolution=0.001)), fr.Fit() == fr.Fit(), isinstance(fr.Fit(), fr.Model)
    ('fit(resolution=0.001)', True, True)
    """

    name: ClassVar[str]
    #: Its name in full, for a paper; empty if it was made for a comparison.
    title: ClassVar[str] = ""
    #: Completes the sentence "chance: ...".
    assumption: ClassVar[str]
    #: How a random clustering is drawn, for readers who do not know the model, and for a paper.
    recipe: ClassVar[str]
    #: The question that the adjusted index answers.
    question: ClassVar[str]
    #: Its source, one of ``REFERENCES``; empty if it is this library's own.
    citation: ClassVar[str] = ""
    #: The paper that extends it to fuzzy clusterings, if that is another one.
    fuzzy_citation: ClassVar[str] = ""
    #: Whether it draws hard clusterings, and applies to hard clusterings only.
    hard_only: ClassVar[bool] = False
    #: Whether it draws fuzzy clusterings, even in place of a hard one.
    draws_fuzzy: ClassVar[bool] = False
    #: Whether it uses the rows of the clustering, which may then be possibilistic.
    keeps_rows: ClassVar[bool] = False
    #: Whether it takes the weights of points into account, or does not depend on them.
    takes_weights: ClassVar[bool] = False
    #: Whether it treats all clusters alike, which leaves no place for noise that is not a cluster.
    counts_clusters: ClassVar[bool] = False
    #: Whether chance tends to a limit for more and more points, so that a population has a value.
    converges: ClassVar[bool] = True
    #: Whether it only shuffles the points.
    shuffles: ClassVar[bool] = False
    #: Whether it knows the rows themselves, so that a test can only shuffle them: clusterings drawn
    #: from it repeat rows, and a repeated row agrees with itself more than two points ever do.
    resamples_rows: ClassVar[bool] = False
    #: Whether it is the same as ``cat`` for a hard clustering.
    refines_cat: ClassVar[bool] = False
    #: Whether it is meant to describe the clustering; a large misfit then needs a note.
    describes: ClassVar[bool] = False
    #: How long a fit takes, which decides how often it is repeated on clusterings drawn from it.
    #: To find the bias of a fit to few points, those that are not fast are repeated only if they
    #: describe the clustering and there are few memberships.
    refit: ClassVar[Literal["fast", "medium", "slow"]] = "medium"
    #: Largest number of points that it is repeatedly fitted to; None for any number.
    refit_points: ClassVar[int | None] = None
    fuzzy_counterpart: ClassVar[str] = ""

    def saturated(self, partition: Partition) -> bool:
        """Whether the model takes everything that agreements depend on from the clustering.

        No such clustering can be evidence against the model: the sizes of hard clusters cannot be
        evidence against ``cat``, nor the rows against ``empirical``. (Both are complete sufficient
        statistics: a test that has the same level whatever the truth is cannot depend on them.)
        """
        return self.refines_cat and partition.is_hard

    def fitted(self, partition: Partition) -> bool:
        """Whether the model depends on more than the numbers of points and clusters."""
        return True

    def settled(self, partition: Partition) -> bool:
        """Whether chance would be the same for many more points in as many clusters."""
        return self.converges

    def refit_as(self, rows: RowDistribution | None) -> Model:
        """Return the model that a check draws from and fits to the clusterings drawn.

        Parameters
        ----------
        rows : RowDistribution or None
            The distribution of the rows under the model fitted to the clustering that is checked.

        Returns
        -------
        Model
            This model, or one that leaves less to be chosen by the fit.
        """
        return self

    def draw_sizes(self, partition: Partition, rng: np.random.Generator) -> IntArray | None:
        """Draw the sizes of the clusters of a random clustering, where points are not independent.

        None where the model has independent rows, or cannot be drawn from at low cost.
        """
        return None

    def rows(self, partition: Partition, effort: Precision) -> RowDistribution | None:
        """Return the distribution of the rows; None if the points are not independent."""
        return None

    def law(self, side: Side) -> Law:
        """Return the distribution of co-memberships of a random clustering in place of this one."""
        rows = self.rows(side.partition, side.effort)
        assert rows is not None, "a model without independent rows has a law of its own"
        assert isinstance(side.index, PairIndex)
        return law_of_rows(rows, side.index.agreement, apart=side.partition.noise_is_singletons)

    def expected_sizes(self, partition: Partition) -> ClusterSizes | None:
        """Return the expected numbers of clusters of each size, where points are not independent.

        None where the model has independent rows.
        """
        return None

    def clustering(self, side: Side) -> WholeClustering:
        """Return the random clustering in place of the given one, for an index of tables."""
        partition = side.partition
        rows = self.rows(partition, side.effort)
        if rows is not None:
            return WholeClustering(partition, rows)
        if self.shuffles:
            return WholeClustering(partition)
        sizes = self.expected_sizes(partition)
        if sizes is None:
            raise NotApplicableError(
                "the model {model!r} defines co-memberships of pairs only, but {index!r} needs "
                "whole "
                "random clusterings. Use an index of pairs of points, such as {ndc}.",
                model=self.name,
                index=side.index.name,
                ndc=Option("index", "ndc"),
            )
        return WholeClustering(
            partition,
            sizes,
            self.assumption,
            partial(self.draw_sizes, partition),
        )

    @property
    def corrects_bias(self) -> bool | None:
        """Whether the bias of a fit to few points is corrected; None if there is no such option."""
        return None

    def typical_clusters(self, partition: Partition) -> float | None:
        """Return the typical number of clusters, if it may differ much from the given one."""
        return None

    def require_applicable(self, partition: Partition, index: Index) -> None:
        """Raise an error if the model does not apply to a clustering or to an index."""
        index.require_model(self)
        if partition.weights is not None and not (
            self.takes_weights or (self.refines_cat and partition.is_hard)
        ):
            raise NotApplicableError(
                "the model {model!r} cannot be combined with {weights}. All models of this library "
                "can, such as {perm}.",
                model=self.name,
                weights=Option("weights"),
                perm=Option("model", "perm"),
            )
        if self.hard_only and not partition.is_hard:
            raise NotApplicableError(
                "the model {model!r} draws hard clusterings and cannot replace a {kind} one. "
                "Its fuzzy counterpart is {counterpart}; 'perm', the default, takes any "
                "clustering.",
                model=self.name,
                kind=partition.kind,
                counterpart=self.fuzzy_counterpart,
            )
        if partition.possibilistic and not self.keeps_rows:
            raise NotApplicableError(
                "the model {model!r} draws memberships that sum to 1, but this clustering is "
                "possibilistic: its rows do not. Use {perm}, which keeps them, or {normalize}.",
                model=self.name,
                perm=Option("model", "perm"),
                normalize=Option("normalize", True),
            )

        if self.counts_clusters and partition.noise_is_singletons:
            raise NotApplicableError(
                "the model {model!r} treats all clusters alike, and noise treated as singletons "
                "is not a cluster. Use {perm} or another model that keeps the sizes of clusters; "
                "or {cluster}, or 'drop'.",
                model=self.name,
                perm=Option("model", "perm"),
                cluster=Option("noise_as", "cluster"),
            )

    def __str__(self) -> str:
        options = [
            f"{field.name}={getattr(self, field.name)!r}"
            for field in fields(self)
            if getattr(self, field.name) != field.default
        ]
        return f"{self.name}({', '.join(options)})" if options else self.name
