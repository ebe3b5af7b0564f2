"""A paragraph about a comparison for the methods section of a paper."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from .._base.errors import ParameterError
from .._base.version import __version__
from .._base.wording import Option
from .._inputs.partition import Partition
from .comparison import Comparison
from .interval import ConfidenceInterval
from .significance import Significance

SOFTWARE = f"fuzzyrand {__version__}"
#: Observed indices of the same clusterings differ at most by this, plus so many standard errors.
CLOSE, SURE = 1e-9, 6.0


def methods_text(
    comparison: Comparison,
    test: Significance | None = None,
    interval: ConfidenceInterval | None = None,
) -> str:
    """Return a paragraph that says what was computed, with citations.

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
    sentences = [
        _index(comparison),
        *_left_out(comparison),
        *_weights(comparison),
        *_noise(comparison),
        _model(comparison),
        *_misfit(comparison),
        _value(comparison, interval),
        *([] if test is None else [_test(test)]),
        f"Computed with {SOFTWARE}.",
    ]
    return " ".join(sentences)


def _index(c: Comparison) -> str:
    cited = _cited(c.analysis.index.citation)
    first, second = c.clusterings
    return (
        f"Two clusterings of {c.n:,} points ({first}; {second}) were compared by the index "
        f"{c.index}{cited}."
    )


def _left_out(c: Comparison) -> Iterator[str]:
    """Say how many points were left out, because only one clustering has them."""
    parts = [
        f"{lost.points:,} of the {lost.total:,} points of the {which} ({lost.share:.1%})"
        for which, partition in zip(("first", "second"), c.analysis.partitions, strict=True)
        if (lost := partition.unmatched) is not None
    ]
    if parts:
        yield f"Points were matched by id; {' and '.join(parts)} were left out, as not in all."


def _weights(c: Comparison) -> Iterator[str]:
    """Say that points have weights, and what they are worth."""
    facts = c.weights
    if facts is None:
        return
    yield (
        f"Points were weighted (sum of weights {facts['sum']:,.6g}; effective number of points "
        f"{facts['effective_points']:,.1f}): a pair counts with the product of the weights of its "
        "points, in the index and in the laws of chance."
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
            f"{left_out:,} of {c.n + left_out:,} points were left out, because they are noise or "
            "missing in at least one of the clusterings."
        )
    treated = {"cluster": "as one cluster", "singletons": "as clusters of one point each"}
    for which, partition in zip(("first", "second"), partitions, strict=True):
        noise = partition.noise
        if noise is not None and noise.points and noise.treatment in treated:
            share = (
                f"{noise.points:,} noise points" if partition.is_hard else f"{noise.mass:.1%} noise"
            )
            yield f"The {share} of the {which} clustering counted {treated[noise.treatment]}."


def _model(c: Comparison) -> str:
    model = c.analysis.model
    hard = all(partition.is_hard for partition in c.analysis.partitions)
    cited = _cited(model.citation, "" if hard else model.fuzzy_citation)
    return (
        f"It was adjusted for chance under the random model {c.model}{cited}: chance means "
        f"{c.chance}."
    )


def _misfit(c: Comparison) -> Iterator[str]:
    """Say that the model does not describe the clusterings, if it does not."""
    if c.misfit_remark is not None:
        yield c.answer


def _value(c: Comparison, interval: ConfidenceInterval | None) -> str:
    accuracy = "computed exactly" if c.exact else f"Monte Carlo error {c.stderr:.1g}"
    if not c.exact and c.stderr == 0.0:
        accuracy = f"numerical error at most {c.error_bound:.1g}"
    text = (
        f"The observed index is {c.observed:.4f}, its expectation under the model "
        f"{c.expected:.4f}, and the adjusted index {c.adjusted:z.3f} ({accuracy}; {_one(c)}, 0 is "
        "chance)"
    )
    if interval is None:
        return f"{text}."
    units = "points" if interval.groups is None else "groups of points"
    return f"{text}; {interval.short} over {units}, by {interval.method}."


def _one(c: Comparison) -> str:
    """Say what an adjusted index of 1 stands for."""
    if c.maximum == 1.0:
        return "1 is perfect agreement"
    return f"1 is the mean index of the clusterings with themselves, {c.maximum:.4f}"


def _test(test: Significance) -> str:
    equals = "<=" if test.pvalue_approx is not None else "="
    sides = {"greater": "one-sided", "less": "one-sided, lower tail", "two-sided": "two-sided"}
    method = "all permutations of the points" if test.exhaustive else f"{test.draws:,} {test.drawn}"
    part = "" if test.points == test.n else f" of {test.points:,} random points"
    return (
        f"Under the model {test.comparison.model}, p {equals} {test.pvalue:.2g} "
        f"({sides[test.alternative]}, by {method}{part})."
    )


def _require_interval(interval: ConfidenceInterval, comparison: Comparison) -> None:
    """Refuse an interval of something else."""
    if interval.is_difference:
        raise ParameterError(
            "the interval is that of the difference of two adjusted indices, but this is the "
            "result for one of them."
        )
    _require_same("interval", interval.comparisons[0], comparison)
    if comparison.maximum != 1.0:
        raise ParameterError(
            "the interval is that of the adjusted index {one:z.4f}, for which 1 is perfect "
            "agreement; here the index is {here:z.4f}, for which 1 is the mean index of the "
            "clusterings with themselves ({maximum}).",
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
    if one.codes is not None and two.codes is not None:
        cells = np.unique(one.codes.astype(np.int64) * two.k + two.codes).size
        return one.occupied == cells == two.occupied
    if one.sparse is not None and two.sparse is not None:
        same_columns = np.array_equal(one.sparse.columns, two.sparse.columns)
        return same_columns and np.array_equal(one.sparse.values, two.sparse.values)
    if one.memberships is not None and two.memberships is not None:
        return bool(np.array_equal(one.memberships, two.memberships))
    return False


def _cited(*citations: str) -> str:
    given = "; ".join(citation for citation in citations if citation)
    return f" ({given})" if given else ""
