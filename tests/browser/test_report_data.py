"""The page as a report: its data comes from blocks in the document, and nothing is asked for."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser import answers, payloads
from tests.browser.look import line, lines, press
from tests.browser.pageserver import Pages, report_blocks

pytestmark = pytest.mark.browser


@pytest.fixture
def report(pages: Pages) -> Pages:
    """The small session as a report of 600 rows' bodies and one cut text."""
    payload = answers.large(600)
    long = payloads.small()["replies"][-1]
    payload["replies"].append({**long, "exchange": len(payload["exchanges"]) - 1, "ms": payload["session"]["endMs"]})
    redaction = {"level": "secrets", "counts": {"anthropic_key": 2, "password": 1}, "bestEffort": True}
    payload["report"] = {"createdMs": payloads.BEGIN, "redaction": redaction, "texts": {long["id"]: 0}}
    texts = {"0": [{"reply": long["id"], "prompt": None, "text": "Whole. THE END", "thinking": ""}]}
    bodies = [answers.body("x0") | {"output": f"output of row {at}"} for at in range(600)]
    pages.blocks = report_blocks(payload, bodies, texts)
    return pages


def test_a_report_says_when_it_was_made_and_what_was_hidden(visit: Any, report: Pages) -> None:
    page = visit(path="report")
    assert (
        page.locator(".banner.report > span").text_content()
        == "Report of 2026-05-28, static; 3 secrets hidden, best effort"
    )
    assert page.get_by_role("button", name="Sessions").count() == 0
    assert not any(path.startswith("/api") for path in report.asked)


def test_a_report_unpacks_the_body_of_a_row_when_it_is_opened(visit: Any, report: Pages) -> None:
    page = visit("#v=1&row=toolu_00599", path="report")
    page.locator(".detailbody", has_text="output of row 599").wait_for()
    press(page, "Home", "ArrowDown", "Enter")
    page.locator(".detailbody .text").first.wait_for()
    assert not any(path.startswith("/api") for path in report.asked)


def test_a_report_has_the_whole_of_a_cut_text(visit: Any, report: Pages) -> None:
    page = visit(path="report")
    press(page, "End")
    assert lines(page)[-1].startswith("No: everything is green")
    line(page, "No: everything is green").locator(".label").click()
    page.locator(".detailbody", has_text="Whole. THE END").wait_for()
