"""Many clusterings at once: all pairs of them, or all against one reference."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from html import escape
from numbers import Integral
from typing import Any

import numpy as np

from .._base.effort import DEFAULT_MAX_DRAWS, DEFAULT_TOL, as_effort
from .._base.errors import (
    InputError,
    MissingExtraError,
    NotApplicableError,
    ParameterError,
    unknown_name,
)
from .._base.naming import abbreviate
from .._base.progress import progress
from .._base.types import FloatArray
from .._discordance.expected import moments_suffice
from .._engine import Question, compare_sides
from .._inputs.partition import Partition, as_partition
from .._inputs.same_points import in_order_of, read_together, require_same_points
from .._laws.side import Side, laws_of
from ..indices.indices import Index, as_index
from ..models import Model, Perm, as_model
from ..results.comparison import WIDTH, Comparison
from ..results.matrix_text import matrix_text
from .compare import ModelLike, as_fixed, as_maximum


@dataclass(frozen=True, eq=False)
class Pairwise:
    """A labelled matrix of comparisons.

    Attributes
    ----------
    rows, columns : tuple of str
        Names of the clusterings.
    comparisons : tuple of tuple of Comparison
        Row by row; ``result["a", "b"]`` finds one by names.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    comparisons: tuple[tuple[Comparison, ...], ...]

    def matrix(self, what: str = "adjusted") -> FloatArray:
        """One attribute of every comparison, e.g. ``"observed"`` or ``"stderr"``."""
        return np.array([[getattr(c, what) for c in row] for row in self.comparisons])

    @property
    def adjusted(self) -> FloatArray:
        """Matrix of adjusted indices."""
        return self.matrix("adjusted")

    @property
    def observed(self) -> FloatArray:
        """Matrix of observed indices."""
        return self.matrix("observed")

    @property
    def expected(self) -> FloatArray:
        """Matrix of expected indices."""
        return self.matrix("expected")

    @property
    def stderr(self) -> FloatArray:
        """Matrix of standard errors of the adjusted indices."""
        return self.matrix("stderr")

    def __getitem__(self, names: tuple[str, str]) -> Comparison:
        row, column = names
        for name, known in ((row, self.rows), (column, self.columns)):
            if name not in known:
                raise KeyError(f"no clustering {name!r} here; there are {', '.join(known)}")
        return self.comparisons[self.rows.index(row)][self.columns.index(column)]

    def to_frame(self, what: str = "adjusted") -> Any:
        """The matrix as a pandas DataFrame with the names on both axes."""
        try:
            import pandas as pd
        except ImportError:
            raise MissingExtraError(
                "to_frame() needs pandas: pip install pandas. Without it, matrix() gives an array."
            ) from None
        return pd.DataFrame(self.matrix(what), index=list(self.rows), columns=list(self.columns))

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON."""
        return {
            "rows": list(self.rows),
            "columns": list(self.columns),
            "adjusted": self.adjusted.tolist(),
            "stderr": self.stderr.tolist(),
            "comparisons": [[c.to_dict() for c in row] for row in self.comparisons],
        }

    def __str__(self) -> str:
        return self.text()

    def text(self, width: int = WIDTH) -> str:
        """What ``print`` shows, but as wide as you like."""
        return "\n".join([self._caption(), *self._table(width), self._accuracy()])

    def _table(self, width: int) -> list[str]:
        if not self._has_reference:
            return matrix_text(self.rows, self.columns, self.adjusted.tolist(), width)
        names = abbreviate(self.columns, max(width - 30, 10))
        left = max(len(name) for name in names)
        return [f"{'':<{left}}  adjusted   ± stderr"] + [
            f"{name:<{left}}  {c.adjusted:z8.4f}   {c.short_accuracy}"
            for name, c in zip(names, self.comparisons[0], strict=True)
        ]

    def _accuracy(self) -> str:
        every = [c for row in self.comparisons for c in row]
        if all(c.exact for c in every):
            return "all exact"
        worst, bound = max(c.stderr for c in every), max(c.error_bound for c in every)
        if math.isinf(bound):
            return "some of unknown accuracy: chance is too near perfect agreement"
        if worst > 0.0:
            return f"largest standard error {worst:.1g}"
        return f"largest error {bound:.1g}, from rounding or tables"

    @property
    def _has_reference(self) -> bool:
        """Are all compared with one only?"""
        return self.rows != self.columns

    def _caption(self) -> str:
        c = self.comparisons[0][0]
        first, second = ("reference", "others") if self._has_reference else ("rows", "columns")
        fixed = {None: "", "first": f"; {first} fixed", "second": f"; {second} fixed"}[c.fixed]
        beside = f" with {self.rows[0]}" if self._has_reference else ""
        return f"adjusted {c.index}{beside} under {c.model}{fixed}, {c.n:,} points"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        body = "".join(
            f"<tr><th>{escape(name)}</th>"
            + "".join(f"<td title='± {c.stderr:.1g}'>{c.adjusted:z.4f}</td>" for c in row)
            + "</tr>"
            for name, row in zip(self.rows, self.comparisons, strict=True)
        )
        caption = f"<caption>{escape(self._caption())}</caption>"
        return (
            f"<table>{caption}<thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>"
        )


def pairwise(
    clusterings: Mapping[str, Any] | Iterable[Any],
    *,
    reference: Any = None,
    index: str | Index = "ndc",
    model: ModelLike = "fit",
    fixed: str | None = None,
    maximum: float | str = 1,
    normalize: bool = False,
    possibilistic: bool = False,
    tol: float = DEFAULT_TOL,
    random_state: Any = 0,
    pairs: str | int = "auto",
    max_draws: int = DEFAULT_MAX_DRAWS,
    n_threads: int | None = None,
    n_jobs: int | None = None,
) -> Pairwise:
    """Compare many clusterings of the same points: all pairs, or all with one reference.

    Each entry equals what :func:`compare` gives for that pair. What belongs to one clustering
    alone (its fit, the law of its pairs) is computed once.

    Parameters
    ----------
    clusterings : dict or list
        By name, or numbered from 0.
    reference : str, int or clustering, optional
        Compare only with this one: the name or number of a member, or another clustering. The
        result has one row; ``fixed="first"`` then keeps the reference fixed.
    n_jobs : int, optional
        Comparisons at a time, by joblib (``pip install "fuzzyrand[parallel]"``); -1 for all
        cores. By default one at a time, each on all cores; several run on one thread each, unless
        ``n_threads`` says otherwise.
    index, model, fixed, maximum, normalize, possibilistic, tol, random_state, pairs
        As in :func:`compare`. With ``fixed="first"`` the row stays as it is.
    max_draws, n_threads
        As in :func:`compare`.

    Returns
    -------
    Pairwise

    Examples
    --------
    >>> soft = [[1, 0], [0.8, 0.2], [0, 1], [0, 1], [0.5, 0.5]]
    >>> print(pairwise({"k-means": [0, 0, 1, 1, 2], "soft": soft}, model="perm"))
    adjusted ndc under perm, 5 points
             k-means     soft
    k-means   1.0000   0.3966
    soft      0.3966   1.0000
    all exact
    """
    if n_jobs is not None and not (isinstance(n_jobs, Integral) and n_jobs != 0):
        raise ParameterError(
            f"n_jobs must be a number of comparisons at a time, -1 for all cores, or None; "
            f"got {n_jobs!r}."
        )
    effort = as_effort(tol, random_state, pairs, max_draws, n_threads)
    if n_jobs is not None and n_jobs != 1 and n_threads is None:
        effort = replace(effort, threads=1)
    question = Question(as_index(index), effort, as_fixed(fixed), as_maximum(maximum))
    chosen = as_model(model)
    partitions = _read_all(clusterings, normalize, possibilistic)
    names = tuple(partitions)
    sides = dict(zip(names, question.sides(*partitions.values()), strict=True))
    starts = sides
    if reference is None:
        rows = names
    elif _is_name(reference):
        rows = (_member(reference, names),)
    else:
        rows = ("reference",)
        extra = as_partition(
            reference, normalize=normalize, possibilistic=possibilistic, name="reference"
        )
        first = partitions[names[0]]
        require_same_points(extra, first, "the reference", repr(names[0]))
        extra = in_order_of(first, extra, f"clustering {names[0]!r}", "the reference")
        starts = dict(zip(rows, question.sides(extra), strict=True))

    two_sided = question.fixed is None or isinstance(chosen, Perm)
    symmetric = reference is None and two_sided
    wanted = [
        (row, column)
        for i, row in enumerate(rows)
        for j, column in enumerate(names)
        if not symmetric or i <= j
    ]
    jobs = [Job((r, c), (starts[r], sides[c]), chosen, question) for r, c in wanted]
    _learn_once(jobs)
    results = progress(_run(jobs, n_jobs), len(jobs), "comparisons")
    found = dict(zip(wanted, results, strict=True))
    if symmetric:
        for (row, column), comparison in list(found.items()):
            if row != column:
                found[column, row] = _swapped(comparison)
    table = tuple(tuple(found[row, column] for column in names) for row in rows)
    return Pairwise(rows, names, table)


def _is_name(reference: Any) -> bool:
    return isinstance(reference, str | Integral) and not isinstance(reference, bool)


def _member(reference: Any, names: tuple[str, ...]) -> str:
    """The name of a member, which may be given by number where they are numbered."""
    if str(reference) in names:
        return str(reference)
    raise unknown_name("reference", reference, names)


@dataclass(frozen=True, eq=False)
class Job:
    """One comparison."""

    names: tuple[str, str]
    sides: tuple[Side, Side]
    model: Model
    question: Question


def _compare_one(job: Job) -> Comparison:
    try:
        return compare_sides(job.sides, [job.model], job.question)[0]
    except NotApplicableError as error:
        first, second = job.names
        raise NotApplicableError(f"{first!r} with {second!r}: {error}") from None


def _run(jobs: list[Job], n_jobs: int | None) -> Iterator[Comparison]:
    if n_jobs is None or n_jobs == 1:
        return map(_compare_one, jobs)
    try:
        from joblib import Parallel, delayed
    except ImportError:
        raise MissingExtraError(
            'n_jobs needs joblib: pip install "fuzzyrand[parallel]". '
            "Without n_jobs, comparisons run one after another, each on all cores."
        ) from None
    # The heavy loops hold no lock, so threads serve as well as processes and copy nothing.
    parallel = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
    results: Iterator[Comparison] = parallel(delayed(_compare_one)(job) for job in jobs)
    return results


def _learn_once(jobs: list[Job]) -> None:
    """Compute the laws of observed pairs before the comparisons that share them."""
    for job in jobs:
        pair = laws_of(job.sides, job.model, job.question.fixed)
        if not job.question.index.pairwise:
            continue
        if moments_suffice(*pair, job.question.index.concordance) is not None:
            continue
        for law in pair:
            if law.observed is not None and law.observed.missing:
                law.observed.bracket()


def _swapped(c: Comparison) -> Comparison:
    """The same comparison with its sides exchanged.

    For two-sided models, and for ``perm``, to which it is all the same what is fixed.
    """
    first, second = c.clusterings
    selves = None if c.self_similarities is None else c.self_similarities[::-1]
    return replace(
        c,
        clusterings=(second, first),
        laws=c.laws[::-1],
        self_similarities=selves,
    )


def _read_all(
    clusterings: Mapping[str, Any] | Iterable[Any], normalize: bool, possibilistic: bool
) -> dict[str, Partition]:
    if isinstance(clusterings, str) or not isinstance(clusterings, Mapping | Iterable):
        raise InputError(
            f"expected a dict or a list of clusterings, got a {type(clusterings).__name__}."
        )
    named = (
        {str(name): c for name, c in clusterings.items()}
        if isinstance(clusterings, Mapping)
        else {str(number): c for number, c in enumerate(clusterings)}
    )
    if isinstance(clusterings, Mapping) and len(named) < len(clusterings):
        raise InputError("two clusterings have the same name, written as text; rename one.")
    if not named:
        raise InputError("there are no clusterings to compare; give at least one.")
    partitions = read_together(
        {f"clustering {name!r}": clustering for name, clustering in named.items()},
        normalize=normalize,
        possibilistic=possibilistic,
        called=[f"{'' if i else 'clustering '}{name!r}" for i, name in enumerate(named)],
    )
    return dict(zip(named, partitions, strict=True))
