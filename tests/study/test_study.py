"""The studies: what they compute, and that nothing that stops them costs a result."""

import itertools
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand import _cli as cli
from fuzzyrand.study import authors, error, factorial, parallel, published, toy
from fuzzyrand.study.design import FACTORS, Setting, generator
from fuzzyrand.study.store import Store

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


# --- the design ----------------------------------------------------------------------------------


def test_sizes_follow_the_rule():
    setting = Setting(clusters=10, points=100, imbalance=0.2, precision=1.0, share=0.3)
    assert np.bincount(setting.labels()).tolist() == [40, 40, 3, 3, 3, 3, 2, 2, 2, 2]
    assert setting.weights() == pytest.approx([0.4, 0.4] + [0.025] * 8)


def test_no_large_cluster():
    """20% of four clusters is none: sizes are even, and only 0.2 of the precision is left."""
    setting = Setting(clusters=4, points=100, imbalance=0.2, precision=1.0, share=0.3)
    assert np.bincount(setting.labels()).tolist() == [25] * 4
    assert setting.weights() == pytest.approx([0.05] * 4)


@pytest.mark.parametrize("precision", [0.0, 1.0])
def test_same_points_are_randomised(precision):
    setting = Setting(clusters=50, points=200, imbalance=0.8, precision=precision, share=0.3)
    first, second = setting.draw(generator(0), 2)
    hard = np.eye(50)[setting.labels()]
    changed = [np.any(_rows(p) != hard, axis=1) for p in (first, second)]
    either = changed[0] | changed[1]
    assert either.sum() <= 60  # a random label may be the old one
    assert (changed[0] & changed[1]).sum() > 50


def test_one_side_stays():
    setting = Setting(clusters=5, points=50, imbalance=0.8, precision=1.0, share=1.0)
    first, second = setting.draw(generator(0), 1)
    assert not first.is_hard
    assert fr.similarity(second, setting.labels()) == 1.0


def test_cells_have_streams_of_their_own():
    states = {
        generator(0, *cell.coordinates.values()).integers(2**63)
        for cell in factorial.cells(quick=True, runs=1, seed=0)
    }
    assert len(states) == len(factorial.cells(quick=True, runs=1, seed=0))


def _rows(partition):
    if partition.memberships is not None:
        return partition.memberships
    # Labels are numbered as they come; here each cluster keeps an unchanged point.
    hard = np.zeros((partition.n, partition.k))
    hard[np.arange(partition.n), partition.codes] = 1.0
    return hard


# --- the store -----------------------------------------------------------------------------------


def test_torn_line_is_dropped(tmp_path):
    with Store(tmp_path / "s", "toy", {}, ("cell",)) as store:
        store.append({"cell": 1, "value": 0.5})
        store.append({"cell": 2, "value": 0.25})
    lines = tmp_path / "s" / "cells.jsonl"
    lines.write_bytes(lines.read_bytes()[:-4])
    with Store(tmp_path / "s", "toy", {}, ("cell",)) as store:
        assert store.table() == [{"cell": 1, "value": 0.5}]
        store.append({"cell": 2, "value": 0.25})
    with Store(tmp_path / "s", "toy", {}, ("cell",)) as store:
        assert [r["cell"] for r in store.table()] == [1, 2]


def test_other_results_are_refused(tmp_path):
    Store(tmp_path / "s", "toy", {"seed": 0}, ("cell",))
    with pytest.raises(fr.InputError, match="'toy', not of 'error'"):
        Store(tmp_path / "s", "error", {"seed": 0}, ("cell",))
    with pytest.raises(fr.InputError, match="seed 0, now 1"):
        Store(tmp_path / "s", "toy", {"seed": 1}, ("cell",))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("precious")
    with pytest.raises(fr.InputError, match="holds no study"):
        Store(tmp_path / "mine", "toy", {}, ("cell",))
    with pytest.raises(fr.InputError, match="is a file"):
        Store(tmp_path / "mine" / "thesis.tex", "toy", {}, ("cell",))
    assert (tmp_path / "mine" / "thesis.tex").read_text() == "precious"


def test_failed_write_leaves_the_old_file(tmp_path):
    with Store(tmp_path / "s", "toy", {}, ("cell",)) as store:
        store.write("page.md", lambda path: path.write_text("old"))

        def fail(path):
            path.write_text("ha")
            raise OSError("disk full")

        with pytest.raises(fr.InputError, match=r"page.md cannot be written: disk full"):
            store.write("page.md", fail)
        assert store.path("page.md").read_text() == "old"
        assert sorted(p.name for p in store.directory.iterdir()) == [
            "cells.jsonl", "page.md", "study.json"
        ]  # fmt: skip


# --- the factorial -------------------------------------------------------------------------------


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
from fuzzyrand.study import factorial
factorial.QUICK = {levels!r}
factorial.run(sys.argv[1], quick=True, n_jobs=int(sys.argv[2]))
"""


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


def test_authors_one_sided_hard():
    """Squared proportions in place of pairs, by hand."""
    first = fr.Partition.from_labels([0, 0, 1, 1, 1], clusters=3)
    second = fr.Partition.from_labels([0, 1, 1, 2, 2])
    q1, q2 = 13 / 25, 9 / 25
    fit = authors.fit_expectation(first, second, one_sided=True, tol=1e-3, max_draws=10, seed=0)
    assert fit == pytest.approx(q1 * q2 + (1 - q1) * (1 - q2))
    sym = authors.sym_expectation(first, second, 0.0, one_sided=True)
    assert sym == pytest.approx(q2 / 3 + (1 - q2) * 2 / 3)


def test_authors_fit_without_zeros_is_the_plain_one():
    rng = np.random.default_rng(0)
    a, b = (fr.as_partition(rng.dirichlet([2.0, 1.0, 3.0], 40)) for _ in range(2))
    theirs = authors.fit_expectation(a, b, one_sided=False, tol=1e-3, max_draws=10**6, seed=0)
    assert theirs == pytest.approx(fr.compare(a, b, model="fit", tol=1e-3).expected, abs=4e-3)


def test_published_means_are_of_one_study():
    """The mean over the levels of a factor is the grand mean, whichever the factor."""
    for means in (published.TWO_SIDED, published.ONE_SIDED):
        for model in ("perm", "fit", "sym", "flat"):
            grand = [np.mean(means[factor][model]) for factor in FACTORS]
            assert np.ptp(grand) < 1e-3


def test_published_means_are_met():
    """The means kept with the pages, by the authors' rules, against the published ones."""
    path = Path(__file__).parents[2] / "docs" / "study" / "means.parquet"
    table = pq.read_table(path).to_pydict()
    rows = zip(*(table[name] for name in ("sides", "factor", "level", "model")), strict=True)
    ours = dict(zip(rows, table["mean"], strict=True))
    columns = {"perm": "perm", "fit": "fit_authors", "sym": "sym_authors", "flat": "flat"}
    for sides, means in ((2, published.TWO_SIDED), (1, published.ONE_SIDED)):
        for factor, levels in zip(FACTORS, factorial.FULL, strict=True):
            for model, column in columns.items():
                for at, theirs in zip(levels, means[factor][model], strict=True):
                    assert ours[sides, factor, at, column] == pytest.approx(theirs, abs=0.02)


# --- toy and error -------------------------------------------------------------------------------


def test_toy(tmp_path):
    page = toy.run(tmp_path / "toy")
    table = pq.read_table(page.parent / "toy.parquet").to_pydict()
    assert len(table["adjusted"]) == 40
    assert np.array(table["adjusted"]) == pytest.approx(np.array(table["published"]), abs=0.005)
    with Store(page.parent, "toy", {"fuzzyrand": fr.__version__}, ("comparison",)) as store:
        ranks = toy.rankings(store.table())
    for name in ("ndc", "sym", "flat"):
        assert tuple(ranks[name]) == published.TOY_RANKING[name]
    assert tuple(ranks["perm"]) == (3, 7, 1, 10, 6, 4, 2, 8, 9, 5)
    assert tuple(ranks["fit"]) == (3, 7, 10, 6, 2, 4, 8, 9, 5, 1)
    for name in ("toy-bars", "toy-triangles"):
        assert (page.parent / f"{name}.png").stat().st_size > 10_000
    assert "{" not in page.read_text()


def test_error_study(tmp_path, monkeypatch):
    monkeypatch.setattr(error, "LEVELS", ((2, 6), (40,), (0.8,), (1.0,), (0.5,)))
    page = error.run(tmp_path / "error", pairs=1, repeats=3, n_jobs=1)
    assert "{" not in page.read_text()
    table = {
        k: np.array(v) for k, v in pq.read_table(page.parent / "error.parquet").to_pydict().items()
    }
    assert table["adjusted"].size == 2 * 3 * 2 * 3
    for k, model in itertools.product((2, 6), error.MODELS):
        chosen = (table["clusters"] == k) & (table["model"] == model)
        ours, plain = (
            table["adjusted"][chosen & (table["estimator"] == e)] for e in ("ours", "plain")
        )
        if k == 2 or model == "flat":
            assert np.ptp(ours) < 1e-12
        else:
            assert 0.0 < np.ptp(ours) < 6 * 5e-4
        assert np.abs(plain - ours.mean()).max() < 0.5


def test_plain_sampler_is_right():
    """Flat rows of three clusters: the expected index is 27/35."""
    ones = np.ones(3)
    value = error.plain_expectation(ones, ones, np.random.default_rng(0), seconds=0.2)
    assert value == pytest.approx(27 / 35, abs=0.02)


# --- the command line ----------------------------------------------------------------------------


def test_refusal_is_one_line(tmp_path, capsys):
    assert cli.main(["study", "toy", "--out", str(tmp_path / "toy")]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'toy' / 'toy.md'}\n"
    assert cli.main(["study", "factorial", "--quick", "--out", str(tmp_path / "toy")]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "holds results of the study 'toy'" in captured.err
    with pytest.raises(fr.InputError):
        cli.main(["study", "error", "--debug", "--out", str(tmp_path / "toy")])


@pytest.mark.parametrize(
    "command", [[], ["nothing"], ["study"], ["study", "toy"], ["study", "error", "--repeats", "0"]]
)
def test_wrong_usage(command, capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(command)
    assert stop.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_version(capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"fuzzyrand {fr.__version__}\n"


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
    command = ["study", "factorial", "--quick", "--jobs", "1", "--out", str(tmp_path / "f")]
    assert cli.main(command) == 130
    assert "goes on from there" in capsys.readouterr().err
    kept = (tmp_path / "f" / "cells.jsonl").read_bytes().count(b"\n")
    assert 0 < kept <= 7


def test_missing_extra(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert cli.main(["study", "toy", "--out", str(tmp_path / "toy")]) == 1
    assert 'pip install "fuzzyrand[study]"' in capsys.readouterr().err


# --- workers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["threading", "sequential", "grudging"])
def test_any_backend(backend, monkeypatch):
    """Also one that hands back results only when all are there, as Ray's does."""
    joblib = pytest.importorskip("joblib")
    from joblib._parallel_backends import ThreadingBackend

    class Grudging(ThreadingBackend):
        supports_return_generator = False

    joblib.register_parallel_backend("grudging", Grudging)
    monkeypatch.setattr(parallel, "CHUNK", 3)
    with joblib.parallel_config(backend=backend):
        found = sorted(parallel.as_they_finish(abs, range(-10, 0), n_jobs=2))
    assert found == list(range(1, 11))
