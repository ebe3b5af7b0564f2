"""Files written whole or not at all, and what must not be replaced by one.

Pipes stand for everything that is no regular file. Never a device: a rename over the machine's own
would break it.
"""

import os
import stat
import threading
from pathlib import Path

import pytest

from fuzzyrand._files.whole_files import write_whole

from ..cli_process import run, shell

posix = pytest.mark.skipif(os.name != "posix", reason="modes, links and pipes are of POSIX")


def write(path, text="new"):
    write_whole(Path(path), lambda aside: aside.write_text(text))


def fail(aside):
    aside.write_text("half")
    raise OSError("disk full")


def test_new_file(tmp_path):
    write(tmp_path / "report.html")
    (tmp_path / "plain").write_text("")
    assert (tmp_path / "report.html").read_text() == "new"
    modes = [(tmp_path / name).stat().st_mode for name in ("report.html", "plain")]
    assert modes[0] == modes[1]


def test_failure_leaves_the_old_file(tmp_path):
    report = tmp_path / "report.html"
    report.write_text("old")
    with pytest.raises(OSError, match="disk full"):
        write_whole(report, fail)
    assert report.read_text() == "old"
    assert list(tmp_path.iterdir()) == [report]


@posix
@pytest.mark.parametrize("mode", [0o600, 0o664])
def test_mode_is_kept(tmp_path, mode):
    report = tmp_path / "report.html"
    report.write_text("old")
    report.chmod(mode)
    seen = []
    write_whole(report, lambda aside: (seen.append(aside.stat().st_mode), aside.write_text("new")))
    assert stat.S_IMODE(seen[0]) == 0o600  # nobody else may read what is being written
    assert (report.read_text(), stat.S_IMODE(report.stat().st_mode)) == ("new", mode)


@posix
@pytest.mark.parametrize("dangling", [False, True])
def test_link_is_followed(tmp_path, dangling):
    (tmp_path / "elsewhere").mkdir()
    target, link = tmp_path / "elsewhere" / "report.html", tmp_path / "link.html"
    if not dangling:
        target.write_text("old")
    link.symlink_to(target)
    write(link)
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert list(target.parent.iterdir()) == [target]


@posix
def test_pipe_is_written_to(tmp_path):
    pipe = tmp_path / "pipe.html"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    write(pipe)
    reader.join(30)
    assert read == ["new"]
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


@posix
def test_report_into_a_process(here):
    """``>(...)`` of bash: a path that leads to a pipe with no name."""
    asked = "fuzzyrand compare truth.csv soft.csv --quiet --json --html >(tail -n 1 | tail -c 8)"
    ended = shell(f"{asked} > result.json", here)
    assert (ended.code, ended.out) == (0, "</html>\n")


@posix
def test_picture_into_a_pipe(here):
    pytest.importorskip("matplotlib")
    os.mkfifo(here / "fit.png")
    asked = "fuzzyrand check soft.csv --quiet --plot fit.png > result & cat fit.png > got.png; wait"
    assert shell(asked, here) == (0, "", "")
    assert (here / "got.png").read_bytes().startswith(b"\x89PNG")


@posix
def test_report_through_a_link_keeps_its_mode(here):
    report = here / "private.html"
    report.write_text("old")
    report.chmod(0o600)
    (here / "link.html").symlink_to(report)
    assert run("compare", "truth.csv", "soft.csv", "--html", "link.html", cwd=here).code == 0
    assert (here / "link.html").is_symlink()
    assert report.read_text().startswith("<!DOCTYPE html>")
    assert stat.S_IMODE(report.stat().st_mode) == 0o600
