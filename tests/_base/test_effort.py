"""Seeds, tolerances and limits on the work, as callers ask for them."""

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand import ParameterError

from ..clusterings import LABELS, SOFT, fuzzy_pair


def test_the_default_seed_is_fixed_and_others_differ():
    pair = fuzzy_pair(6, [3.0, 0.3, 0.3, 0.1], [0.2, 4.0, 0.5])

    def compare(**options):
        return fr.compare(*pair, model="fit", **options)

    assert compare() == compare()
    assert compare(random_state=1).expected != compare().expected
    assert compare(random_state=np.random.default_rng(5)).expected != compare().expected
    assert compare(random_state=None).stderr <= 5e-4


VALUES_BAD = {
    "tol": ({"tol": 0}, r"tol must be positive"),
    "tol nan": ({"tol": float("nan")}, r"tol must be positive, got nan"),
    "tol type": ({"tol": "x"}, r"tol must be positive, got 'x'"),
    "seed": ({"random_state": -1}, r"random_state"),
    "seed type": ({"random_state": "a"}, r"random_state"),
}


EFFORTS_BAD = {
    "pairs few": ({"pairs": 10}, r"at least 1000"),
    "pairs type": ({"pairs": np.array([1, 2])}, r"pairs must be"),
    "draws": ({"max_draws": 0}, r"max_draws"),
    "threads": ({"n_threads": 0}, r"n_threads"),
    "work": ({"exact_work": float("nan")}, r"exact_work"),
}


@pytest.mark.parametrize("case", EFFORTS_BAD)
def test_efforts_that_make_no_sense_are_refused_when_they_are_made(case):
    options, message = EFFORTS_BAD[case]
    with pytest.raises(ParameterError, match=message) as caught:
        fr.Effort(**options)
    assert not isinstance(caught.value, fr.UnknownNameError)


@pytest.mark.parametrize("case", VALUES_BAD)
def test_values_that_make_no_sense_are_not_called_names(case):
    options, message = VALUES_BAD[case]
    with pytest.raises(ParameterError, match=message) as caught:
        fr.compare(LABELS, SOFT, **options)
    assert not isinstance(caught.value, fr.UnknownNameError)
