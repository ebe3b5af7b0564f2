"""The report of a comparison of two clusterings."""

from __future__ import annotations

from dataclasses import dataclass

from .._base.decimals import decimals
from .._base.naming import shorten
from .._clusterings.partition import Partition
from .._clusterings.weights import weight_line
from .._distributions.atoms import Atoms
from ..plot._charts import LawChart, ScaleChart
from ..plot._charts.axes import LABEL_WIDTH
from ..results import Comparison, ComparisonTable, ConfidenceInterval, Significance
from ..results.model_check import LEVELS
from ..results.result import NAMES
from ..results.table import DISTANCE
from .agreements import SideLaws, has_agreements, side_laws
from .clusterings import ClusteringSummary
from .disagreement import Disagreement, disagreement
from .drawings import LawDrawing, ScaleDrawing
from .explanations import explain_index, explain_models
from .rendering import number, render

#: Adjusted indices that differ by less than this are called nearly the same.
SMALL_SPREAD = 0.05
#: Largest number of clusters of a side that are listed by their agreement.
LISTED = 8


def comparison_report(
    table: Comparison | ComparisonTable,
    first: Partition | None = None,
    second: Partition | None = None,
    *,
    names: tuple[str, str] = NAMES,
    command: str = "",
    stdin: bool = False,
    test: Significance | None = None,
    interval: ConfidenceInterval | None = None,
    methods: bool = False,
) -> str:
    """Write a comparison of two clusterings as an HTML page.

    Parameters
    ----------
    table : Comparison or ComparisonTable
        Result of :func:`fuzzyrand.compare`. The page begins with the first model.
    first, second : Partition, optional
        The two clusterings, as they were compared; by default those of the result.
    names : tuple of str
        Names of the clusterings, such as file names.
    command : str
        The command line that gives the same result, which the page quotes.
    stdin : bool, default False
        Whether this command reads standard input. The page then says that it needs the same input.
    test : Significance, optional
        Result of :func:`fuzzyrand.significance` for the same clusterings.
    interval : ConfidenceInterval, optional
        Result of :func:`fuzzyrand.confidence_interval` for the same clusterings.
    methods : bool
        Whether to add a paragraph for the methods section of a paper.

    Returns
    -------
    str
        A complete HTML page, to be written as UTF-8. It loads nothing from the network.

    Raises
    ------
    MissingExtraError
        If Jinja2 is not installed.

    See Also
    --------
    explanation_report : Write a page about where they disagree.
    pairwise_report : Write a page about many clusterings.
    fuzzyrand.plot.comparison : Draw a comparison with Matplotlib.

    Notes
    -----
    Names of clusterings, clusters, models and indices may contain any characters: they are escaped,
    and characters that HTML cannot hold are replaced.

    The section on where the clusterings disagree is for the model that the page begins with. With
    many clusters, the table of overlaps becomes a heat map, and with more than 100 it shows the
    largest.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> from fuzzyrand.report import comparison_report
    >>> table = fr.compare([0, 0, 1, 1, 2], [0, 0, 1, 1, 1], model=["perm", "num"])
    >>> page = comparison_report(table, names=("a.csv", "b.csv"))
    >>> page.startswith("<!DOCTYPE html>")
    True
    """
    if isinstance(table, Comparison):
        table = ComparisonTable([table])
    main = table.main
    own = main.analysis.partitions
    short = [shorten(name, LABEL_WIDTH) for name in names]
    laws = side_laws(main)
    explained = disagreement(main, names, LISTED)
    return render(
        "comparison.html",
        title=f"{short[0]} and {short[1]}" + _value(main),
        names=names,
        table=table,
        main=main,
        weights=weight_line(main.weights),
        test=test,
        interval=interval,
        notes=_notes(main, test, interval),
        methods=main.methods_text(test, interval) if methods else "",
        spread=_Spread.of(table),
        scale=ScaleDrawing(ScaleChart.of(table, interval, test)),
        misfits=_misfits(table),
        distance=DISTANCE,
        index_explanation=explain_index(main),
        models=explain_models(table),
        replaced={"first": "second", "second": "first"}.get(table.held or ""),
        clusterings=[
            ClusteringSummary.of(partition, name, side, table.held == side)
            for partition, name, side in zip(
                (first or own[0], second or own[1]), names, ("first", "second"), strict=True
            )
        ],
        has_agreements=has_agreements(main),
        laws=None if laws is None else _law_parts(laws, names, main),
        levels=LEVELS,
        disagreement=explained if isinstance(explained, Disagreement) else None,
        not_explained=explained if isinstance(explained, str) else None,
        all_exact=all(c.exact for c in table) and main.computed["observed_stderr"] == 0.0,
        command=command,
        stdin=stdin,
    )


def _notes(
    main: Comparison, test: Significance | None, interval: ConfidenceInterval | None
) -> list[str]:
    """Return the notes on the comparison, the test and the interval, without repetitions."""
    others = [note for result in (test, interval) if result for note in result.own_notes]
    notes = [note for note in (*main.note_sentences, *others) if note != main.misfit_note]
    return list(dict.fromkeys(map(str, notes)))


def _value(main: Comparison) -> str:
    """Return the value for the title of the page, unless it should not be quoted."""
    return "" if main.misfit_note else f": adjusted {number(main.adjusted, 2)}"


@dataclass(frozen=True)
class _Spread:
    """The models with the smallest and the largest adjusted index."""

    low: Comparison
    high: Comparison

    @classmethod
    def of(cls, table: ComparisonTable) -> _Spread:
        return cls(min(table, key=lambda c: c.adjusted), max(table, key=lambda c: c.adjusted))

    @property
    def small(self) -> bool:
        return self.high.adjusted - self.low.adjusted < SMALL_SPREAD

    @property
    def around_chance(self) -> bool:
        return self.low.adjusted < 0.0 < self.high.adjusted


def _misfits(table: ComparisonTable) -> list[list[str]] | None:
    """Return the misfits of every model, for each side that it replaces; None if there are none."""
    if all(c.misfit is None for c in table):
        return None
    return [[decimals(d) for d in c.misfit or () if d is not None] for c in table]


@dataclass(frozen=True)
class _LawPart:
    """The agreements of one clustering: drawing, and rows of the table."""

    name: str
    side: SideLaws
    drawing: LawDrawing
    rows: list[_LawRow]


@dataclass(frozen=True)
class _LawRow:
    """Mean and quantiles of a law; ``model`` is None for the observed law."""

    model: str | None
    mean: float
    quantiles: tuple[float, ...]


def _law_parts(
    laws: tuple[SideLaws, ...], names: tuple[str, str], main: Comparison
) -> list[_LawPart]:
    charts = LawChart.side_by_side([(side.observed, side.model) for side in laws])
    parts = []
    for name, side, chart in zip(names, laws, charts, strict=True):
        rows = [_law_row(None, side.observed)]
        if side.model is not None:
            rows.append(_law_row(main.model, side.model))
        parts.append(_LawPart(name, side, LawDrawing(chart), rows))
    return parts


def _law_row(model: str | None, law: Atoms) -> _LawRow:
    return _LawRow(model, law.mean, law.quantiles(LEVELS))
