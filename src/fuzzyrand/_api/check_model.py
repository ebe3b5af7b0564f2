"""Does a random model suit a clustering? Its agreement law beside the one observed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from html import escape
from textwrap import fill
from typing import Any

import numpy as np

from .._base.decimals import decimals
from .._base.effort import DEFAULT_MAX_DRAWS, DEFAULT_TOL, Effort, as_effort
from .._base.errors import NotApplicableError
from .._distributions.atoms import Atoms
from .._distributions.rows import Categorical, RowDistribution
from .._engine import Question
from .._inputs.partition import as_partition
from .._laws.laws import law_of_pairs
from .._laws.misfit import atoms_of, distance
from ..indices.indices import Index, as_index
from ..models import Model, as_model
from ..results.comparison import WIDTH

#: A distance that is as good as none, where pairs agree half of the time.
NEGLIGIBLE = 5e-4
LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
#: Clusterings drawn from the model, and most points of each: what is typical of more follows from
#: the square root of their number.
REPEATS, REPEATED_POINTS = 200, 150
#: The fewest of both, where there are so many clusters that a clustering has more entries than so.
FEWEST_REPEATS, FEWEST_POINTS, ENTRIES = 40, 20, 200_000
#: Stream of these clusterings; laws are drawn from streams 1 to 4.
STREAM = 5


@dataclass(frozen=True)
class ModelCheck:
    """How a model's agreement law compares with that of a clustering.

    Attributes
    ----------
    model, index, clustering : str
        What was compared.
    n : int
        Number of points.
    mean, model_mean : float
        Mean agreement of a pair, observed and under the model.
    levels : tuple of float
    quantiles, model_quantiles : tuple of float
        Agreements at these levels.
    distance : float
        Wasserstein distance of the two laws: how far agreements must move, on average, to turn
        one into the other. No expected NDC changes by more when the one takes the other's place.
    typical : tuple of float, or None
        The middle and the 95% quantile of that distance for clusterings of as many points drawn
        from the model itself; None where the model draws no independent points.
    law : dict
        The fitted distribution; ``"text"`` says it in words.
    """

    model: str
    index: str
    clustering: str
    n: int
    mean: float
    model_mean: float
    levels: tuple[float, ...]
    quantiles: tuple[float, ...]
    model_quantiles: tuple[float, ...]
    distance: float
    typical: tuple[float, float] | None
    law: dict[str, Any]
    #: The two laws themselves, for plots.
    atoms: tuple[Atoms, Atoms] = field(repr=False, compare=False)

    @property
    def suits(self) -> bool | None:
        """Is the distance no larger than that of most clusterings drawn from the model?

        One that is too small to matter always suits; None where no such clusterings were drawn.
        """
        if self.negligible:
            return True
        return None if self.typical is None else self._is_typical

    @property
    def _is_typical(self) -> bool:
        # Of few hard points there are few distances, and ties must not be decided by rounding.
        return self.typical is not None and self.distance <= self.typical[1] * (1.0 + 1e-9)

    @property
    def negligible(self) -> bool:
        """Is the distance as good as none, for how seldom pairs agree or differ?"""
        return self.distance <= NEGLIGIBLE * 4.0 * self.mean * (1.0 - self.mean)

    @property
    def sentence(self) -> str:
        """What it means."""
        if self._is_typical:
            return (
                f"The model describes the agreements of pairs as well as those of clusterings "
                f"drawn from it: a distance of {decimals(self.distance)}, where their own are "
                f"{self.typical_text}."
            )
        if self.negligible:
            return "Under the model, pairs agree just as in this clustering."
        change = self.mean - self.model_mean
        more = "more" if change > 0 else "less"
        about = (
            f"pairs agree {more} than it says "
            f"({decimals(self.mean)} against {decimals(self.model_mean)})"
            if abs(change) > 0.1 * self.distance
            else "pairs agree as much on average, but are spread otherwise"
        )
        beside = (
            "" if self.typical is None else f" (clusterings drawn from it: {self.typical_text})"
        )
        return f"The model lies {decimals(self.distance)} from this clustering{beside}: {about}."

    @property
    def typical_text(self) -> str:
        """What is typical of clusterings drawn from the model."""
        assert self.typical is not None
        middle, high = map(decimals, self.typical)
        return f"mostly about {middle}, seldom above {high}"

    def __str__(self) -> str:
        shown = [f"{level:.0%}" for level in self.levels]
        lines = [
            f"{self.model} for a clustering of {self.n:,} points: {self.clustering}",
            fill(f"  {self.law['text']}", WIDTH, subsequent_indent="  "),
            f"  {'agreement of pairs':<20}{'mean':>8}" + "".join(f"{s:>8}" for s in shown),
        ]
        rows = (
            ("observed", self.mean, self.quantiles),
            ("model", self.model_mean, self.model_quantiles),
        )
        lines += [
            f"  {name:<20}{decimals(mean, 4):>8}" + "".join(f"{q:8.4f}" for q in quantiles)
            for name, mean, quantiles in rows
        ]
        return "\n".join([*lines, fill(self.sentence, WIDTH)])

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON."""
        return {
            "model": self.model,
            "index": self.index,
            "clustering": self.clustering,
            "n": self.n,
            "mean": self.mean,
            "model_mean": self.model_mean,
            "levels": list(self.levels),
            "quantiles": list(self.quantiles),
            "model_quantiles": list(self.model_quantiles),
            "distance": self.distance,
            "typical": None if self.typical is None else list(self.typical),
            "suits": self.suits,
            "law": dict(self.law),
            "meaning": self.sentence,
        }

    def plot(self, ax: Any = None) -> Any:
        """Draw both densities; needs Matplotlib. Returns the axes."""
        from ..plot import laws

        return laws(self, ax)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{level:.0%}</th>" for level in self.levels)
        body = "".join(
            f"<tr><td>{name}</td><td>{decimals(mean, 4)}</td>"
            + "".join(f"<td>{q:.4f}</td>" for q in quantiles)
            + "</tr>"
            for name, mean, quantiles in (
                ("observed", self.mean, self.quantiles),
                ("model", self.model_mean, self.model_quantiles),
            )
        )
        return (
            f"<table><caption>{escape(self.model)}: {escape(self.sentence)}</caption>"
            f"<thead><tr><th>agreement</th><th>mean</th>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table>"
        )


def check_model(
    clustering: Any,
    model: str | Model = "fit",
    *,
    index: str | Index = "ndc",
    normalize: bool = False,
    possibilistic: bool = False,
    random_state: Any = 0,
    n_threads: int | None = None,
) -> ModelCheck:
    """Compare the agreements of pairs under a random model with those of a clustering.

    A model stands in for a clustering; this shows how like it its random clusterings are. A model
    need not be like the clustering to be the right one: ``flat`` is right where nothing is known
    but the number of clusters. But a model that is meant to describe it, as ``fit``, should.

    Parameters
    ----------
    clustering : label vector or (points, clusters) memberships
        In any form :func:`as_partition` takes.
    model : str or Model
        The model.
    index : str or Index
        Whose agreement is looked at.
    normalize, possibilistic, random_state, n_threads
        As in :func:`compare`.

    Returns
    -------
    ModelCheck

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> half_hard = np.vstack([np.eye(3)[rng.integers(3, size=200)], rng.dirichlet([9, 9, 9], 200)])
    >>> print(check_model(half_hard, "fit"))
    fit for a clustering of 400 points: fuzzy, 3 clusters
      Dirichlet, concentrations (0.02452, 0.02659, 0.02927), precision 0.08039
      agreement of pairs      mean      5%     25%     50%     75%     95%
      observed              0.4634  0.0000  0.2516  0.3702  0.8236  1.0000
      model                 0.3377  0.0000  0.0000  0.0058  0.9466  1.0000
    The model lies 0.167 from this clustering (clusterings drawn from it: mostly about 0.009,
    seldom above 0.018): pairs agree more than it says (0.463 against 0.338).
    >>> check_model(half_hard, "mixed").suits
    True
    """
    partition = as_partition(clustering, normalize=normalize, possibilistic=possibilistic)
    effort = as_effort(DEFAULT_TOL, random_state, "auto", DEFAULT_MAX_DRAWS, n_threads)
    resolved, chosen = as_index(index), as_model(model)
    if not resolved.pairwise:
        raise NotApplicableError(
            f"the index {resolved.name!r} has no agreement of pairs to look at; use index='ndc'."
        )
    (side,) = Question(resolved, effort).sides(partition)
    law = side.law(chosen)
    observed, modelled = (atoms_of(each, effort) for each in (side.pairs_law, law))
    rows = chosen.rows(partition, effort)
    typical = None
    if rows is not None:
        typical = _typical(rows, modelled, partition.n, partition.k, resolved, effort)
        if law.drawn:  # draws differ among themselves, however many points there are
            again = distance(modelled, atoms_of(law, replace(effort, seed=effort.seed + 1)))
            typical = (typical[0] + again, typical[1] + 2.0 * again)
    exact_mean = side.pairs_law.mean if side.pairs_law.knows(1) else None
    return ModelCheck(
        model=str(chosen),
        index=resolved.name,
        clustering=partition.summary,
        n=partition.n,
        mean=observed.mean if exact_mean is None else exact_mean.value,
        model_mean=modelled.mean if law.mean is None else law.mean.value,
        levels=LEVELS,
        quantiles=observed.quantiles(LEVELS),
        model_quantiles=modelled.quantiles(LEVELS),
        distance=distance(observed, modelled),
        typical=typical,
        law={**law.to_dict(), "text": law.describe()},
        atoms=(observed, modelled),
    )


def _typical(
    rows: RowDistribution, modelled: Atoms, n: int, clusters: int, index: Index, effort: Effort
) -> tuple[float, float]:
    """Middle and 95% quantile of the distance, of clusterings drawn from the model."""
    points, repeats = _affordable(rows, n, clusters)
    coarse = _thinned(modelled)

    def one(repeat: int) -> float:
        rng = effort.stream(STREAM, repeat)
        if isinstance(rows, Categorical):  # labels, as the rows would be nearly all zeros
            drawn = as_partition(rows.codes(rng, points))
        else:
            drawn = as_partition(rows.sample(rng, points), possibilistic=True)
        return distance(atoms_of(law_of_pairs(drawn, index.agreement, effort), effort), coarse)

    found = np.array([one(repeat) for repeat in range(repeats)])
    middle, high = np.quantile(found * np.sqrt(points / n), [0.5, 0.95])
    return float(middle), float(high)


def _affordable(rows: RowDistribution, n: int, clusters: int) -> tuple[int, int]:
    """How many points a drawn clustering has, and how many of them are drawn.

    A row of very many clusters costs so much that fewer have to do.
    """
    if isinstance(rows, Categorical):
        return min(n, REPEATED_POINTS), REPEATS
    points = np.clip(ENTRIES // clusters, FEWEST_POINTS, REPEATED_POINTS)
    repeats = np.clip(REPEATS * ENTRIES // int(points * clusters), FEWEST_REPEATS, REPEATS)
    return min(n, int(points)), int(repeats)


def _thinned(atoms: Atoms, size: int = 4096) -> Atoms:
    """A law of so many values: its quantiles."""
    if atoms.values.size <= size:
        return atoms
    passed = np.cumsum(atoms.weights)
    at = np.searchsorted(passed, passed[-1] * (np.arange(size) + 0.5) / size)
    return Atoms.of_sample(atoms.values[at])
