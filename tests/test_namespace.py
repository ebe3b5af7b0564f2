"""Check that the public names are the same for Python, type checkers and users."""

import ast
import subprocess
import sys
import types
from pathlib import Path

import pytest

import fuzzyrand as fr

from .cli_process import ENVIRONMENT, ROOT

STUB = ROOT / "src" / "fuzzyrand" / "__init__.pyi"
SUBMODULES = ("indices", "models", "plot", "report")


def printed(script, **environment):
    """The words that a script prints in a new Python process."""
    ended = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        env={**ENVIRONMENT, **environment},
        check=True,
    )
    return ended.stdout.split()


def loaded(script, **environment):
    """The slow libraries that a script imports."""
    heavy = "('numpy', 'scipy', 'numba', 'matplotlib', 'jinja2', 'tqdm', 'joblib')"
    end = f"\nimport sys; print(*(name for name in {heavy} if name in sys.modules))"
    return set(printed(script + end, **environment))


def test_stub_and_package_agree():
    tree = ast.parse(STUB.read_text(encoding="utf-8"))
    imported = {
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    (listed,) = (
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and node.targets[0].id == "__all__"
    )
    assert imported == set(listed) == set(fr.__all__)
    assert len(listed) == len(set(listed))


def test_dir_shows_the_public_names_only():
    assert dir(fr) == sorted(fr.__all__)
    assert all(not name.startswith("_") for name in dir(fr))


@pytest.mark.parametrize("name", fr.__all__)
def test_every_name_exists(name):
    value = getattr(fr, name)
    assert isinstance(value, types.ModuleType) == (name in SUBMODULES)


def test_unknown_names_are_refused():
    with pytest.raises(AttributeError, match="comparee"):
        fr.comparee  # noqa: B018


def test_import_loads_no_library():
    assert loaded("import fuzzyrand") == set()
    assert loaded("import fuzzyrand; fuzzyrand.__version__; fuzzyrand.__all__") == set()
    assert "numba" not in loaded("import fuzzyrand; fuzzyrand.compare([0, 1], [0, 1])")


def test_all_names_can_be_imported_at_once():
    script = "import sys, fuzzyrand; print('fuzzyrand._api.compare' in sys.modules)"
    assert printed(script, EAGER_IMPORT="1") == ["True"]
    assert printed(script) == ["False"]


def test_functions_are_no_modules():
    script = """
import fuzzyrand.report, fuzzyrand.plot, fuzzyrand.models, fuzzyrand.indices
try:
    import fuzzyrand.compare
except ModuleNotFoundError:
    print(callable(fuzzyrand.compare), callable(fuzzyrand.pairwise), fuzzyrand.plot.__name__)
"""
    assert printed(script) == ["True", "True", "fuzzyrand.plot"]


def test_version_is_that_of_the_package():
    text = Path(fr.__file__).with_name("_base").joinpath("version.py").read_text("utf-8")
    assert f'__version__ = "{fr.__version__}"' in text
