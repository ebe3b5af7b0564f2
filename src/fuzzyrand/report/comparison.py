"""The report of a comparison of two clusterings."""

from __future__ import annotations

from dataclasses import dataclass

from .._base.naming import shorten
from .._clusterings.partition import Partition
from .._clusterings.weights import weight_line
from .._distributions.atoms import Atoms
from ..indices import PairIndex
from ..models._laws.distance import atoms_of
from ..plot._charts import LawChart, ScaleChart
from ..plot._charts.axes import LABEL_WIDTH
from ..results import Comparison, ComparisonTable, ConfidenceInterval, Significance
from ..results.comparison_table import DISTANCE
from ..results.model_check import LEVELS
from ..results.result import NAMES
from .clusterings import ClusteringSummary
from .comparison_drawings import LawDrawing, ScaleDrawing
from .disagreement import Disagreement, disagreement
from .rendering import number, render

#: Number of agreements drawn from a law that can only be sampled: enough to estimate a share of 2%
#: to within 0.1%.
DRAWS = 1 << 16
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
        small_spread=SMALL_SPREAD,
        scale=ScaleDrawing(ScaleChart.of(table, interval, test)),
        misfits=any(c.misfit is not None for c in table),
        distance=DISTANCE,
        replaced={"first": "second", "second": "first"}.get(table.held or ""),
        clusterings=[
            ClusteringSummary(name, side, table.held == side, partition)
            for partition, name, side in zip(
                (first or own[0], second or own[1]), names, ("first", "second"), strict=True
            )
        ],
        laws=_laws(main, names),
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


@dataclass(frozen=True)
class SideLaws:
    """The agreement law of one clustering, and its law under the model.

    ``model`` is None where both are the same, because the side is ``fixed`` or because the model
    shuffles the memberships and so has ``kept`` them.
    """

    observed: Atoms
    model: Atoms | None = None
    fixed: bool = False
    kept: bool = False


def side_laws(c: Comparison) -> tuple[SideLaws, ...] | None:
    """Return both sides' laws; None for an index that compares no agreements of single pairs."""
    analysis = c.analysis
    if not isinstance(analysis.index, PairIndex):
        return None
    laws = []
    for side, law, name in zip(analysis.sides, analysis.laws, ("first", "second"), strict=True):
        observed = atoms_of(side.pairs_law, side.effort, DRAWS)
        if analysis.model.shuffles:
            laws.append(SideLaws(observed, kept=True))
        elif name == c.fixed:
            laws.append(SideLaws(observed, fixed=True))
        else:
            laws.append(SideLaws(observed, atoms_of(law, side.effort, DRAWS)))
    return tuple(laws)


def _laws(
    main: Comparison, names: tuple[str, str]
) -> list[tuple[str, SideLaws, LawDrawing]] | None:
    """Return the agreements of both clusterings with their drawings; None if there are none."""
    laws = side_laws(main)
    if laws is None:
        return None
    charts = LawChart.side_by_side([(side.observed, side.model) for side in laws])
    return list(zip(names, laws, map(LawDrawing, charts), strict=True))


def _value(main: Comparison) -> str:
    """Return the value for the title of the page, unless it should not be quoted."""
    return "" if main.misfit_note else f": adjusted {number(main.adjusted, 2)}"
