"""The factorial study: what it computes, and that nothing that stops it costs a result."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import fuzzyrand as fr
from study import factorial
from study.__main__ import main as study
from study.design import FACTORS, Setting, generator

pq = pytest.importorskip("pyarrow.parquet")
pytest.importorskip("matplotlib")

#: A design of 32 cells.
TINY = ((2, 5), (24,), (0.8, 0.2), (0.0, 1.0), (0.5, 1.0))


@pytest.fixture
def tiny(monkeypatch):
    """The quick factorial, made tiny."""
    monkeypatch.setattr(factorial, "QUICK", TINY)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The directory of a tiny factorial that nobody disturbed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(factorial, "QUICK", TINY)
        return factorial.run(tmp_path_factory.mktemp("f") / "out", quick=True, n_jobs=1).parent


def test_cells_have_streams_of_their_own():
    states = {
        generator(0, *cell.coordinates.values()).integers(2**63)
        for cell in factorial.cells(quick=True, runs=1, seed=0)
    }
    assert len(states) == len(factorial.cells(quick=True, runs=1, seed=0))


@pytest.mark.slow
def test_order_and_parallelism_change_nothing(tiny, whole, tmp_path, monkeypatch):
    forward = factorial.cells
    monkeypatch.setattr(factorial, "cells", lambda *given: forward(*given)[::-1])
    other = factorial.run(tmp_path / "two", quick=True, n_jobs=2).parent
    for name in ("factorial.parquet", "means.parquet", "factorial.md", "factorial-two-sided.png"):
        assert (whole / name).read_bytes() == (other / name).read_bytes()


def test_tables_figures_and_page(whole):
    text = (whole / "factorial.md").read_text()
    assert "nan" not in text
    assert "{" not in text
    for name in ("factorial-two-sided", "factorial-one-sided"):
        assert (whole / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert "<svg" in (whole / f"{name}.svg").read_text()
    table = pq.read_table(whole / "factorial.parquet").to_pydict()
    assert len(table["model"]) == 32 * len(factorial.COLUMNS)
    assert {*table} == {
        "sides", *FACTORS, "run", "zeros", "observed", "model", "expected", "adjusted", "stderr"
    }  # fmt: skip
    d, e = 1.0 - np.array(table["observed"]), 1.0 - np.array(table["expected"])
    assert np.array(table["adjusted"]) == pytest.approx(1.0 - d / e, abs=1e-12)


def test_cell_agrees_with_the_library():
    setting = Setting(clusters=6, points=60, imbalance=0.6, precision=1.0, share=0.5)
    for sides, fixed in ((2, None), (1, "second")):
        cell = factorial.Cell(sides, setting, run=3, seed=7)
        record = factorial.compute(cell)
        first, second = setting.draw(generator(7, *cell.coordinates.values()), sides)
        assert record["observed"] == pytest.approx(fr.similarity(first, second), abs=1e-12)
        for column, model in {**factorial.MODELS, "flat": "flat"}.items():
            value = record["adjusted"][factorial.COLUMNS.index(column)]
            c = fr.compare(first, second, model=model, fixed=fixed)
            assert value == pytest.approx(c.adjusted, abs=5 * (factorial.TOL + c.stderr))


_KILLED = """
import sys
from study import factorial
factorial.QUICK = {levels!r}
factorial.run(sys.argv[1], quick=True, n_jobs=int(sys.argv[2]))
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
@pytest.mark.parametrize("jobs", [1, 2])
def test_kill_in_the_middle(tiny, whole, tmp_path, monkeypatch, jobs):
    """SIGKILL, then the same command: only what is missing is computed, the table is the same."""
    out = tmp_path / "killed"
    script = _KILLED.format(levels=TINY)
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(out), str(jobs)], stderr=subprocess.DEVNULL
    )
    lines, deadline = out / "cells.jsonl", time.monotonic() + 60
    while not (lines.exists() and lines.read_bytes().count(b"\n") >= 4):
        assert process.poll() is None, "it ended by itself"
        assert time.monotonic() < deadline
        time.sleep(0.002)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    before = lines.read_bytes()
    kept = before.count(b"\n")
    assert kept < 32
    lines.write_bytes(before + b'{"sides":2,"clus')  # and as if the kill had torn a line

    computed = []
    compute = factorial.compute
    monkeypatch.setattr(factorial, "compute", lambda c: computed.append(c) or compute(c))
    page = factorial.run(out, quick=True, n_jobs=1)
    assert len(computed) == 32 - kept
    assert lines.read_bytes().startswith(before)
    for name in ("factorial.parquet", "factorial.md"):
        assert (page.parent / name).read_bytes() == (whole / name).read_bytes()


def test_noise_is_zero_for_ours_and_not_for_the_authors():
    """128 clusters of pure noise: columns with a zero drop out of the authors' fit."""
    setting = Setting(clusters=128, points=512, imbalance=0.4, precision=1.0, share=1.0)
    record = factorial.compute(factorial.Cell(2, setting, run=0, seed=0))
    adjusted = dict(zip(factorial.COLUMNS, record["adjusted"], strict=True))
    assert abs(adjusted["fit"]) < 0.03
    assert adjusted["fit_authors"] > 0.2
    assert adjusted["fit_categorical"] < -0.2


def test_interrupt_keeps_what_is_finished(tiny, tmp_path, monkeypatch, capsys):
    compute, computed = factorial.compute, []

    def interrupted(cell):
        if len(computed) == 7:
            raise KeyboardInterrupt
        computed.append(cell)
        return compute(cell)

    monkeypatch.setattr(factorial, "compute", interrupted)
    monkeypatch.setattr(
        factorial, "_compute_all", lambda batch: [factorial.compute(c) for c in batch]
    )
    command = ["factorial", "--quick", "--jobs", "1", "--out", str(tmp_path / "f")]
    assert study(command) == 130
    assert "the same command resumes it" in capsys.readouterr().err
    kept = (tmp_path / "f" / "cells.jsonl").read_bytes().count(b"\n")
    assert 0 < kept <= 7
