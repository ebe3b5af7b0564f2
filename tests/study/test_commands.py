"""The studies from the command line: what is printed and what is refused."""

import sys

import pytest

import fuzzyrand as fr
from fuzzyrand import _cli as cli
from study.__main__ import main as study

pytest.importorskip("pyarrow.parquet")
pytest.importorskip("matplotlib")


def test_refusal_is_one_line(tmp_path, capsys):
    assert study(["toy", "--out", str(tmp_path / "toy")]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'toy' / 'toy.md'}\n"
    assert study(["factorial", "--quick", "--out", str(tmp_path / "toy")]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "holds results of the study 'toy'" in captured.err
    with pytest.raises(fr.InputError):
        study(["error", "--debug", "--out", str(tmp_path / "toy")])


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (cli.main, []),
        (study, []),
        (study, ["toy"]),
        (study, ["error", "--repeats", "0"]),
    ],
)
def test_wrong_usage(program, words, capsys):
    with pytest.raises(SystemExit) as stop:
        program(words)
    assert stop.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_version(capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"fuzzyrand {fr.__version__}\n"


def test_missing_extra(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert study(["toy", "--out", str(tmp_path / "toy")]) == 1
    assert not (tmp_path / "toy").exists()
    assert 'pip install "fuzzyrand[files,parallel,plot]"' in capsys.readouterr().err


def test_the_command_says_where_the_studies_are(capsys):
    assert cli.main(["study", "toy", "--out", "somewhere"]) == 1
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "python -m study toy" in told


def test_a_directory_that_cannot_be_is_refused(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert study(["toy", "--out", str(tmp_path / "file" / "out")]) == 1
    assert "cannot be written: Not a directory" in capsys.readouterr().err
