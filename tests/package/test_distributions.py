"""The files that are uploaded: what they contain, and that they work once installed."""

import email
import re
import tarfile
import zipfile
from pathlib import Path

import pytest

import fuzzyrand as fr

from ..cli_process import ROOT

pytestmark = pytest.mark.slow

SOURCES = ROOT / "src"


def source_files():
    return {
        str(path.relative_to(SOURCES).as_posix())
        for path in (SOURCES / "fuzzyrand").rglob("*")
        if path.is_file() and path.suffix not in (".pyc", ".nbi", ".nbc")
    }


def test_wheel_holds_the_package_and_nothing_else(distributions):
    with zipfile.ZipFile(distributions.wheel) as wheel:
        packed = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert packed == source_files()
    for kind in ("py.typed", "__init__.pyi", ".html", ".css", ".js"):
        assert any(name.endswith(kind) for name in packed), kind


def test_sdist_holds_what_the_wheel_is_built_from(distributions):
    with tarfile.open(distributions.sdist) as sdist:
        packed = {name.partition("/")[2] for name in sdist.getnames()}
    beside = {name for name in packed if not name.startswith("src/")}
    named = {"CHANGELOG.md", "CITATION.cff", "LICENSE", "README.md", "pyproject.toml"}
    assert beside == named | {".gitignore", "PKG-INFO"}
    assert packed - beside == {f"src/{name}" for name in source_files()}


def test_metadata_says_what_pypi_shows(distributions):
    with zipfile.ZipFile(distributions.wheel) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = email.message_from_bytes(wheel.read(name))
    assert metadata["Version"] == fr.__version__
    assert metadata["License-Expression"] == "BSD-3-Clause"
    assert len(metadata.get_all("Project-URL")) == 5
    page = metadata.get_payload(decode=True).decode()
    links = re.findall(r"\]\((.+?)\)", page)
    assert f"https://github.com/fuzzyrand/fuzzyrand/blob/v{fr.__version__}/CITATION.cff" in links
    assert [link for link in links if not link.startswith("https://")] == []


def test_command_runs_from_the_wheel(installed, here):
    assert installed.run(installed.command, "--version", cwd=here) == (
        0,
        f"fuzzyrand {fr.__version__}\n",
        "",
    )
    code, out, err = installed.run(
        installed.command, "compare", "truth.csv", "soft.csv", "--html", "page.html", cwd=here
    )
    assert code == 0, err
    assert "adjusted" in out
    assert "</html>" in (here / "page.html").read_text("utf-8")


def test_readme_runs_from_the_wheel(installed, tmp_path):
    readme = tmp_path / "README.md"
    readme.write_bytes((ROOT / "README.md").read_bytes())
    options = ("-o", "NORMALIZE_WHITESPACE", "-o", "ELLIPSIS")
    doctest = (installed.python, "-I", "-m", "doctest", *options, readme)
    assert installed.run(*doctest, cwd=tmp_path) == (0, "", "")
    where = (installed.python, "-I", "-c", "import fuzzyrand; print(fuzzyrand.__file__)")
    _, found, _ = installed.run(*where, cwd=tmp_path)
    assert Path(found.strip()).is_relative_to(installed.python.parents[1])
