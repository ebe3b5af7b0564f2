"""Check that CONTRIBUTING.md names files and functions that exist."""

import ast
import re

import pytest

from .cli_process import ROOT

SOURCES = ROOT / "src" / "fuzzyrand"
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
NAMES = sorted({" ".join(name.split()) for name in re.findall(r"`([^`]+)`", TEXT)})
#: Paths, which may have stars: with a slash, or with the ending of a file.
PATHS = [
    name
    for name in NAMES
    if re.fullmatch(r"[\w.*]+(/[\w.*]*)+|[\w*]+\.(py|pyi|md|toml)", name) and "NAME" not in name
]
#: Names that only the package or its tests can have: with an underscore, capitals or a dot.
IDENTIFIERS = [
    name
    for name in NAMES
    if re.fullmatch(r"_*[A-Za-z]\w+(\.\w+)?(\(\w*\))?", name)
    and re.search(r"[A-Z_.(]", name)
    and name not in PATHS
    and not (ROOT / name).exists()
    and not (SOURCES / name).exists()
]
#: Names, each with the file in which it is said to be.
PLACES = re.findall(r"`([\w.]+)`\s+in\s+`([\w/]+\.py)`", TEXT)


def parsed(folder):
    for path in folder.rglob("*.py"):
        yield ast.parse(path.read_text("utf-8"))


def names_in(body):
    """Names that a module or a class defines."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            targets = (name for target in node.targets for name in ast.walk(target))
            yield from (name.id for name in targets if isinstance(name, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


@pytest.fixture(scope="module")
def defined():
    """All names of modules of the package and its tests, and ``Class.name`` of their classes."""
    found = set()
    for tree in (*parsed(SOURCES), *parsed(ROOT / "tests")):
        found.update(names_in(tree.body))
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                found.update(f"{node.name}.{name}" for name in names_in(node.body))
    return found


def exists(path):
    """Whether a path leads somewhere from the project, or from a folder of package or tests."""
    found = [*ROOT.glob(path)] or [*SOURCES.rglob(path)] or [*(ROOT / "tests").rglob(path)]
    return bool(found)


def test_there_are_names():
    assert len(PATHS) > 60
    assert len(IDENTIFIERS) > 20
    assert len(PLACES) > 5


@pytest.mark.parametrize("path", PATHS)
def test_every_file_exists(path):
    assert exists(path.rstrip("/"))


@pytest.mark.parametrize("name", IDENTIFIERS)
def test_every_name_is_defined(name, defined):
    name = name.partition("(")[0]
    owner, _, attribute = name.rpartition(".")
    # A name of its own may be a method, and effort.budget is an attribute of some class.
    of_any_class = owner == owner.lower() and any(x.endswith(f".{attribute}") for x in defined)
    assert name in defined or of_any_class


@pytest.mark.parametrize(("name", "path"), PLACES)
def test_names_are_in_the_file_that_is_given(name, path):
    (file,) = [*SOURCES.rglob(path)]
    tree = ast.parse(file.read_text("utf-8"))
    owner, _, name = name.rpartition(".")
    bodies = {node.name: node.body for node in tree.body if isinstance(node, ast.ClassDef)}
    assert name in names_in(bodies[owner] if owner else tree.body)


def test_every_folder_of_the_package_is_listed():
    folders = {path.parent.name for path in SOURCES.glob("*/__init__.py")}
    assert set(re.findall(r"^    (\w+)  ", TEXT, re.MULTILINE)) == folders


def test_docstrings_name_files_that_exist():
    """Files of this project, in double backticks; other words may be anything."""
    wrong = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in SOURCES.rglob("*.py")
        for name in re.findall(r"``([\w/]+\.py)``", path.read_text("utf-8"))
        if not (path.parent / name).exists() and not exists(name)
    ]
    assert wrong == []
