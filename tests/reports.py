"""One report of each visually distinct kind, made when first needed, and parsers of its HTML."""

from collections import Counter
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser

import numpy as np
import pandas as pd

import fuzzyrand as fr
from fuzzyrand._base.effort import Precision
from fuzzyrand.models import MODELS
from fuzzyrand.report import (
    comparison_report,
    explanation_report,
    pairwise_report,
    recurrence_report,
    stability_report,
)

RNG = np.random.default_rng(5)
SOFT = fr.as_partition(RNG.dirichlet([0.4, 0.6, 0.5], 80))
SOFTER = fr.as_partition(RNG.dirichlet([2.0, 1.0, 1.0, 1.5], 80))
HARD = fr.as_partition(RNG.integers(3, size=80))
OTHER = fr.as_partition(RNG.integers(4, size=80))
LOOSE = fr.Partition.from_memberships(RNG.uniform(0.0, 1.0, (80, 3)), possibilistic=True)
MANY = fr.as_partition(RNG.dirichlet([0.1] * 200, 80))
EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>&\"'"
LONG = "long/" + "w" * 300 + ".csv"


def report(first, second, models, names=("one.csv", "two.csv"), **options):
    table = fr.compare(first, second, model=models, **{"tol": 0.01, **options})
    return comparison_report(table, first, second, names=names, command="fuzzyrand compare")


def explained(first, second, names=("one.csv", "two.csv"), **options):
    result = fr.explain(first, second, **{"model": "perm", **options})
    return explanation_report(result, names=names, command="fuzzyrand explain")


def sixty():
    """Hard clusterings with 60 clusters that agree except for about every fifth point."""
    rng = np.random.default_rng(3)
    first = rng.permutation(np.arange(900) % 60)
    second = np.where(rng.random(900) < 0.2, rng.integers(60, size=900), (7 * first + 1) % 60)
    return fr.as_partition([f"topic {c}" for c in first]), fr.as_partition(second)


def evil_points():
    """Points, clusters and clusterings with names that a page must escape."""
    ids = [f"{EVIL}{i}" if i % 2 else f"{LONG}{i}" for i in range(40)]
    labels = pd.Series([EVIL if i % 3 else LONG for i in range(40)], index=ids)
    soft = RNG.dirichlet([0.5, 0.5], 40)
    return labels, pd.DataFrame(soft, index=ids, columns=[f"{EVIL}p", f"{LONG}q"])


def matrix(clusterings, **options):
    result = fr.pairwise(clusterings, **{"model": "perm", **options})
    return pairwise_report(result, command=f"fuzzyrand pairwise '{EVIL}' {LONG}")


def recurring(clusterings):
    return recurrence_report(fr.recurrence(clusterings), command=f"fuzzyrand recurrence '{EVIL}'")


def runs(count):
    """Clusterings in a few families, out of order."""
    rng = np.random.default_rng(0)
    made = {}
    for i in range(count):
        if i % 8 == 0:
            base = rng.integers(4, size=90)
        made[f"runs/family-{i // 8}/{i:02d}.csv"] = np.where(
            rng.random(90) < 0.1 * (i % 8), rng.integers(4, size=90), base
        )
    return {name: made[name] for name in rng.permutation(list(made))}


def every_comparison():
    """A table of adjusted indices from -3 to 0.99 under nine models, and a skipped model."""
    names = ["perm", "fit", "sym", "flat", "generalised", "mixture", "kernel", "mixed", "empirical"]
    base = fr.compare(SOFT, SOFTER, model="flat")
    comparisons = [
        replace(base, model=name, expected=1.0 - (1.0 - base.observed) / (1.0 - adjusted))
        for name, adjusted in zip(names, np.linspace(-3.0, 0.99, len(names)), strict=True)
    ]
    comparisons = [
        replace(
            c,
            adjusted=(c.observed - c.expected) / (1.0 - c.expected),
            assumption=MODELS[c.model].assumption,
            misfit=(0.1, None),
        )
        for c in comparisons
    ]
    return fr.ComparisonTable(comparisons, {"cat": f"it cannot, {EVIL}"})


def swept(parameter, values, names):
    """A page on thirds of a line, and some points that change their cluster."""
    x = np.random.default_rng(0).normal(size=60)

    def cut(value, x):
        places = np.argsort(np.argsort(x + 0.3 * np.sin(99 * x[::-1]))) * int(value) // x.size
        return np.array(names)[places]

    def without(x, rng):
        return rng.uniform(size=x.size)

    result = fr.stability(cut, x, values, parameter=parameter, repeats=5, reference=without)
    return stability_report(result, command=f"stability {EVIL}")


OWN = fr.Custom(MODELS["flat"].rows(SOFT, Precision()), name=f"own {EVIL} {LONG}")
#: One report of each visually distinct kind.
MAKERS = {
    "nine models": lambda: comparison_report(
        every_comparison(), SOFT, SOFTER, names=("a", "b"), command="fuzzyrand"
    ),
    "one model": lambda: report(HARD, SOFT, ["fit"], fixed="first"),
    "evil names": lambda: report(SOFT, HARD, [OWN, "perm"], (EVIL, LONG)),
    "hard": lambda: report(HARD, OTHER, ["perm", "cat", "num", "all", "fit", "sym"], index="rand"),
    "possibilistic": lambda: report(LOOSE, HARD, "every"),
    "not reflexive": lambda: report(SOFT, SOFTER, ["perm", "fit"], index="brouwer", maximum="self"),
    "no agreements": lambda: report(SOFT, SOFTER, ["perm"], index="frobenius"),
    "many clusters": lambda: report(MANY, HARD, ["fit"]),
    "the same twice": lambda: report(HARD, HARD, ["perm"]),
    "sixty clusters": lambda: report(*sixty(), ["perm"]),
    "noise": lambda: explained(
        np.where(HARD.codes == 2, -1, HARD.codes), SOFT, noise=-1, noise_as="singletons"
    ),
    "explained": lambda: explained(SOFT, SOFTER, model="fit", tol=0.01),
    "explained, hard": lambda: explained(HARD, OTHER, index="rand", fixed="first"),
    "explained, sixty": lambda: explained(*sixty()),
    "explained, evil": lambda: explained(*evil_points(), names=(EVIL, LONG)),
    "explained, the same": lambda: explained(HARD, HARD),
    "three": lambda: matrix({EVIL: HARD, LONG: SOFT, "c": SOFTER}, model="sym", tol=0.01),
    "twelve": lambda: matrix(runs(12)),
    "forty": lambda: matrix(runs(40)),
    "eighteen, rows fixed": lambda: matrix(runs(18), model="num", fixed="first"),
    "a reference": lambda: matrix({**runs(5), EVIL: runs(1).popitem()[1]}, reference=EVIL),
    "alone": lambda: matrix({"one": HARD}),
    "recurring": lambda: recurring(runs(40)),
    "recurring, evil": lambda: recurring({EVIL: evil_points()[0], LONG: evil_points()[1]}),
    "stability": lambda: swept("n_clusters", range(2, 7), list("abcdef")),
    "stability, evil": lambda: swept(EVIL, [2.0, 3.5, 4.0], [EVIL, LONG, *"bcdef"]),
}
KINDS = list(MAKERS)


@cache
def made(kind):
    return MAKERS[kind]()


#: Elements without an end tag.
VOID = {"meta", "br", "line", "circle", "path", "rect", "img"}


class Outline(HTMLParser):
    """Elements, their attributes and the text of a page; fails if a tag is not closed."""

    def __init__(self, html):
        super().__init__()
        self.elements, self.attributes, self.text, self._open = Counter(), [], "", []
        self.feed(html)
        assert self._open == []

    def handle_starttag(self, tag, attributes):
        self.elements[tag] += 1
        self.attributes += attributes
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self._open.pop() == tag

    def handle_startendtag(self, tag, attributes):
        self.elements[tag] += 1
        self.attributes += attributes

    def handle_data(self, data):
        self.text += data


class Tables(HTMLParser):
    """The tables of a page by class, each a list of rows of texts."""

    def __init__(self, html):
        super().__init__()
        self.found, self._text = [], None
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.found.append((dict(attributes).get("class", "").split(), []))
        elif tag == "tr":
            self.found[-1][1].append([])
        elif tag in ("td", "th"):
            self._text = ""

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.found[-1][1][-1].append(self._text.strip())
            self._text = None

    def handle_data(self, data):
        if self._text is not None:
            self._text += data

    def of(self, style):
        """Return the rows of the tables of a class; the first row is the head."""
        return [rows for classes, rows in self.found if style in classes]
