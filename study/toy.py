"""The toy example: five clusterings of nine points, every pair of them under every model."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np

import fuzzyrand as fr

from . import published
from .design import FloatArray
from .figures import STYLES, canvas, save
from .store import Record, Store
from .tables import markdown_table, number, page, write_parquet

MODELS = ("perm", "fit", "sym", "flat")
TITLES = {
    "uneven_low_fuzzy": "uneven, low fuzzy",
    "even_low_fuzzy": "even, low fuzzy",
    "high_fuzzy": "high fuzzy",
    "uneven_hard": "uneven, hard",
    "even_hard": "even, hard",
}


def run(out: str | Path) -> Path:
    """Compare the ten pairs, draw them, and write the page; takes seconds.

    Parameters
    ----------
    out : path
        Directory of the study.

    Returns
    -------
    Path
        The page.
    """
    with Store(out, "toy", {"fuzzyrand": fr.__version__}, ("comparison",)) as store:
        toy = fr.toy_clusterings()
        pairs = enumerate(itertools.combinations(toy, 2), start=1)
        for comparison, (first, second) in pairs:
            if (comparison,) not in store.records:
                store.append(_compare(comparison, first, second))
        records = store.table()
        store.write("toy.parquet", lambda path: write_parquet(path, _columns(records)))
        _draw_bars(store, records)
        _draw_triangles(store, toy)
        text = _page(records)
        return store.write("toy.md", lambda path: path.write_text(text, encoding="utf-8"))


def _compare(comparison: int, first: str, second: str) -> Record:
    toy = fr.toy_clusterings()
    table = fr.compare(toy[first], toy[second], model=list(MODELS))
    return {
        "comparison": comparison,
        "first": first,
        "second": second,
        "ndc": table.observed,
        "expected": [c.expected for c in table],
        "adjusted": [c.adjusted for c in table],
        "stderr": [c.stderr for c in table],
    }


def _columns(records: list[Record]) -> dict[str, Any]:
    rows = list(itertools.product(records, enumerate(MODELS)))
    tidy: dict[str, Any] = {
        name: [r[name] for r, _ in rows] for name in ("comparison", "first", "second", "ndc")
    }
    tidy["model"] = [model for _, (_, model) in rows]
    for name in ("expected", "adjusted", "stderr"):
        tidy[name] = [r[name][i] for r, (i, _) in rows]
    tidy["published"] = [published.TOY_ADJUSTED[m][r["comparison"] - 1] for r, (_, m) in rows]
    return tidy


def rankings(records: list[Record]) -> dict[str, list[int]]:
    """Rank the comparisons from most to least similar, by the index and by each model."""
    by = {"ndc": [r["ndc"] for r in records]}
    by |= {m: [r["adjusted"][i] for r in records] for i, m in enumerate(MODELS)}
    # Values are rounded, so that equal ones are ranked by their number and not by the last bits.
    return {
        name: [int(i) + 1 for i in np.argsort(-np.round(values, 12), kind="stable")]
        for name, values in by.items()
    }


def _draw_bars(store: Store, records: list[Record]) -> None:
    figure, axes = canvas(2, 2, (9.0, 6.0), sharex=True, sharey=True)
    numbers = np.array([r["comparison"] for r in records])
    for i, (model, axis) in enumerate(zip(MODELS, axes.ravel(), strict=True)):
        values = [r["adjusted"][i] for r in records]
        axis.bar(numbers, values, width=0.7, color=STYLES[model]["color"], label="fuzzyrand")
        theirs = published.TOY_ADJUSTED[model]
        axis.plot(
            numbers, theirs, "D", ms=5, mfc="white", mec="#666666", label="published", zorder=3
        )
        axis.axhline(0.0, color="black", lw=0.8)
        axis.set_title(model, loc="left", fontweight="bold")
        axis.set_xticks(numbers)
        axis.set_xlim(0.4, 10.6)
        axis.legend(loc="lower left", ncols=2, fontsize=9, frameon=False)
    for axis in axes[1]:
        axis.set_xlabel("comparison")
    for axis in axes[:, 0]:
        axis.set_ylabel("adjusted NDC")
    axes[0, 0].set_ylim(-2.75, 1.1)
    save(store, figure, "toy-bars")


def _draw_triangles(store: Store, toy: dict[str, FloatArray]) -> None:
    figure, axes = canvas(1, 3, (9.5, 3.2))
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])
    for name, axis in zip(("uneven_low_fuzzy", "even_low_fuzzy", "high_fuzzy"), axes, strict=True):
        axis.set_axis_off()
        axis.set_aspect("equal")
        axis.fill(*corners.T, facecolor="none", edgecolor="black", lw=1.0)
        for share in (0.25, 0.5, 0.75):  # lines of equal membership in each cluster
            for i in range(3):
                ends = [share * corners[i] + (1 - share) * corners[j] for j in range(3) if j != i]
                axis.plot(*np.array(ends).T, color="#cccccc", lw=0.6, zorder=0)
        rows, counts = np.unique(toy[name], axis=0, return_counts=True)
        x, y = (rows @ corners).T
        axis.scatter(x, y, s=45 * counts, color=STYLES["fit"]["color"], alpha=0.75, zorder=3)
        for place, count in zip(rows @ corners, counts, strict=True):
            if count > 1:
                _count_points(axis, place, corners.mean(axis=0), int(count))
        for corner, label, offset in zip(
            corners,
            ("cluster 1", "cluster 2", "cluster 3"),
            ((0, -16), (0, -16), (0, 8)),
            strict=True,
        ):
            axis.annotate(
                label, corner, offset, textcoords="offset points", ha="center", fontsize=9
            )
        axis.set_title(TITLES[name], pad=4)
        axis.set_xlim(-0.12, 1.12)
        axis.set_ylim(-0.14, 1.0)
    save(store, figure, "toy-triangles")


def _count_points(axis: Any, place: FloatArray, centre: FloatArray, count: int) -> None:
    """Write the number of points beside a dot, towards the centre of the triangle."""
    away = (centre - place) / np.linalg.norm(centre - place)
    if np.linalg.norm(centre - place) < 0.2:
        away = np.array([0.0, 0.8])
    axis.annotate(
        f"{count} points",
        place,
        (46 * away[0], 36 * away[1]),
        textcoords="offset points",
        ha="center",
        va="center",
        fontsize=9,
    )


def _page(records: list[Record]) -> str:
    ranks = rankings(records)
    values = markdown_table(
        ["comparison", "NDC", *(f"{m}{of}" for m in MODELS for of in ("", ", published"))],
        [
            [
                f"{r['comparison']}: {TITLES[r['first']]} / {TITLES[r['second']]}",
                number(r["ndc"]),
                *(
                    number(value, 3)
                    for i, m in enumerate(MODELS)
                    for value in (r["adjusted"][i], published.TOY_ADJUSTED[m][r["comparison"] - 1])
                ),
            ]
            for r in records
        ],
    )
    ranking = markdown_table(
        ["rank", *(f"{name}{of}" for name in ranks for of in ("", ", paper"))],
        [
            [
                str(place + 1),
                *(_marked(ranks[name], published.TOY_RANKING[name], place) for name in ranks),
            ]
            for place in range(10)
        ],
    )
    adjusted = {
        m: {r["comparison"]: r["adjusted"][i] for r in records} for i, m in enumerate(MODELS)
    }
    negative = ", ".join(f"{c} ({number(v, 4)})" for c, v in adjusted["perm"].items() if v < 0.0)
    return page(
        "toy",
        values=values,
        ranking=ranking,
        negative=negative,
        worst=number(_worst(records), 4),
        stderr=number(max(max(r["stderr"]) for r in records), 4),
        **{f"{m}1": number(adjusted[m][1], 3) for m in MODELS},
        fit2=number(adjusted["fit"][2]),
        fit4=number(adjusted["fit"][4]),
        perm6=number(adjusted["perm"][6], 4),
        perm10=number(adjusted["perm"][10], 4),
        perm5=number(adjusted["perm"][5], 5),
        perm9=number(adjusted["perm"][9], 5),
        sym10=number(adjusted["sym"][10]),
        fit10=number(adjusted["fit"][10]),
    )


def _marked(ours: list[int], theirs: tuple[int, ...], place: int) -> str:
    """Return the comparisons at a place, ours and the paper's, in bold if they differ."""
    mine, paper = ours[place], theirs[place]
    return f"{mine} | {paper}" if mine == paper else f"{mine} | **{paper}**"


def _worst(records: list[Record]) -> float:
    """Return the largest difference from the published values."""
    return max(
        abs(float(r["adjusted"][i]) - published.TOY_ADJUSTED[m][r["comparison"] - 1])
        for r in records
        for i, m in enumerate(MODELS)
    )
