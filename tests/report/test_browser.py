"""Reports in a real browser: no complaints, no requests, nothing clipped or wider than the page."""

import re
import subprocess
from shutil import which

import pytest

from .. import browser
from ..reports import KINDS, made

needs_browser = pytest.mark.skipif(
    browser.find() is None, reason="no Chromium here; the reports are not opened in a browser"
)
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
#: Texts of drawings that stick out of the page, or of the drawing where that scrolls in a box.
CLIPPED = """
[...document.querySelectorAll("svg text")].filter((text) => {
  const svg = text.closest("svg.plot, svg.heat").getBoundingClientRect();
  const box = text.getBoundingClientRect();
  return box.left < svg.left - 1 || box.right > svg.right + 1;
}).map((text) => text.textContent)
"""


@pytest.fixture(scope="module")
def chromium():
    with browser.Browser() as started:
        yield started


@needs_browser
@pytest.mark.parametrize("kind", KINDS)
def test_a_browser_has_nothing_to_complain_of(kind, chromium, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(made(kind), encoding="utf-8")
    for width, dark in ((1200, False), (390, True)):
        chromium.open(path, width=width, dark=dark)
        assert chromium.complaints == []
        assert chromium.requests == []
        assert chromium.run(TOO_WIDE) <= 0
        assert chromium.run(CLIPPED) == []
        assert chromium.run("getComputedStyle(document.body).backgroundColor") == (
            "rgb(20, 23, 27)" if dark else "rgb(255, 255, 255)"
        )


@needs_browser
@pytest.mark.parametrize(
    ("planted", "found"),
    [
        ("<script>console.error('planted')</script>", "complaints"),
        ("<script>nothing.there()</script>", "complaints"),
        ("<script>setTimeout(() => { throw Error('late') }, 50)</script>", "complaints"),
        ("<img src='http://127.0.0.1:9/planted.png'>", "complaints"),  # the policy refuses it
        ("<script>fetch('http://127.0.0.1:9/planted')</script>", "complaints"),
        ("<!-- no policy --><img src='http://127.0.0.1:9/planted.png'>", "requests"),
        ("<!-- no policy --><link rel='stylesheet' href='planted.css'>", "requests"),
        ("<div style='width: 2000px'>wide</div>", "wide"),
        ("<svg class='plot' width='100%'><text x='98%'>clipped</text></svg>", "clipped"),
    ],
)
def test_these_tests_would_notice(planted, found, chromium, tmp_path):
    html = made("one model").replace("</main>", f"{planted}</main>")
    if "no policy" in planted:
        html = html.replace("Content-Security-Policy", "X-Nothing")
    path = tmp_path / "report.html"
    path.write_text(html, encoding="utf-8")
    chromium.open(path, width=390)
    seen = {
        "complaints": chromium.complaints,
        "requests": chromium.requests,
        "wide": chromium.run(TOO_WIDE) > 0,
        "clipped": chromium.run(CLIPPED),
    }
    assert seen[found]


@needs_browser
def test_a_click_sorts_and_another_turns_it_round(chromium, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(made("forty"), encoding="utf-8")
    chromium.open(path)

    def column(number):
        return chromium.run(
            "[...document.querySelector('table.matrix').tBodies[0].rows]"
            f".map((row) => row.cells[{number}].textContent)"
        )

    def click(number):
        chromium.run(f"document.querySelectorAll('table.matrix th button')[{number}].click()")
        return chromium.run("document.querySelector('table.matrix [aria-sort]').ariaSort")

    before = column(5)
    assert click(5) == "descending"
    falling = [float(value) for value in column(5)]
    assert falling == sorted(map(float, before), reverse=True)
    assert click(5) == "ascending"
    assert [float(value) for value in column(5)] == falling[::-1]
    assert click(0) == "ascending"
    assert column(0) == sorted(column(0))
    assert click(1) == "descending"


@needs_browser
@pytest.mark.parametrize(
    "kind",
    [
        "nine models",
        "evil names",
        "forty",
        "eighteen, rows fixed",
        "explained",
        "explained, sixty",
        "explained, evil",
    ],
)
def test_it_prints(kind, chromium, tmp_path):
    path, printed = tmp_path / "report.html", tmp_path / "report.pdf"
    path.write_text(made(kind), encoding="utf-8")
    chromium.open(path, dark=True)
    chromium.pdf(printed)
    # Landscape, where the matrix is wide but fits.
    pages = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", printed.read_bytes())
    assert 1 <= len(pages) <= 12
    turned = any(float(width) > float(height) for width, height in pages)
    assert turned == kind.startswith("eighteen")
    # As wide as portrait paper between its margins, and in its own colours.
    chromium.open(path, width=680, dark=True, media="print")
    assert chromium.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    if not kind.startswith("eighteen"):
        assert chromium.run(TOO_WIDE) <= 0


#: Boxes of tables and heat maps in which something is out of sight, by what they hold.
SCROLLING = """
[...document.querySelectorAll(".box")].filter((box) => box.scrollWidth > box.clientWidth)
  .map((box) => box.firstElementChild.getAttribute("class"))
"""


@needs_browser
@pytest.mark.parametrize(
    ("kind", "scrolling"),
    [
        ("nine models", []),
        ("hard", []),
        ("many clusters", []),
        ("sixty clusters", ["heat overlaps"]),
        ("explained", []),
        ("explained, hard", []),
        ("noise", []),
        ("explained, sixty", ["heat overlaps"]),
        ("three", ["sortable matrix"]),
        ("twelve", ["sortable matrix"]),
        ("forty", ["sortable matrix"]),
        ("a reference", []),
    ],
)
def test_a_phone_shows_everything_but_the_matrix_at_once(kind, scrolling, chromium, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(made(kind), encoding="utf-8")
    chromium.open(path, width=390)
    assert [each for each in chromium.run(SCROLLING) if each not in scrolling] == []


@needs_browser
@pytest.mark.parametrize("kind", ["three", "twelve", "forty"])
def test_a_heat_map_is_readable_on_a_phone(kind, chromium, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(made(kind), encoding="utf-8")
    chromium.open(path, width=390)
    # Heights of letters in pixels of the screen, and where the first cell and the last one end.
    letters, left, right, names = chromium.run("""
    (() => {
      const svg = document.querySelector("svg.heat"), box = svg.parentElement;
      const seen = [...svg.querySelectorAll("text")].filter((text) => text.getClientRects().length);
      const sizes = seen.filter((text) => text.textContent)
        .map((text) => parseFloat(getComputedStyle(text).fontSize) * svg.getScreenCTM().a);
      const cells = [...svg.querySelectorAll("rect")].map((cell) => cell.getBoundingClientRect());
      const area = box.getBoundingClientRect();
      return [Math.min(...sizes), Math.min(...cells.map((cell) => cell.left)) - area.left,
        area.right - Math.max(...cells.map((cell) => cell.right)),
        [...document.querySelectorAll("ol.on-phone li")].map((name) => name.offsetHeight)];
    })()
    """)
    assert letters >= 8.5
    assert 0 <= left < 40
    assert right >= 0
    assert min(names) > 0


@needs_browser
def test_the_edge_of_a_box_fades_until_its_end_is_seen(chromium, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(made("twelve"), encoding="utf-8")
    chromium.open(path, width=390)
    box = "document.querySelector('table.matrix').parentElement"
    mask = f"getComputedStyle({box}).maskImage"
    wait = "new Promise((done) => setTimeout(done, 200))"
    assert "gradient" in chromium.run(mask)
    chromium.run(f"{box}.scrollLeft = 1e5")
    chromium.run(wait)
    assert chromium.run(mask) == "none"
    chromium.open(path, width=390, media="print")
    assert chromium.run(mask) == "none"
    chromium.open(path, width=1200)
    assert chromium.run(SCROLLING) == []


@needs_browser
@pytest.mark.skipif(which("pdftotext") is None, reason="no pdftotext here to read what was printed")
@pytest.mark.parametrize("kind", ["nine models", "many clusters", "twelve", "forty"])
def test_paper_keeps_together_what_belongs_together(kind, chromium, tmp_path):
    path, printed = tmp_path / "report.html", tmp_path / "report.pdf"
    path.write_text(made(kind), encoding="utf-8")
    chromium.open(path)
    chromium.pdf(printed)
    text = subprocess.run(["pdftotext", printed, "-"], capture_output=True, text=True, check=True)
    pages = text.stdout.removesuffix("\f").split("\f")

    def page_of(words):
        (found,) = [number for number, page in enumerate(pages) if words in page]
        return found

    again = page_of("This command makes the same report")
    assert again == page_of("Made by fuzzyrand") == page_of("Do it again")
    assert "fuzzyrand" in pages[again].partition("the same report:")[2].partition("Made by")[0]
    if "The two clusterings" in text.stdout:
        clusterings = pages[page_of("The two clusterings")]
        assert clusterings.count("Cluster sizes") == 2
        assert clusterings.count("Fuzziness:") >= (kind == "nine models")
    if kind == "forty":  # a table that goes on on another sheet has its head there, too
        nearest = [page for page in pages if "runs/family-" in page and "mean" in page]
        assert sum("most like it" in page for page in nearest) == 2
