"""A file of finished repeats: nothing that stops the work costs a value."""

import math

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
