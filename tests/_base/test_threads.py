"""The number of threads: where it comes from, and that no answer depends on it."""

import pytest

import fuzzyrand as fr
from fuzzyrand import ParameterError
from fuzzyrand._base.threads import thread_count

from ..clusterings import LABELS, SOFT, alike_pair


@pytest.mark.parametrize("model", ["perm", "fit", "sym"])
@pytest.mark.parametrize("fixed", [None, "first"])
def test_any_number_of_threads_gives_the_same_answer(model, fixed):
    u, v = alike_pair(3, 2000, 6, 0.3)
    one, two, five = (
        fr.compare(u, v, model=model, fixed=fixed, effort=fr.Effort(n_threads=threads))
        for threads in (1, 2, 5)
    )
    assert one.observed == two.observed == five.observed
    assert one.expected == two.expected == five.expected
    assert one.stderr == two.stderr == five.stderr


@pytest.mark.parametrize("value", ["abc", "-2", "1.5"])
def test_a_bad_number_of_threads_in_the_environment(monkeypatch, value):
    monkeypatch.setenv("FUZZYRAND_NUM_THREADS", value)
    with pytest.raises(ParameterError, match=f"FUZZYRAND_NUM_THREADS is '{value}'.*integer number"):
        fr.compare(LABELS, SOFT)


def test_the_number_of_threads_in_the_environment(monkeypatch):
    monkeypatch.setenv("FUZZYRAND_NUM_THREADS", "3")
    assert (thread_count(), thread_count(2)) == (3, 2)
    monkeypatch.delenv("FUZZYRAND_NUM_THREADS")
    everything = thread_count()
    for nothing in ("", "0"):
        monkeypatch.setenv("FUZZYRAND_NUM_THREADS", nothing)
        assert thread_count() == everything
