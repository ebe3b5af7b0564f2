"""``fuzzyrand compare A B``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from . import options
from .names import distinct_names
from .words import spoken

if TYPE_CHECKING:
    from .._inputs.partition import Partition
    from ..models import Model

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
        "How alike are two clusterings of the same points, beyond chance?",
        notes=options.READING,
        examples=(
            "fuzzyrand compare truth.csv soft.csv --fixed first",
            "fuzzyrand compare a.npy b.npy --model every --html report.html",
            "fuzzyrand compare truth.csv soft.parquet --id sample --labels species",
            "fuzzyrand compare runs.csv runs.csv --labels kmeans --labels ward --model perm",
            "cut -d, -f2 truth.csv | fuzzyrand compare - soft.csv --json | jq .adjusted",
        ),
    )
    parser.add_argument("first", metavar="A", help="file with labels or memberships")
    parser.add_argument("second", metavar="B", help="another, of the same points")
    options.add_comparing(options.add_question(parser), "A", "B")
    options.add_reading(parser, several=True)
    options.add_output(parser, report="a report with pictures")


def run(arguments: argparse.Namespace) -> None:
    """Read, compare, print."""
    from .._api.compare import compare
    from ..results import Comparison, ComparisonTable

    paths = [arguments.first, arguments.second]
    options.require_writable("--html", arguments.html, paths)
    named = options.named_models(arguments)
    first, second = readings = options.read(arguments, paths)
    result: Comparison | ComparisonTable = compare(
        first.partition,
        second.partition,
        model=_models(arguments, named, first.partition, second.partition),
        index=arguments.index,
        fixed=arguments.fixed,
        maximum=options.maximum_of(arguments),
        tol=arguments.tol,
        random_state=arguments.seed,
        model_options={"resolution": arguments.resolution}
        if named is None and arguments.resolution is not None
        else None,
    )
    if arguments.html:
        from ..report import comparison_report

        table = ComparisonTable([result]) if isinstance(result, Comparison) else result
        one, two = distinct_names([first.source, second.source], readings)
        page = comparison_report(
            table,
            first.partition,
            second.partition,
            names=(one, two),
            command=arguments.command_line,
            stdin="-" in paths,
        )
        options.save(arguments.html, lambda path: path.write_text(page, encoding="utf-8"))
    if arguments.json:
        files = {"files": [reading.to_dict() for reading in readings]}
        options.print_json({**result.to_dict(), **files})
    elif arguments.csv:
        rows = [result] if isinstance(result, Comparison) else list(result)
        options.print_csv(FIELDS, [[getattr(c, field) for field in FIELDS] for c in rows])
    else:
        print(spoken(str(result)))


def _models(
    arguments: argparse.Namespace, named: list[Model] | None, first: Partition, second: Partition
) -> Any:
    """What compare() takes: one model, a list, or "every"."""
    if named is None:
        return "every"
    return named[0] if len(named) == 1 else named
