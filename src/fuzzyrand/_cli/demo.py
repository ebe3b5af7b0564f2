"""``fuzzyrand demo``: comparisons of clusterings that come with the package."""

from __future__ import annotations

import argparse
import itertools
from typing import TYPE_CHECKING, Any

from .._base.errors import MissingExtraError
from .commands import Subparsers, add_command

if TYPE_CHECKING:
    from ..results import ComparisonTable

MODELS = ["perm", "fit", "sym", "flat"]


def add(commands: Subparsers) -> None:
    """Add the command."""
    add_command(commands, "demo", run, examples=("fuzzyrand demo",))


def run(_: argparse.Namespace) -> None:
    """Compare the toy clusterings of the paper, then mixture models of real data."""
    print(_INTRODUCTION)
    _toy()
    _wine()


def _toy() -> None:
    # Deferred: NumPy, which --help does not need.
    from .._api.compare import compare
    from .._api.toy import toy_clusterings

    print("1. Five toy clusterings of nine points (DeWolfe & Andrews, Section 5.2)\n")
    toy = toy_clusterings()
    print(f"   {'':<37} index   adjusted under")
    print(f"   {'clusterings':<37}   NDC  " + "".join(f"{m:>8}" for m in MODELS))
    sentences = []
    for number, (a, b) in enumerate(itertools.combinations(toy, 2), start=1):
        table = compare(toy[a], toy[b], model=MODELS)
        values = "".join(f"{round(c.adjusted, 3) + 0.0:8.3f}" for c in table)  # no minus zero
        print(f"{number:>2} {a:<18} {b:<18} {table.observed:.3f}  {values}")
        sentences.append(f"{number:>2} {_in_a_sentence(table)}")
    print("\n" + "\n".join(sentences) + "\n")


def _in_a_sentence(table: ComparisonTable) -> str:
    """Sum up the numbers under the four models."""
    low, high = (pick(table, key=lambda c: c.adjusted) for pick in (min, max))
    if low.adjusted > 0.8:
        return "Very similar under every model."
    if high.adjusted <= 0.005:
        return "As alike as expected by chance, or less, under every model."
    if low.adjusted < -0.005:
        return (
            f"It depends on the model: more alike than chance under {high.model} "
            f"({high.adjusted:.2f}), less alike under {low.model} ({low.adjusted:.2f})."
        )
    return f"Slightly more alike than chance (from {low.adjusted:.2f} to {high.adjusted:.2f})."


def _wine() -> None:
    # Deferred: NumPy, which --help does not need.
    from .._api.compare import compare

    truth, soft, softer = _wine_clusterings()
    print("2. Wines of three growers, clustered softly by a Gaussian mixture\n")
    print("   How well does the mixture find the growers? They are known, and stay fixed.\n")
    print(_indented(compare(truth, soft, model=MODELS, fixed="first")))
    print("\n   How alike are mixtures of three and of four components? Both are random.\n")
    print(_indented(compare(soft, softer, model=MODELS)))


def _wine_clusterings() -> tuple[Any, Any, Any]:
    try:
        # Deferred: an extra.
        from sklearn.datasets import load_wine
        from sklearn.decomposition import PCA
        from sklearn.mixture import GaussianMixture
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
    except ImportError:
        raise MissingExtraError(
            'the second half of the demo needs scikit-learn: pip install "fuzzyrand[demo]"'
        ) from None
    measurements, growers = load_wine(return_X_y=True)
    scores = make_pipeline(StandardScaler(), PCA(2)).fit_transform(measurements)
    soft = GaussianMixture(3, random_state=0).fit(scores).predict_proba(scores)
    softer = GaussianMixture(4, random_state=0).fit(scores).predict_proba(scores)
    return growers, soft, softer


def _indented(table: ComparisonTable) -> str:
    return "\n".join("   " + line for line in str(table).splitlines())


_INTRODUCTION = """\
fuzzyrand compares two clusterings and adjusts the result for chance.

The index is the NDC, the Rand index for fuzzy clusterings: the share of pairs of points that both
clusterings treat alike. Adjusted for chance, 1 is perfect agreement and 0 is what chance gives.
Chance is a random model:
  perm   the same memberships, shuffled over the points (the default)
  fit    random clusterings with approximately the same cluster sizes and fuzziness
  sym    random clusterings with as many clusters, of equal expected size, and this fuzziness
  flat   random clusterings with as many clusters, all memberships equally likely
"""
