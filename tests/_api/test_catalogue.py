"""The documented table of what is exact is what the code does."""

from pathlib import Path

import pytest

from fuzzyrand._api.catalogue import BEGIN, END, write_table

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "accuracy.md"


@pytest.mark.slow
def test_the_page_is_up_to_date(tmp_path):
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    copy = tmp_path / PAGE.name
    copy.write_text(f"{before}{BEGIN}\n{END}{rest.split(END)[1]}", encoding="utf-8")
    write_table(copy)
    assert copy.read_text(encoding="utf-8") == text, "out of date: run make tables"
