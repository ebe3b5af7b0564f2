"""One report of each kind that looks different, made when it is first asked for; its outline."""

from collections import Counter
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser

import numpy as np

import fuzzyrand as fr
from fuzzyrand._base.effort import Effort
from fuzzyrand.models import MODELS
from fuzzyrand.report import comparison_report, pairwise_report

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
    found = fr.compare(first, second, model=models, **{"tol": 0.01, **options})
    return comparison_report(found, first, second, names=names, command="fuzzyrand compare")


def matrix(clusterings, **options):
    found = fr.pairwise(clusterings, **{"model": "perm", **options})
    return pairwise_report(found, command=f"fuzzyrand pairwise '{EVIL}' {LONG}")


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
    """A table of adjusted indices from -3 to 1, under nine models and some that were skipped."""
    names = ["perm", "fit", "sym", "flat", "generalised", "mixture", "kernel", "mixed", "empirical"]
    base = fr.compare(SOFT, SOFTER, model="flat")
    found = [
        replace(base, model=name, expected=1.0 - (1.0 - base.observed) / (1.0 - adjusted))
        for name, adjusted in zip(names, np.linspace(-3.0, 0.99, len(names)), strict=True)
    ]
    found = [
        replace(
            c,
            adjusted=(c.observed - c.expected) / (1.0 - c.expected),
            assumption=MODELS[c.model].assumption,
            misfit=(0.1, None),
        )
        for c in found
    ]
    return fr.ComparisonTable(found, {"cat": f"it cannot, {EVIL}"})


OWN = fr.Custom(MODELS["flat"].rows(SOFT, Effort()), name=f"own {EVIL} {LONG}")
#: One of each kind that looks different.
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
    "three": lambda: matrix({EVIL: HARD, LONG: SOFT, "c": SOFTER}, model="sym", tol=0.01),
    "twelve": lambda: matrix(runs(12)),
    "forty": lambda: matrix(runs(40)),
    "eighteen, rows fixed": lambda: matrix(runs(18), model="num", fixed="first"),
    "a reference": lambda: matrix({**runs(5), EVIL: runs(1).popitem()[1]}, reference=EVIL),
    "alone": lambda: matrix({"one": HARD}),
}
KINDS = list(MAKERS)


@cache
def made(kind):
    return MAKERS[kind]()


#: Elements that have no end.
VOID = {"meta", "br", "line", "circle", "path", "rect", "img"}


class Outline(HTMLParser):
    """Elements, their attributes and the text of a page; complains of tags that do not close."""

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
