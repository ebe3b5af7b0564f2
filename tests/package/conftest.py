"""The package as users get it: built, and installed apart from the sources."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import NamedTuple

import pytest

from ..cli_process import ROOT

#: Checked by type checkers, not run.
collect_ignore = ["typed_use.py"]


class Distributions(NamedTuple):
    """The files that are uploaded."""

    sdist: Path
    wheel: Path


class Installed(NamedTuple):
    """A virtual environment with the wheel."""

    python: Path
    command: Path

    def run(self, *command, cwd):
        """Run a command that does not see the sources; return what it printed."""
        hidden = ("PYTHONPATH", "MYPYPATH")
        ended = subprocess.run(
            [str(word) for word in command],
            cwd=cwd,
            env={key: value for key, value in os.environ.items() if key not in hidden},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        return ended.returncode, ended.stdout, ended.stderr


@pytest.fixture(scope="session")
def distributions(tmp_path_factory):
    """The sdist, and the wheel that was built from it, with the build tools that are here."""
    for module in ("build", "hatchling", "hatch_fancy_pypi_readme"):
        pytest.importorskip(module, reason=f"building without a network needs {module}")
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    ended = subprocess.run(build, capture_output=True, text=True, cwd=folder, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return Distributions(sdist, wheel)


@pytest.fixture(scope="session")
def installed(distributions, tmp_path_factory):
    """A new environment with the wheel; its dependencies come from the one that runs the tests.

    A file ``.pth`` names their folder. Files ``.pth`` of that folder are not read again, so that
    an editable installation of the sources is not found.
    """
    pytest.importorskip("pip", reason="installing the wheel needs pip")
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / Path(sys.executable).name
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    own = subprocess.run([python, "-Ic", where], capture_output=True, text=True, check=True)
    others = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    Path(own.stdout.strip(), "dependencies.pth").write_text("\n".join(others), encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    offline = ["--no-deps", "--no-index", "--disable-pip-version-check"]
    subprocess.run([*pip, *offline, str(distributions.wheel)], check=True)
    return Installed(python, scripts / "fuzzyrand")
