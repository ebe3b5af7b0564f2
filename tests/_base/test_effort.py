"""Seeds, tolerances and limits on the work, as callers ask for them."""

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand import ParameterError
from fuzzyrand._base.threads import thread_count

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
    "too many draws": ({"max_draws": 10**10}, r"max_draws must be at most 1,000,000,000"),
    "work nan": ({"exact_work": float("nan")}, r"exact_work must be positive, got nan"),
    "work": ({"exact_work": -1e9}, r"exact_work must be positive"),
    "threads": ({"n_threads": 0}, r"n_threads"),
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


#: Values that are odd but allowed.
EXTREMES = [
    *(({"tol": tol}, {}) for tol in (5e-324, 1e-308, 1e-162, 1e-20, 1e300, float("inf"))),
    ({}, {"exact_work": 5e-324}),
    ({}, {"exact_work": float("inf")}),
    ({}, {"pairs": 10**18}),
    ({"tol": 1e-162}, {"pairs": 1000}),
    ({}, {"n_threads": 10**6}),
    ({"random_state": 10**40}, {}),
]


@pytest.mark.parametrize(("options", "effort"), EXTREMES, ids=str)
@pytest.mark.parametrize("model", ["perm", "fit"])
def test_extreme_values_change_the_accuracy_alone(options, effort, model):
    u, v = fuzzy_pair(6, [3.0, 0.3, 0.3, 0.1], [0.2, 4.0, 0.5])
    plain = fr.compare(u, v, model=model)
    options = {**options, "effort": fr.Effort(**{"max_draws": 100_000, **effort})}
    c = fr.compare(u, v, model=model, **options)
    assert c.adjusted == pytest.approx(plain.adjusted, abs=6.0 * np.hypot(plain.stderr, c.stderr))
    assert c.converged == (c.stderr <= c.tol)
    rows = np.tile(u, (20, 1))
    fr.explain(rows, rows[::-1], model="perm", **options).wallace  # noqa: B018


def test_no_more_threads_than_help():
    assert thread_count(10**6) == 1024


def test_integers_beyond_all_floats():
    assert fr.compare(LABELS, SOFT, tol=10**400).converged
    with pytest.raises(ParameterError, match="smaller p"):
        fr.NDC(p=10**400)
