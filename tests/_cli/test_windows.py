"""What differs on Windows, tried out on any system."""

import errno
import io
import multiprocessing
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._cli import output, windows
from fuzzyrand._cli.align import _targets
from fuzzyrand._cli.main import COMMANDS, main
from fuzzyrand._files.opening import cannot_open

from ..cli_process import ENVIRONMENT


def redirected(*arguments, encoding="cp1252"):
    """Exit code and output of a command, as when Windows sends the output to a file."""
    data = io.BytesIO()
    stream = io.TextIOWrapper(data, encoding="cp1252", errors="strict", newline="\r\n")
    with redirect_stdout(stream):
        try:
            code = main(arguments)
        except SystemExit as end:
            code = end.code
        stream.flush()
    return code, data.getvalue().decode(encoding)


@pytest.fixture
def on_windows(monkeypatch):
    monkeypatch.setattr(windows, "WINDOWS", True)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_in_an_older_encoding(command):
    code, out = redirected(*command.split(), "--help")
    assert code == 0
    assert out.startswith("usage: fuzzyrand")


def test_results_in_an_older_encoding(here, monkeypatch):
    monkeypatch.chdir(here)
    asked = ("--quiet", "--test", "--confidence", "0.9", "--methods")
    code, out = redirected("compare", "truth.csv", "soft.csv", *asked)
    assert code == 0
    assert "adjusted" in out
    assert "?" not in out


@pytest.mark.parametrize("form", ["--json", "--csv"])
def test_data_are_in_utf8(form, here, monkeypatch):
    monkeypatch.chdir(here)
    Path("β.csv").write_bytes(Path("soft.csv").read_bytes())
    asked = ("--quiet", form)
    code, out = redirected("pairwise", "truth.csv", "β.csv", *asked, encoding="utf-8")
    assert code == 0
    assert "β" in out


def test_printed_results_need_no_other_encoding():
    rng = np.random.default_rng(0)
    a, b, c = rng.dirichlet(np.ones(3), (3, 60))
    results = [
        fr.compare(a, b),
        fr.compare(a, b, model="every"),
        fr.pairwise([a, b, c]),
        fr.check_model(a),
        fr.significance(a, b, draws=99),
        fr.confidence_interval(a, b),
        fr.confidence_interval(a, (b, c)),
        fr.explain(a, b),
        fr.match(a, b),
        fr.align([a, b]),
    ]
    for result in results:
        assert str(result).encode("cp1252")
    assert results[0].methods_text(test=results[4]).encode("cp1252")


def test_patterns_are_expanded(on_windows, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("b.csv", "a.csv", "c[1].txt", "c1.txt"):
        Path(name).touch()
    given = ["*.csv", "c[1].txt", "*.npy", "-"]
    assert windows.expand_patterns(given) == ["a.csv", "b.csv", "c[1].txt", "*.npy", "-"]


def test_shells_of_other_systems_expand_patterns(monkeypatch):
    monkeypatch.setattr(windows, "WINDOWS", False)
    assert windows.expand_patterns(["*.py"]) == ["*.py"]


def test_commands_are_quoted_for_the_shell(on_windows, monkeypatch):
    words = ["fuzzyrand", "compare", r"C:\my runs\a.csv", r"C:\b.csv"]
    assert windows.quote_words(words) == r'fuzzyrand compare "C:\my runs\a.csv" C:\b.csv'
    monkeypatch.setattr(windows, "WINDOWS", False)
    assert windows.quote_words(words) == r"fuzzyrand compare 'C:\my runs\a.csv' 'C:\b.csv'"


def test_reader_that_left(monkeypatch):
    invalid = OSError(errno.EINVAL, "Invalid argument")
    named = OSError(errno.EINVAL, "Invalid argument", "a.csv")
    for system in (True, False):
        monkeypatch.setattr(windows, "WINDOWS", system)
        assert windows.reader_left(BrokenPipeError())
        assert windows.reader_left(invalid) is system
        assert not windows.reader_left(named)
        assert not windows.reader_left(ValueError())


def test_directory_in_place_of_a_file(tmp_path):
    denied = PermissionError(errno.EACCES, "Permission denied")
    assert "is a directory" in str(cannot_open(str(tmp_path), denied))
    (tmp_path / "a.csv").touch()
    assert "permission denied" in str(cannot_open(str(tmp_path / "a.csv"), denied))


def test_file_that_another_program_has_open(tmp_path, monkeypatch):
    def replace(self, target):
        raise PermissionError(errno.EACCES, "Access is denied", str(self), None, str(target))

    monkeypatch.setattr(Path, "replace", replace)
    path = tmp_path / "page.html"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(fr.InputError, match=r"page\.html cannot be written: Access is denied"):
        output.save(str(path), lambda to: to.write_text("new", encoding="utf-8"))
    assert [entry.name for entry in tmp_path.iterdir()] == ["page.html"]
    assert path.read_text("utf-8") == "old"


def test_names_of_written_files_are_legal(tmp_path):
    names = [r"C:\runs\a", 'k="3"?', "x: <y>|z*"]
    targets = [Path(target).name for target in _targets(str(tmp_path), names, "csv")]
    assert targets == ["C_runs_a.csv", "k=_3__.csv", "x _y__z_.csv"]


def test_without_what_only_posix_has(here):
    script = """
import os, pkgutil, signal, sys
import numba, scipy.optimize, scipy.sparse, scipy.special, scipy.stats  # may use what is there
for name in ("SIGPIPE", "SIGHUP", "SIGKILL", "SIGUSR1", "SIGALRM"):
    delattr(signal, name)
for name in ("fork", "sched_getaffinity", "geteuid", "getuid", "killpg", "mkfifo", "getpgid"):
    delattr(os, name)
for name in ("resource", "fcntl", "termios", "pwd", "grp", "pty"):
    sys.modules[name] = None
import fuzzyrand
from fuzzyrand._cli.main import main
sys.exit(main(["compare", "truth.csv", "soft.csv", "--quiet", "--test"]))
"""
    ended = subprocess.run(
        [sys.executable, "-c", script],
        cwd=here,
        env={name: v for name, v in ENVIRONMENT.items() if name != "FUZZYRAND_NUM_THREADS"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert "adjusted" in ended.stdout


def test_processes_that_are_not_forked():
    a, b = [0, 0, 1, 1, 2], [0, 1, 1, 1, 2]
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        result = pool.submit(fr.compare, a, b, model="perm").result()
    assert result.adjusted == fr.compare(a, b, model="perm").adjusted
