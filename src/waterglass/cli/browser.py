"""The person's browser."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

import click

# One of them says that something can show a page: a screen, a browser that was named, Windows around Linux.
_SIGNS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "WSL_DISTRO_NAME")


def has_browser(environment: Mapping[str, str] | None = None, platform: str = sys.platform) -> bool:
    """Tell whether opening a page can work: on Linux, as over ssh, there may be no screen to show it on."""
    env = os.environ if environment is None else environment
    return not platform.startswith("linux") or any(env.get(name) for name in _SIGNS)


def open_page(address: str) -> None:
    """Open an address in the browser, if there can be one. Without this check the system's opener would name every
    browser that is not installed."""
    if has_browser():
        click.launch(address)
