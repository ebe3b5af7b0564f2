"""A file of finished repeats: nothing that stops the work costs a value."""

import math
import os

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._methods.stability.checkpoint import Checkpoint
from fuzzyrand._methods.stability.tasks import Finished, Task

SETTINGS = {"data": "abc", "share": 0.8}


def test_values_come_back(tmp_path):
    path = tmp_path / "done.jsonl"
    details = ((2, 3), ((1.0, 0.25), (math.nan, 0.5)), ((0.5, 0.0), (0.5, 0.0)))
    finished = {
        Task(2, -1, 0): Finished(0.1 + 0.2, *details, np.array([0.5, math.nan, -0.25])),
        Task(0.1 + 0.2, -1, 0): Finished(math.nan, *details),
        Task("ward", 4, 1): Finished(-1.0),
    }
    with Checkpoint(path, SETTINGS) as store:
        for task, each in finished.items():
            store.add(task, each)
        store.confirm("ward", np.array([3.0, 5.5]))
    with Checkpoint(path, SETTINGS) as store:
        assert repr(store.finished) == repr(finished)
        store.confirm("ward", np.array([3.000001, 5.5]))
        with pytest.raises(
            fr.InputError, match=r"clusters of 3, 5.5 points, now 4, 4.5.*random st"
        ):
            store.confirm("ward", np.array([4.0, 4.5]))


@pytest.mark.parametrize("cut", range(1, 12))
def test_a_torn_line_is_dropped(tmp_path, cut):
    path = tmp_path / "done.jsonl"
    with Checkpoint(path, SETTINGS) as store:
        store.add(Task(2, 0, 0), Finished(0.5))
        store.add(Task(2, 0, 1), Finished(0.25))  # [2,0,1,0.25] and a newline: 14 bytes
    path.write_bytes(path.read_bytes()[:-cut])
    with Checkpoint(path, SETTINGS) as store:
        assert store.finished == {Task(2, 0, 0): Finished(0.5)}
        store.add(Task(2, 0, 1), Finished(0.25))
    with Checkpoint(path, SETTINGS) as store:
        assert len(store.finished) == 2


def test_a_torn_first_line_is_written_again(tmp_path):
    path = tmp_path / "done.jsonl"
    Checkpoint(path, SETTINGS).__exit__(None, None, None)
    whole = path.read_bytes()
    for length in (0, 5, 15, 30, len(whole) - 1):
        path.write_bytes(whole[:length])
        with Checkpoint(path, SETTINGS) as store:
            assert store.finished == {}
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
    "cut": b"[2,0,1,0.",
    "no list": b"2",
    "too few": b"[2,0,1]",
    "no number": b'[2,0,1,"0.5"]',
    "an impossible value": b"[2,0,1,99]",
    "an infinite value": b"[2,0,1,-Infinity]",
    "no value as NaN": b"[2,0,1,NaN]",
    "a huge value": b"[2,0,1,-1" + b"0" * 400 + b"]",
    "endless digits": b"[2,0,1,0." + b"3" * 20 + b"e" + b"9" * 5000 + b"]",
    "a truth value": b"[2,0,1,true]",
    "a fractional repeat": b"[2,0,1.5,0.5]",
    "an infinite parameter": b"[Infinity,0,1,0.5]",
    "no parameter": b"[null,0,1,0.5]",
    "a repeat without its clusters": b"[2,-1,1,0.5]",
    "too large a similarity": b"[2,-1,1,0.5,[2,2],[[1.5],[1]],[[0],[0]],[]]",
    "clusters of one subsample": b"[2,-1,1,0.5,[2,2],[[1]],[[0],[0]],[]]",
    "other clusters by chance": b"[2,-1,1,0.5,[2,2],[[1],[1]],[[0,0],[0,0]],[]]",
    "a fractional number of clusters": b"[2,-1,1,0.5,[2,1.5],[[1],[1]],[[0],[0]],[]]",
    "sizes that are none": b"[2,-2,0,0.5]",
    "negative sizes": b"[2,-2,0,[3,-1]]",
    "clusters of reference data": b"[2,0,1,0.5,[2,2],[[1],[1]],[[0],[0]],[]]",
    "nested": b"[" * 100_000,
    "not text": b"\xff\xfe",
    "empty": b"",
    "carriage return": b"[2,0,1,0.5]\r[2,0,2,0.5]",
}


@pytest.mark.parametrize("case", DAMAGED)
def test_a_damaged_line_is_named(tmp_path, case):
    path = tmp_path / "done.jsonl"
    with Checkpoint(path, SETTINGS) as store:
        store.add(Task(2, 0, 0), Finished(0.5))
    damaged = path.read_bytes() + DAMAGED[case] + b"\n[2,0,3,0.5]\n"
    path.write_bytes(damaged)
    with pytest.raises(fr.InputError, match=r"line 3 of .*done.jsonl is damaged: .* Remove the "):
        Checkpoint(path, SETTINGS)
    assert path.read_bytes() == damaged


def test_two_values_of_one_repeat_are_refused(tmp_path):
    path = tmp_path / "done.jsonl"
    with Checkpoint(path, SETTINGS) as store:
        store.add(Task(2, 0, 0), Finished(0.5))
    path.write_bytes(path.read_bytes() + b"[2,0,0,0.5]\n[2,0,0,0.75]\n")
    with pytest.raises(fr.InputError, match=r"line 4 of .* another value .*0.75 and 0.5"):
        Checkpoint(path, SETTINGS)


def test_damaged_settings_are_refused(tmp_path):
    path = tmp_path / "done.jsonl"
    Checkpoint(path, SETTINGS).__exit__(None, None, None)
    damaged = path.read_bytes().replace(b'"share":0.8}', b'"share":0.8]')
    path.write_bytes(damaged + b"[2,0,0,0.5]\n[2,")
    with pytest.raises(fr.ParameterError, match="its first line does not hold settings"):
        Checkpoint(path, SETTINGS)
    assert path.read_bytes() == damaged + b"[2,0,0,0.5]\n[2,"


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
