"""A model of one's own takes one file: a toy that assigns every point by a fair coin."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._distributions.row_distributions import Categorical
from fuzzyrand.report import comparison_report


@dataclass(frozen=True)
class Coin(fr.Model):
    """Two clusters, heads and tails."""

    name: ClassVar[str] = "coin"
    assumption: ClassVar[str] = "each point assigned by a coin"
    use: ClassVar[str] = "a toy"
    recipe: ClassVar[str] = "Toss a coin for every point."
    question: ClassVar[str] = "Are the clusterings more alike than two series of tosses?"

    heads: float = 0.5

    def rows(self, partition, effort):
        return Categorical(np.array([self.heads, 1.0 - self.heads]))


LABELS, SOFT = [0, 0, 1, 1, 2, 2], np.random.default_rng(0).dirichlet([1.0, 1.0, 1.0], 6)


def test_it_is_compared_like_any_other():
    c = fr.compare(LABELS, SOFT, model=Coin())
    assert c.expected == pytest.approx(0.5)
    assert c.exact
    assert fr.compare(LABELS, SOFT, model=[Coin(), "perm"])["coin"].adjusted == c.adjusted
    assert fr.compare(LABELS, SOFT, model=Coin(heads=0.9)).model == "coin(heads=0.9)"
    with_options = fr.compare(LABELS, SOFT, model=Coin(heads=0.9))
    assert with_options.model == "coin(heads=0.9)"


def test_reports_and_checks_know_it():
    table = fr.compare(LABELS, SOFT, model=[Coin()])
    first, second = fr.as_partition(LABELS), fr.as_partition(SOFT)
    page = comparison_report(table, first, second, names=("a", "b"), command="none")
    assert Coin.recipe in page
    assert Coin.question in page
    assert fr.check_model(LABELS, Coin()).model == "coin"
