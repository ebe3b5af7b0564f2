"""The command line as users see it: a process with its own output and exit code."""

import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
#: First folder on the path, so that a shell finds the command of this Python.
BIN = str(Path(sys.executable).parent)
ENVIRONMENT = {
    **os.environ,
    "PATH": BIN + os.pathsep + os.environ.get("PATH", ""),
    "PYTHONWARNINGS": "error",
    "FUZZYRAND_NUM_THREADS": "1",
    "COLUMNS": "100",
    "PYTHONUTF8": "1",
}
COMMAND = [sys.executable, "-m", "fuzzyrand"]
STUDY = [sys.executable, "-m", "study"]


class Ended(NamedTuple):
    """Exit code and output of a process."""

    code: int
    out: str
    err: str


def run(*arguments, cwd=".", stdin=b"", path=None):
    """Run ``fuzzyrand`` to its end; fail if a traceback or a progress bar is shown.

    With a ``path`` to import from first, it runs in a new Python process.
    """
    arguments = [str(argument) for argument in arguments]
    if path is None and hasattr(os, "fork"):
        ended = _forked(arguments, str(cwd), stdin)
    else:
        done = subprocess.run(
            [*COMMAND, *arguments],
            cwd=cwd,
            input=stdin,
            capture_output=True,
            env=ENVIRONMENT if path is None else _importing(path),
            timeout=60,
            check=False,
        )
        out, err = (
            stream.decode().replace(os.linesep, "\n") for stream in (done.stdout, done.stderr)
        )
        ended = Ended(done.returncode, out, err)
    if "--debug" not in arguments:
        assert "Traceback" not in ended.err, ended.err
        assert "unexpected error" not in ended.err, ended.err
    assert "\r" not in ended.err
    return ended


def _importing(path):
    """The environment, with a folder from which to import before all others."""
    others = ENVIRONMENT.get("PYTHONPATH", "")
    return {**ENVIRONMENT, "PYTHONPATH": os.pathsep.join(filter(None, [str(path), others]))}


def start(*arguments, cwd=".", command=COMMAND, **environment):
    """Start ``fuzzyrand`` or another command in its own session, and leave it to the test."""
    return subprocess.Popen(
        [*command, *arguments],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**ENVIRONMENT, **environment},
        start_new_session=True,
    )


@cache
def _server():
    return subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("cli_server.py"))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=ENVIRONMENT,
        text=True,
        bufsize=1,
    )


def stop_server():
    """Stop the process that forks the others, if it was started."""
    if _server.cache_info().currsize:
        with _server() as server:
            server.stdin.close()
        _server.cache_clear()


def _forked(arguments, cwd, stdin):
    with tempfile.TemporaryDirectory() as folder:
        files = {name: os.path.join(folder, name) for name in ("stdin", "stdout", "stderr")}
        Path(files["stdin"]).write_bytes(stdin)
        server = _server()
        print(json.dumps({"arguments": arguments, "cwd": cwd, **files}), file=server.stdin)
        code = int(server.stdout.readline())
        return Ended(code, *(Path(files[name]).read_text("utf-8") for name in ("stdout", "stderr")))


def refused(*arguments, code=1, **options):
    """The single line with which input is refused; fail if anything is on standard output."""
    ended = run(*arguments, **options)
    assert (ended.code, ended.out) == (code, ""), ended
    said = [line for line in ended.err.splitlines() if line.startswith("fuzzyrand: ")]
    assert len(said) == 1
    assert ended.err.endswith(said[0] + "\n")
    return said[0].removeprefix("fuzzyrand: ")


def shell(line, cwd):
    """What a terminal shows for a command: both streams, in the order of their output."""
    if os.name != "posix":
        pytest.skip("needs a shell of POSIX")
    ended = subprocess.run(
        ["bash", "-c", line],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=ENVIRONMENT,
        timeout=60,
        check=False,
    )
    return Ended(ended.returncode, ended.stdout.decode(), "")
