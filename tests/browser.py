"""A headless Chromium, through Playwright, to see what a page logs, fetches and measures."""

from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any, Self

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def find() -> str | None:
    """The browser, if there is one, and Playwright to control it."""
    if find_spec("playwright") is None:
        return None
    return next((found for name in NAMES if (found := which(name))), None)


class Browser:
    """Chromium with one page at a time, for use in a ``with`` block.

    ``complaints`` are messages, errors and warnings on the console, and ``requests`` are the
    addresses that the page requested, except its own; both since the last ``open``.
    """

    def __enter__(self) -> Self:
        from playwright.sync_api import sync_playwright

        self._playwright = sync_playwright().start()
        self._chromium = self._playwright.chromium.launch(executable_path=find())
        self._pages = {phone: self._new_page(phone) for phone in (False, True)}
        return self

    def _new_page(self, phone: bool) -> Any:
        page = self._chromium.new_context(
            is_mobile=phone, permissions=["clipboard-read", "clipboard-write"]
        ).new_page()
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._note)
        return page

    def _note(self, request: Any) -> None:
        if request.url != self._address:
            self.requests.append(request.url)

    def __exit__(self, *_: object) -> None:
        self._chromium.close()
        self._playwright.stop()

    def open(
        self,
        path: Path,
        *,
        width: int = 1200,
        height: int = 900,
        dark: bool = False,
        media: str = "null",
    ) -> None:
        """Load a file, and wait until it has settled; ``media="print"`` lays it out for paper."""
        self.page = self._pages[width < 600]
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(media=media, color_scheme="dark" if dark else "light")
        self._address = path.as_uri()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.goto(self._address)
        self.page.wait_for_timeout(200)  # for timers and late requests

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        return self.page.evaluate(script)

    def pdf(self, path: Path) -> None:
        """The page as it would be printed."""
        self.page.pdf(path=path, prefer_css_page_size=True)
