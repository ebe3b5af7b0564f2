"""A paragraph about a comparison for the methods section of a paper."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from .._base.errors import ParameterError
from .._base.references import REFERENCES
from .._base.version import __version__
from .._base.wording import Option
from .._clusterings.partition import Partition
from .comparison import Comparison
from .interval import ConfidenceInterval
from .significance import MODEL_DRAWS, Significance

SOFTWARE = f"fuzzyrand {__version__}"
#: Observed indices of the same clusterings differ at most by this, plus so many standard errors.
CLOSE, SURE = 1e-9, 6.0


def methods_text(
    comparison: Comparison,
    test: Significance | None = None,
    interval: ConfidenceInterval | None = None,
) -> str:
    """Return a paragraph that says what was computed, and the references, one a line.

    Parameters
    ----------
    comparison : Comparison
        The comparison.
    test : Significance, optional
        A test of the same clusterings and index, under the same model or by shuffles.
    interval : ConfidenceInterval, optional
        An interval of the same adjusted index.
    """
    if test is not None:
        _require_same("test", test.comparison, comparison, by_shuffles=True)
    if interval is not None:
        _require_interval(interval, comparison)
    cited = [REFERENCES[citation] for citation in _citations(comparison)]
    sentences = [
        _index(comparison),
        *_left_out(comparison),
        *_weights(comparison),
        *_noise(comparison),
        *_model(comparison),
        *_misfit(comparison),
        _value(comparison, test, interval),
        _accuracy(comparison),
        *_interval(interval),
        f"Computed with {SOFTWARE}.",
    ]
    return "\n".join([" ".join(sentences), *(["References:", *cited] if cited else [])])


def _index(c: Comparison) -> str:
    index, (first, second) = c.analysis.index, c.clusterings
    name = index.full_name or f"the index {c.index}"
    options = c.index.partition("(")[2].rstrip(")")
    hard = all(partition.is_hard for partition in c.analysis.partitions)
    rand = hard and index.equals_rand and index.citation and index.name != "rand"
    return (
        f"Two clusterings of {c.n:,} points (first: {first}; second: {second}) were compared by "
        f"{_cited(name, index.citation)}{f' with {options}' if options else ''}"
        f"{', which is the Rand index for hard clusterings' if rand else ''}."
    )


def _left_out(c: Comparison) -> Iterator[str]:
    """Say how many points were left out, because only one clustering has them."""
    parts = [
        f"{lost.points:,} of the {lost.total:,} points of the {which} clustering ({lost.share:.1%})"
        for which, partition in zip(("first", "second"), c.analysis.partitions, strict=True)
        if (lost := partition.unmatched) is not None
    ]
    if parts:
        yield (
            f"Points were matched by identifier; {' and '.join(parts)} were left out, because they "
            "are not in all clusterings."
        )


def _weights(c: Comparison) -> Iterator[str]:
    """Say that points have weights, and what they are worth."""
    facts = c.weights
    if facts is None:
        return
    yield (
        f"Points were weighted (sum of weights {facts['sum']:,.6g}; effective number of points "
        f"{facts['effective_points']:,.1f}): in the observed and in the expected index, a pair of "
        "points counts with the product of its weights."
    )


def _noise(c: Comparison) -> Iterator[str]:
    """Say which points were left out, and how noise points were treated."""
    partitions = c.analysis.partitions
    zeros = 0 if c.weights is None else int(c.weights["left_out"])
    if zeros:
        yield f"{zeros:,} points of weight 0 were left out."
    left_out = max(partition.dropped for partition in partitions)
    if left_out:
        yield (
            f"{left_out:,} of {c.n + left_out:,} points were left out, because they are noise "
            "points or missing in at least one of the clusterings."
        )
    treated = {"cluster": "as one cluster", "singletons": "as clusters of one point each"}
    for which, partition in zip(("first", "second"), partitions, strict=True):
        noise = partition.noise
        if noise is not None and noise.points and noise.treatment in treated:
            share = (
                f"{noise.points:,} noise points" if partition.is_hard else f"{noise.mass:.1%} noise"
            )
            yield f"The {share} of the {which} clustering counted {treated[noise.treatment]}."


def _model(c: Comparison) -> Iterator[str]:
    model = c.analysis.model
    title = f"the {model.title} ({c.model})" if model.title else f"the random model {c.model}"
    recipe = getattr(model, "recipe", f"{model.assumption}.")
    cited = _cited(title, *_model_citations(c))
    yield f"Chance was defined by {cited}: {recipe[0].lower()}{recipe[1:]}"
    if c.held is not None:
        other = "second" if c.held == "first" else "first"
        yield f"Only the {other} clustering was random; the {c.held} was fixed."


def _misfit(c: Comparison) -> Iterator[str]:
    """Say that the model does not describe the clusterings, if it does not."""
    if c.misfit_note is not None:
        yield c.answer


def _value(c: Comparison, test: Significance | None, interval: ConfidenceInterval | None) -> str:
    name = c.analysis.index.title or "index"
    between = "" if interval is None else f" ({interval.short})"
    tested = "" if test is None else f", {_test(test)}"
    return (
        f"The observed {name} was {c.observed:.3f}, and {c.expected:.3f} is expected by chance: "
        f"adjusted {name} {c.adjusted:z.3f}{between}{tested}."
    )


def _interval(interval: ConfidenceInterval | None) -> Iterator[str]:
    if interval is not None and not math.isnan(interval.low):
        yield f"The confidence interval (CI) is based on {interval.method}."


def _accuracy(c: Comparison) -> str:
    """Say what the scale of the adjusted index is, and how accurate the value is."""
    top = "perfect agreement"
    if c.maximum != 1.0:
        top = f"the mean index of each clustering with itself ({c.maximum:.3f})"
    accuracy = "was computed exactly" if c.exact else f"has a Monte Carlo error of {c.stderr:.1g}"
    if not c.exact and c.stderr == 0.0:
        accuracy = f"has a numerical error of at most {c.error_bound:.1g}"
    return f"The adjusted index is 1 for {top} and 0 for chance; it {accuracy}."


def _test(test: Significance) -> str:
    """Return the test in the usual form."""
    if test.draws == 0:
        return "p = 1"
    part = "" if test.points == test.n else f" of {test.points:,} random points"
    name = f"permutation test with {test.draws:,} shuffles{part}"
    if test.exhaustive:
        name = f"exact permutation test with all {test.draws:,} permutations"
    elif test.drawn == MODEL_DRAWS:
        name = f"Monte Carlo test with {test.draws:,} clusterings drawn from the model{part}"
    sides = {"greater": "one-sided", "less": "one-sided (lower tail)", "two-sided": "two-sided"}
    equals = "≤" if test.pvalue_approx is not None else "="
    return f"{name}, {sides[test.alternative]} p {equals} {test.pvalue:.2g}"


def _citations(c: Comparison) -> list[str]:
    """Return what the text cites."""
    cited = [c.analysis.index.citation, *_model_citations(c)]
    return list(dict.fromkeys(citation for citation in cited if citation))


def _model_citations(c: Comparison) -> list[str]:
    model = c.analysis.model
    hard = all(partition.is_hard for partition in c.analysis.partitions)
    return [model.citation, "" if hard else model.fuzzy_citation]


def _cited(name: str, *citations: str) -> str:
    """Return a name with its citations, inside the brackets that it ends with."""
    given = "; ".join(citation for citation in citations if citation)
    if not given:
        return name
    return f"{name[:-1]}; {given})" if name.endswith(")") else f"{name} ({given})"


def _require_interval(interval: ConfidenceInterval, comparison: Comparison) -> None:
    """Refuse an interval of something else."""
    if interval.is_difference:
        raise ParameterError(
            "the interval is for the difference of two adjusted indices, but this is the result "
            "for one of them."
        )
    _require_same("interval", interval.comparisons[0], comparison)
    if comparison.maximum != 1.0:
        raise ParameterError(
            "the interval is for an adjusted index on the scale where 1 is perfect agreement "
            "({one:z.4f}), but here 1 is the mean index of each clustering with itself ({maximum}, "
            "{here:z.4f}).",
            one=interval.adjusted,
            here=comparison.adjusted,
            maximum=Option("maximum", "self"),
        )


def _require_same(
    what: str, other: Comparison, comparison: Comparison, *, by_shuffles: bool = False
) -> None:
    """Refuse a test or an interval that belongs to another result."""
    both = other, comparison
    parts = [("number of points", *(f"{c.n:,}" for c in both))]
    parts.append(("index", *(repr(c.index) for c in both)))
    if not (by_shuffles and other.model == "perm"):
        parts.append(("model", *(repr(c.model) for c in both)))
        parts.append(("fixed side", *(c.fixed or "none" for c in both)))
    for name, theirs, ours in parts:
        if theirs != ours:
            raise ParameterError(
                "the {what} belongs to another result: its {name} is {theirs}, but here it is "
                "{ours}.",
                what=what,
                name=name,
                theirs=theirs,
                ours=ours,
            )
    if not _of_same_clusterings(other, comparison):
        raise ParameterError(
            "the {what} belongs to another result: its clusterings ({theirs}; observed index "
            "{their_index:.6g}) are not those of this one ({ours}; observed index "
            "{our_index:.6g}).",
            what=what,
            theirs="; ".join(other.clusterings),
            their_index=other.observed,
            ours="; ".join(comparison.clusterings),
            our_index=comparison.observed,
        )


def _of_same_clusterings(one: Comparison, two: Comparison) -> bool:
    """Return whether two results are about the same clusterings, in either order."""
    error = math.hypot(*(c.computed["observed_stderr"] for c in (one, two)))
    if abs(one.observed - two.observed) > CLOSE + SURE * error:
        return False
    first, second = one.analysis.partitions, two.analysis.partitions
    return all(map(_same, first, second)) or all(map(_same, first, reversed(second)))


def _same(one: Partition, two: Partition) -> bool:
    """Return whether two clusterings of as many points are the same, apart from cluster names."""
    if one is two:
        return True
    if one.is_hard and two.is_hard:
        cells = one.rows.cells(two.rows).counts.size
        return one.occupied == cells == two.occupied
    if one.is_hard or two.is_hard or one.rows.mostly_zero != two.rows.mostly_zero:
        return False
    if not one.rows.mostly_zero:
        return bool(np.array_equal(one.rows.dense, two.rows.dense))
    first, second = one.rows.without_zeros, two.rows.without_zeros
    same_columns = np.array_equal(first.columns, second.columns)
    return same_columns and np.array_equal(first.values, second.values)
