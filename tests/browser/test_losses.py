"""What a compaction lost, as a table whose entries lead to the calls."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser import payloads
from tests.browser.look import selected, settle
from tests.browser.pageserver import Pages

pytestmark = pytest.mark.browser


def lost(
    text: str, kind: str = "path", *, named: bool = False, seen: int = 0, again: int | None = None
) -> dict[str, Any]:
    rows = [f"toolu_{seen:05d}"]
    return {
        "kind": kind,
        "text": text,
        "named": named,
        "seen": rows,
        "again": [] if again is None else [f"toolu_{again:05d}"],
    }


def test_the_overview_lists_what_was_in_view_before_a_compaction_and_leads_to_it(visit: Any, pages: Pages) -> None:
    payload = payloads.small()
    items = [
        lost(payloads.HOSTILE, "name"),
        lost("src/tides/table.py", named=True, again=2),
        *map(lost, map(str, range(80))),
    ]
    counts = {
        "path": {"seen": 81, "named": 1, "again": 1, "unnamedAgain": 0},
        "name": {"seen": 1, "named": 0, "unnamedAgain": 0},
    }
    loss = {
        "eventId": "main@1.0", "agentId": None, "ms": payloads.BEGIN, "summaryEventId": "main@2.0", "items": items,
        "counts": counts, "leftOut": 3, "basis": "literal matches alone",
    }  # fmt: skip
    payload["metrics"] = []
    payload["health"] = {"signals": [], "fillPercent": None, "compactionLosses": [loss]}
    pages.payloads["lossy"] = lambda: payload
    page = visit("#v=1&s=lossy&card=session")
    page.get_by_role("tab", name="Lost").click()
    body = page.locator(".losses")
    assert "Of 82 paths, commands, numbers and names in view, the summary names 1." in body.text_content()
    assert "3 more are not listed" in body.text_content()
    rows = body.locator("tbody tr")
    assert rows.count() == 61  # sixty, and the button for the rest
    assert [cell.text_content() for cell in rows.nth(1).locator("td").all()] == [
        "src/tides/table.py", "path", "✓ named", "1×", "1×",
    ]  # fmt: skip
    rows.nth(1).locator("button").first.click()
    settle(page)
    assert "table.py" in selected(page)


def test_a_session_without_a_compaction_has_no_such_tab(visit: Any) -> None:
    page = visit("#v=1&s=small&card=session")
    page.get_by_role("tab", name="Coverage").wait_for()
    assert page.get_by_role("tab", name="Lost").count() == 0
