"""What is computed: the index, the models, and how certain the result is."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from .._base.errors import ParameterError
from .._base.levels import HIGHEST_LEVEL, LOWEST_LEVEL
from .._base.wording import Option
from .commands import add_seed, whole

if TYPE_CHECKING:
    from ..models import Model
    from ..models.registry import EveryModel


def add_question(
    parser: argparse.ArgumentParser, *, models: bool = True, default: str = "perm"
) -> Any:
    """Add the options for index and model, with a default model; return the group."""
    parser.set_defaults(default_model=default)
    group = parser.add_argument_group("question")
    group.add_argument(
        "--index",
        default="ndc",
        metavar="NAME",
        help="the index; see fuzzyrand indices (default: ndc)",
    )
    several = "; may be repeated; 'every' takes all that apply" if models else ""
    group.add_argument(
        "--model",
        action="append",  # also where only one is taken, so that a second is refused
        metavar="NAME",
        help=f"the random model; see fuzzyrand models (default: {default}){several}",
    )
    group.add_argument(
        "--resolution",
        type=float,
        metavar="SIZE",
        help="size below which memberships were set to 0, such as 5e-4 for three decimals",
    )
    group.add_argument(
        "--bias",
        choices=("plugin", "corrected"),
        help="corrected removes the bias of a fit to few points, for the models fit and sym "
        "(default: plugin)",
    )
    add_seed(group)
    return group


def add_comparing(group: Any, first: str, second: str, *, maximum: bool = True) -> None:
    """Add the options of comparisons: a fixed side, a maximum if asked for, a tolerance."""
    add_fixed(group, f"known, and not random: first is {first}, second is {second}")
    if maximum:
        group.add_argument(
            "--maximum",
            choices=("1", "self"),
            default="1",
            help="what an adjusted index of 1 means: perfect agreement, or the agreement of "
            "each clustering with itself (default: 1)",
        )
    add_tolerance(group)


def add_fixed(group: Any, what: str) -> None:
    """Add which clustering is fixed."""
    group.add_argument(
        "--fixed",
        choices=("first", "second"),
        help=f"the clustering that is {what} (no difference under perm)",
    )


def add_tolerance(group: Any) -> None:
    """Add the Monte Carlo error that is allowed."""
    group.add_argument(
        "--tol",
        type=float,
        default=5e-4,
        metavar="SIZE",
        help="largest Monte Carlo error of a sampled adjusted index (default: 5e-4)",
    )


def add_certainty(parser: argparse.ArgumentParser) -> None:
    """Add the options for tests, intervals, and a text about them."""
    group = parser.add_argument_group("certainty")
    add_test(group, "add a permutation test against chance")
    add_confidence(
        group, "add a confidence interval, with the points as a sample (default level: 0.95)"
    )
    group.add_argument(
        "--methods",
        action="store_true",
        help="add a paragraph for the methods section of a paper, with references",
    )


def add_confidence(group: Any, text: str) -> None:
    """Add confidence intervals."""
    group.add_argument(
        "--confidence", type=_level, nargs="?", const=0.95, metavar="LEVEL", help=text
    )


def add_test(group: Any, text: str) -> None:
    """Add a test, and how many shuffles it takes."""
    group.add_argument("--test", action="store_true", help=text)
    group.add_argument(
        "--draws",
        type=draws_of_test,
        default="auto",
        metavar="NUMBER",
        help="with --test, the largest number of shuffles (default: 9999, or 999 if they are slow)",
    )


def draws_of_test(text: str) -> str | int:
    """Read a number of draws that allows p = 0.05, or auto."""
    if text == "auto":
        return text
    if whole(text) < 19:
        raise argparse.ArgumentTypeError("must be at least 19, which allow p = 0.05")
    return int(text)


def draws(arguments: argparse.Namespace) -> str | int:
    """Return the largest number of draws of a test, refused where nothing is tested."""
    number: str | int = arguments.draws
    if number != "auto" and not arguments.test:
        raise ParameterError(
            "{parameter} limits the shuffles of a test; add {test}.",
            parameter=Option("draws", number),
            test=Option("test", True),
        )
    return number


def _level(text: str) -> float:
    try:
        level = float(text)
    except ValueError:
        level = 0.0
    if not LOWEST_LEVEL <= level <= HIGHEST_LEVEL:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a level from {LOWEST_LEVEL} to {HIGHEST_LEVEL}, such as 0.95"
        )
    return level


def require_known_names(arguments: argparse.Namespace) -> None:
    """Refuse an unknown index, model or model option before files are read."""
    # Deferred: NumPy, which --help does not need.
    from ..indices import as_index

    as_index(arguments.index)
    models(arguments)


def models(arguments: argparse.Namespace) -> Model | list[Model] | EveryModel:
    """Return the models with their options, in the form that compare() takes."""
    # Deferred: NumPy, which --help does not need.
    from ..models.registry import EveryModel

    if "every" in [name.lower() for name in _model_names(arguments)]:
        return EveryModel(_model_options(arguments))
    named = named_models(arguments)
    return named[0] if len(named) == 1 else named


def single_model(arguments: argparse.Namespace, takes: str) -> Model:
    """Return the only model, or refuse several with a message that begins with ``takes``.

    An unknown index is refused as well.
    """
    from ..indices import as_index  # Deferred: NumPy, which --help does not need.

    named = [] if "every" in _model_names(arguments) else named_models(arguments)
    if len(named) != 1:
        raise ParameterError(
            takes + "; fuzzyrand compare takes several, or every.",
            parameter=Option("model"),
        )
    as_index(arguments.index)
    return named[0]


def named_models(arguments: argparse.Namespace) -> list[Model]:
    """Return the models that are named, with their options."""
    # Deferred: NumPy, which --help does not need.
    from ..models import as_model
    from ..models.registry import with_options

    named = [as_model(name) for name in _model_names(arguments)]
    return with_options(named, _model_options(arguments))


def _model_names(arguments: argparse.Namespace) -> list[str]:
    return list(arguments.model or [arguments.default_model])


def _model_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the options of models that were given."""
    given = {"resolution": arguments.resolution, "bias": arguments.bias}
    return {name: value for name, value in given.items() if value is not None}


def comparing(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of the library for the index and the options of comparisons."""
    asked = {name: getattr(arguments, name) for name in ("index", "fixed", "tol")}
    if hasattr(arguments, "maximum"):
        asked["maximum"] = "self" if arguments.maximum == "self" else 1
    return {**asked, "random_state": arguments.seed}
