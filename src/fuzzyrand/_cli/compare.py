"""``fuzzyrand compare A B``."""

from __future__ import annotations

import argparse

from . import options, output
from .names import distinct_names
from .streams import tell
from .voice import VOICE

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
        "Compare two clusterings of the same points: how alike are they, beyond chance?",
        notes=options.READING,
        examples=(
            "fuzzyrand compare truth.csv soft.csv --fixed first",
            "fuzzyrand compare a.npy b.npy --model every --html report.html",
            "fuzzyrand compare truth.csv soft.parquet --id sample --labels species",
            "fuzzyrand compare runs.csv runs.csv --labels kmeans --labels ward --model perm",
            "fuzzyrand compare run1.3.Q run2.3.Q --names run1.fam --names run2.fam",
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
    # Deferred: NumPy, which --help does not need.
    from .._api.compare import compare
    from ..results import Comparison, ComparisonTable

    paths = [arguments.first, arguments.second]
    output.require_writable("html", arguments.html, paths)
    options.require_known_names(arguments)
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
        model_options=options.model_options(arguments),
        **options.noise(arguments),
    )
    if arguments.html:
        from ..report import comparison_report  # Deferred: only --html needs it.

        table = ComparisonTable([result]) if isinstance(result, Comparison) else result
        name_a, name_b = distinct_names([first.source, second.source], readings)
        setting = table[0].setting
        assert setting is not None
        page = comparison_report(
            table,
            *(side.partition for side in setting.sides),  # their noise treated
            names=(name_a, name_b),
            command=arguments.command_line,
            stdin="-" in paths,
        )
        output.save(arguments.html, lambda path: path.write_text(page, encoding="utf-8"))
    if arguments.json:
        files = {"files": [reading.to_dict() for reading in readings]}
        output.print_json({**result.to_dict(), **files})
    elif arguments.csv:
        rows = [result] if isinstance(result, Comparison) else list(result)
        output.print_csv(FIELDS, [[getattr(c, field) for field in FIELDS] for c in rows])
        for note in result.sentences:
            tell(f"note: {note.told(VOICE)}")
    else:
        print(result.text(voice=VOICE))
