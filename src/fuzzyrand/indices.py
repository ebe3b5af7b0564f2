"""Indices: how far two points agree within a clustering, and how two agreements are scored.

An index is a pair (agreement, concordance) and its value the mean concordance over all pairs of
points. The package computes with the *discordance*, 1 - concordance: with D its observed mean and
E its expectation under a random model, the adjusted index is 1 - D/E.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from . import dirichlet
from ._types import FloatArray
from .errors import NotApplicableError, UnknownNameError, unknown_name
from .partition import Partition


@dataclass(frozen=True)
class NormAgreement:
    """1 - ||u - v||_p / 2^(1/p): 1 for equal rows, 0 for two different hard clusters.

    Possibilistic rows may lie further apart than two hard clusters; they agree by 0 as well.
    """

    p: float = 1.0

    def between(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Agreement of the columns of ``x`` with those of ``y``, both of shape (k, m)."""
        return self.of_difference(x - y)

    def of_difference(self, difference: FloatArray) -> FloatArray:
        """Agreement of two rows from their difference, one pair a column."""
        size = np.abs(difference)
        if self.p == 1.0:
            distance = 0.5 * size.sum(axis=0)
        elif np.isinf(self.p):
            distance = size.max(axis=0)
        else:
            distance = (0.5 * (size**self.p).sum(axis=0)) ** (1.0 / self.p)
        return np.asarray(np.clip(1.0 - distance, 0.0, 1.0))

    def mean_of_pairs(self, partition: Partition, threads: int | None = None) -> float | None:
        """Mean over all pairs of a fuzzy clustering, where sorting gives it exactly."""
        if self.p != 1.0 or partition.possibilistic:
            return None
        total = partition.distances(None, threads).all_pairs
        return 1.0 - 0.5 * total / partition.pairs

    def dirichlet_mean(self, alpha: FloatArray) -> float | None:
        """Mean agreement of two rows of Dirichlet(alpha), where it is known in closed form."""
        return dirichlet.mean_l1_agreement(alpha) if self.p == 1.0 else None


@dataclass(frozen=True)
class PowerConcordance:
    """1 - |a1 - a2|^q."""

    q: float = 1.0


@dataclass(frozen=True)
class Index:
    """An index of the agreement-concordance type.

    Attributes
    ----------
    name : str
        What results call it.
    agreement : NormAgreement
        How far two points sit in the same place within one clustering.
    concordance : PowerConcordance
        How far two clusterings say the same about a pair.
    hard_only : bool
        Does it refuse fuzzy clusterings?
    """

    name: str
    agreement: NormAgreement = NormAgreement()
    concordance: PowerConcordance = PowerConcordance()
    hard_only: bool = False

    def require_applicable(self, *partitions: Partition) -> None:
        """Refuse clusterings that the index is not defined for."""
        if self.hard_only and not all(partition.is_hard for partition in partitions):
            raise NotApplicableError(
                f"the index {self.name!r} is defined for hard clusterings only; "
                'index="ndc" equals it there and extends it to fuzzy ones.'
            )


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
                raise UnknownNameError(
                    f"NDC needs {letter} >= 1, got {value!r}: below 1, "
                    f"{'this is no norm' if letter == 'p' else 'small differences dominate'}."
                )
        plain = p == 1.0 and q == 1.0
        name = "ndc" if plain else f"ndc(p={p:g}, q={q:g})"
        super().__init__(name, NormAgreement(float(p)), PowerConcordance(float(q)))


INDICES: dict[str, Index] = {"ndc": NDC(), "rand": Rand()}


def as_index(index: Any) -> Index:
    """An index object from a name or from itself."""
    if isinstance(index, Index):
        return index
    if isinstance(index, str) and index.lower() in INDICES:
        return INDICES[index.lower()]
    raise unknown_name("index", index, INDICES)
