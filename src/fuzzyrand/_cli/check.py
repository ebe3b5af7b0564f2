"""``fuzzyrand check FILE``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING

from .._base.decimals import decimals
from .._base.errors import NotApplicableError
from .._base.wording import capitalised
from . import input_files, output, pictures, question
from .commands import Subparsers, add_command
from .voice import VOICE

if TYPE_CHECKING:
    from .._clusterings.partition import Partition
    from ..results import ModelCheck


def add(commands: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "check",
        run,
        notes=input_files.READING,
        examples=(
            "fuzzyrand check soft.csv --model fit",
            "fuzzyrand check soft.csv --model every",
            "fuzzyrand check soft.csv --model fit --model mixture --plot models.svg",
        ),
    )
    parser.add_argument("file", metavar="FILE", help="labels or memberships")
    question.add_question(parser, default="fit")  # perm describes every clustering
    input_files.add_reading(parser, several=False)
    pictures.add_plot(output.add_output(parser, csv=False), "it")


def run(arguments: argparse.Namespace) -> None:
    """Read, check, print."""
    output.require_outputs(arguments, ["plot"], [arguments.file, *arguments.names])
    question.require_known_names(arguments)
    (reading,) = input_files.read(arguments, [arguments.file])
    checks, skipped = _check(arguments, _treated(arguments, reading.partition))
    if arguments.plot:
        _plot(checks, arguments.plot)
    if arguments.json:
        output.print_json(
            {
                "checks": [check.to_dict() for check in checks],
                "skipped": skipped,
                "file": reading.to_dict(),
            }
        )
    elif len(checks) == 1 and not skipped:
        print(checks[0].text(voice=VOICE))
    else:
        print(_table(checks, skipped))


def _treated(arguments: argparse.Namespace, partition: Partition) -> Partition:
    """Return the clustering with its noise treated."""
    # Deferred: NumPy, which --help does not need.
    from .._clusterings.options import InputOptions
    from .._clusterings.points.same_points import read_together

    (partition,) = read_together(
        {"clustering": partition}, InputOptions(**input_files.noise(arguments))
    )
    return partition


def _check(
    arguments: argparse.Namespace, partition: Partition
) -> tuple[list[ModelCheck], dict[str, str]]:
    """Check the models asked for, or all that apply; return also why others were skipped."""
    # Deferred: NumPy, which --help does not need.
    from .._api.check_model import check_model
    from ..indices import as_index
    from ..models.registry import EveryModel, applicable_models, with_options

    index = as_index(arguments.index)
    asked = question.models(arguments)
    every = isinstance(asked, EveryModel)
    if isinstance(asked, EveryModel):
        chosen = with_options(applicable_models([partition], index), asked.options)
    else:
        chosen = question.named_models(arguments)
    checks, skipped = [], {}
    for model in chosen:
        try:
            checks.append(check_model(partition, model, index=index, random_state=arguments.seed))
        except NotApplicableError as error:
            if not every:
                raise
            skipped[str(model)] = error.text(VOICE)
    if not checks:
        raise NotApplicableError(
            "no model applies to this clustering. {reasons}",
            reasons="; ".join(f"{model}: {reason}" for model, reason in skipped.items()),
        )
    return checks, skipped


def _table(checks: Sequence[ModelCheck], skipped: dict[str, str]) -> str:
    # Deferred: NumPy, which --help does not need.
    from ..results import WIDTH

    first = checks[0]
    width = max(8, *(len(check.model) for check in checks))
    lines = [
        f"{len(checks)} models for a clustering of {first.n:,} points: {first.clustering}",
        f"  mean co-membership of two points {decimals(first.mean, 4)}",
        f"  {'model':<{width}}  model's mean    misfit    median, 95%   describes it",
    ]
    for check in checks:
        typical = ", ".join(decimals(value) for value in check.typical or ())
        verdict = {None: "–", True: "yes", False: "no"}[check.suits]
        lines.append(
            f"  {check.model:<{width}}  {decimals(check.model_mean, 4):>12}  "
            f"{decimals(check.distance):>8}  "
            f"{typical:>13}   {verdict}".rstrip()
        )
    lines += [
        "Misfit: how far the co-memberships of pairs under the model lie, on average, from those",
        "observed. Median, 95%: of the misfit of clusterings drawn from the model and refitted.",
    ]
    unjudged = [check.model for check in checks if check.suits is None]
    if unjudged:
        reason = (
            "No verdict (–), because clusterings could not be drawn from the model at low cost, or "
            f"the model could not be refitted to them: {', '.join(unjudged)}."
        )
        lines.append(fill(reason, WIDTH))
    lines += [
        f"Without a value: {model}. {capitalised(reason)}" for model, reason in skipped.items()
    ]
    return "\n".join(lines)


def _plot(checks: Sequence[ModelCheck], path: str) -> None:
    with pictures.figure_in_file(path, (6.4, 3.6 * len(checks))) as figure:
        every = figure.subplots(len(checks), squeeze=False)[:, 0]
        for check, axes in zip(checks, every, strict=True):
            check.plot(axes)
