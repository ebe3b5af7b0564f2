"""Indices: pairs of an agreement and a concordance, by name.

The value of an index is the mean concordance over all pairs of points. The package computes with
the *discordance*, 1 - concordance: with D its observed mean and E its expectation under a random
model, the adjusted index is 1 - D/E.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from .._base.errors import NotApplicableError, ParameterError, UnknownNameError, unknown_name
from .._base.types import FloatArray
from .._inputs.partition import Partition
from .agreements import Agreement, CosineAgreement, DotAgreement, FunctionAgreement, NormAgreement
from .concordances import Concordance, FunctionConcordance, PowerConcordance, ProductConcordance

NDC_AGREEMENT, NDC_CONCORDANCE = NormAgreement(), PowerConcordance()


@dataclass(frozen=True, repr=False)
class Index:
    """An index of the agreement-concordance type.

    Attributes
    ----------
    name : str
        What results call it.
    agreement : Agreement
        How far two points sit in the same place within one clustering.
    concordance : Concordance
        How far two clusterings say the same about a pair.
    hard_only : bool
        Does it refuse fuzzy clusterings?
    pairwise : bool
        Is it a mean over pairs of points of a function of two agreements? If not, only the model
        ``perm`` applies, and agreement and concordance are not used.
    """

    name: str
    agreement: Agreement = NDC_AGREEMENT
    concordance: Concordance = NDC_CONCORDANCE
    hard_only: bool = False
    pairwise: bool = True

    @property
    def reflexive(self) -> bool:
        """Is every clustering 1 like itself?"""
        return self.concordance.reflexive

    def require_applicable(self, *partitions: Partition) -> None:
        """Refuse clusterings that the index is not defined for."""
        if self.hard_only and not all(partition.is_hard for partition in partitions):
            raise NotApplicableError(
                f"the index {self.name!r} is defined for hard clusterings only; "
                'index="ndc" equals it there and extends it to fuzzy ones.'
            )
        for partition in partitions:
            refusal = self.agreement.refusal(partition) if self.pairwise else ""
            if refusal:
                raise NotApplicableError(f"index {self.name!r}: {refusal}")

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class Rand(Index):
    """The Rand index: the share of pairs that both clusterings treat alike. Hard clusterings only.

    References
    ----------
    W. M. Rand, Objective criteria for the evaluation of clustering methods, JASA 66 (1971).
    """

    def __init__(self) -> None:
        super().__init__("rand", hard_only=True)


class NDC(Index):
    """Normalized degree of concordance: the Rand index, extended to fuzzy clusterings.

    Two points agree by 1 - ||u - v||_p / 2^(1/p) within a clustering, and two clusterings
    concord by 1 - |a1 - a2|^q on a pair.

    Parameters
    ----------
    p : float, at least 1
        The norm; ``numpy.inf`` is the maximum norm.
    q : float, at least 1
        The power of the difference.

    References
    ----------
    E. Hüllermeier, M. Rifqi, S. Henzgen, R. Senge, Comparing fuzzy partitions: a generalization
    of the Rand index and related measures, IEEE Trans. Fuzzy Systems 20 (2012).
    """

    def __init__(self, p: float = 1.0, q: float = 1.0) -> None:
        for letter, value in (("p", p), ("q", q)):
            if not (isinstance(value, Real) and value >= 1.0) or (
                letter == "q" and np.isinf(value)
            ):
                raise ParameterError(
                    f"NDC needs {letter} >= 1, got {value!r}: below 1, "
                    f"{'this is no norm' if letter == 'p' else 'small differences dominate'}."
                )
        plain = p == 1.0 and q == 1.0
        name = "ndc" if plain else f"ndc(p={p:g}, q={q:g})"
        super().__init__(name, NormAgreement(float(p)), PowerConcordance(float(q)))

    def __repr__(self) -> str:
        options = self.name.removeprefix("ndc") or "()"
        return "NDC" + options.replace("inf", "float('inf')")


class Brouwer(Index):
    """Brouwer's index: the cosine of two rows, and the product concordance.

    It is not reflexive: a fuzzy clustering is less than 1 like itself, the fuzzier the less.
    ``compare(..., maximum="self")`` takes the self-similarities for the maximum.

    References
    ----------
    R. K. Brouwer, Extending the Rand, adjusted Rand and Jaccard indices to fuzzy partitions,
    J. Intelligent Information Systems 32 (2009).
    """

    def __init__(self) -> None:
        super().__init__("brouwer", CosineAgreement(), ProductConcordance())


class Consistency(Index):
    """The degree of consistency: the dot product of two rows, and the product concordance.

    The chance that both clusterings treat a pair alike when every point is put into one cluster
    at random, by its memberships. Not reflexive, as :class:`Brouwer`.

    References
    ----------
    T. Denœux, S. Li, S. Sriboonchitta, Evaluating and comparing soft partitions: an approach
    based on Dempster-Shafer theory, IEEE Trans. Fuzzy Systems 26 (2018).
    """

    def __init__(self) -> None:
        super().__init__("consistency", DotAgreement(), ProductConcordance())


class Belief(Index):
    """Similarity by belief distance: the dot product of two rows, and 1 - |a1 - a2|.

    References
    ----------
    T. Denœux, S. Li, S. Sriboonchitta, Evaluating and comparing soft partitions: an approach
    based on Dempster-Shafer theory, IEEE Trans. Fuzzy Systems 26 (2018).
    """

    def __init__(self) -> None:
        super().__init__("belief", DotAgreement(), PowerConcordance())


class Jousselme(Index):
    """Similarity by Jousselme's distance: the dot product of two rows, and 1 - (a1 - a2)^2.

    References
    ----------
    T. Denœux, S. Li, S. Sriboonchitta, Evaluating and comparing soft partitions: an approach
    based on Dempster-Shafer theory, IEEE Trans. Fuzzy Systems 26 (2018).
    """

    def __init__(self) -> None:
        super().__init__("jousselme", DotAgreement(), PowerConcordance(2.0))


class Frobenius(Index):
    """The Frobenius Rand index; with ``perm``, the Frobenius adjusted Rand index (FARI).

    The matrices of dot products of all points, scaled for fuzziness, are compared in the
    Frobenius norm. Reflexive, and no mean over pairs of a function of two agreements: only the
    model ``perm`` applies.

    References
    ----------
    J. L. Andrews, R. Browne, C. D. Hvingelby, On assessments of agreement between fuzzy
    partitions, J. Classification 39 (2022).
    """

    def __init__(self) -> None:
        super().__init__("frobenius", pairwise=False)


class CustomIndex(Index):
    """An index from two functions of your own.

    Parameters
    ----------
    agreement : function
        ``agreement(u, v)`` of two arrays of rows, both (m, k), gives m numbers from 0 to 1: 1 for
        rows in the same hard cluster, 0 in different ones.
    concordance : function
        ``concordance(a1, a2)`` of two arrays of agreements, element by element, from 0 to 1: 1
        for (0, 0) and (1, 1), 0 for (0, 1) and (1, 0).
    name : str
        What results call it.

    Notes
    -----
    The conditions are checked here, once. Every model applies. Nothing is known of the functions
    in closed form, so that fuzzy clusterings are compared by visiting or sampling pairs, and
    expected by sampling rows; results say that they are not exact. Memory does not grow with the
    number of pairs.

    Examples
    --------
    >>> overlap = CustomIndex(
    ...     lambda u, v: np.minimum(u, v).sum(axis=1) ** 2,
    ...     lambda a1, a2: 1 - np.abs(a1 - a2),
    ...     name="squared overlap",
    ... )
    >>> overlap.name
    'squared overlap'
    """

    def __init__(
        self,
        agreement: Callable[[FloatArray, FloatArray], Any],
        concordance: Callable[[FloatArray, FloatArray], Any],
        name: str = "custom",
    ) -> None:
        for what, function in (("agreement", agreement), ("concordance", concordance)):
            if not callable(function):
                raise ParameterError(f"the {what} must be a function, got {function!r}.")
        super().__init__(name, FunctionAgreement(agreement), FunctionConcordance(concordance))

    def __repr__(self) -> str:
        return f"CustomIndex(name={self.name!r})"


INDICES: dict[str, Index] = {
    index.name: index
    for index in (NDC(), Rand(), Brouwer(), Consistency(), Belief(), Jousselme(), Frobenius())
}


def as_index(index: Any) -> Index:
    """An index object from a name, from itself or from its class."""
    if isinstance(index, Index):
        return index
    if isinstance(index, str) and index.lower() in INDICES:
        return INDICES[index.lower()]
    if isinstance(index, type) and issubclass(index, Index) and index not in (Index, CustomIndex):
        return index()  # type: ignore[call-arg]
    if callable(index) and not isinstance(index, type):
        raise UnknownNameError(
            f"{index!r} is a function; CustomIndex(agreement, concordance) makes an index of two."
        )
    raise unknown_name("index", index, INDICES)
