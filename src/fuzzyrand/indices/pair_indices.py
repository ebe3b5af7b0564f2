"""The indices that are means over pairs of points, each with an agreement and a concordance."""

from __future__ import annotations

import sys
from numbers import Real

import numpy as np

from .._base.errors import ParameterError
from .._base.wording import Option
from .agreements import CosineAgreement, DotAgreement, NormAgreement
from .base import PairIndex
from .concordances import PowerConcordance, ProductConcordance

#: Largest power of a difference of agreements.
LARGEST_Q = 100.0


class Rand(PairIndex):
    """The Rand index: the share of pairs on which two hard clusterings agree.

    See Also
    --------
    NDC : The same index, extended to fuzzy clusterings.

    Notes
    -----
    The index is the share of pairs of points that are in the same cluster in both clusterings, or
    in different clusters in both. Under the model ``perm`` the adjusted index is the adjusted Rand
    index of Hubert and Arabie. Fuzzy clusterings, and models that draw them, are refused.

    References
    ----------
    .. [1] Rand, W. M., Objective criteria for the evaluation of clustering methods, JASA 66 (1971).
    .. [2] Hubert, L., P. Arabie, Comparing partitions, J. Classification 2 (1985).

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> a, b = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]
    >>> round(fr.similarity(a, b, index="rand"), 4)
    0.6667
    >>> round(fr.adjusted_similarity(a, b, index=fr.Rand()), 4)
    0.3243
    """

    citation = "Rand, 1971"
    title = "Rand index"
    full_name = "the Rand index"
    measures = (
        "The index is the share of pairs of points that both clusterings treat alike: together "
        "in both, or apart in both."
    )

    def __init__(self) -> None:
        super().__init__("rand", hard_only=True)


class NDC(PairIndex):
    """Normalised degree of concordance: the Rand index, extended to fuzzy clusterings.

    It is the default index.

    Parameters
    ----------
    p : float, at least 1
        The norm in the co-membership; ``numpy.inf`` is the maximum norm.
    q : float, from 1 to 100
        The power of the difference in the concordance.

    Raises
    ------
    ParameterError
        If ``p`` or ``q`` is below 1, or ``q`` is above 100.

    See Also
    --------
    Rand : The special case of hard clusterings.
    CustomIndex : Other co-memberships and concordances.

    Notes
    -----
    The co-membership of two points with memberships u and v is 1 − ‖u − v‖ₚ / 2^(1/p). For p = 1
    and rows that sum to 1, this is Σ min(uᵢ, vᵢ), the share of their memberships that the points
    have in common. For possibilistic rows it is 0 where it would be negative. The index is the mean
    of ``1 − |a₁ − a₂|^q`` over all pairs of points, where a₁ and a₂ are the co-memberships of the
    pair in the two clusterings. The index of a clustering with itself is 1.

    For hard clusterings the index equals the Rand index for all p and q. Under the model ``perm``
    the adjusted index is the adjusted concordance index of D'Ambrosio et al., and for hard
    clusterings the adjusted Rand index.

    References
    ----------
    .. [1] Hüllermeier, E., M. Rifqi, S. Henzgen, R. Senge, Comparing fuzzy partitions: a
           generalization of the Rand index and related measures, IEEE Trans. Fuzzy Systems 20
           (2012).
    .. [2] D'Ambrosio, A., S. Amodio, C. Iorio, G. Pandolfo, R. Siciliano, Adjusted concordance
           index: an extension of the adjusted Rand index to fuzzy partitions, J. Classification 38
           (2021).

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> soft = [[0.9, 0.1], [0.9, 0.1], [0.1, 0.9], [0.5, 0.5]]
    >>> round(fr.similarity([0, 0, 1, 1], soft, index="ndc"), 4)
    0.6667
    >>> round(fr.similarity([0, 0, 1, 1], soft, index=fr.NDC(q=2)), 4)
    0.84
    """

    citation = "Hüllermeier et al., 2012"
    title = "NDC"
    full_name = "the normalised degree of concordance (NDC)"
    measures = (
        "The co-membership of two points in a clustering is the share of their memberships that "
        "they have in common: 1 in the same cluster, 0 in different clusters, and in between if "
        "they are partly in the same cluster. The index is 1 minus the mean absolute difference of "
        "the two co-memberships, over all pairs of points."
    )

    def __init__(self, p: float = 1.0, q: float = 1.0) -> None:
        for letter, value, below in (
            ("p", p, "this is no norm"),
            ("q", q, "small differences dominate"),
        ):
            if isinstance(value, int) and value > sys.float_info.max:
                raise ParameterError(
                    "NDC needs a smaller {parameter} than this, or math.inf.",
                    parameter=Option(letter),
                )
            if not (isinstance(value, Real) and not isinstance(value, bool) and value >= 1.0):
                raise ParameterError(
                    "NDC needs {parameter} >= 1, got {value!r}: below 1, {why}.",
                    parameter=Option(letter),
                    value=value,
                    why=below,
                )
        if q > LARGEST_Q:
            raise ParameterError(
                "NDC needs {parameter} <= {largest:g}, got {value!r}: larger powers "
                "make all differences below 1 vanish.",
                parameter=Option("q"),
                largest=LARGEST_Q,
                value=q,
            )
        plain = p == 1.0 and q == 1.0
        name = "ndc" if plain else f"ndc(p={_shortest(p)}, q={_shortest(q)})"
        super().__init__(
            name, agreement=NormAgreement(float(p)), concordance=PowerConcordance(float(q))
        )

    @property
    def p(self) -> float:
        """Exponent of the norm of the difference of two rows."""
        assert isinstance(self.agreement, NormAgreement)
        return self.agreement.p

    @property
    def q(self) -> float:
        """Exponent of the difference of two co-memberships."""
        assert isinstance(self.concordance, PowerConcordance)
        return self.concordance.q

    @property
    def explanation(self) -> str:
        if self == NDC():
            return self.measures
        return f"{self.measures} Here, differences are measured with other norms or powers."

    def __repr__(self) -> str:
        if self == NDC():
            return "NDC()"
        p = "float('inf')" if np.isinf(self.p) else _shortest(self.p)
        return f"NDC(p={p}, q={_shortest(self.q)})"


def _shortest(value: float) -> str:
    """Return the shortest text that stands for exactly this number."""
    return f"{value:g}" if float(f"{value:g}") == value else repr(float(value))


class Brouwer(PairIndex):
    """Brouwer's index: the cosine of two rows, and the product concordance.

    The index of a fuzzy clustering with itself is below 1, and the fuzzier the clustering, the
    smaller it is. ``compare(..., maximum="self")`` measures against this value instead of 1.

    See Also
    --------
    Consistency : The same concordance with the dot product of two rows.

    Notes
    -----
    The co-membership of two points with memberships u and v is the cosine u·v / (‖u‖ ‖v‖). The
    index is the mean of a₁a₂ + (1 − a₁)(1 − a₂) over all pairs of points, where a₁ and a₂ are the
    co-memberships of the pair in the two clusterings. The expected index needs only their means.

    References
    ----------
    .. [1] Brouwer, R. K., Extending the Rand, adjusted Rand and Jaccard indices to fuzzy
           partitions, J. Intelligent Information Systems 32 (2009).

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> soft = [[0.9, 0.1], [0.9, 0.1], [0.1, 0.9], [0.5, 0.5]]
    >>> round(fr.similarity([0, 0, 1, 1], soft, index="brouwer"), 4)
    0.63
    >>> round(fr.similarity(soft, soft, index=fr.Brouwer()), 4)
    0.7147
    """

    citation = "Brouwer, 2009"
    title = "Brouwer index"
    full_name = "Brouwer's fuzzy Rand index"
    measures = (
        "The co-membership of two points in a clustering is the cosine of their memberships. The "
        "index is the mean probability, over all pairs of points, that both clusterings say the "
        "same (together or apart) if co-memberships are taken as probabilities."
    )

    def __init__(self) -> None:
        super().__init__("brouwer", agreement=CosineAgreement(), concordance=ProductConcordance())


class Consistency(PairIndex):
    """The degree of consistency: the dot product of two rows, and the product concordance.

    The index of a fuzzy clustering with itself is below 1, as for :class:`Brouwer`.

    See Also
    --------
    Belief, Jousselme : The same co-membership with other concordances.

    Notes
    -----
    The co-membership of two points with memberships u and v is u·v. The index is the mean of a₁a₂ +
    (1 − a₁)(1 − a₂) over all pairs of points, where a₁ and a₂ are the co-memberships of the pair in
    the two clusterings. If every point is assigned to a cluster at random, with its memberships as
    probabilities, the index is the mean probability that both clusterings put the points of a pair
    together, or both apart.

    References
    ----------
    .. [1] Denœux, T., S. Li, S. Sriboonchitta, Evaluating and comparing soft partitions: an
           approach based on Dempster-Shafer theory, IEEE Trans. Fuzzy Systems 26 (2018).

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> soft = [[0.9, 0.1], [0.9, 0.1], [0.1, 0.9], [0.5, 0.5]]
    >>> round(fr.similarity([0, 0, 1, 1], soft, index="consistency"), 4)
    0.66
    >>> round(fr.similarity(soft, soft, index=fr.Consistency()), 4)
    0.6024
    """

    citation = "Denœux et al., 2018"
    title = "consistency index"
    full_name = "the degree of consistency"
    measures = (
        "The co-membership of two points in a clustering is the probability that they are in the "
        "same cluster, with memberships as probabilities of independent assignments. The "
        "index is the mean probability, over all pairs of points, that both clusterings say the "
        "same: together or apart."
    )

    def __init__(self) -> None:
        super().__init__("consistency", agreement=DotAgreement(), concordance=ProductConcordance())


class Belief(PairIndex):
    """Similarity by belief distance: dot products of rows, compared by absolute difference.

    See Also
    --------
    Consistency, Jousselme : The same co-membership with other concordances.
    NDC : The same concordance with another co-membership.

    Notes
    -----
    The co-membership of two points with memberships u and v is u·v. The index is the mean of ``1 −
    |a₁ − a₂|`` over all pairs of points, where a₁ and a₂ are the co-memberships of the pair in the
    two clusterings. The index of a clustering with itself is 1.

    References
    ----------
    .. [1] Denœux, T., S. Li, S. Sriboonchitta, Evaluating and comparing soft partitions: an
           approach based on Dempster-Shafer theory, IEEE Trans. Fuzzy Systems 26 (2018).

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> soft = [[0.9, 0.1], [0.9, 0.1], [0.1, 0.9], [0.5, 0.5]]
    >>> round(fr.similarity([0, 0, 1, 1], soft, index="belief"), 4)
    0.66
    """

    citation = "Denœux et al., 2018"
    title = "belief-distance index"
    full_name = "the similarity by belief distance"
    measures = (
        "The co-membership of two points in a clustering is the probability that they are in the "
        "same cluster, with memberships as probabilities of independent assignments. The "
        "index is 1 minus the mean absolute difference of the two co-memberships, over all pairs "
        "of points."
    )

    def __init__(self) -> None:
        super().__init__("belief", agreement=DotAgreement(), concordance=PowerConcordance())


class Jousselme(PairIndex):
    """Similarity by Jousselme's distance: the dot product of two rows, and 1 - (a1 - a2)^2.

    See Also
    --------
    Consistency, Belief : The same co-membership with other concordances.

    Notes
    -----
    The co-membership of two points with memberships u and v is u·v. The index is the mean of
    1 − (a₁ − a₂)² over all pairs of points, where a₁ and a₂ are the co-memberships of the pair in
    the two clusterings. The index of a clustering with itself is 1. The expected index needs only
    the means and the mean squares of the co-memberships.

    References
    ----------
    .. [1] Denœux, T., S. Li, S. Sriboonchitta, Evaluating and comparing soft partitions: an
           approach based on Dempster-Shafer theory, IEEE Trans. Fuzzy Systems 26 (2018).

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> soft = [[0.9, 0.1], [0.9, 0.1], [0.1, 0.9], [0.5, 0.5]]
    >>> round(fr.similarity([0, 0, 1, 1], soft, index="jousselme"), 4)
    0.8588
    """

    citation = "Denœux et al., 2018"
    title = "Jousselme index"
    full_name = "the similarity by Jousselme's distance"
    measures = (
        "The co-membership of two points in a clustering is the probability that they are in the "
        "same cluster, with memberships as probabilities of independent assignments. The "
        "index is 1 minus the mean squared difference of the two co-memberships, over all pairs of "
        "points."
    )

    def __init__(self) -> None:
        super().__init__("jousselme", agreement=DotAgreement(), concordance=PowerConcordance(2.0))
