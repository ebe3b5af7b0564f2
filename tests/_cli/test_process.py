"""The command as a process: its streams, its exit codes, and how it stops."""

import os
import signal
import time

import numpy as np
import pytest

from ..cli_process import ROOT, STUDY, run, shell, start
from ..clustering_files import GOOD_SOFT


def test_debug_shows_where():
    ended = run("check", "nothing.csv", "--debug")
    assert ended.code == 1
    assert "Traceback" in ended.err


@pytest.mark.parametrize("arguments", [["completion", "bash"], ["compare", "--help"]])
def test_closed_pipe_is_quiet(arguments):
    with start(*arguments) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    # Of help, argparse itself may pass over the failure.
    assert process.returncode in ((141,) if "--help" not in arguments else (0, 141))


@pytest.mark.skipif(os.name != "posix", reason="signals are of POSIX")
def test_interrupt_leaves_no_half_written_file(tmp_path):
    np.save(tmp_path / "soft.npy", np.random.default_rng(0).dirichlet(np.ones(5), 30_000))
    (tmp_path / "plot.svg").write_text("old")
    asked = ("check", "soft.npy", "--model", "every", "--plot", "plot.svg")
    with start(*asked, cwd=tmp_path) as process:
        assert process.stderr.readline().startswith(b"soft.npy: 30,000 points, fuzzy, 5 clusters")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"fuzzyrand: stopped.\n")
    assert (tmp_path / "plot.svg").read_text() == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["plot.svg", "soft.npy"]


@pytest.mark.skipif(os.name != "posix", reason="signals and process groups are of POSIX")
@pytest.mark.parametrize("whom", ["parent", "group"])
def test_interrupted_study_stops_at_once_and_keeps_what_is_finished(tmp_path, whom):
    """By ``kill -INT``, which only the parent gets, or Ctrl-C, which the workers get too.

    ``PATH`` leads nowhere, as it may in a container: no command may be needed to stop.
    """
    asked = ("factorial", "--out", "out", "--jobs", "2")
    where = {"PATH": str(tmp_path), "PYTHONPATH": str(ROOT)}
    finished = tmp_path / "out" / "cells.jsonl"
    with start(*asked, cwd=tmp_path, command=STUDY, **where) as process:
        within(60, lambda: finished.exists() and finished.stat().st_size)
        (os.kill if whom == "parent" else os.killpg)(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, b"")
    # On a busy machine Python may say before that it ignored what joblib's generator raised.
    assert err.decode().endswith(
        "study: stopped. Finished work is kept; the same command resumes it.\n"
    )
    assert finished.read_bytes().endswith(b"}\n")
    within(10, lambda: not group_exists(process.pid))


def within(seconds, condition):
    """Wait until something is so."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def group_exists(leader):
    try:
        os.killpg(leader, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_full_disk(here):
    ended = shell("fuzzyrand compare truth.csv soft.csv --quiet > /dev/full", here)
    assert ended == (1, "fuzzyrand: standard output: No space left on device.\n", "")


def test_closed_output(here):
    assert shell("fuzzyrand compare truth.csv soft.csv --quiet >&-", here) == (0, "", "")


def test_a_fault_of_ours_is_said_in_one_line(tmp_path):
    """And not by a traceback; here the fault is planted."""
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "matplotlib.py").write_text("raise RuntimeError('planted')")
    (tmp_path / "soft.csv").write_text(GOOD_SOFT)
    line = "PYTHONPATH=broken fuzzyrand check soft.csv --quiet --plot fit.png"
    ended = shell(line, tmp_path)
    assert ended.code == 1
    assert ended.out == (
        "fuzzyrand: unexpected error, and no fault of yours: RuntimeError: planted. The same "
        "command with --debug shows where it happened; please report it.\n"
    )
