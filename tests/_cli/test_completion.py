"""Completion of the command, asked of the shells themselves."""

import shutil
import subprocess

import pytest

from fuzzyrand.indices import INDICES
from fuzzyrand.models import MODELS

from ..cli_process import ENVIRONMENT, run

#: What may follow a line; the file is in the folder.
OFFERED = [
    ("fuzzyrand comp", {"compare", "completion"}),
    ("fuzzyrand pa", {"pairwise"}),
    ("fuzzyrand adv", {"advise"}),
    ("fuzzyrand advise --keep ", {"number", "sizes", "memberships", "nothing"}),
    ("fuzzyrand advise --index b", {"brouwer", "belief"}),
    ("fuzzyrand completion z", {"zsh"}),
    ("fuzzyrand sta", {"stability"}),
    ("fuzzyrand stability --method d", {"dbscan"}),
    ("fuzzyrand align --gro", {"--groups"}),
    ("fuzzyrand check --mod", {"--model"}),
    ("fuzzyrand compare --h", {"--help", "--html", "--header"}),
    ("fuzzyrand explain --ht", {"--html"}),
    ("fuzzyrand compare --model ", {*MODELS, "every"}),
    ("fuzzyrand compare a.csv b.csv --model e", {"empirical", "every"}),
    ("fuzzyrand pairwise --model e", {"empirical"}),
    ("fuzzyrand compare --index ", set(INDICES)),
    ("fuzzyrand compare --index=b", {"brouwer", "belief"}),
    ("fuzzyrand compare --index=br", {"brouwer"}),
    ("fuzzyrand compare --fixed ", {"first", "second"}),
    ("fuzzyrand compare tr", {"truth.csv"}),
    ("fuzzyrand compare truth.csv ", {"truth.csv", "soft.csv"}),
    ("fuzzyrand compare --html tr", {"truth.csv"}),
]


def require(shell):
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_tab_on_a_terminal(shell, here):
    require(shell)
    pytest.importorskip("pty", reason="terminals like these are of POSIX")
    from ..terminal import Terminal

    with Terminal(shell, here) as terminal:
        for line, offered in OFFERED:
            shown, ran = terminal.press(f"{line}\t\r")
            if len(offered) == 1:
                assert {ran[-1].partition("=")[2] or ran[-1]} == offered, (line, ran)
                continue
            listed = {word.partition("=")[2] or word for word in shown}
            assert offered <= listed, (line, shown)
            others = {*MODELS, *INDICES, "compare", "soft.csv"} - offered - {*line.split()}
            assert not others & listed, (line, shown)


def test_fish_completes(here):
    require("fish")
    (here / "fuzzyrand.fish").write_text(run("completion", "fish").out)
    lines = "".join(f"; complete -C {line!r}; echo" for line, _ in OFFERED)
    ended = subprocess.run(
        ["fish", "--no-config", "-c", f"source fuzzyrand.fish{lines}"],
        cwd=here,
        capture_output=True,
        env={**ENVIRONMENT, "HOME": str(here)},
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
    answers = ended.stdout.decode().split("\n\n")
    for (line, offered), answer in zip(OFFERED, answers[:-1], strict=True):
        words = [candidate.partition("\t")[0] for candidate in answer.splitlines()]
        files = {"fuzzyrand.fish"}
        assert {word.partition("=")[2] or word for word in words} - files == offered, line


def test_only_known_shells():
    assert run("completion", "tcsh").code == 2
