"""A headless Chromium, controlled through a pipe, to see what a page logs, fetches and measures."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

#: Seconds that one answer may take; starting a browser is slow on a busy machine.
PATIENCE = 60.0
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
SWITCHES = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
)


def find() -> str | None:
    """The browser, if there is one."""
    if os.name != "posix":  # it is controlled through numbered file descriptors
        return None
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """Chromium with one page, for use in a ``with`` block.

    ``complaints`` are messages, errors and warnings on the console, and ``requests`` are the
    addresses that the page requested, except its own; both since the last ``open``.
    """

    def __init__(self) -> None:
        program = find()
        assert program is not None
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        theirs_in, self._to = os.pipe()
        self._from, theirs_out = os.pipe()

        def connect() -> None:
            # Chromium listens on 3 and answers on 4. Either end may have one of these numbers
            # itself, so both are moved out of the way first.
            os.dup2(theirs_in, 200)
            os.dup2(theirs_out, 201)
            os.dup2(200, 3)
            os.dup2(201, 4)

        self._process = subprocess.Popen(
            [program, *SWITCHES, f"--user-data-dir={self._profile.name}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            close_fds=False,
            preexec_fn=connect,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._count = 0
        self._unread = b""
        self._session: str | None = None
        self._address = ""
        self._loaded = False
        self.complaints: list[str] = []
        self.requests: list[str] = []

    def __enter__(self) -> Self:
        targets = self._ask("Target.getTargets")["targetInfos"]
        page = next(t["targetId"] for t in targets if t["type"] == "page")
        attached = self._ask("Target.attachToTarget", targetId=page, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._ask(f"{domain}.enable")
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._to)
        os.close(self._from)
        self._profile.cleanup()

    def open(
        self,
        path: Path,
        *,
        width: int = 1200,
        height: int = 900,
        dark: bool = False,
        media: str = "",
    ) -> None:
        """Load a file, and wait until it has settled; ``media="print"`` lays it out for paper."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._ask("Emulation.setEmulatedMedia", media=media, features=[scheme])
        self._ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        self._address, self._loaded = path.as_uri(), False
        self.complaints, self.requests = [], []
        self._ask("Page.navigate", url=self._address)
        self._listen(lambda: self._loaded)
        # Let timers and late requests finish before the page is inspected.
        self.run("new Promise(done => setTimeout(done, 200))")

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        answer = self._ask(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def screenshot(self, path: Path) -> None:
        """The whole page as PNG."""
        size = self._ask("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        shot = self._ask("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shot["data"]))

    def pdf(self, path: Path) -> None:
        """The page as it would be printed."""
        printed = self._ask("Page.printToPDF", preferCSSPageSize=True)
        path.write_bytes(base64.b64decode(printed["data"]))

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._count += 1
        asked = {"id": self._count, "method": method, "params": parameters}
        if self._session is not None:
            asked["sessionId"] = self._session
        os.write(self._to, json.dumps(asked).encode() + b"\0")
        answers: list[dict[str, Any]] = []
        self._listen(lambda: bool(answers), answers)
        assert "error" not in answers[0], (method, answers[0]["error"])
        result: dict[str, Any] = answers[0]["result"]
        return result

    def _listen(
        self, done: Callable[[], bool], answers: list[dict[str, Any]] | None = None
    ) -> None:
        """Read until ``done`` is true, noting events on the way."""
        until = time.monotonic() + PATIENCE
        while not done():
            while b"\0" not in self._unread:
                ready, _, _ = select.select([self._from], [], [], max(0, until - time.monotonic()))
                if not ready:
                    raise TimeoutError(f"Chromium said nothing for {PATIENCE:g} seconds")
                read = os.read(self._from, 1 << 16)
                if not read:
                    raise ConnectionError("Chromium has gone")
                self._unread += read
            message, _, self._unread = self._unread.partition(b"\0")
            heard = json.loads(message)
            if answers is not None and heard.get("id") == self._count:
                answers.append(heard)
            elif "method" in heard:
                self._note(heard["method"], heard["params"])

    def _note(self, event: str, told: dict[str, Any]) -> None:
        if event == "Page.loadEventFired":
            self._loaded = True
        elif event == "Runtime.consoleAPICalled":
            self.complaints.append(f"{told['type']}: {told['args']}")
        elif event == "Runtime.exceptionThrown":
            self.complaints.append(str(told["exceptionDetails"]))
        elif event == "Log.entryAdded":
            self.complaints.append(str(told["entry"]["text"]))
        elif event == "Network.requestWillBeSent" and told["request"]["url"] != self._address:
            self.requests.append(told["request"]["url"])
