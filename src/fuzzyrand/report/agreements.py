"""The agreement laws of a comparison, in bins: observed, and under the model that was used.

Laws are made again from what the comparison says of them, so that nothing is fitted twice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._api.check_model import LEVELS
from .._base.effort import Effort
from .._base.types import FloatArray
from .._distributions.atoms import Atoms
from .._distributions.families import DirichletMixture, GeneralisedDirichlet, HardOrFuzzy
from .._distributions.rows import Categorical, Dirichlet, Identical, RowDistribution
from .._inputs.partition import Partition
from .._laws.laws import law_of_pairs, law_of_rows
from .._laws.misfit import atoms_of
from ..indices.indices import INDICES, NDC, Index
from ..models import Perm
from ..results.comparison import Comparison

BINS = 40
#: Agreements drawn of a law that is not written down: a bin of 2% is then known to 1 in 1000.
DRAWS = 1 << 16


@dataclass(frozen=True)
class BinnedLaw:
    """Share of pairs in each of ``BINS`` steps from 0 to 1, mean and quantiles."""

    shares: FloatArray
    mean: float
    quantiles: tuple[float, ...]

    @classmethod
    def of(cls, atoms: Atoms) -> BinnedLaw:
        """Put a law into bins."""
        values = np.clip(atoms.values, 0.0, 1.0)
        shares, _ = np.histogram(values, np.linspace(0.0, 1.0, BINS + 1), weights=atoms.weights)
        return cls(shares, atoms.mean, atoms.quantiles(LEVELS))


@dataclass(frozen=True)
class SideLaws:
    """What pairs of one clustering do, and what they do under the model.

    ``model`` is None where that is the same, because the side is ``fixed`` or its rows are
    ``kept``, and where the law is not to be had again.
    """

    observed: BinnedLaw
    model: BinnedLaw | None = None
    fixed: bool = False
    kept: bool = False


def side_laws(c: Comparison, first: Partition, second: Partition) -> tuple[SideLaws, ...] | None:
    """Both sides' laws; None for an index without agreements, or of somebody's own."""
    index = index_of(c)
    if index is None or not index.pairwise:
        return None
    effort = Effort()
    found = []
    sides = zip((first, second), ("first", "second"), c.laws, strict=True)
    for partition, side, law in sides:
        pairs = law_of_pairs(partition, index.agreement, effort)
        observed = BinnedLaw.of(atoms_of(pairs, effort, DRAWS))
        if side == c.fixed:
            found.append(SideLaws(observed, fixed=True))
        elif law["law"] in ("observed", "resampled") or c.assumption == Perm.assumption:
            found.append(SideLaws(observed, kept=True))
        else:
            drawn = _model_atoms(law, index, effort)
            found.append(SideLaws(observed, None if drawn is None else BinnedLaw.of(drawn)))
    return tuple(found)


def index_of(c: Comparison) -> Index | None:
    """The index by its name."""
    options = re.fullmatch(r"ndc\(p=([0-9.e+-]+|inf), q=([0-9.e+-]+)\)", c.index)
    if options:
        return NDC(float(options[1]), float(options[2]))
    return INDICES.get(c.index)


def _model_atoms(law: dict[str, Any], index: Index, effort: Effort) -> Atoms | None:
    if law["law"] == "bernoulli":
        q = law["probability"]
        return Atoms(np.array([0.0, 1.0]), np.array([1.0 - q, q]))
    rows = _rows(law) if law["law"] in ("rows", "constant") else None
    return None if rows is None else atoms_of(law_of_rows(rows, index.agreement), effort, DRAWS)


def _rows(told: dict[str, Any]) -> RowDistribution | None:
    """The distribution that ``to_dict`` tells of, or None where it does not tell everything."""
    match told.get("distribution"):
        case "dirichlet":
            return Dirichlet(np.array(told["concentrations"]))
        case "categorical":
            return Categorical(np.array(told["proportions"]))
        case "identical":
            return Identical(np.array(told["row"]))
        case "generalised dirichlet":
            splits = [_rows(split) for split in told["splits"]]
            return GeneralisedDirichlet(tuple(split for split in splits if split is not None))
        case "hard or fuzzy":
            hard, fuzzy = _rows(told["hard"]), _rows(told["fuzzy"])
            assert isinstance(hard, Categorical)
            return None if fuzzy is None else HardOrFuzzy(told["share"], hard, fuzzy)
        case "mixture of Dirichlets" if "weights" in told:
            return DirichletMixture(np.array(told["weights"]), np.array(told["concentrations"]))
    return None
