"""How the browser tests start Chromium: nothing of its own is asked for or sent."""

from __future__ import annotations

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
