"""Rows and targets of the benchmarks, and their presentation in Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Target:
    """A limit that a figure has to reach, or to stay below."""

    limit: float
    at_least: bool = True
    unit: str = "×"

    def met(self, value: float) -> bool:
        """Return whether the figure is good enough."""
        return value >= self.limit if self.at_least else value <= self.limit

    def show(self, value: float) -> str:
        """The figure with its unit, to three digits."""
        digits = 2 if value < 10 else 1 if value < 100 else 0
        return f"{value:,.{digits}f}{self.unit}"

    def __str__(self) -> str:
        return f"{'at least' if self.at_least else 'at most'} {self.limit:g}{self.unit}"


@dataclass(frozen=True)
class Row:
    """One comparison."""

    work: str
    compared_with: str
    measured: float
    target: Target | None
    ours: str
    peer: str

    def cells(self) -> list[str]:
        """What the table shows of it."""
        if self.target is None:
            shown, target, met = Target(0.0).show(self.measured), "–", "–"
        else:
            shown, target = self.target.show(self.measured), str(self.target)
            met = "yes" if self.target.met(self.measured) else "**no**"
        return [
            self.work,
            self.compared_with,
            shown,
            target,
            met,
            self.ours,
            self.peer,
        ]


@dataclass
class Section:
    """The rows of one piece of work, and notes on them."""

    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Growth:
    """Time of one route at three sizes."""

    route: str
    sizes: tuple[int, int, int]
    times: tuple[float, ...]
    exponent: float

    def cells(self) -> list[str]:
        """What the table shows of it."""
        return [
            self.route,
            f"{self.sizes[0]:,}",
            *map(duration, self.times),
            f"{self.exponent:.2f}",
        ]


ROW_TITLES = (
    "work",
    "compared with",
    "ratio measured",
    "target",
    "met",
    "our time",
    "peer's time",
)
GROWTH_TITLES = ("route", "n", "time at n", "at 2n", "at 4n", "exponent")


def duration(seconds: float) -> str:
    """A readable time, to three digits."""
    for unit, name in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds / 1e-6:.3g} µs"


def table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def tables(sections: Sequence[Section], starting: Section | None, growth: Sequence[Growth]) -> str:
    """The comparisons, the notes on them, the start and the growth."""
    parts = _shown(sections)
    if starting:
        parts += ["## Starting", *_shown([starting])]
    if growth:
        parts += ["## Growth", table(GROWTH_TITLES, [each.cells() for each in growth])]
    return "\n\n".join(parts)


def _shown(sections: Sequence[Section]) -> list[str]:
    rows = [row.cells() for section in sections for row in section.rows]
    notes = [f"- {note}" for section in sections for note in section.notes]
    return [
        *([table(ROW_TITLES, rows)] if rows else []),
        *(["Notes:", "\n".join(notes)] if notes else []),
    ]


def document(body: str, environment: dict[str, str], elapsed: float) -> str:
    """The whole of RESULTS.md."""
    facts = "\n".join(f"- {name}: {value}" for name, value in environment.items())
    return (
        "# Benchmark results\n\n"
        f"Written by `make bench` in {elapsed / 60:.1f} minutes. Every ratio comes from one run: "
        "ours and the peer took turns, times are medians, compiling is not counted (but under "
        "Starting).\n\n"
        f"{facts}\n\n{body}\n"
    )
