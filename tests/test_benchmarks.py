"""Check that the benchmarks, which no test runs, find what they import from the package."""

import ast
from importlib import import_module

import pytest

from .cli_process import ROOT

SCRIPTS = sorted((ROOT / "benchmarks").glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_what_is_imported_exists(script):
    for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("fuzzyrand"):
            module = import_module(node.module)
            assert [each.name for each in node.names if not hasattr(module, each.name)] == []
