"""Long calls show a bar on a terminal, unless they are told not to."""

import numpy as np
import pytest

import fuzzyrand as fr

from .._base.test_progress import watch

SOFT = np.random.default_rng(0).dirichlet(np.ones(3), (3, 40))


def halves(k, x):
    return np.argsort(np.argsort(x)) * k // len(x)


CALLS = {
    "shuffles": lambda **options: fr.significance(SOFT[0], SOFT[1], draws=99, **options),
    "random clusterings": lambda **options: fr.significance(
        SOFT[0], SOFT[1], model="fit", draws=19, **options
    ),
    "comparisons": lambda **options: fr.pairwise(list(SOFT), model="perm", **options),
    "tests": lambda **options: fr.pairwise(
        list(SOFT), model="perm", test=True, draws=19, **options
    ),
    "stability": lambda **options: fr.stability(
        halves, np.arange(40.0), [2, 3], repeats=5, **options
    ),
}


@pytest.mark.parametrize("title", CALLS)
def test_bars_of_long_calls(title, monkeypatch, capsys):
    CALLS[title]()
    assert capsys.readouterr().err == ""  # no terminal
    screen = watch(monkeypatch)
    CALLS[title]()
    assert f"{title}: " in screen.shown()
    CALLS[title](progress=False)
    assert screen.shown() == ""
    with pytest.raises(fr.ParameterError, match="progress must be True or False, got 'no'"):
        CALLS[title](progress="no")


def test_notes_of_many_pairs_have_a_bar(monkeypatch):
    result = fr.pairwise(list(SOFT), model="fit")
    screen = watch(monkeypatch)
    assert isinstance(result.notes, tuple)
    assert "notes: " in screen.shown()


def test_the_draws_of_a_round_are_counted_one_batch_at_a_time(monkeypatch):
    """A round may take many seconds."""
    from fuzzyrand._inference import sequential

    seen = []

    def counted(items, total, what, weigh):
        for item in items:
            seen.append(item)
            yield item

    monkeypatch.setattr(sequential, "progress", counted)
    found = sequential.sequential_pvalue(
        lambda number: np.zeros(4), 1.0, 0.0, "greater", 50, 1, "shuffles"
    )
    assert seen == [4] * 13
    assert found.values.size == 50
