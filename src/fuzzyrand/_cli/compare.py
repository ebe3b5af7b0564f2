"""``fuzzyrand compare A B``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING

from . import input_files, large_files, output, question
from .commands import Subparsers, add_command
from .report_pages import add_interactive, require_interactive, write_interactive, write_report
from .runs import names_of_pair
from .standard_streams import tell
from .voice import VOICE

if TYPE_CHECKING:
    from .._files.dask_files import DaskReading
    from .._files.readings import Reading
    from ..results import Comparison, ComparisonTable, ConfidenceInterval, Significance

FIELDS = (
    "index", "model", "fixed", "n", "observed", "expected", "adjusted", "stderr", "exact",
    "error_bound", "converged",
)  # fmt: skip


def add(commands: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "compare",
        run,
        notes=input_files.READING,
        examples=(
            "fuzzyrand compare truth.csv soft.csv",
            "fuzzyrand compare a.npy b.npy --model every --html report.html",
            "fuzzyrand compare truth.csv soft.csv --test --confidence 0.95 --methods",
            "fuzzyrand compare truth.csv soft.parquet --id sample --labels species",
            "fuzzyrand compare runs.csv runs.csv --labels kmeans --labels ward",
            "fuzzyrand compare run1.3.Q run2.3.Q --names run1.fam --names run2.fam",
            "fuzzyrand compare --table counts.csv --index mi --test",
            "fuzzyrand compare big_a.parquet big_b.parquet --dask",
            "cut -d, -f2 truth.csv | fuzzyrand compare - soft.csv --json | jq .adjusted",
        ),
    )
    input_files.add_pair_or_table(parser)
    question.add_comparing(question.add_question(parser), "A", "B")
    question.add_certainty(parser)
    input_files.add_reading(parser, several=True, weights=True)
    large_files.add_dask(parser)
    add_interactive(output.add_output(parser, report="a report with pictures"))


def run(arguments: argparse.Namespace) -> None:
    """Read, compare, print."""
    if arguments.dask or arguments.scheduler:
        large_files.use_single_blas_threads()
    from .._api.compare import compare  # Deferred: NumPy, which --help does not need.

    paths = input_files.pair_or_table(arguments)
    output.require_outputs(arguments, ["html", "interactive"], [*paths, *arguments.names])
    question.require_known_names(arguments)
    question.draws(arguments)
    if arguments.dask or arguments.scheduler:
        _run_with_dask(arguments, paths)
        return
    require_interactive(arguments)
    first, second = readings = input_files.read(arguments, paths)
    result: Comparison | ComparisonTable = compare(
        first.partition,
        second.partition,
        model=question.models(arguments),
        weights=input_files.weights(readings),
        **question.comparing(arguments),
        **input_files.points(arguments),
    )
    table = _table(result)
    test, interval = _certainty(arguments, table)
    page = {"names": names_of_pair(readings), "stdin": "-" in paths}
    write_interactive(arguments, result, readings, **page)
    certainty = {"test": test, "interval": interval, "methods": arguments.methods}
    write_report(arguments, table, **page, **certainty)
    _print(arguments, result, readings, test, interval)


def _run_with_dask(arguments: argparse.Namespace, paths: list[str]) -> None:
    """Compare files that are read a block at a time, here or by the workers of a cluster."""
    # Deferred: NumPy, which --help does not need.
    from .._api.compare import compare
    from .._base.effort import Effort

    with large_files.scheduler(arguments):
        first, second = readings = large_files.open_with_dask(arguments, paths)
        result: Comparison | ComparisonTable = compare(
            first.clustering,
            second.clustering,
            model=question.models(arguments),
            normalize=arguments.normalize,
            possibilistic=arguments.possibilistic,
            effort=Effort(pairs=arguments.pairs),
            **question.comparing(arguments),
            **input_files.noise(arguments),
        )
        _print(arguments, result, readings)


def _table(result: Comparison | ComparisonTable) -> ComparisonTable:
    from ..results import ComparisonTable  # Deferred: NumPy, which --help does not need.

    return result if isinstance(result, ComparisonTable) else ComparisonTable([result])


def _print(
    arguments: argparse.Namespace,
    result: Comparison | ComparisonTable,
    readings: Sequence[Reading] | Sequence[DaskReading],
    test: Significance | None = None,
    interval: ConfidenceInterval | None = None,
) -> None:
    from ..results import WIDTH  # Deferred: NumPy, which --help does not need.

    table = _table(result)
    main = table.main
    if arguments.json:
        more: dict[str, object] = {}
        if test is not None:
            more["test"] = test.to_dict()
        if interval is not None:
            more["interval"] = interval.to_dict()
        if arguments.methods:
            more["methods"] = main.methods_text(test, interval)
        output.print_json({**result.to_dict(), **more}, readings)
    elif arguments.csv:
        columns = {field: [getattr(c, field) for c in table] for field in FIELDS}
        if test is not None:  # the same for all models
            columns["pvalue_perm"] = [test.pvalue for _ in table]
        if interval is not None:  # for one of the models
            columns["low"] = [interval.low if c is main else "" for c in table]
            columns["high"] = [interval.high if c is main else "" for c in table]
        columns["notes"] = ["; ".join(n.text(VOICE) for n in c.note_sentences) for c in table]
        output.print_columns(columns, result.note_sentences)
    else:
        print(result.text(voice=VOICE))
        for certainty in (interval, test):
            if certainty is not None:
                print(fill(certainty.sentence, WIDTH))
                for note in certainty.own_notes:
                    print(fill(f"Note: {note.text(VOICE)}", WIDTH))
        if arguments.methods:
            print()
            for line in main.methods_text(test, interval).splitlines():
                print(fill(line, WIDTH))


def _certainty(
    arguments: argparse.Namespace, table: ComparisonTable
) -> tuple[Significance | None, ConfidenceInterval | None]:
    """Test the clusterings under perm, and compute the interval of a comparison, as asked for."""
    # Deferred: NumPy, which --help does not need.
    from .._api.arguments import as_draws, as_level
    from .._base.progress import bars
    from .._methods.inference.intervals import interval_of, refuse_interval
    from .._methods.inference.significance import significance_of
    from ..models import Perm
    from ..results import Comparison

    # Both refer to an index of 1, and both go on from what was computed for the comparison.
    analysis = table.main.analysis.against_one()
    test = interval = None
    if arguments.test:
        shuffled = analysis if analysis.model.shuffles else analysis.under(Perm())
        with bars(True):
            test = significance_of(shuffled, "greater", as_draws(question.draws(arguments)))
    if arguments.confidence is not None:
        level = as_level(arguments.confidence, "level")
        main_refusal = refuse_interval(analysis.model)
        if main_refusal is not None:
            raise main_refusal
        interval = interval_of(Comparison.of(analysis), level, None)
        for comparison in table:
            refusal = refuse_interval(comparison.analysis.model)
            if refusal is not None:
                tell(f"note: {refusal.text(VOICE)}")
    return test, interval
