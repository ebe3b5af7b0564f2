"""The design of the studies: sizes, concentrations, and points that are randomised."""

import numpy as np
import pytest

import fuzzyrand as fr
from study.design import Setting, generator


def test_sizes_follow_the_rule():
    setting = Setting(clusters=10, points=100, imbalance=0.2, precision=1.0, share=0.3)
    assert np.bincount(setting.labels()).tolist() == [40, 40, 3, 3, 3, 3, 2, 2, 2, 2]
    assert setting.weights() == pytest.approx([0.4, 0.4] + [0.025] * 8)


def test_no_large_cluster():
    """20% of four clusters is none: sizes are even, and only 0.2 of the precision is left."""
    setting = Setting(clusters=4, points=100, imbalance=0.2, precision=1.0, share=0.3)
    assert np.bincount(setting.labels()).tolist() == [25] * 4
    assert setting.weights() == pytest.approx([0.05] * 4)


@pytest.mark.parametrize("precision", [0.0, 1.0])
def test_same_points_are_randomised(precision):
    setting = Setting(clusters=50, points=200, imbalance=0.8, precision=precision, share=0.3)
    first, second = setting.draw(generator(0), 2)
    hard = np.eye(50)[setting.labels()]
    changed = [np.any(_rows(p) != hard, axis=1) for p in (first, second)]
    either = changed[0] | changed[1]
    assert either.sum() <= 60  # a random label may be the old one
    assert (changed[0] & changed[1]).sum() > 50


def test_one_side_stays():
    setting = Setting(clusters=5, points=50, imbalance=0.8, precision=1.0, share=1.0)
    first, second = setting.draw(generator(0), 1)
    assert not first.is_hard
    assert fr.similarity(second, setting.labels()) == 1.0


def _rows(partition):
    if partition.memberships is not None:
        return partition.memberships
    # Labels are numbered as they come; here each cluster keeps an unchanged point.
    hard = np.zeros((partition.n, partition.k))
    hard[np.arange(partition.n), partition.codes] = 1.0
    return hard
