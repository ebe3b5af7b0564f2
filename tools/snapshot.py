"""Record the numbers of several hundred calls, and compare two such records.

A refactoring must not change a number. Record before and after, then compare::

    python tools/snapshot.py write before.json
    python tools/snapshot.py write after.json
    python tools/snapshot.py compare before.json after.json

The calls cover every index with every model, for hard, fuzzy and possibilistic sides, two-sided and
one-sided; kept, surveyed and sampled pairs; options of models and indices; ``pairwise``,
``check_model`` and the JSON of the command line. Only public names are used, so the script runs
with any version.
"""

from __future__ import annotations

import io
import itertools
import json
import math
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np

import fuzzyrand as fr

INDICES = ("ndc", "rand", "brouwer", "consistency", "belief", "jousselme", "frobenius")
MODELS = (
    "perm", "cat", "num", "all", "fit", "sym", "flat", "generalised", "mixture", "kernel", "mixed",
    "empirical",
)  # fmt: skip
#: Numbers that differ by more than this, relative to 1, are reported.
TOLERANCE = 1e-12

Call = tuple[str, Callable[[], Any]]


def clusterings(n: int) -> dict[str, Any]:
    """Return clusterings of every kind, with ``n`` points each."""
    rng = np.random.default_rng(n)
    labels = rng.integers(3, size=n)
    soft = rng.dirichlet([0.6, 0.9, 0.4], n)
    sharp = 0.7 * np.eye(3)[labels] + 0.3 * rng.dirichlet([1.0, 1.0, 1.0], n)
    partly_hard = sharp.copy()
    partly_hard[: n // 3] = np.eye(3)[labels[: n // 3]]
    return {
        "labels": labels,
        "other labels": np.where(rng.random(n) < 0.7, labels, rng.integers(4, size=n)),
        "soft": soft,
        "sharp": sharp,
        "partly hard": partly_hard,
        "four": rng.dirichlet([0.3, 1.0, 0.5, 2.0], n),
        "possibilistic": np.clip(soft + 0.1 * rng.random((n, 3)), 0.0, 1.0),
    }


def calls() -> Iterator[Call]:
    """Yield every call with its name."""
    small = clusterings(60)
    pairs = (("labels", "other labels"), ("labels", "sharp"), ("sharp", "four"))
    for (a, b), index, model, fixed in itertools.product(
        pairs, INDICES, MODELS, (None, "first", "second")
    ):
        yield _compare(small, a, b, index=index, model=model, fixed=fixed, tol=0.01)
    for index, model in itertools.product(INDICES, ("perm", "empirical")):
        yield _compare(small, "soft", "possibilistic", index=index, model=model, possibilistic=True)
    for model in (*MODELS, "every"):
        yield _compare(small, "partly hard", "soft", model=model, tol=0.01)
    yield _compare(small, "labels", "sharp", model="every", fixed="first")
    yield _compare(small, "labels", "other labels", model="every")
    for index in ("brouwer", "consistency"):
        yield _compare(small, "sharp", "soft", index=index, maximum="self")
    for index in (fr.NDC(p=2), fr.NDC(q=2), fr.NDC(p=float("inf"), q=1.5), _overlap()):
        for model in ("perm", "fit", "flat", "empirical"):
            yield _compare(small, "sharp", "four", index=index, model=model, tol=0.01)
    for model in (
        fr.Fit(zeros="categorical"), fr.Fit(resolution=1e-3), fr.Fit(estimator="moments"),
        fr.Sym(estimator="moments"), fr.Sym(resolution=1e-3), fr.Mixture(components=2),
        fr.Kernel(bandwidth=0.1), fr.Mixed(resolution=1e-3), fr.Custom(_rows, name="own"),
    ):  # fmt: skip
        yield _compare(small, "partly hard", "four", model=model, tol=0.01)
    medium = clusterings(1600)
    for index, model in itertools.product(("ndc", "belief", "brouwer"), ("perm", "fit", "every")):
        yield _compare(medium, "sharp", "four", index=index, model=model, tol=0.005)
        yield _compare(medium, "labels", "sharp", index=index, model=model, tol=0.005)
    for index, model in itertools.product(("ndc", "belief", "jousselme"), ("perm", "fit")):
        yield _compare(
            medium,
            "sharp",
            "four",
            index=index,
            model=model,
            effort=fr.Effort(pairs=20_000),
            tol=0.02,
        )
    for name in ("similarity", "expected_similarity", "adjusted_similarity"):
        for (a, b), index in itertools.product(pairs, INDICES):
            yield _number(name, small, a, b, index)
    for model, reference in itertools.product(("perm", "fit", "sym"), (None, "labels")):
        runs = {name: small[name] for name in ("labels", "soft", "sharp")}
        yield (
            f"pairwise {model} {reference}",
            lambda m=model, r=reference, runs=runs: fr.pairwise(
                runs, model=m, reference=r, tol=0.01
            ).to_dict(),
        )
    for (name, data), model in itertools.product(small.items(), MODELS):
        if name != "possibilistic":
            yield (
                f"check {name} {model}",
                lambda d=data, m=model: fr.check_model(d, m).to_dict(),
            )
    yield from _commands(small)


def _compare(data: dict[str, Any], a: str, b: str, **options: Any) -> Call:
    told = " ".join(f"{key}={value}" for key, value in options.items())
    name = f"compare {a} / {b} (n={len(data[a])}) {told}"
    return name, lambda: fr.compare(data[a], data[b], **options).to_dict()


def _number(name: str, data: dict[str, Any], a: str, b: str, index: str) -> Call:
    options = {} if name == "similarity" else {"model": "perm"}
    return (
        f"{name} {a} / {b} {index}",
        lambda: getattr(fr, name)(data[a], data[b], index=index, **options),
    )


def _overlap() -> fr.CustomIndex:
    return fr.CustomIndex(
        lambda u, v: np.minimum(u, v).sum(axis=1),
        lambda a, b: 1.0 - np.abs(a - b) ** 1.5,
        name="overlap",
    )


def _rows(rng: np.random.Generator, size: int) -> Any:
    return rng.dirichlet([2.0, 1.0, 1.0], size)


def _commands(data: dict[str, Any]) -> Iterator[Call]:
    folder = Path(tempfile.mkdtemp())
    for name in ("labels", "other labels", "soft", "sharp", "four"):
        columns = np.atleast_2d(data[name].T).T
        header = ",".join(f"c{j}" for j in range(columns.shape[1]))
        with (folder / f"{name.replace(' ', '_')}.csv").open("w") as file:
            file.write(f"{header}\n")
            np.savetxt(file, columns, delimiter=",", fmt="%.17g")
    for words in (
        "compare labels.csv soft.csv --json",
        "compare labels.csv soft.csv --fixed first --model sym --json",
        "compare sharp.csv four.csv --model every --json",
        "compare sharp.csv four.csv --model perm --model flat --index belief --json",
        "compare sharp.csv four.csv --index brouwer --maximum self --json",
        "compare labels.csv other_labels.csv --model every --csv",
        "pairwise labels.csv soft.csv sharp.csv --model perm --json",
        "pairwise soft.csv sharp.csv --reference labels.csv --fixed first --csv",
        "check soft.csv --model every --json",
        "models --json",
        "indices --json",
    ):
        yield f"fuzzyrand {words}", lambda words=words: _run(words, folder)


def _run(words: str, folder: Path) -> Any:
    from importlib.metadata import entry_points

    (script,) = entry_points(group="console_scripts", name="fuzzyrand")
    arguments = [str(folder / w) if w.endswith(".csv") else w for w in words.split()]
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = _main(script)(arguments)
    text = out.getvalue().replace(str(folder), "")
    return {"code": code, "out": json.loads(text) if "--json" in words else text.splitlines()}


def _main(script: Any) -> Callable[[list[str]], int]:
    try:
        from fuzzyrand._cli import main
    except ImportError:  # versions in which the command line had no folder of its own yet
        from fuzzyrand.cli import main
    return main


def record() -> dict[str, Any]:
    """Make every call, and record what it returns or the error that it raises."""
    found = {}
    for name, call in calls():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found[name] = call()
        except fr.FuzzyRandError as error:
            found[name] = {"error": type(error).__name__, "message": str(error)}
    return json.loads(json.dumps(found, default=lambda value: value.tolist()))


def differences(before: Any, after: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield where two records differ: numbers by more than the tolerance, others in any way."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in {**before, **after}:
            place = f"{path}/{key}"
            if key not in before or key not in after:
                yield place, before.get(key, "(none)"), after.get(key, "(none)")
            else:
                yield from differences(before[key], after[key], place)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, (one, two) in enumerate(zip(before, after, strict=True)):
            yield from differences(one, two, f"{path}/{number}")
    elif _is_number(before) and _is_number(after):
        if not math.isclose(before, after, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
            yield path, before, after
    elif before != after:
        yield path, before, after


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def main(arguments: list[str]) -> int:
    """Write a record, or compare two; the exit code is 1 if numbers differ."""
    if arguments[0] == "write":
        found = record()
        Path(arguments[1]).write_text(json.dumps(found))
        refused = sum("error" in value for value in found.values() if isinstance(value, dict))
        print(f"{len(found)} calls recorded, {refused} of them refused")
        return 0
    before, after = (json.loads(Path(path).read_text()) for path in arguments[1:])
    numbers, texts = [], []
    for place, one, two in differences(before, after):
        (numbers if _is_number(one) or _is_number(two) else texts).append((place, one, two))
    for title, found in (("numbers", numbers), ("texts", texts)):
        print(f"{len(found)} {title} differ")
        for place, one, two in found[:40]:
            print(f"  {place}\n    before: {one}\n    after:  {two}")
    return 1 if numbers else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
