"""``fuzzyrand compare A B``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING

from . import options, output
from .interactive import add_interactive, require_interactive, write_interactive
from .names import distinct_names
from .streams import tell
from .voice import VOICE

if TYPE_CHECKING:
    from .._files.dask_files import DaskReading
    from .._files.readings import Reading
    from ..results import Comparison, ComparisonTable, ConfidenceInterval, Significance

FIELDS = (
    "index", "model", "fixed", "n", "observed", "expected", "adjusted", "stderr", "exact",
    "error_bound", "converged",
)  # fmt: skip


def add(commands: options.Subparsers) -> None:
    """Add the command."""
    parser = options.command(
        commands,
        "compare",
        run,
        "Compare two clusterings of the same points, adjusted for chance.",
        notes=options.READING,
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
    options.add_two_files(parser)
    options.add_comparing(options.add_question(parser), "A", "B")
    options.add_certainty(parser)
    options.add_reading(parser, several=True, weights=True)
    options.add_dask(parser)
    add_interactive(options.add_output(parser, report="a report with pictures"))


def run(arguments: argparse.Namespace) -> None:
    """Read, compare, print."""
    if arguments.dask or arguments.scheduler:
        options.use_single_blas_threads()
    # Deferred: NumPy, which --help does not need.
    from .._api.compare import compare
    from ..results import Comparison, ComparisonTable

    paths = options.two_files(arguments)
    outputs = [(option, getattr(arguments, option)) for option in ("html", "interactive")]
    output.require_outputs(outputs, [*paths, *arguments.names])
    options.require_known_names(arguments)
    options.draws(arguments)
    if arguments.dask or arguments.scheduler:
        _run_with_dask(arguments, paths)
        return
    require_interactive(arguments)
    first, second = readings = options.read(arguments, paths)
    result: Comparison | ComparisonTable = compare(
        first.partition,
        second.partition,
        model=options.models(arguments),
        index=arguments.index,
        fixed=arguments.fixed,
        maximum=options.maximum(arguments),
        tol=arguments.tol,
        random_state=arguments.seed,
        weights=options.weights(readings),
        **options.points(arguments),
    )
    table = ComparisonTable([result]) if isinstance(result, Comparison) else result
    main = table.main
    test, interval = _certainty(arguments, table)
    name_a, name_b = distinct_names([first.source, second.source], readings)
    write_interactive(arguments, result, readings, stdin="-" in paths, names=(name_a, name_b))
    if arguments.html:
        from ..report import comparison_report  # Deferred: only --html needs it.

        page = comparison_report(
            table,
            names=(name_a, name_b),
            command=arguments.command_line,
            stdin="-" in paths,
            test=test,
            interval=interval,
            methods=arguments.methods,
        )
        output.save(arguments.html, lambda path: path.write_text(page, encoding="utf-8"))
    _print(arguments, result, table, main, readings, test, interval)


def _run_with_dask(arguments: argparse.Namespace, paths: list[str]) -> None:
    """Compare files that are read a block at a time, here or by the workers of a cluster."""
    # Deferred: NumPy, which --help does not need.
    from .._api.compare import compare
    from .._base.effort import Effort
    from ..results import Comparison, ComparisonTable

    with options.scheduler(arguments):
        readings = options.open_with_dask(arguments, paths)
        result: Comparison | ComparisonTable = compare(
            *(reading.clustering for reading in readings),
            model=options.models(arguments),
            index=arguments.index,
            fixed=arguments.fixed,
            maximum=options.maximum(arguments),
            normalize=arguments.normalize,
            possibilistic=arguments.possibilistic,
            tol=arguments.tol,
            random_state=arguments.seed,
            effort=Effort(pairs=arguments.pairs),
            **options.noise(arguments),
        )
        table = ComparisonTable([result]) if isinstance(result, Comparison) else result
        main = table.main
        _print(arguments, result, table, main, readings, None, None)


def _print(
    arguments: argparse.Namespace,
    result: Comparison | ComparisonTable,
    table: ComparisonTable,
    main: Comparison,
    readings: Sequence[Reading] | Sequence[DaskReading],
    test: Significance | None,
    interval: ConfidenceInterval | None,
) -> None:
    from ..results import WIDTH  # Deferred: NumPy, which --help does not need.

    if arguments.json:
        files = {"files": [reading.to_dict() for reading in readings]}
        more: dict[str, object] = {}
        if test is not None:
            more["test"] = test.to_dict()
        if interval is not None:
            more["interval"] = interval.to_dict()
        if arguments.methods:
            more["methods"] = main.methods_text(test, interval)
        output.print_json({**result.to_dict(), **more, **files})
    elif arguments.csv:
        fields, values = list(FIELDS), [[getattr(c, field) for field in FIELDS] for c in table]
        if test is not None:  # the same for all models
            fields.append("pvalue_perm")
            values = [[*row, test.pvalue] for row in values]
        if interval is not None:  # for one of the models
            fields += ["low", "high"]
            values = [
                [*row, *(interval if c is main else ("", ""))]
                for row, c in zip(values, table, strict=True)
            ]
        fields.append("notes")
        values = [
            [*row, "; ".join(note.text(VOICE) for note in c.note_sentences)]
            for row, c in zip(values, table, strict=True)
        ]
        output.print_csv(fields, values)
        for note in result.note_sentences:
            tell(f"note: {note.text(VOICE)}")
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
            test = significance_of(shuffled, "greater", as_draws(options.draws(arguments)))
    if arguments.confidence is not None:
        level = as_level(arguments.confidence, "level")
        refusals = [refuse_interval(comparison.analysis.model) for comparison in table]
        main_refusal = refuse_interval(analysis.model)
        if main_refusal is not None:
            raise main_refusal
        interval = interval_of(Comparison.of(analysis), level, None)
        for refusal in refusals:
            if refusal is not None:
                tell(f"note: {refusal.text(VOICE)}")
    return test, interval
