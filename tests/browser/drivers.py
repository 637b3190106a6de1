"""Firefox and WebKit as they are installed, driven by the protocols that they speak themselves: nothing is downloaded.

Firefox speaks WebDriver BiDi over a WebSocket. WebKit's driver speaks WebDriver over HTTP and opens WebKit's own small
browser, which needs a screen, or Xvfb.
"""

from __future__ import annotations

import base64
import glob
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

FIREFOX = ("firefox-esr", "firefox")
WEBKIT = "WebKitWebDriver"
_MINI = (
    "/usr/lib/*/webkit2gtk-4.1/MiniBrowser",
    "/usr/lib/*/webkit2gtk-4.0/MiniBrowser",
    "/usr/libexec/**/MiniBrowser",
)
_QUIET = {  # settings of a profile: nothing is asked of anybody but what is opened
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.getAddons.cache.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.dns.disablePrefetch": True,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}
_WAIT_S = 60.0


class Driven(Protocol):
    """One window of a browser."""

    said: list[str]
    """Errors of the console, as far as the browser tells them."""
    asked: list[str]
    """Addresses that were asked for, as far as the browser tells them."""

    def open(self, address: str) -> None:
        """Go to an address and wait until it is loaded."""

    def value(self, expression: str) -> Any:
        """Return what an expression comes to in the page: a string, a number, a boolean or null."""

    def screenshot(self) -> bytes:
        """Return a PNG of what is seen."""


def until(page: Driven, expression: str, what: str) -> Any:
    """Wait until an expression is true in the page, and return it."""
    end = time.monotonic() + _WAIT_S
    while time.monotonic() < end:
        found = page.value(expression)
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError(f"not within {_WAIT_S:.0f} s: {what}")


def mini_browser() -> str | None:
    """Return WebKit's own small browser, if its driver and a screen are there too."""
    found = [path for pattern in _MINI for path in glob.glob(pattern, recursive=True)]
    screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or shutil.which("Xvfb")
    return found[0] if found and shutil.which(WEBKIT) and screen else None


@contextmanager
def running(command: list[str], **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program, and end it with all that it started."""
    child = subprocess.Popen(
        command,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield child
    finally:
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(child.pid, number)
                child.wait(5)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                continue


class _Firefox:
    def __init__(self, port: int) -> None:
        import websocket

        self.said: list[str] = []
        self.asked: list[str] = []
        self._number = 0
        self._socket = websocket.create_connection(
            f"ws://127.0.0.1:{port}/session", timeout=_WAIT_S, suppress_origin=True, max_size=None
        )
        self._tell("session.new", capabilities={})
        self._tell("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        self._context = self._tell("browsingContext.getTree")["contexts"][0]["context"]
        self._tell("browsingContext.setViewport", context=self._context, viewport={"width": 1440, "height": 900})

    def open(self, address: str) -> None:
        self._tell("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def value(self, expression: str) -> Any:
        target = {"context": self._context}
        told = self._tell("script.evaluate", expression=expression, target=target, awaitPromise=True)
        assert told["type"] == "success", told
        return told["result"].get("value")

    def screenshot(self) -> bytes:
        return base64.b64decode(self._tell("browsingContext.captureScreenshot", context=self._context)["data"])

    def close(self) -> None:
        self._socket.close()

    def _tell(self, method: str, **params: Any) -> Any:
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv())
            if message.get("id") == self._number:
                assert message["type"] == "success", message
                return message["result"]
            self._hear(message)

    def _hear(self, message: dict[str, Any]) -> None:
        params = message.get("params", {})
        if message.get("method") == "log.entryAdded" and params["level"] in ("error", "warn"):
            self.said.append(params["text"])
        elif message.get("method") == "network.beforeRequestSent":
            self.asked.append(params["request"]["url"])


@contextmanager
def firefox(program: str, folder: Path) -> Iterator[Driven]:
    """Open a Firefox without a window and with a new profile in `folder`."""
    settings = "".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in _QUIET.items())
    (folder / "user.js").write_text(settings)
    command = [
        program,
        "--headless",
        "--no-remote",
        "--profile",
        str(folder),
        "--remote-debugging-port=0",
        "about:blank",
    ]
    with running(command, HOME=str(folder), MOZ_DISABLE_AUTO_SAFE_MODE="1"):
        told = folder / "WebDriverBiDiServer.json"
        end = time.monotonic() + _WAIT_S
        while not (told.exists() and told.read_text().rstrip().endswith("}")):
            assert time.monotonic() < end, "Firefox did not say where it listens"
            time.sleep(0.1)
        page = _Firefox(json.loads(told.read_text())["ws_port"])
        try:
            yield page
        finally:
            page.close()


class _WebKit:
    def __init__(self, port: int, program: str) -> None:
        import httpx

        self.said: list[str] = []  # WebDriver tells neither of them
        self.asked: list[str] = []
        self._client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=_WAIT_S, trust_env=False)
        options = {"webkitgtk:browserOptions": {"binary": program, "args": ["--automation"]}}
        end = time.monotonic() + _WAIT_S
        while True:
            try:
                made = self._tell("POST", "/session", {"capabilities": {"alwaysMatch": options}})
                break
            except httpx.TransportError:
                assert time.monotonic() < end, "WebKit's driver does not answer"
                time.sleep(0.1)
        self._session = f"/session/{made['sessionId']}"
        self._tell("POST", f"{self._session}/window/rect", {"width": 1440, "height": 900})

    def open(self, address: str) -> None:
        self._tell("POST", f"{self._session}/url", {"url": address})

    def value(self, expression: str) -> Any:
        return self._tell("POST", f"{self._session}/execute/sync", {"script": f"return {expression}", "args": []})

    def screenshot(self) -> bytes:
        return base64.b64decode(self._tell("GET", f"{self._session}/screenshot"))

    def close(self) -> None:
        self._tell("DELETE", self._session)
        self._client.close()

    def _tell(self, method: str, path: str, body: Any = None) -> Any:
        answer = self._client.request(method, path, json=body)
        told = answer.json()["value"]
        assert answer.status_code == 200, told
        return told


@contextmanager
def webkit(program: str, folder: Path) -> Iterator[Driven]:
    """Open WebKit's own small browser, on the screen that there is or on one that nobody sees."""
    port = _free_port()
    screen = os.environ.get("DISPLAY")
    environment = {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "LIBGL_ALWAYS_SOFTWARE": "1"}
    environment |= {"WEBKIT_DISABLE_COMPOSITING_MODE": "1", "NO_AT_BRIDGE": "1", "GTK_A11Y": "none"}
    with _screen(screen) as shown, running([WEBKIT, f"--port={port}"], DISPLAY=shown, **environment):
        page = _WebKit(port, program)
        try:
            yield page
        finally:
            page.close()


@contextmanager
def _screen(known: str | None) -> Iterator[str]:
    if known:
        yield known
        return
    reading, writing = os.pipe()
    with os.fdopen(reading) as told:
        child = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1440x900x24", "-nolisten", "tcp"],
            pass_fds=[writing],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(writing)
        try:
            yield f":{told.readline().strip()}"
        finally:
            child.terminate()
            child.wait(10)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
