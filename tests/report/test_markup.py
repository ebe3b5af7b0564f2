"""Text within a page: escaped, shortened, and otherwise as it was written."""

import pytest

from fuzzyrand._base.naming import shorten
from fuzzyrand.report.markup import esc, percent

from ..reports import EVIL, HARD, LONG, OTHER, Outline, made, report


@pytest.mark.parametrize("kind", ["evil names", "three"])
def test_user_text_arrives_as_it_was_written(kind):
    page = Outline(made(kind))
    assert EVIL in page.text
    assert LONG in page.text or LONG in [value for _, value in page.attributes]


def test_what_no_file_can_hold_is_replaced():
    html = report(HARD, OTHER, ["perm"], ("bad\udcff\x00name", "line\nbreak\u202e"))
    assert html.encode("utf-8")
    assert "bad\ufffd\ufffdname" in html
    assert "\x00" not in html
    assert "\u202e" not in html


def test_short_forms():
    assert shorten("x" * 100, 20).count("x") == 19
    assert esc("a\tb") == "a b"
    assert [percent(v) for v in (0.00001, 0.005, 0.994)] == ["<0.01%", "0.5%", "99.4%"]
