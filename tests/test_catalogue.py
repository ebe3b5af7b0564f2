"""The README's table of what is exact is what the code does."""

from pathlib import Path

from fuzzyrand.catalogue import BEGIN, END, exactness_table, write_table

README = Path(__file__).parent.parent / "README.md"


def test_the_readme_is_up_to_date(tmp_path):
    text = README.read_text(encoding="utf-8")
    shown = text.split(BEGIN)[1].split(END)[0].strip()
    assert shown == exactness_table(), "out of date: run make docs"
    copy = tmp_path / "README.md"
    copy.write_text(text.replace("| exact |", "| sampled |"), encoding="utf-8")
    write_table(copy)
    assert copy.read_text(encoding="utf-8").split(BEGIN)[1] == text.split(BEGIN)[1]
