"""A session as a small table of HTML, for notebooks."""

from __future__ import annotations

from datetime import UTC, datetime
from html import escape
from typing import Any, Protocol

_LONGEST = 200  # characters of a title or a project that are shown


class Listed(Protocol):
    """What the table needs of a session."""

    @property
    def id(self) -> str:
        """The session's id."""

    def listing(self, now_ms: int | None = None) -> dict[str, Any]:
        """Return what a list of sessions shows of this one."""


def summary_html(session: Listed) -> str:
    """Return a session's title, times, counts and tokens as an HTML table without scripts, styles or links.

    Everything that comes from the transcript is escaped. Times are in UTC. What is not known has no line.
    """
    found = session.listing()
    usage = found["usage"]
    start, end = found["startMs"], found["endMs"]
    lines = {
        "session": session.id,
        "title": found["title"],
        "project": found["project"],
        "state": found["state"],
        "began": _time(start),
        "lasted": None if start is None or end is None else _span(max(0, end - start)),
        "models": ", ".join(found["models"]) or None,
        "prompts": f"{found['prompts']:,}",
        "calls": f"{found['toolCalls']:,}, {found['errors']:,} with errors",
        "sub-agents": f"{found['agents']:,}",
        "API calls": f"{usage['apiCalls']:,}",
        "tokens": f"{usage['input'] + usage['cacheCreation'] + usage['cacheRead']:,} in, "
        f"{'at least ' if usage['outputIsLowerBound'] else ''}{usage['output']:,} out",
    }
    rows = "".join(
        f"<tr><th>{name}</th><td>{escape(_plain(text))}</td></tr>" for name, text in lines.items() if text is not None
    )
    return f"<table>{rows}</table>"


def _plain(text: str) -> str:
    """The text on one line, cut, with characters that cannot be seen replaced."""
    shown = "".join(character if character.isprintable() else "\ufffd" for character in " ".join(text.split()))
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"


def _time(ms: int | None) -> str | None:
    if ms is None:
        return None
    try:
        return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (ValueError, OverflowError, OSError):
        return None


def _span(ms: int) -> str:
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {seconds:02} s" if minutes else f"{seconds} s"
