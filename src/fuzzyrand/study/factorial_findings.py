"""What the factorial says about the paper's statements, in words and numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .design import FloatArray
from .tables import level, markdown_table, number

if TYPE_CHECKING:
    from .factorial_page import Panel, Results

Panels = dict[tuple[int, str], "Panel"]

#: A mean that moves less than this over all levels of a factor is called constant.
CONSTANT = 0.03
#: Columns shown where the ways to treat zeros are set side by side.
FITS = ("fit", "fit_categorical", "fit_authors")


def findings(results: Results, panels: list[Panel]) -> dict[str, str]:
    """Pieces of the page, by the name of their place in it."""
    by = {(p.sides, p.factor): p for p in panels}
    return {
        "statements": _statements(results, by),
        "noise_two_sided": _noise(results, by, 2),
        "noise_one_sided": _noise(results, by, 1),
        "worst_noise": _worst_noise(results),
        "few_points": _few_points(by),
        "bias": _bias(results),
    }


def _statements(results: Results, by: Panels) -> str:
    two = {factor: panel for (sides, factor), panel in by.items() if sides == 2}
    one = {factor: panel for (sides, factor), panel in by.items() if sides == 1}
    rows = [
        (
            "Two-sided, `fit` and `perm` differ by at most 0.07 anywhere.",
            f"{_largest_gap(by, 2, 'fit')}. {_largest_gap(by, 2, 'fit_authors')}, by the authors' "
            f"rule. One-sided: {_largest_gap(by, 1, 'fit')}.",
        ),
        (
            "With more clusters `flat` rises quickly and `sym` falls quickly.",
            f"`sym` falls: {_trend(two['clusters'], 'sym')}. `flat` falls first and rises from 8 "
            f"clusters on: {_trend(two['clusters'], 'flat')}.",
        ),
        (
            "`fit` and `perm` fall slowly with more clusters, unlike in the purely hard case, "
            "where `perm` is known to rise.",
            f"`perm`: {_trend(two['clusters'], 'perm')}. `fit`: {_trend(two['clusters'], 'fit')}. "
            f"In the purely hard cells (precision 0) `perm` falls too: {_hard_trend(results)}.",
        ),
        (
            "As cluster sizes become more balanced, `sym` and `flat` rise; `fit` and `perm` stay.",
            f"From imbalance 0.2 to 0.8: `sym` {_ends(two['imbalance'], 'sym')}, `flat` "
            f"{_ends(two['imbalance'], 'flat')}, `fit` {_ends(two['imbalance'], 'fit')}, `perm` "
            f"{_ends(two['imbalance'], 'perm')}.",
        ),
        (
            "All four fall as a larger share is randomised.",
            f"{_falling(two['share'])} The published `fit` rises again from 0.048 at 0.8 to 0.060 "
            f"at 1, an artefact; ours ends at {number(two['share'].ours['fit'][-1])}.",
        ),
        (
            "(Two-sided, precision; not put into words.) The published `fit` and `sym` fall with "
            "the precision.",
            f"`fit`: {_trend(two['precision'], 'fit')}; `sym`: {_trend(two['precision'], 'sym')}; "
            f"with categorical zeros, `fit`: {_trend(two['precision'], 'fit_categorical')}; "
            f"`sym`: {_trend(two['precision'], 'sym_categorical')}.",
        ),
        (
            "(Two-sided, points; not put into words.) The published `fit` falls from 0.322 at 128 "
            "points to 0.258.",
            f"{_constant(two['points'], 'fit')} {_constant(two['points'], 'perm')} "
            f"{_constant(two['points'], 'sym')} {_constant(two['points'], 'flat')}",
        ),
        (
            "One-sided, `fit`, `sym` and `perm` fall from 2 to 16 clusters; then `fit` rises, and "
            "`sym` and `perm` stay.",
            f"`fit`: {_trend(one['clusters'], 'fit')}; `sym`: {_trend(one['clusters'], 'sym')}; "
            f"`perm`: {_trend(one['clusters'], 'perm')}.",
        ),
        (
            "One-sided, `flat` rises sharply up to 32 clusters, then slowly.",
            f"Holds: {_trend(one['clusters'], 'flat')}.",
        ),
        (
            "One-sided, `fit` and `perm` do not depend on the imbalance; `sym` and `flat` rise "
            "with balance.",
            f"From imbalance 0.2 to 0.8: `fit` {_ends(one['imbalance'], 'fit')}, `perm` "
            f"{_ends(one['imbalance'], 'perm')}, `sym` {_ends(one['imbalance'], 'sym')}, `flat` "
            f"{_ends(one['imbalance'], 'flat')}.",
        ),
        (
            "One-sided, no index depends on the number of points.",
            f"{_constant(one['points'], 'fit')} {_constant(one['points'], 'sym')} "
            f"{_constant(one['points'], 'perm')} {_constant(one['points'], 'flat')} The published "
            "`fit` and `sym` fall by 0.085 and 0.074, most of it an artefact.",
        ),
        (
            "One-sided, all fall with the share randomised.",
            f"{_falling(one['share'])} The published `fit` rises from 0.013 at 0.8 to 0.054 at 1.",
        ),
    ]
    return markdown_table(["the paper", "we find"], rows)


def _values(means: FloatArray) -> str:
    return ", ".join(number(float(m), 2) for m in means)


def _trend(panel: Panel, column: str) -> str:
    """All means of a panel, in order."""
    return _values(panel.ours[column])


def _ends(panel: Panel, column: str) -> str:
    """From the least to the most balanced sizes."""
    means = panel.ours[column]
    return f"{number(float(means[-1]))} → {number(float(means[0]))}"


def _largest_gap(by: Panels, sides: int, column: str) -> str:
    """The largest difference of a column from ``perm`` in any mean, and where."""
    found = [
        (abs(float(panel.ours[column][i] - panel.ours["perm"][i])), panel.factor, at)
        for (of, _), panel in by.items()
        if of == sides
        for i, at in enumerate(panel.levels)
    ]
    gap, factor, at = max(found)
    return f"{number(gap)}, at {factor} {level(at)}"


def _falling(panel: Panel) -> str:
    columns = ("perm", "fit", "sym", "flat")
    rising = [c for c in columns if (np.diff(panel.ours[c]) >= 0.0).any()]
    if not rising:
        return "Holds for ours without exception."
    return f"Holds except for {', '.join(f'`{c}`' for c in rising)}."


def _constant(panel: Panel, column: str) -> str:
    means = panel.ours[column]
    moved = float(means.max() - means.min())
    ends = f"{number(float(means[0]))} → {number(float(means[-1]))}"
    verdict = "constant" if moved < CONSTANT else "not constant"
    return f"`{column}` {verdict} ({ends})."


def _hard_trend(results: Results) -> str:
    means = [
        results.mean("perm", sides=2, precision=0.0, clusters=k) for k in results.levels("clusters")
    ]
    return _values(np.array(means))


def _noise(results: Results, by: Panels, sides: int) -> str:
    """Means at a randomised share of 1, where both sides are noise and the truth is 0."""
    panel = by[sides, "clusters"]
    others = [share for share in results.levels("share") if share != 1.0]
    header = ["clusters", "perm", "fit", "fit, categorical", "fit, authors' rule"]
    rows = []
    for i, k in enumerate(panel.levels):
        means = [results.mean(c, sides=sides, clusters=k, share=1.0) for c in ("perm", *FITS)]
        row = [level(k), *(number(m) for m in means)]
        if panel.theirs:
            # What the other shares leave over of the published mean of this level.
            known = sum(
                results.mean("fit_authors", sides=sides, clusters=k, share=s) for s in others
            )
            row.append(number(float(panel.theirs["fit"][i]) * (len(others) + 1) - known))
        rows.append(row)
    if panel.theirs:
        header.append("published, implied")
    return markdown_table(header, rows)


def _worst_noise(results: Results) -> str:
    """The most clusters, of pure noise, by points: ours, and the authors' rule."""
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


def _few_points(by: Panels) -> str:
    """One-sided means by points: the pairs of the fixed side, or its squared proportions."""
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
    """Our fit on pure noise, by clusters and points: zero but for what estimating costs."""
    points = results.levels("points")

    def mean(k: float, n: float) -> str:
        return number(results.mean("fit", sides=2, clusters=k, points=n, share=1.0), 2)

    rows = [[level(k), *(mean(k, n) for n in points)] for k in results.levels("clusters")]
    return markdown_table(["clusters", *(f"{level(n)} points" for n in points)], rows)
