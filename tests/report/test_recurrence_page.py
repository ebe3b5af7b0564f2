"""The page on clusters that recur."""

import numpy as np

import fuzzyrand as fr
from fuzzyrand.report import recurrence_report

from ..reports import EVIL, LONG, Outline, Tables, made

THREE, FOUR = np.repeat([0, 1, 2], [30, 20, 10]), np.repeat([0, 1, 2, 3], [20, 10, 20, 10])


def test_page_has_all_families_modes_and_runs(tmp_path):
    result = fr.recurrence({"d": FOUR, "a": THREE, "b": THREE, "c": FOUR, "e": THREE})
    result.report(tmp_path / "page.html", command="fuzzyrand recurrence x")
    html = (tmp_path / "page.html").read_text("utf-8")
    outline = Outline(html)
    assert result.meaning in " ".join(outline.text.split())
    assert outline.elements["rect"] == len(result.clusters)
    families, modes, runs, points = (rows for _, rows in Tables(html).found)
    assert [row[1] for row in families[1:]] == ["5", "5", "5", "2"]
    assert families[1][-1] == "3, from 4 clusters"
    assert [row[1] for row in modes[1:]] == ["3", "2"]
    assert [row[0] for row in runs[1:]] == ["d", "a", "b", "c", "e"]
    assert len(points) == 21
    assert "fuzzyrand recurrence x" in html
    assert "Do it again" not in recurrence_report(result)  # no command to quote


def test_names_are_escaped():
    html = made("recurring, evil")
    assert EVIL not in html
    assert "alert" in Outline(html).text
    assert LONG in "".join(value or "" for _, value in Outline(html).attributes) or LONG in html


def test_pages_of_all_stories():
    same = recurrence_report(fr.recurrence([THREE, THREE, THREE]))
    assert "Yes: any two runs" in same
    rng = np.random.default_rng(0)
    none = recurrence_report(fr.recurrence([rng.integers(3, size=40) for _ in range(6)]))
    assert "No two runs have an adjusted index" in none
