"""The studies from the command line: what is printed and what is refused."""

import sys

import pytest

import fuzzyrand as fr
from fuzzyrand import _cli as cli

pytest.importorskip("pyarrow.parquet")
pytest.importorskip("matplotlib")


def test_refusal_is_one_line(tmp_path, capsys):
    assert cli.main(["study", "toy", "--out", str(tmp_path / "toy")]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'toy' / 'toy.md'}\n"
    assert cli.main(["study", "factorial", "--quick", "--out", str(tmp_path / "toy")]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "holds results of the study 'toy'" in captured.err
    with pytest.raises(fr.InputError):
        cli.main(["study", "error", "--debug", "--out", str(tmp_path / "toy")])


@pytest.mark.parametrize(
    "command", [[], ["nothing"], ["study"], ["study", "toy"], ["study", "error", "--repeats", "0"]]
)
def test_wrong_usage(command, capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(command)
    assert stop.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_version(capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"fuzzyrand {fr.__version__}\n"


def test_missing_extra(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert cli.main(["study", "toy", "--out", str(tmp_path / "toy")]) == 1
    assert 'pip install "fuzzyrand[study]"' in capsys.readouterr().err
