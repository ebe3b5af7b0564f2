"""Write the page on what unrelated clusterings score, with its figure: ``make panel``.

Two unrelated clusterings should score 0. The panel shows what they actually score if memberships
were cut or rounded, if hard and fuzzy rows are mixed, and if few points have many clusters.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
from both_grounds import ink, save_both

import fuzzyrand as fr
from fuzzyrand.plot._style import palette

REPEATS, TOL = 5, 3e-3
FINEST = fr.Fit(resolution=2.2e-16)

Rows = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """One kind of unrelated clusterings, and the models tried on it, by their names on the page."""

    title: str
    draw: Callable[[np.random.Generator], Rows]
    models: dict[str, str | fr.Model]


def dirichlet(n: int, k: int, precision: float) -> Callable[[np.random.Generator], Rows]:
    """Return a sampler of symmetric Dirichlet rows."""
    return lambda rng: rng.dirichlet(np.full(k, precision / k), n)


def scaled(rows: Rows) -> Rows:
    """Divide rows by their sums."""
    return np.asarray(rows / rows.sum(axis=1, keepdims=True))


def cut(k: int, precision: float, limit: float) -> Callable[[np.random.Generator], Rows]:
    """Return a sampler of rows whose entries below a limit were dropped."""
    draw = dirichlet(2000, k, precision)

    def sample(rng: np.random.Generator) -> Rows:
        rows = draw(rng)
        return scaled(np.where(rows < limit, 0.0, rows))

    return sample


def rounded(k: int, precision: float, decimals: int) -> Callable[[np.random.Generator], Rows]:
    """Return a sampler of rows that were rounded."""
    draw = dirichlet(2000, k, precision)
    return lambda rng: scaled(np.round(draw(rng), decimals))


def largest(k: int, precision: float, entries: int) -> Callable[[np.random.Generator], Rows]:
    """Return a sampler of rows of which the largest entries were kept."""
    draw = dirichlet(2000, k, precision)

    def sample(rng: np.random.Generator) -> Rows:
        rows = draw(rng)
        return scaled(np.where(rows < np.sort(rows, axis=1)[:, [-entries]], 0.0, rows))

    return sample


def partly_hard(n: int, k: int, share: float, c: float) -> Callable[[np.random.Generator], Rows]:
    """Return a sampler of rows, a share of which is hard."""

    def sample(rng: np.random.Generator) -> Rows:
        hard = np.eye(k)[rng.integers(k, size=n)]
        fuzzy = rng.dirichlet(np.full(k, c), n)
        return np.where((rng.random(n) < share)[:, None], hard, fuzzy)

    return sample


def cases() -> dict[str, list[Case]]:
    """Return the rows of the panel, by section."""
    spoiled: dict[str, str | fr.Model] = {
        "fit, zeros taken literally": FINEST,
        "fit": "fit",
        "sym": "sym",
        "mixed": "mixed",
        "generalised": "generalised",
        "perm": "perm",
    }
    together: dict[str, str | fr.Model] = {"fit": "fit", "mixed": "mixed", "perm": "perm"}
    few: dict[str, str | fr.Model] = {
        "fit": "fit",
        "fit, bias corrected": fr.Fit(bias="corrected"),
        "perm": "perm",
    }
    return {
        "Memberships that were cut or rounded": [
            *(
                Case(f"{k} clusters, precision {p:g}, cut at {t:g}", cut(k, p, t), spoiled)
                for k, p, t in ((50, 1, 0.01), (50, 5, 0.01), (10, 3, 0.01), (10, 3, 0.1))
            ),
            Case("3 clusters, precision 3, cut at 0.05", cut(3, 3, 0.05), spoiled),
            *(
                Case(f"{k} clusters, precision {p:g}, {d} decimals", rounded(k, p, d), spoiled)
                for k, p, d in ((50, 5, 3), (10, 3, 2), (10, 1, 2), (3, 1, 2))
            ),
            *(
                Case(f"{k} clusters, precision {p:g}, {m} largest", largest(k, p, m), spoiled)
                for k, p, m in ((50, 1, 8), (50, 3, 8), (20, 3, 5), (50, 10, 5))
            ),
        ],
        "Hard and fuzzy rows together": [
            Case(
                f"{n:,} points, {k} clusters, {share:.0%} hard, concentration {c}",
                partly_hard(n, k, share, c),
                together,
            )
            for n, k, share, c in (
                (500, 3, 0.7, 5),
                (500, 3, 0.3, 5),
                (2000, 8, 0.7, 1),
                (2000, 8, 0.5, 3),
                (300, 2, 0.5, 8),
            )
        ],
        "Few points, many clusters": [
            Case(f"{n} points, {k} clusters, precision {p:g}", dirichlet(n, k, p), few)
            for n, k, p in ((50, 20, 0.1), (128, 32, 1), (50, 64, 1), (128, 128, 0.1))
        ],
    }


def score(case: Case) -> dict[str, tuple[float, bool]]:
    """Return the mean adjusted index under each model, and whether most values have a note."""
    scores: dict[str, tuple[float, bool]] = {}
    for name, model in case.models.items():
        values, noted = [], 0
        for seed in range(REPEATS):
            rng = np.random.default_rng(seed)
            c = fr.compare(case.draw(rng), case.draw(rng), model=model, tol=TOL)
            values.append(c.adjusted)
            noted += bool(c.notes)
        scores[name] = float(np.mean(values)), noted > REPEATS / 2
    return scores


def page(results: dict[str, dict[str, dict[str, tuple[float, bool]]]], figure: str) -> str:
    """Return the page."""
    lines = [
        "# What unrelated clusterings score",
        "",
        "Two unrelated clusterings should score 0. This page shows what they do score on data as",
        f"people have them: the mean of {REPEATS} pairs of clusterings that were drawn",
        "independently. A star marks values that come with a note (`Comparison.notes`).",
        "`make panel` writes the page.",
        "",
        f"![Mean adjusted index of unrelated clusterings under several models]({figure})",
    ]
    for section, rows in results.items():
        names = list(next(iter(rows.values())))
        lines += ["", f"## {section}", "", "| clusterings | " + " | ".join(names) + " |"]
        lines.append("|---|" + "---:|" * len(names))
        for title, scores in rows.items():
            cells = [f"{value:z.3f}{'*' * noted}" for value, noted in scores.values()]
            lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return "\n".join([*lines, ""])


def draw(results: dict[str, dict[str, dict[str, tuple[float, bool]]]]) -> Any:
    """Draw the panel."""
    colours = palette(7)
    marks = {
        "fit, zeros taken literally": ("X", colours[1]),
        "fit": ("o", colours[0]),
        "sym": ("s", colours[4]),
        "mixed": ("D", colours[2]),
        "generalised": ("v", colours[3]),
        "fit, bias corrected": ("^", colours[2]),
        "perm": ("|", ink()),
    }
    titles = [title for rows in results.values() for title in rows]
    chart = plt.figure(figsize=(8.5, 0.32 * len(titles) + 2.2), layout="constrained")
    axes = chart.subplots()
    axes.axvline(0.0, color="0.5", linewidth=1.0)
    y, drawn = 0, set()
    for rows in results.values():
        for scores in rows.values():
            for name, (value, _) in scores.items():
                marker, colour = marks[name]
                label = None if name in drawn else name
                drawn.add(name)
                axes.plot(value, y, marker, color=colour, markersize=7, label=label)
            y += 1
        axes.axhline(y - 0.5, color="0.5", alpha=0.4, linewidth=0.8)
    axes.set_yticks(range(len(titles)), titles, fontsize=8)
    axes.invert_yaxis()
    axes.set_xlabel("mean adjusted ndc of unrelated clusterings; 0 is right")
    axes.spines[["top", "right"]].set_visible(False)
    chart.legend(loc="outside upper center", ncols=3, frameon=False, fontsize=8)
    return chart


def main(folder: Path) -> None:
    """Compute the panel and write page and figure."""
    results = {
        section: {case.title: score(case) for case in rows} for section, rows in cases().items()
    }
    save_both(folder / "noise.png", lambda: draw(results))
    (folder / "noise.md").write_text(page(results, "noise.png"), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
