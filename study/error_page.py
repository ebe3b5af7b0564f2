"""Tables, figure and page of the error analysis."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from . import published
from .design import FloatArray
from .error import MODELS, PLAIN, columns_of
from .figures import STYLES, canvas, save
from .store import Record, Store
from .tables import markdown_table, number, page, write_parquet

#: An error below this counts as small, in the paper and here.
SMALL = 0.01
ESTIMATORS = {"ours": "fuzzyrand", "plain": "plain sampler, equal time"}


def write(store: Store, *, pairs: int, repeats: int) -> Path:
    """Write everything that follows from the computations."""
    records = store.table()
    store.write("error.parquet", lambda path: write_parquet(path, columns_of(records)))
    everything, kept = errors(records, dropped=False), errors(records, dropped=True)
    _draw(store, everything)
    text = page(
        "error",
        pairs=str(pairs),
        so_many_pairs="1 pair" if pairs == 1 else f"{pairs} pairs",
        repeats=str(repeats),
        computations=f"{len(records) * len(MODELS) * repeats:,}",
        everything=_table(everything),
        kept=_table(kept),
        exact=_exact(records),
        plain=str(min(repeats, PLAIN)),
        seconds=_seconds(records),
    )
    return store.write("error.md", lambda path: path.write_text(text, encoding="utf-8"))


Errors = dict[tuple[str, str], FloatArray]


def errors(records: list[Record], *, dropped: bool) -> Errors:
    """Return absolute errors by model and estimator.

    The mean of our computations of the same comparison is taken as the true value. If ``dropped``,
    comparisons that were negative every time are left out, as in the paper.
    """
    by_estimator: Errors = {}
    for i, model in enumerate(MODELS):
        used = [r for r in records if not dropped or max(r["ours"][i]) >= 0.0]
        for estimator in ESTIMATORS:
            off = [np.abs(np.array(r[estimator][i]) - np.mean(r["ours"][i])) for r in used]
            by_estimator[model, estimator] = np.concatenate(off) if off else np.zeros(0)
    return by_estimator


def _table(by_estimator: Errors) -> str:
    rows = []
    for model in MODELS:
        row = [model]
        for estimator in ESTIMATORS:
            off = by_estimator[model, estimator]
            row += [f"{np.mean(off < SMALL):.1%}", _largest(off)] if off.size else ["", ""]
        rows.append([*row, f"{published.ERROR_SHARE:.1%}", f"{published.ERROR_LARGEST[model]:g}"])
    header = ["model"]
    for who in (*ESTIMATORS.values(), "the paper"):
        header += [f"{who}: below {SMALL}", "largest"]
    return markdown_table(header, rows)


def _largest(off: FloatArray) -> str:
    largest = float(off.max())
    return "0 (exact)" if largest < 1e-12 else number(largest, 4)


def _exact(records: list[Record]) -> str:
    shares = [np.mean([r["exact"][i] for r in records]) for i in range(len(MODELS))]
    return ", ".join(f"`{m}` {share:.0%}" for m, share in zip(MODELS, shares, strict=True))


def _seconds(records: list[Record]) -> str:
    """Return the median time of a computation, by model."""
    medians = [np.median([r["seconds"][i] for r in records]) for i in range(len(MODELS))]
    return ", ".join(f"`{m}` {1e3 * s:.0f} ms" for m, s in zip(MODELS, medians, strict=True))


def _draw(store: Store, by_estimator: Errors) -> None:
    """Draw the share of computations whose error is larger than x."""
    figure, axes = canvas(1, 3, (11.0, 4.0), sharey=True, sharex=True)
    lines = {"ours": "-", "plain": "--"}
    for model, axis in zip(MODELS, axes, strict=True):
        for estimator, line in lines.items():
            off = np.sort(by_estimator[model, estimator])
            larger = 1.0 - np.arange(off.size) / off.size
            sampled = off > 1e-12
            if sampled.any():
                color = STYLES[model]["color"]
                axis.plot(off[sampled], larger[sampled], line, color=color, lw=2.2)
            else:
                axis.text(3e-6, 0.5, f"{ESTIMATORS[estimator]}: exact", fontsize=10)
        axis.axvline(SMALL, color="#888888", lw=1.2, ls=":")
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_xlim(1e-6, 2.0)
        axis.set_title(model, loc="left", fontweight="bold")
        axis.set_xlabel("error x of the adjusted index")
    axes[0].set_ylabel("share of computations\nwith an error above x")
    handles = [axes[0].plot([], [], line, color="black", lw=2.2)[0] for line in lines.values()]
    handles += axes[0].plot([], [], ":", color="#888888", lw=1.2)
    names = [*ESTIMATORS.values(), f"an error of {SMALL}"]
    figure.legend(handles, names, loc="outside lower center", ncols=3, frameon=False)
    save(store, figure, "error")
