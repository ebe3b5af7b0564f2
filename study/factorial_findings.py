"""The results of the factorial study beside the statements of the paper."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .design import FACTORS, FloatArray
from .tables import level, markdown_table, number

if TYPE_CHECKING:
    from .factorial_page import Panel, Results

Panels = dict[tuple[int, str], "Panel"]

#: A mean that varies by less than this over the levels of a factor is called constant.
CONSTANT = 0.03
#: Columns of the tables that compare treatments of zeros.
FITS = ("fit", "fit_categorical", "fit_authors")


def findings(results: Results, panels: list[Panel]) -> dict[str, str]:
    """Return pieces of the page, by the names of their placeholders."""
    by = {(p.sides, p.factor): p for p in panels}
    return {
        "statements": _statements(results, by),
        "noise_two_sided": _noise(results, by, 2),
        "noise_one_sided": _noise(results, by, 1),
        "worst_noise": _worst_noise(results),
        "largest_noise": _largest_noise(results),
        "few_points": _few_points(by),
        "bias": _bias(results),
    }


def _statements(results: Results, by: Panels) -> str:
    two_sided = {factor: panel for (sides, factor), panel in by.items() if sides == 2}
    one_sided = {factor: panel for (sides, factor), panel in by.items() if sides == 1}
    models = ("fit", "perm", "sym", "flat")
    rows = [
        (
            "Two-sided, `fit` and `perm` differ by at most 0.07 anywhere.",
            f"{_largest_gap(by, 2, 'fit')}; {_largest_gap(by, 2, 'fit_authors')}, by the authors' "
            f"rule. One-sided: {_largest_gap(by, 1, 'fit')}.",
        ),
        (
            "With more clusters `flat` rises quickly and `sym` falls quickly.",
            _shapes(two_sided["clusters"], ("flat", "sym")),
        ),
        (
            "`fit` and `perm` fall slowly with more clusters, unlike in the purely hard case, "
            "where `perm` is known to rise.",
            f"{_shapes(two_sided['clusters'], ('fit', 'perm'))} In the purely hard cells of "
            f"this very study (precision 0) `perm` {_hard_shape(results)}.",
        ),
        (
            "As cluster sizes become more balanced, `sym` and `flat` rise; `fit` and `perm` stay.",
            f"From imbalance 0.2 to 0.8: {_all_ends(two_sided['imbalance'], models)}.",
        ),
        (
            "All four fall as a larger share is randomised.",
            f"{_shapes(two_sided['share'], models)} The published `fit` rises again at the end, "
            "from 0.048 to 0.060: an artefact.",
        ),
        (
            "(Precision, two-sided: not put into words.) The published `fit` and `sym` fall as it "
            "grows.",
            f"{_shapes(two_sided['precision'], models)} With categorical zeros: "
            f"{_shapes(two_sided['precision'], ('fit_categorical', 'sym_categorical'))}",
        ),
        (
            "(Points, two-sided: not put into words.) The published `fit` falls from 0.322 to "
            "0.258; the others stay.",
            _shapes(two_sided["points"], models),
        ),
        (
            "One-sided, `fit`, `sym` and `perm` fall from 2 to 16 clusters; then `fit` rises, and "
            "`sym` and `perm` stay.",
            _shapes(one_sided["clusters"], ("fit", "sym", "perm")),
        ),
        (
            "One-sided, `flat` rises sharply up to 32 clusters, then slowly.",
            _shapes(one_sided["clusters"], ("flat",)),
        ),
        (
            "One-sided, `fit` and `perm` do not depend on the imbalance; `sym` and `flat` rise "
            "with balance.",
            f"From imbalance 0.2 to 0.8: {_all_ends(one_sided['imbalance'], models)}.",
        ),
        (
            "One-sided, no index depends on the number of points.",
            f"{_shapes(one_sided['points'], models)} The published `fit` and `sym` fall by 0.085 "
            "and 0.074: an artefact.",
        ),
        (
            "One-sided, all fall with the share randomised.",
            f"{_shapes(one_sided['share'], models)} The published `fit` rises at the end, from "
            "0.013 to 0.054: an artefact.",
        ),
        (
            "(Precision, one-sided: not put into words.) The published `fit` falls from 0.289 to "
            "0.189, `sym` from 0.202 to 0.025.",
            _shapes(one_sided["precision"], models),
        ),
    ]
    return markdown_table(["the paper", "we find"], rows, numbers=False)


def _shapes(panel: Panel, columns: Sequence[str]) -> str:
    """Say how several columns vary, in a sentence each."""
    return " ".join(f"`{c}` {_shape(panel.levels, panel.ours[c])}." for c in columns)


def _shape(levels: Sequence[float], means: FloatArray) -> str:
    """Say how a mean varies with its factor, and list its values.

    >>> _shape((2, 4, 8), np.array([0.5, 0.2, 0.3]))
    'falls until 4, then rises (0.50, 0.20, 0.30)'
    >>> _shape((2, 4, 8), np.array([0.5, 0.51, 0.5]))
    'stays (0.50, 0.51, 0.50)'
    """
    values = ", ".join(number(float(m), 2) for m in means)
    if np.ptp(means) < CONSTANT:
        return f"stays ({values})"
    low, high = int(np.argmin(means)), int(np.argmax(means))
    for turn, before, after in ((low, "falls", "rises"), (high, "rises", "falls")):
        # A turning point counts if the mean varies enough before and after it.
        if max(abs(means[0] - means[turn]), abs(means[-1] - means[turn])) < CONSTANT:
            continue
        if (
            0 < turn < len(means) - 1
            and min(abs(means[0] - means[turn]), abs(means[-1] - means[turn])) > CONSTANT / 2
        ):
            return f"{before} until {level(levels[turn])}, then {after} ({values})"
    return f"{'falls' if means[-1] < means[0] else 'rises'} ({values})"


def _all_ends(panel: Panel, columns: Sequence[str]) -> str:
    """List means at the least and the most balanced sizes."""
    return ", ".join(
        f"`{c}` {number(float(panel.ours[c][-1]))} → {number(float(panel.ours[c][0]))}"
        for c in columns
    )


def _largest_gap(by: Panels, sides: int, column: str) -> str:
    """Return the largest difference of a column from ``perm`` in any mean, and its place."""
    gaps = [
        (abs(float(panel.ours[column][i] - panel.ours["perm"][i])), panel.factor, at)
        for (panel_sides, _), panel in by.items()
        if panel_sides == sides
        for i, at in enumerate(panel.levels)
    ]
    gap, factor, at = max(gaps)
    return f"{number(gap)}, at {factor} {level(at)}"


def _hard_shape(results: Results) -> str:
    levels = results.levels("clusters")
    means = [results.mean("perm", sides=2, precision=0.0, clusters=k) for k in levels]
    return _shape(levels, np.array(means))


def _noise(results: Results, by: Panels, sides: int) -> str:
    """Tabulate means at a randomised share of 1, where both sides are noise."""
    panel = by[sides, "clusters"]
    others = [share for share in results.levels("share") if share != 1.0]
    header = ["clusters", "perm", "fit", "fit, categorical", "fit, authors' rule"]
    rows = []
    for i, k in enumerate(panel.levels):
        means = [results.mean(c, sides=sides, clusters=k, share=1.0) for c in ("perm", *FITS)]
        row = [level(k), *(number(m) for m in means)]
        if panel.theirs:
            # The published mean of this level minus what the other shares contribute to it.
            other_shares = sum(
                results.mean("fit_authors", sides=sides, clusters=k, share=s) for s in others
            )
            row.append(number(float(panel.theirs["fit"][i]) * (len(others) + 1) - other_shares))
        rows.append(row)
    if panel.theirs:
        header.append("published, implied")
    return markdown_table(header, rows)


def _worst_noise(results: Results) -> str:
    """Tabulate pure noise with the most clusters by points: ours and the authors' rule."""
    k = max(results.levels("clusters"))
    precisions = [p for p in results.levels("precision") if p >= 1.0]
    rows = []
    for n in results.levels("points"):
        row = [level(n)]
        for precision in precisions:
            where = {"clusters": k, "points": n, "precision": precision, "share": 1.0}
            row += [number(results.mean(c, sides=2, **where)) for c in ("fit", "fit_authors")]
        rows.append(row)
    header = ["points"]
    for precision in precisions:
        header += [f"fit, precision {level(precision)}", "authors' rule"]
    return markdown_table(header, rows)


def _largest_noise(results: Results) -> str:
    """Return the setting of pure noise with the largest mean by the authors' rule."""
    settings = itertools.product(*(results.levels(f) for f in FACTORS if f != "share"))
    best, at = max(
        (results.mean("fit_authors", sides=2, share=1.0, **where), tuple(where.values()))
        for where in (dict(zip(FACTORS[:4], levels, strict=True)) for levels in settings)
    )
    k, n, imbalance, precision = (level(value) for value in at)
    return (
        f"{number(best, 2)}, with {k} clusters, {n} points, imbalance {imbalance} and precision "
        f"{precision}"
    )


def _few_points(by: Panels) -> str:
    """Tabulate one-sided means by points, under different rules for the fixed side."""
    panel = by[1, "points"]
    columns = ("fit", "fit_categorical", "fit_authors", "sym", "sym_categorical", "sym_authors")
    header = ["points"]
    for model in ("fit", "sym"):
        header += [model, f"{model}, categorical", f"{model}, authors' rule"]
        header += [f"{model}, published"] if panel.theirs else []
    rows = []
    for i, n in enumerate(panel.levels):
        row = [level(n)]
        for column in columns:
            row.append(number(float(panel.ours[column][i])))
            if panel.theirs and column.endswith("authors"):
                row.append(number(float(panel.theirs[column[:3]][i])))
        rows.append(row)
    return markdown_table(header, rows)


def _bias(results: Results) -> str:
    """Tabulate our fit on pure noise by clusters and points: its bias."""
    points = results.levels("points")

    def mean(k: float, n: float) -> str:
        return number(results.mean("fit", sides=2, clusters=k, points=n, share=1.0), 2)

    rows = [[level(k), *(mean(k, n) for n in points)] for k in results.levels("clusters")]
    return markdown_table(["clusters", *(f"{level(n)} points" for n in points)], rows)
