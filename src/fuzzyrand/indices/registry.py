"""The built-in indices by name."""

from __future__ import annotations

from typing import Any

from .._base.errors import UnknownNameError, unknown_name
from .._base.wording import Option
from .base import Index, PairIndex, TableIndex
from .custom import CustomIndex
from .frobenius import Frobenius
from .hard_tables import NCA, Accuracy, FowlkesMallows, Jaccard
from .information import MI, VI, Completeness, Homogeneity
from .omega import Omega
from .pair_indices import NDC, Belief, Brouwer, Consistency, Jousselme, Rand

#: Classes that need arguments, or subclasses, to be indices.
ABSTRACT = (Index, PairIndex, TableIndex, CustomIndex)

INDICES: dict[str, Index] = {
    index.name: index
    for index in (
        NDC(),
        Rand(),
        Brouwer(),
        Consistency(),
        Belief(),
        Jousselme(),
        Frobenius(),
        Omega(),
        MI(),
        VI(),
        Homogeneity(),
        Completeness(),
        FowlkesMallows(),
        Jaccard(),
        Accuracy(),
        NCA(),
    )
}

#: Names that indices have elsewhere.
RAND = ("ri", "rand_score", "rand_index")
ADJUSTED_RAND = ("ari", "adjusted_rand", "adjusted_rand_score", "adjusted_rand_index")
ELSEWHERE = {
    "ami": "mi",
    "adjusted_mutual_info_score": "mi",
    "nmi": "mi",
    "normalized_mutual_info_score": "mi",
    "mutual_info_score": "mi",
    "v_measure": "mi",
    "v_measure_score": "mi",
    "homogeneity_score": "homogeneity",
    "completeness_score": "completeness",
    "fmi": "fm",
    "fowlkes_mallows_score": "fm",
}


def as_index(index: Any) -> Index:
    """Return an index object from a name, from itself or from its class."""
    if isinstance(index, Index):
        return index
    if isinstance(index, str) and index.lower() in INDICES:
        return INDICES[index.lower()]
    if isinstance(index, type) and issubclass(index, Index) and index not in ABSTRACT:
        return index()  # type: ignore[call-arg]
    if callable(index) and not isinstance(index, type):
        raise UnknownNameError(
            "{value!r} is a function; CustomIndex(agreement, concordance) makes an index of two.",
            value=index,
        )
    raise _known_elsewhere(index) or unknown_name("index", index, INDICES)


def title_of(name: str) -> str:
    """Return the name of an index in texts and pictures, which is that of its paper.

    Examples
    --------
    >>> title_of("ndc"), title_of("ndc(p=2, q=1)"), title_of("mine")
    ('NDC', 'NDC(p=2, q=1)', 'mine')
    """
    plain, bracket, options = name.partition("(")
    return f"{INDICES[plain].title}{bracket}{options}" if plain in INDICES else name


def _known_elsewhere(index: Any) -> UnknownNameError | None:
    """Return an error that says what to use for an index that other libraries have."""
    name = str(index).lower().replace("-", "_").replace(" ", "_")
    fuzzy = "; {ndc} equals it for hard clusterings, and takes fuzzy ones as well."
    if name in RAND:
        template = "the Rand index is {rand}" + fuzzy
    elif name in ADJUSTED_RAND:
        template = "the adjusted Rand index is {rand} with {perm}" + fuzzy
    elif name in ELSEWHERE:
        template = "it is {here}, which every function also gives adjusted for chance."
    else:
        return None
    return UnknownNameError(
        "unknown index {value!r}: " + template,
        value=index,
        parameter=Option("index"),
        rand=Option("index", "rand"),
        ndc=Option("index", "ndc"),
        perm=Option("model", "perm"),
        here=Option("index", ELSEWHERE.get(name)),
    )
