"""Whole pages: nothing is fetched, pictures have words, and text stands out."""

import re
from importlib.resources import files

import numpy as np
import pytest

from ..reports import KINDS, Outline, made

#: All that the reports use: none that fetches or runs anything, and nothing a name smuggled in.
KNOWN_ATTRIBUTES = re.compile(
    "lang|charset|http-equiv|content|name|class|style|title|scope|tabindex|role|aria-label|"
    "aria-hidden|width|height|viewbox|preserveaspectratio|transform|text-anchor|fill-opacity|"
    "[xy][12]?|c[xy]|r|d"
)


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_is_whole_escaped_and_fetches_nothing(kind):
    page = Outline(made(kind))
    assert page.elements["script"] == page.elements["style"] == page.elements["h1"] == 1
    assert not {"img", "link", "iframe", "object", "a"} & set(page.elements)
    assert all(KNOWN_ATTRIBUTES.fullmatch(name) for name, _ in page.attributes)
    assert not re.search(r"url\(|@import|https?://", made(kind))
    assert not re.search(r"\b(nan|inf|Infinity)\b", page.text + str(page.attributes))
    policy = next(v for _, v in page.attributes if v and v.startswith("default-src"))
    assert policy.startswith("default-src 'none'; ")


@pytest.mark.parametrize("kind", KINDS)
def test_every_picture_says_what_it_shows_and_has_a_table(kind):
    html = made(kind)
    pictures = re.findall(r'<svg class="(?:plot|heat)[^>]*>', html)
    assert len(pictures) == html.count('role="img"') >= 1
    assert all(re.search(r'aria-label="[^"]{10,}"', picture) for picture in pictures)
    assert html.count("<table") >= 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_what_is_behind_it(scheme):
    """WCAG's contrast: 4.5 for text, 3 for lines and shapes."""
    style = files("fuzzyrand.report").joinpath("style.css").read_text()
    colours = {}
    for block in re.findall(r":root \{(.*?)\}", style, re.S)[: 1 if scheme == "light" else 2]:
        colours |= dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", block))

    def luminance(colour):
        parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
        linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return linear @ [0.2126, 0.7152, 0.0722]

    def contrast(one, two):
        low, high = sorted(luminance(colours[each]) for each in (one, two))
        return (high + 0.05) / (low + 0.05)

    text = [("ink", "paper"), ("soft", "paper"), ("soft", "panel"), ("blue", "paper")]
    text += [("on-blue", "blue"), ("on-orange", "orange")]
    assert min(contrast(*pair) for pair in text) >= 4.5
    assert contrast("orange", "paper") >= 3.0
