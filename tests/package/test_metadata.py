"""What is said of the package in several places: version, links and requirements."""

import re
import subprocess
import sys
import tomllib

import pytest
import yaml

import fuzzyrand as fr

from ..cli_process import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_version_stands_in_one_place():
    assert "version" in PROJECT["project"]["dynamic"]
    path = ROOT / PROJECT["tool"]["hatch"]["version"]["path"]
    assert f'__version__ = "{fr.__version__}"' in path.read_text("utf-8")


def test_citation_has_the_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == fr.__version__
    assert citation["license"] == PROJECT["project"]["license"]
    assert citation["repository-code"] == PROJECT["project"]["urls"]["Source"]
    assert citation["url"] == PROJECT["project"]["urls"]["Homepage"]


def test_changelog_ends_at_the_version():
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    sections = re.findall(r"^## \[(.+?)\]", text, re.MULTILINE)
    assert sections[:2] == ["Unreleased", fr.__version__]
    links = dict(re.findall(r"^\[(.+?)\]: (\S+)$", text, re.MULTILINE))
    assert list(links) == sections
    assert links["Unreleased"].endswith(f"/compare/v{fr.__version__}...HEAD")
    assert all(url.startswith(PROJECT["project"]["urls"]["Source"]) for url in links.values())


def test_readme_names_every_extra():
    text = (ROOT / "README.md").read_text("utf-8")
    named = set(re.findall(r'"(?:fuzzyrand|\.)\[(\w+)\]"', text))
    for_users = PROJECT["project"]["optional-dependencies"].keys() - {"dev", "docs"}
    assert named == for_users


def test_every_requirement_has_a_lowest_version():
    listed = [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]]
    for extra in PROJECT["project"]["optional-dependencies"].values():
        listed += extra
    assert [entry for entry in listed if not re.search(r">=[\d.]+$|^fuzzyrand\[", entry)] == []


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "RELEASING.md"])
def test_links_lead_to_files(name):
    text = (ROOT / name).read_text("utf-8")
    links = re.findall(r"\]\((?![a-z]+:|#)(.+?)(?:#.*?)?\)", text)
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_lowest_versions_do_not_contradict_each_other():
    """pip refuses two constraints for the same library."""
    ended = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "lowest_versions.py")],
        capture_output=True,
        text=True,
        check=True,
    )
    names = [line.partition("==")[0] for line in ended.stdout.splitlines()]
    assert len(names) == len(set(names)) > 10
