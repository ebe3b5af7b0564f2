"""Advice as text, as plain values and as calls."""

import json
import pickle

import numpy as np
import pytest

import fuzzyrand as fr

from .test_to_dict import HARD, HARDER, SOFT, SOFTER, require_plain


@pytest.mark.parametrize(("first", "second"), [(SOFT, SOFTER), (HARD, HARDER), (HARD, SOFT)])
def test_plain_values(first, second):
    advice = fr.advise(first, second)
    require_plain(advice)
    told = advice.to_dict()
    assert [row["model"] for row in told["models"]][:1] == ["perm"]
    assert told["adjusted"] == told["report"]["adjusted"]
    assert told["methods"] == advice.report.methods_text()
    json.dumps(told)


def test_the_call_computes_the_value():
    a, b = np.random.default_rng(0).integers(3, size=(2, 60))
    advice = fr.advise(a, b, keep="sizes", fixed="second")
    assert eval(advice.call).adjusted == advice.report.adjusted


def test_the_call_with_an_index_of_ones_own():
    index = fr.NDC(p=2)
    advice = fr.advise(HARD, SOFT, index=index, keep="memberships")
    assert advice.call == 'fr.compare(a, b, index=index, model="perm")'
    value = eval(advice.call, {"fr": fr, "a": HARD, "b": SOFT, "index": index}).adjusted
    assert value == advice.report.adjusted


def test_text_fits_on_a_screen():
    advice = fr.advise(HARD, SOFT)
    lines = str(advice).splitlines()
    assert len(lines) <= 48
    assert max(map(len, lines)) <= 96
    assert advice.call in str(advice)
    for text in (*advice.reasons, *advice.cautions):
        assert " ".join(text.split()) in " ".join(str(advice).replace("\n    ", " ").split())


def test_pickled():
    advice = fr.advise(HARD, HARDER)
    again = pickle.loads(pickle.dumps(advice))
    assert str(again) == str(advice)
    assert again.to_dict() == advice.to_dict()


def test_notebooks():
    assert fr.advise(HARD, HARDER)._repr_html_().startswith("<pre>Two clusterings")


def test_the_command_reads_as_the_call_does():
    labels = [0, 0, 0, 1, 1, 1, -1, -1]
    other = [0, 0, 1, 1, 1, 1, 0, 1]
    advice = fr.advise(labels, other, noise=np.int64(-1), noise_as="drop")
    assert "A B --noise -1 --noise-as drop " in advice.command
    assert (
        fr.advise([0, 0, 1, 1], [[1, 0], [0.6, 0.4], [0, 1], [0, 1]], index=fr.NDC(p=2)).command
        == ""
    )
    assert "noise=-1, noise_as=" in advice.call
