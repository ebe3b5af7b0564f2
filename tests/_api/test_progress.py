"""Long calls show a bar on a terminal, unless they are told not to."""

import numpy as np
import pytest

import fuzzyrand as fr

from .._base.test_progress import watch

SOFT = np.random.default_rng(0).dirichlet(np.ones(3), (3, 40))


def halves(k, x):
    return np.argsort(np.argsort(x)) * k // len(x)


LABELS = SOFT.argmax(axis=2)

#: The title of the bar, and the call.
CALLS = {
    "significance": (
        "shuffles",
        lambda **options: fr.significance(SOFT[0], SOFT[1], draws=99, **options),
    ),
    "significance, fit": (
        "random clusterings",
        lambda **options: fr.significance(SOFT[0], SOFT[1], model="fit", draws=19, **options),
    ),
    "pairwise": (
        "comparisons",
        lambda **options: fr.pairwise(list(SOFT), model="perm", **options),
    ),
    "pairwise, test": (
        "tests",
        lambda **options: fr.pairwise(list(SOFT), model="perm", test=True, draws=19, **options),
    ),
    "stability": (
        "stability",
        lambda **options: fr.stability(halves, np.arange(40.0), [2, 3], repeats=5, **options),
    ),
    "recurrence": ("shuffles", lambda **options: fr.recurrence(list(LABELS), draws=19, **options)),
    "check_model": (
        "random clusterings",
        lambda **options: fr.check_model(SOFT[0], **options),
    ),
    "confidence_interval": (
        "columns",
        lambda **options: fr.confidence_interval(LABELS[0], SOFT[1], **options),
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_bars_of_long_calls(name, monkeypatch, capsys):
    title, call = CALLS[name]
    call()
    assert capsys.readouterr().err == ""  # no terminal
    screen = watch(monkeypatch)
    call()
    assert f"{title}: " in screen.shown()
    call(progress=False)
    assert screen.shown() == ""
    with pytest.raises(fr.ParameterError, match="progress must be True or False, got 'no'"):
        call(progress="no")


def test_notes_of_many_pairs_have_a_bar(monkeypatch):
    result = fr.pairwise(list(SOFT), model="fit")
    screen = watch(monkeypatch)
    assert isinstance(result.notes, tuple)
    assert "notes: " in screen.shown()


def test_the_draws_of_a_round_are_counted_one_batch_at_a_time(monkeypatch):
    """A round may take many seconds."""
    from fuzzyrand._methods.inference import sequential

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


def test_many_models_have_a_bar(monkeypatch):
    screen = watch(monkeypatch)
    fr.compare(SOFT[0], SOFT[1], model="every")
    assert "models: " in screen.shown()
