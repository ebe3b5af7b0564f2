"""The picture of a page to explore, for the guide: scores are chosen on it, as a reader would.

    python tools/explore_figure.py docs/guide

It needs Chromium and Playwright.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright
from sklearn.datasets import load_wine
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

import fuzzyrand as fr
from tests.browser import find
from tests.report.test_interactive import PLACE, READY


def draw(target: Path) -> None:
    wine = load_wine()
    data = StandardScaler().fit_transform(wine.data)[:, :6]
    soft = GaussianMixture(3, covariance_type="diag", random_state=0).fit(data).predict_proba(data)
    result = fr.explain(wine.target, soft)
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_path = Path(folder) / "page.html"
        result.report(page_path, interactive=True, names=("growers", "mixture"))
        chromium = playwright.chromium.launch(executable_path=find())
        for scheme, name in (("light", "explore.png"), ("dark", "explore-dark.png")):
            page = chromium.new_page(
                viewport={"width": 1060, "height": 2400},
                device_scale_factor=1.5,
                color_scheme=scheme,
            )
            page.goto(page_path.as_uri())
            page.wait_for_function(READY)
            box = page.evaluate(PLACE, "histogram")
            middle = box["y"] + box["height"] / 2
            page.mouse.move(box["x"] + 4, middle)
            page.mouse.down()
            page.mouse.move(box["x"] + 0.55 * box["width"], middle, steps=5)
            page.mouse.up()
            page.mouse.move(0, 0)
            page.wait_for_timeout(300)
            page.locator("#view canvas").screenshot(path=target / name)
        chromium.close()


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
