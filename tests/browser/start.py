"""How the browser tests start Chromium: nothing of its own is asked for or sent."""

from __future__ import annotations

PATIENCE_MS = 30_000  # for what is waited for: on a busy machine it may take that long, and then it is there
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
