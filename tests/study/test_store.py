"""The store of a study: nothing that stops it costs a result."""

import pytest

import fuzzyrand as fr
from study.store import Store


def test_torn_line_is_dropped(tmp_path):
    with Store(tmp_path / "s", "toy", {}, ("cell",)) as store:
        store.append({"cell": 1, "value": 0.5})
        store.append({"cell": 2, "value": 0.25})
    lines = tmp_path / "s" / "cells.jsonl"
    lines.write_bytes(lines.read_bytes()[:-4])
    with Store(tmp_path / "s", "toy", {}, ("cell",)) as store:
        assert store.table() == [{"cell": 1, "value": 0.5}]
        store.append({"cell": 2, "value": 0.25})
    with Store(tmp_path / "s", "toy", {}, ("cell",)) as store:
        assert [r["cell"] for r in store.table()] == [1, 2]


def test_other_results_are_refused(tmp_path):
    with Store(tmp_path / "s", "toy", {"seed": 0}, ("cell",)):
        pass
    with pytest.raises(fr.InputError, match="'toy', not of 'error'"):
        Store(tmp_path / "s", "error", {"seed": 0}, ("cell",))
    with pytest.raises(fr.InputError, match="seed 0, now 1"):
        Store(tmp_path / "s", "toy", {"seed": 1}, ("cell",))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("precious")
    with pytest.raises(fr.InputError, match="holds no study"):
        Store(tmp_path / "mine", "toy", {}, ("cell",))
    with pytest.raises(fr.InputError, match="is a file"):
        Store(tmp_path / "mine" / "thesis.tex", "toy", {}, ("cell",))
    assert (tmp_path / "mine" / "thesis.tex").read_text() == "precious"


def test_failed_write_leaves_the_old_file(tmp_path):
    with Store(tmp_path / "s", "toy", {}, ("cell",)) as store:
        store.write("page.md", lambda path: path.write_text("old"))

        def fail(path):
            path.write_text("ha")
            raise OSError("disk full")

        with pytest.raises(fr.InputError, match=r"page.md cannot be written: disk full"):
            store.write("page.md", fail)
        assert store.path("page.md").read_text() == "old"
        assert sorted(p.name for p in store.directory.iterdir()) == [
            "cells.jsonl", "page.md", "study.json"
        ]  # fmt: skip


@pytest.mark.parametrize("damaged", [b"[", b"7", b"{}", b"", b"\xff", b'{"cell":[]}', b"[" * 10**5])
def test_damaged_line_is_named(tmp_path, damaged):
    with Store(tmp_path / "s", "toy", {}, ("cell",)) as store:
        store.append({"cell": 1, "value": 0.5})
    lines = tmp_path / "s" / "cells.jsonl"
    lines.write_bytes(lines.read_bytes() + damaged + b"\n")
    with pytest.raises(fr.InputError, match=r"line 2 of .*cells.jsonl is damaged; remove the line"):
        Store(tmp_path / "s", "toy", {}, ("cell",))
