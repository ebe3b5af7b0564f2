"""A paragraph about a comparison for the methods section of a paper."""

from __future__ import annotations

from collections.abc import Iterator

from .._base.errors import NotApplicableError
from .._base.version import __version__
from .comparison import Comparison
from .interval import ConfidenceInterval
from .significance import Significance

SOFTWARE = f"fuzzyrand {__version__}"


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
        A test of the same clusterings.
    interval : ConfidenceInterval, optional
        An interval of the same adjusted index.
    """
    if comparison.setting is None:
        raise NotApplicableError(
            "this result was unpickled, and has left behind the index and the model that the text "
            "is about; compare the clusterings again."
        )
    sentences = [
        _index(comparison),
        *_noise(comparison),
        _model(comparison),
        *_misfit(comparison),
        _value(comparison, interval),
        *([] if test is None else [_test(test)]),
        f"Computed with {SOFTWARE}.",
    ]
    return " ".join(sentences)


def _index(c: Comparison) -> str:
    assert c.setting is not None
    cited = _cited(c.setting.index.citation)
    first, second = c.clusterings
    return (
        f"Two clusterings of {c.n:,} points ({first}; {second}) were compared by the index "
        f"{c.index}{cited}."
    )


def _noise(c: Comparison) -> Iterator[str]:
    """Say which points were left out, and how noise points were treated."""
    assert c.setting is not None
    partitions = [side.partition for side in c.setting.sides]
    left_out = max(partition.left_out for partition in partitions)
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
    assert c.setting is not None
    model = c.setting.model
    hard = all(side.partition.is_hard for side in c.setting.sides)
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
        f"{c.expected:.4f}, and the adjusted index {c.adjusted:z.3f} ({accuracy}; 1 is perfect "
        "agreement, 0 is chance)"
    )
    if interval is None:
        return f"{text}."
    units = "points" if interval.groups is None else "groups of points"
    return f"{text}; {interval.short} over {units}, by {interval.method}."


def _test(test: Significance) -> str:
    equals = "<=" if test.pvalue_approx is not None else "="
    sides = {"greater": "one-sided", "less": "one-sided, lower tail", "two-sided": "two-sided"}
    method = "all permutations of the points" if test.exhaustive else f"{test.draws:,} {test.drawn}"
    part = "" if test.points == test.n else f" of {test.points:,} random points"
    return (
        f"Under the model {test.comparison.model}, p {equals} {test.pvalue:.2g} "
        f"({sides[test.alternative]}, by {method}{part})."
    )


def _cited(*citations: str) -> str:
    given = "; ".join(citation for citation in citations if citation)
    return f" ({given})" if given else ""
