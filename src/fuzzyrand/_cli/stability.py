"""``fuzzyrand stability DATA``."""

from __future__ import annotations

import argparse
import re
from importlib import import_module
from math import floor, isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .._base.errors import InputError, MissingExtraError, ParameterError
from .._base.parameters import Value, is_count, written
from .._base.wording import Option
from . import options, output, pictures
from .streams import tell
from .voice import VOICE

if TYPE_CHECKING:
    from .._files.data_files import Data
    from ..results import Stability


class Method(NamedTuple):
    """A method of scikit-learn: where it is, what is varied, and the label of its noise."""

    module: str
    name: str
    parameter: str
    settings: dict[str, Any]
    noise: str | None = None


METHODS = {
    "kmeans": Method("sklearn.cluster", "KMeans", "n_clusters", {"n_init": 10}),
    "gmm": Method("sklearn.mixture", "GaussianMixture", "n_components", {}),
    "agglomerative": Method("sklearn.cluster", "AgglomerativeClustering", "n_clusters", {}),
    "dbscan": Method("sklearn.cluster", "DBSCAN", "eps", {}, "-1"),
    "hdbscan": Method("sklearn.cluster", "HDBSCAN", "min_cluster_size", {"copy": True}, "-1"),
}
#: The files that --out writes, and the table that each holds.
FILES = {
    "values.csv": "summary",
    "repeats.csv": "scores",
    "clusters.csv": "clusters",
    "points.csv": "points",
}
#: From one number to another, with a step if they are not whole.
RANGE = re.compile(r"(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)(?::(\d+(?:\.\d+)?))?")

NOTES = """\
data:
  One file: CSV, TSV and other text, NPY, NPZ, Parquet or Feather; - is standard input. Rows are
  points, and columns of numbers are what is clustered. Columns of text are left out; the first
  whose entries all differ, or a column called id, names the points. How the file was read is
  written to standard error.

methods (scikit-learn) and the parameter that is varied unless --parameter names another:
  kmeans          n_clusters        k-means, best of 10 starts
  gmm             n_components      Gaussian mixture (fuzzy)
  agglomerative   n_clusters        hierarchical, Ward's linkage
  dbscan          eps               density, with noise
  hdbscan         min_cluster_size  density at all scales, with noise
"""


def add(commands: options.Subparsers) -> None:
    """Add the command."""
    parser = options.command(
        commands,
        "stability",
        run,
        "Cluster subsamples of data: how many clusters are stable, and which ones?",
        notes=NOTES,
        examples=(
            "fuzzyrand stability data.csv --values 2-8",
            "fuzzyrand stability data.csv --method gmm --scale --plot stability.png",
            "fuzzyrand stability data.csv --method dbscan --values 0.2-2:0.2 --html page.html",
            "fuzzyrand stability data.csv --method agglomerative --set n_clusters=4 "
            "--parameter linkage --values ward,average,single",
            "fuzzyrand stability data.csv --checkpoint done.jsonl --repeats 50 --n-jobs -1",
        ),
    )
    parser.add_argument("data", metavar="DATA", help="file with points in rows")
    group = parser.add_argument_group("method")
    group.add_argument(
        "--method",
        choices=tuple(METHODS),
        default="kmeans",
        help="clustering method (default: kmeans)",
    )
    group.add_argument(
        "--parameter", metavar="NAME", help="the parameter to vary (default: see below)"
    )
    group.add_argument(
        "--values",
        metavar="LIST",
        help="its values: 2-10, or 0.1,0.2,0.5, or 0.2-2:0.2 in steps (default: 2-10, for numbers "
        "of "
        "clusters)",
    )
    group.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set another parameter of the method, as in min_samples=10; may be repeated",
    )
    group.add_argument(
        "--scale",
        action="store_true",
        help="standardise all columns (mean 0, standard deviation 1)",
    )
    group = options.add_question(parser, models=False)
    group.add_argument(
        "--repeats",
        type=options.positive,
        default=20,
        metavar="N",
        help="pairs of subsamples for each value, at least 5, or 2 with --reference none "
        "(default: 20)",
    )
    group.add_argument(
        "--share",
        type=float,
        default=0.8,
        metavar="SHARE",
        help="share of the points in a subsample, above 0.5 and below 1 (default: 0.8)",
    )
    group.add_argument(
        "--reference",
        type=str.lower,
        choices=("uniform", "normal", "none"),
        default="uniform",
        help="data without clusters to compare with: a box around the data, a normal distribution, "
        "or none, which is faster and names no best value (default: uniform)",
    )
    group.add_argument(
        "--tol",
        type=float,
        default=5e-4,
        metavar="SIZE",
        help="largest Monte Carlo error of a sampled adjusted index (default: 5e-4)",
    )
    group = parser.add_argument_group("reading")
    group.add_argument(
        "--columns",
        action="append",
        default=[],
        metavar="LIST",
        help="columns to cluster, by names or numbers from 1: 2-5 or a,b,c",
    )
    group.add_argument(
        "--id", action="append", default=[], metavar="COLUMN", help="column that names the points"
    )
    group.add_argument(
        "--groups",
        metavar="COLUMN",
        help="column of groups that are drawn together, such as the patient of a sample",
    )
    options.add_text(group)
    options.add_noise(group)
    group = parser.add_argument_group("work")
    group.add_argument(
        "--checkpoint",
        metavar="FILE",
        help="keep finished repeats in this file; the same command continues from there",
    )
    group.add_argument(
        "--n-jobs", type=int, metavar="N", help="number of processes; -1 for all cores (default: 1)"
    )
    group.add_argument(
        "--no-progress",
        dest="progress",
        action="store_false",
        help="show no progress bar (it is shown on a terminal)",
    )
    group = options.add_output(parser, report="a report with pictures")
    group.add_argument(
        "--out",
        metavar="FOLDER",
        help=f"also write all tables into this folder: {', '.join(FILES)}",
    )
    pictures.add_plot(group, "stability and firmness")


def run(arguments: argparse.Namespace) -> None:
    """Read, cluster, compare, print."""
    method = METHODS[arguments.method]
    parameter = arguments.parameter or method.parameter
    values = parse_values(arguments.values, parameter)
    settings = {**method.settings, **dict(map(_setting, arguments.set))}
    model = options.single_model(arguments, "stability takes one {parameter}")
    options.require_known_names(arguments)
    written_files = [(option, getattr(arguments, option)) for option in ("html", "plot")]
    written_files += [("out", path) for path in _targets(arguments.out)]
    output.require_outputs(written_files, [arguments.data, arguments.checkpoint or "-"])
    options.use_single_blas_threads()
    estimator = _estimator(method, settings)

    # Deferred: NumPy, which --help does not need.
    from .._api.stability import stability

    data = _read(arguments)
    if arguments.checkpoint:
        arguments.after_stop = (
            f" Finished repeats are in {arguments.checkpoint}; the same command continues."
        )
    noise = arguments.noise
    result = stability(
        estimator,
        _framed(data, _scaled(data) if arguments.scale else data.rows),
        values,
        parameter=parameter,
        repeats=arguments.repeats,
        share=arguments.share,
        index=arguments.index,
        model=model,
        groups=data.groups,
        reference=None if arguments.reference == "none" else arguments.reference,
        random_state=arguments.seed,
        n_jobs=arguments.n_jobs,
        checkpoint=arguments.checkpoint,
        noise=method.noise if noise is None else noise,
        noise_as=arguments.noise_as,
        tol=arguments.tol,
        progress=arguments.progress,
    )
    _write_files(arguments, result)
    if arguments.json:
        output.print_json({**result.to_dict(), "method": repr(estimator), "file": data.to_dict()})
    elif arguments.csv:
        columns = result.columns()
        output.print_csv(list(columns), list(zip(*columns.values(), strict=True)))
        for note in result.note_sentences:
            tell(f"note: {note.text(VOICE)}")
    else:
        print(result.text(VOICE))


def parse_values(text: str | None, parameter: str) -> list[Value]:
    """Read a list of values, such as 2-10, 0.1,0.2 or 0.2-2:0.2.

    Examples
    --------
    >>> parse_values("2-4,8", "n_clusters"), parse_values("0.1-0.3:0.1,ward", "x")
    ([2, 3, 4, 8], [0.1, 0.2, 0.3, 'ward'])
    """
    if text is None:
        if is_count(parameter):
            return list(range(2, 11))
        raise ParameterError(
            "{parameter} is needed for {name}: a list such as 0.1,0.2,0.5, or 0.2-2:0.2 in steps.",
            parameter=Option("values"),
            name=parameter,
        )
    values: list[Value] = []
    for token in (part.strip() for part in text.split(",")):
        if not token:
            continue
        found = RANGE.fullmatch(token)
        values += [_value(token)] if found is None else _between(token, *found.groups())
    return values


def _between(token: str, low: str, high: str, step: str | None) -> list[Value]:
    """Return the values of a range, both ends included."""
    start, stop, by = (_value(each) for each in (low, high, step or "1"))
    assert not isinstance(start, str)
    assert not isinstance(stop, str)
    assert not isinstance(by, str)
    whole = all(isinstance(each, int) for each in (start, stop, by))
    if by <= 0 or stop < start or (step is None and not whole):
        raise ParameterError(
            "{parameter}: expected a range from a smaller to a larger number, such as 2-10, with a "
            "step if they are not integers, as in 0.2-2:0.2.",
            parameter=Option("values", token),
        )
    count = floor((stop - start) / by + 1e-9) + 1
    values = [start + by * place for place in range(count)]
    return [value if whole else float(written(float(value))) for value in values]


def _value(text: str) -> Value:
    """Return a number if a text is one, and else the text."""
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        if isfinite(number):
            return number
    return text


def _setting(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise ParameterError(
            "{parameter}: expected NAME=VALUE, such as min_samples=10.",
            parameter=Option("set", text),
        )
    words: dict[str, Any] = {"true": True, "false": False, "none": None}
    return name, words.get(value.lower(), _value(value))


def _estimator(method: Method, settings: dict[str, Any]) -> Any:
    """Return the estimator of scikit-learn, or refuse what it does not have."""
    try:
        kind = getattr(import_module(method.module), method.name)
    except (ImportError, AttributeError):
        raise MissingExtraError(
            "this command needs scikit-learn 1.4 or later: pip install scikit-learn."
        ) from None
    try:
        return kind().set_params(**settings)
    except ValueError as error:
        raise ParameterError(
            "{parameter}: {reason}",
            parameter=Option("set"),
            reason=str(error).splitlines()[0],
        ) from None


def _read(arguments: argparse.Namespace) -> Data:
    # Deferred: NumPy, which --help does not need.
    from .._files.columns import ReadingOptions
    from .._files.data_files import read_data

    reading = ReadingOptions(
        columns=tuple(arguments.columns),
        id=tuple(arguments.id),
        header=tuple(arguments.header),
        delimiter=options.delimiter(arguments),
        max_size=arguments.max_size,
    )
    data = read_data(arguments.data, reading, arguments.groups)
    if not arguments.quiet:
        tell(str(data))
    return data


def _scaled(data: Data) -> Any:
    """Return the numbers with a mean of 0 and a standard deviation of 1 in each column."""
    if hasattr(data.rows, "tocsr"):
        raise InputError(
            "{scale} needs a full matrix, but {source} holds a sparse one.",
            scale=Option("scale", True),
            source=data.source,
        )
    spread = data.rows.std(axis=0)
    return (data.rows - data.rows.mean(axis=0)) / [each or 1.0 for each in spread.tolist()]


def _framed(data: Data, rows: Any) -> Any:
    """Return the numbers with the names of the points, if pandas can hold them."""
    if data.ids is None or hasattr(rows, "tocsr"):
        return rows
    try:
        import pandas as pd  # Deferred: an extra.
    except ImportError:
        return rows
    return pd.DataFrame(rows, index=data.ids, columns=list(map(str, data.columns)))


def _targets(folder: str | None) -> list[str]:
    """Return the files to write; none without a folder."""
    if folder is None:
        return []
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise InputError("{path} is not a directory; name one to write to.", path=folder)
    if not target.absolute().parent.is_dir():
        raise InputError(
            "{path} cannot be created: there is no directory {folder}.",
            path=folder,
            folder=target.parent,
        )
    return [str(target / name) for name in FILES] if target.is_dir() else []


def _write_files(arguments: argparse.Namespace, result: Stability) -> None:
    if arguments.out:
        Path(arguments.out).mkdir(exist_ok=True)
        for name, what in FILES.items():
            output.save_columns(str(Path(arguments.out) / name), result.columns(what))
    if arguments.plot:
        # Deferred: NumPy, which --help does not need.
        from ..plot._stability import FIGURE, draw_both

        figure = pictures.new_figure(FIGURE)
        draw_both(result, figure.subplots(2))
        pictures.save_figure(figure, arguments.plot)
    if arguments.html:
        from ..report import stability_report  # Deferred: only --html needs it.

        page = stability_report(result, command=arguments.command_line, stdin=arguments.data == "-")
        output.save(arguments.html, lambda path: path.write_text(page, encoding="utf-8"))
