"""The built-in indices by name."""

from __future__ import annotations

from typing import Any

from .._base.errors import UnknownNameError, unknown_name
from .._base.wording import Option
from .base import Index, PairIndex, WholeIndex
from .custom import CustomIndex
from .frobenius import Frobenius
from .omega import Omega
from .pair_indices import NDC, Belief, Brouwer, Consistency, Jousselme, Rand

#: Classes that need arguments, or subclasses, to be indices.
ABSTRACT = (Index, PairIndex, WholeIndex, CustomIndex)

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
    )
}

#: Names of the Rand index and of the adjusted one elsewhere, and functions of scikit-learn for
#: indices that are not here.
RAND = ("ri", "rand_score", "rand_index")
ADJUSTED_RAND = ("ari", "adjusted_rand", "adjusted_rand_score", "adjusted_rand_index")
SCIKIT_LEARN = {
    "ami": "adjusted_mutual_info_score",
    "nmi": "normalized_mutual_info_score",
    "mi": "mutual_info_score",
    "v_measure": "v_measure_score",
    "fmi": "fowlkes_mallows_score",
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


def _known_elsewhere(index: Any) -> UnknownNameError | None:
    """Return an error that says what to use for an index that other libraries have."""
    name = str(index).lower().replace("-", "_").replace(" ", "_")
    function = SCIKIT_LEARN.get(name, name if name in SCIKIT_LEARN.values() else None)
    fuzzy = "; {ndc} equals it for hard clusterings, and takes fuzzy ones as well."
    if name in RAND:
        template = "the Rand index is {rand}" + fuzzy
    elif name in ADJUSTED_RAND:
        template = "the adjusted Rand index is {rand} with {perm}" + fuzzy
    elif function is not None:
        template = "it is not available here; for hard clusterings, see scikit-learn's {function}."
    else:
        return None
    return UnknownNameError(
        "unknown index {value!r}: " + template,
        value=index,
        parameter=Option("index"),
        rand=Option("index", "rand"),
        ndc=Option("index", "ndc"),
        perm=Option("model", "perm"),
        function=function,
    )
