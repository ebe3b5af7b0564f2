"""The indices that are means over pairs of points, each an agreement and a concordance."""

from __future__ import annotations

from numbers import Real

import numpy as np

from .._base.errors import ParameterError
from .._base.wording import Option
from .agreements import CosineAgreement, DotAgreement, NormAgreement
from .base import PairIndex
from .concordances import PowerConcordance, ProductConcordance


class Rand(PairIndex):
    """The Rand index: the share of pairs that both clusterings treat alike. Hard clusterings only.

    References
    ----------
    W. M. Rand, Objective criteria for the evaluation of clustering methods, JASA 66 (1971).
    """

    measures = (
        "The index is the share of pairs of points that both clusterings treat alike: together "
        "in both, or apart in both."
    )

    def __init__(self) -> None:
        super().__init__("rand", hard_only=True)


class NDC(PairIndex):
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

    measures = (
        "Two points agree in a clustering by the share of their memberships that they have in "
        "common: 1 in the same cluster, 0 in different ones, and something between if they are "
        "only partly in the same. The index is 1 minus the mean difference of the two agreements."
    )

    def __init__(self, p: float = 1.0, q: float = 1.0) -> None:
        for letter, value in (("p", p), ("q", q)):
            if not (isinstance(value, Real) and value >= 1.0) or (
                letter == "q" and np.isinf(value)
            ):
                raise ParameterError(
                    "NDC needs {parameter} >= 1, got {value!r}: below 1, {why}.",
                    parameter=Option(letter),
                    value=value,
                    why="this is no norm" if letter == "p" else "small differences dominate",
                )
        plain = p == 1.0 and q == 1.0
        name = "ndc" if plain else f"ndc(p={p:g}, q={q:g})"
        super().__init__(
            name, agreement=NormAgreement(float(p)), concordance=PowerConcordance(float(q))
        )

    @property
    def explanation(self) -> str:
        if self == NDC():
            return self.measures
        return f"{self.measures} Differences are measured with other norms and powers here."

    def __repr__(self) -> str:
        options = self.name.removeprefix("ndc") or "()"
        return "NDC" + options.replace("inf", "float('inf')")


class Brouwer(PairIndex):
    """Brouwer's index: the cosine of two rows, and the product concordance.

    It is not reflexive: the index of a fuzzy clustering with itself is below 1, the more so the
    fuzzier it is. ``compare(..., maximum="self")`` takes the self-similarities for the maximum.

    References
    ----------
    R. K. Brouwer, Extending the Rand, adjusted Rand and Jaccard indices to fuzzy partitions,
    J. Intelligent Information Systems 32 (2009).
    """

    measures = (
        "Two points agree in a clustering by the cosine of their memberships. The index is the "
        "mean chance that both clusterings say the same, together or apart."
    )

    def __init__(self) -> None:
        super().__init__("brouwer", agreement=CosineAgreement(), concordance=ProductConcordance())


class Consistency(PairIndex):
    """The degree of consistency: the dot product of two rows, and the product concordance.

    The chance that both clusterings treat a pair alike when every point is put into one cluster
    at random, by its memberships. Not reflexive, as :class:`Brouwer`.

    References
    ----------
    T. Denœux, S. Li, S. Sriboonchitta, Evaluating and comparing soft partitions: an approach
    based on Dempster-Shafer theory, IEEE Trans. Fuzzy Systems 26 (2018).
    """

    measures = (
        "Two points agree in a clustering by the chance that both fall into the same cluster if "
        "each is put into one at random, by its memberships. The index is the mean "
        "chance that both clusterings then say the same."
    )

    def __init__(self) -> None:
        super().__init__("consistency", agreement=DotAgreement(), concordance=ProductConcordance())


class Belief(PairIndex):
    """Similarity by belief distance: the dot product of two rows, and 1 - |a1 - a2|.

    References
    ----------
    T. Denœux, S. Li, S. Sriboonchitta, Evaluating and comparing soft partitions: an approach
    based on Dempster-Shafer theory, IEEE Trans. Fuzzy Systems 26 (2018).
    """

    measures = (
        "Two points agree in a clustering by the chance that both fall into the same cluster if "
        "each is put into one at random, by its memberships. The index is 1 minus "
        "the mean difference of the two agreements."
    )

    def __init__(self) -> None:
        super().__init__("belief", agreement=DotAgreement(), concordance=PowerConcordance())


class Jousselme(PairIndex):
    """Similarity by Jousselme's distance: the dot product of two rows, and 1 - (a1 - a2)^2.

    References
    ----------
    T. Denœux, S. Li, S. Sriboonchitta, Evaluating and comparing soft partitions: an approach
    based on Dempster-Shafer theory, IEEE Trans. Fuzzy Systems 26 (2018).
    """

    measures = (
        "Two points agree in a clustering by the chance that both fall into the same cluster if "
        "each is put into one at random, by its memberships. The index is 1 minus "
        "the mean squared difference of the two agreements."
    )

    def __init__(self) -> None:
        super().__init__("jousselme", agreement=DotAgreement(), concordance=PowerConcordance(2.0))
