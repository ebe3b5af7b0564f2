"""A file of finished repeats: nothing that stops the work costs a value."""

import math
import os

import pytest

import fuzzyrand as fr
from fuzzyrand._stability.checkpoint import Checkpoint
from fuzzyrand._stability.tasks import Task

SETTINGS = {"data": "abc", "share": 0.8}


def test_values_come_back(tmp_path):
    path = tmp_path / "done.jsonl"
    values = {Task(2, -1, 0): 0.1 + 0.2, Task(3, -1, 0): math.nan, Task(3, 4, 1): -1.0}
    with Checkpoint(path, SETTINGS) as store:
        for task, value in values.items():
            store.add(task, value)
    with Checkpoint(path, SETTINGS) as store:
        assert store.values == pytest.approx(values, abs=0.0, nan_ok=True)


@pytest.mark.parametrize("cut", range(1, 12))
def test_a_torn_line_is_dropped(tmp_path, cut):
    path = tmp_path / "done.jsonl"
    with Checkpoint(path, SETTINGS) as store:
        store.add(Task(2, -1, 0), 0.5)
        store.add(Task(2, -1, 1), 0.25)  # [2,-1,1,0.25] and a newline: 15 bytes
    path.write_bytes(path.read_bytes()[:-cut])
    with Checkpoint(path, SETTINGS) as store:
        assert store.values == {Task(2, -1, 0): 0.5}
        store.add(Task(2, -1, 1), 0.25)
    with Checkpoint(path, SETTINGS) as store:
        assert len(store.values) == 2


def test_a_torn_first_line_is_written_again(tmp_path):
    path = tmp_path / "done.jsonl"
    Checkpoint(path, SETTINGS).__exit__(None, None, None)
    whole = path.read_bytes()
    for length in (0, 5, 15, 30, len(whole) - 1):
        path.write_bytes(whole[:length])
        with Checkpoint(path, SETTINGS) as store:
            assert store.values == {}
        assert path.read_bytes() == whole


def test_other_settings_and_other_files_are_refused(tmp_path):
    path = tmp_path / "done.jsonl"
    Checkpoint(path, SETTINGS).__exit__(None, None, None)
    with pytest.raises(fr.ParameterError, match=r"other settings \(data, share 0.8, now 0.7\)"):
        Checkpoint(path, {"data": "abd", "share": 0.7})
    thesis = tmp_path / "thesis.tex"
    thesis.write_text("precious")
    with pytest.raises(fr.ParameterError, match="does not hold finished repeats"):
        Checkpoint(thesis, SETTINGS)
    assert thesis.read_text() == "precious"
    with pytest.raises(fr.InputError, match="cannot be written"):
        Checkpoint(tmp_path / "no" / "folder" / "x", SETTINGS)


DAMAGED = {
    "cut": b"[2,-1,1,0.",
    "no list": b"2",
    "too few": b"[2,-1,1]",
    "no number": b'[2,-1,1,"0.5"]',
    "an impossible value": b"[2,-1,1,99]",
    "an infinite value": b"[2,-1,1,-Infinity]",
    "no value as NaN": b"[2,-1,1,NaN]",
    "a huge value": b"[2,-1,1,-1" + b"0" * 400 + b"]",
    "endless digits": b"[2,-1,1,0." + b"3" * 20 + b"e" + b"9" * 5000 + b"]",
    "a truth value": b"[2,-1,1,true]",
    "a fractional repeat": b"[2,-1,1.5,0.5]",
    "no clusters": b"[0,-1,1,0.5]",
    "nested": b"[" * 100_000,
    "not text": b"\xff\xfe",
    "empty": b"",
    "carriage return": b"[2,-1,1,0.5]\r[2,-1,2,0.5]",
}


@pytest.mark.parametrize("case", DAMAGED)
def test_a_damaged_line_is_named(tmp_path, case):
    path = tmp_path / "done.jsonl"
    with Checkpoint(path, SETTINGS) as store:
        store.add(Task(2, -1, 0), 0.5)
    damaged = path.read_bytes() + DAMAGED[case] + b"\n[2,-1,3,0.5]\n"
    path.write_bytes(damaged)
    with pytest.raises(fr.InputError, match=r"line 3 of .*done.jsonl is damaged: .* Remove the "):
        Checkpoint(path, SETTINGS)
    assert path.read_bytes() == damaged


def test_two_values_of_one_repeat_are_refused(tmp_path):
    path = tmp_path / "done.jsonl"
    with Checkpoint(path, SETTINGS) as store:
        store.add(Task(2, -1, 0), 0.5)
    path.write_bytes(path.read_bytes() + b"[2,-1,0,0.5]\n[2,-1,0,0.75]\n")
    with pytest.raises(fr.InputError, match=r"line 4 of .* another value .*0.75 and 0.5"):
        Checkpoint(path, SETTINGS)


def test_damaged_settings_are_refused(tmp_path):
    path = tmp_path / "done.jsonl"
    Checkpoint(path, SETTINGS).__exit__(None, None, None)
    damaged = path.read_bytes().replace(b'"share":0.8}', b'"share":0.8]')
    path.write_bytes(damaged + b"[2,-1,0,0.5]\n[2,")
    with pytest.raises(fr.ParameterError, match="its first line does not hold settings"):
        Checkpoint(path, SETTINGS)
    assert path.read_bytes() == damaged + b"[2,-1,0,0.5]\n[2,"


@pytest.mark.skipif(os.name != "posix", reason="devices and pipes are of POSIX")
def test_only_regular_files_are_opened(tmp_path):
    """Reading /dev/full never ends, and a pipe waits for somebody to write."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/full")
    for path in ("/dev/full", "/dev/null", tmp_path / "pipe", tmp_path / "link", tmp_path):
        with pytest.raises(fr.ParameterError, match=r"is not a regular file\. Choose another"):
            Checkpoint(path, SETTINGS)
    Checkpoint(tmp_path / "target", SETTINGS).__exit__(None, None, None)
    (tmp_path / "to target").symlink_to(tmp_path / "target")
    Checkpoint(tmp_path / "to target", SETTINGS).__exit__(None, None, None)
