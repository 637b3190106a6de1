"""Telemetry in a browser: the wait for a permission in the ledger, in the Timing tab, and what of it fits."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser import payloads
from tests.browser.pageserver import Pages

pytestmark = pytest.mark.browser

TOLD = {
    "files": [
        {"path": "/tel\u202eemetry.jsonl", "bytes": 2_048,
         "lines": 9, "badLines": 2, "longLines": 0, "badItems": 1, "leftOut": 0}
    ],
    "calls": 3, "callsWithout": 4, "byId": 2, "byTime": 1, "unmatched": 5, "ambiguous": 0, "disagreeing": 0,
    "otherSessions": 0, "waits": 2, "waitMs": {"user": 61_000, "<b>": 10}, "executionMs": 9_000,
}  # fmt: skip


@pytest.fixture
def told(visit: Any, pages: Pages) -> Any:
    """Opens a session with telemetry; the arguments go into its `time`."""

    def opened(more: str = "", **time: Any) -> Any:
        def payload() -> dict[str, Any]:
            made = payloads.small()
            count = made["table"]["count"]
            made["table"]["columns"] |= {
                "permissionStartMs": [None] * count,
                "permissionMs": [61_000, 0, *[None] * (count - 2)],
                "permissionBound": [_text(made, "at_most"), _text(made, "exact"), *[-1] * (count - 2)],
                "executionMs": [9_000, 40, *[None] * (count - 2)],
            }
            made["time"] |= {"permissionMs": 61_000, "permissionBound": "exact", "toolBound": "exact", **time}
            return {**made, "telemetry": TOLD}

        pages.payloads["told"] = payload
        return visit(f"#v=1&s=told{more}")

    return opened


def _text(payload: dict[str, Any], text: str) -> int:
    payload["table"]["strings"].append(text)
    return len(payload["table"]["strings"]) - 1


def shares(page: Any) -> dict[str, str]:
    words = page.locator(".ledger .share").all_text_contents()
    return {text.split()[0]: text for text in words}


@pytest.mark.parametrize(
    ("bound", "tools", "waits"),
    [("exact", "", ""), ("at_least", "≤ ", "≥ "), ("at_most", "≥ ", "≤ "), (None, "~ ", "~ ")],
)
def test_the_ledger_tells_permission_apart_and_how_sure_it_is(told: Any, bound: str, tools: str, waits: str) -> None:
    page = told(permissionBound=bound, toolBound="exact" if bound == "exact" else "at_most")
    found = shares(page)
    assert found["permission"] == f"permission {waits}1m 01s"
    assert found["tools"].startswith(f"tools {tools}") and ("~" in found["tools"]) == (tools == "~ ")
    whole, *parts = page.eval_on_selector_all(
        ".ledgerbar, .ledgerbar .part", "all => all.map((one) => one.getBoundingClientRect().width)"
    )
    assert abs(sum(parts) - whole) < 1 and len(parts) == 5
    assert ("telemetry" in page.locator(".ledger").get_attribute("title")) == (bound != "exact")


def test_the_timing_tab_has_the_wait_and_the_execution(told: Any) -> None:
    rows = payloads.small()["table"]["columns"]["id"]
    said = [told(f"&row={row}&tab=timing").locator("dl.pairs").first.text_content() for row in rows[:3]]
    assert (
        "Waited for permissionat most 1m 01s (from the call to the decision)" in said[0]
        and "Execution9.00 s" in said[0]
    )
    assert "Waited for permissionno" in said[1] and "Execution40 ms" in said[1]
    assert "permission" not in said[2] and "Execution" not in said[2]


def test_the_bar_shows_the_part_in_which_the_call_waited(visit: Any, pages: Pages) -> None:
    made = payloads.small()
    columns, count = made["table"]["columns"], made["table"]["count"]
    longest = max(range(count), key=lambda n: columns["duration"][n] or 0)
    half = columns["duration"][longest] // 2
    for name, value in (("permissionStartMs", columns["startMs"][longest] + half // 2), ("permissionMs", half)):
        columns[name] = [value if n == longest else None for n in range(count)]
    columns |= {"permissionBound": [-1] * count, "executionMs": [None] * count}
    pages.payloads["told"] = lambda: made
    page = visit(f"#v=1&s=told&row={columns['id'][longest]}")
    wait = page.locator(".line.selected .wait:not(.gone)")
    wait.wait_for()
    bar, drawn = page.locator(".line.selected .bar").bounding_box(), wait.bounding_box()
    assert abs(drawn["width"] / bar["width"] - 0.5) < 0.05
    assert abs((drawn["x"] - bar["x"]) / bar["width"] - 0.25) < 0.05
    assert "waiting for permission" in page.locator(".line.selected .wf").get_attribute("aria-label")
    assert page.locator(".wait:not(.gone)").count() == 1


def test_the_coverage_tab_counts_what_fits_and_what_was_lost(told: Any) -> None:
    page = told("&card=session")
    page.get_by_role("tab", name="Coverage").click()
    said = page.locator("#app").text_content()
    assert "Calls told of3 of 7" in said and "Told calls that fit none5" in said
    assert "2: 1m 01s (you), 10 ms (<b>)" in said
    assert "2.0 kB, of 9 lines 2 bad, 1 spans or events that cannot be read" in said
    assert "\u202e" not in said and "Ambiguous" not in said


def test_without_telemetry_nothing_is_said_of_it(visit: Any) -> None:
    page = visit("#v=1&s=small&card=session")
    page.get_by_role("tab", name="Coverage").click()
    assert "elemetry" not in page.locator("#app").text_content()
    assert "permission" not in shares(page)
