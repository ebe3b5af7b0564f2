"""The progress bar."""

import sys


def test_the_progress_bar_shows_on_a_terminal_only(monkeypatch, capsys):
    from fuzzyrand._base import progress

    def go(what):
        assert list(progress.progress(range(3), 3, what)) == [0, 1, 2]
        return capsys.readouterr().err

    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    monkeypatch.setattr(progress, "PACE", -1.0)
    assert go("pairs") == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    shown = go("pairs")
    assert "\rpairs: [##########                    ]  33%, 0 s left " in shown
    assert shown.endswith("\r")
    # Within a bar no other is drawn; after it, one is again.
    outer = progress.progress(range(2), 2, "cells")
    next(outer)
    assert "cells: [###" in capsys.readouterr().err
    assert go("pairs") == ""
    outer.close()
    assert "pairs: [###" in go("pairs")


def test_progress_of_unequal_work_is_weighed(monkeypatch, capsys):
    from fuzzyrand._base import progress

    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    monkeypatch.setattr(progress, "PACE", -1.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert list(progress.progress([1, 9], 10, "cells", float)) == [1, 9]
    shown = capsys.readouterr().err
    assert " 10%, " in shown
    assert "100%, 0 s left" in shown
