"""Types as users see them: what their type checker says of a script that uses the package.

Two checkers are asked, because they differ in overloads and in what they infer. Of those based on
pyright, basedpyright is installed from PyPI alone; pyright fetches itself from npm when it first
runs.
"""

import inspect
import json
import os
import re
import sys
from pathlib import Path

import pytest

import fuzzyrand as fr

pytestmark = pytest.mark.slow

SCRIPT = Path(__file__).with_name("typed_use.py")
LINES = SCRIPT.read_text("utf-8").splitlines()
WRONG = {number for number, line in enumerate(LINES, start=1) if line.endswith("  # wrong")}


def test_every_public_function_is_used():
    functions = {name for name in fr.__all__ if inspect.isfunction(getattr(fr, name))}
    used = set(re.findall(r"\bfr\.(\w+)\(", "\n".join(LINES)))
    assert functions - used == set()


@pytest.fixture
def script(tmp_path):
    """The script in a folder without any settings."""
    copy = tmp_path / "script.py"
    copy.write_bytes(SCRIPT.read_bytes())
    return copy


def test_mypy(installed, script):
    mypy = [sys.executable, "-m", "mypy", "--strict", "--python-executable", installed.python]
    _, out, err = installed.run(
        *mypy, "--no-error-summary", "--cache-dir", "cache", script.name, cwd=script.parent
    )
    reports = re.findall(r"^script\.py:(\d+): error: (.*)$", out, re.MULTILINE)
    assert {int(line) for line, _ in reports} == WRONG, out + err


def test_basedpyright(installed, script):
    pytest.importorskip("basedpyright", reason="basedpyright is not installed")
    settings = script.with_name("pyrightconfig.json")
    settings.write_text('{"typeCheckingMode": "strict"}', encoding="utf-8")
    checker = [sys.executable, "-m", "basedpyright", "--pythonpath", installed.python]
    _, out, err = installed.run(*checker, "--outputjson", script.name, cwd=script.parent)
    reports = [entry for entry in json.loads(out)["generalDiagnostics"] if "rule" in entry]
    errors = {
        entry["range"]["start"]["line"] + 1 for entry in reports if entry["severity"] == "error"
    }
    assert errors == WRONG, out + err


def test_every_public_type_is_known(installed, tmp_path, monkeypatch):
    pytest.importorskip("basedpyright", reason="basedpyright is not installed")
    asked = ("--verifytypes", "fuzzyrand", "--ignoreexternal", "--outputjson")
    # With --verifytypes, the Python that comes first in the path is meant.
    monkeypatch.setenv("PATH", str(installed.python.parent), prepend=os.pathsep)
    _, out, err = installed.run(sys.executable, "-m", "basedpyright", *asked, cwd=tmp_path)
    found = json.loads(out)["typeCompleteness"]
    unknown = [
        symbol["name"]
        for symbol in found["symbols"]
        if symbol["isTypeAmbiguous"] or not symbol["isTypeKnown"]
    ]
    assert found["exportedSymbolCounts"]["withKnownType"] > 0, err
    assert unknown == []
