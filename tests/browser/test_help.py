"""Help, keys of one sign, and what a very long session says, in a browser."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.browser import answers
from tests.browser.look import press, selected
from tests.browser.pageserver import WEB, Pages

pytestmark = pytest.mark.browser


def test_every_key_of_the_table_stands_in_the_help(visit: Any) -> None:
    page = visit("#v=1&s=small")
    keys = set(re.findall(r"^      \['(\+?[^']+)',", (WEB / "keys.js").read_text(encoding="utf-8"), re.M))
    press(page, "?")
    said = " ".join(page.get_by_role("dialog").locator("kbd").all_text_contents())
    names = {"ArrowUp": "↑", "ArrowDown": "↓", "ArrowLeft": "←", "ArrowRight": "→", "PageUp": "PgUp", "Escape": "Esc"}
    names |= {"PageDown": "PgDn", "-": "−", "=": "+", "+0": "Shift+0", "+n": "N", "+e": "E"}
    shifted = {f"+{letter}" for letter in "wsad"}  # said in words beside the letter
    missing = [key for key in keys - shifted if names.get(key, key).lower() not in said.lower()]
    assert len(keys) > 30
    assert missing == []


def test_the_help_names_the_gestures(visit: Any) -> None:
    page = visit("#v=1&s=small")
    press(page, "?")
    said = page.get_by_role("dialog").text_content()
    for gesture in ("Ctrl+wheel", "Shift+wheel", "Drag the ruler", "Drag the overview", "Edge of the detail"):
        assert gesture in said


def test_keys_of_one_sign_can_be_turned_off_and_stay_off(visit: Any) -> None:
    page = visit("#v=1&s=small")
    press(page, "?")
    page.get_by_label("Keys of one sign").uncheck()
    page.keyboard.press("Escape")
    press(page, "e")
    assert selected(page) == ""
    press(page, "Home")
    assert selected(page).startswith("Find out why")
    page.reload()
    page.locator('html[data-ready="1"]').wait_for(state="attached")
    press(page, "t")
    assert page.locator("html").get_attribute("data-theme") == "light"
    press(page, "?")
    page.get_by_label("Keys of one sign").check()
    page.keyboard.press("Escape")
    press(page, "e")
    assert selected(page).startswith("python -m pytest")


def test_the_start_page_has_its_own_list(visit: Any) -> None:
    page = visit("")
    press(page, "?")
    assert "search titles and projects" in page.get_by_role("dialog").text_content()
    page.keyboard.press("Escape")
    assert page.get_by_role("dialog").count() == 0
    page.get_by_role("button", name="Keys (?)").click()
    assert page.get_by_role("dialog").count() == 1


def test_calls_of_one_reply_are_joined_by_a_bracket(visit: Any, pages: Pages) -> None:
    payload = answers.large(40)
    columns = payload["table"]["columns"]
    columns["messageId"] = [columns["messageId"][0]] * 40
    pages.payloads["beside"] = lambda: payload
    page = visit("#v=1&s=beside")
    marks = page.locator(".layer .line.call .beside:not(.none)")
    assert marks.first.get_attribute("class") == "beside b2"
    assert marks.last.get_attribute("class") == "beside b1"
    label = page.locator(".layer .line.call .wf").first.get_attribute("aria-label")
    assert label.endswith("beside others of its reply")


def test_a_session_that_is_too_long_says_what_is_not_drawn(visit: Any, pages: Pages) -> None:
    count = 600_010
    columns = {
        "id": [f"r{i}" for i in range(count)],
        "subtreeEnd": list(range(1, count + 1)),
        "startMs": list(range(count)),
        "depth": [0] * count,
    }
    payload = answers.large(1) | {"exchanges": [], "table": {"count": count, "strings": [], "columns": columns}}
    payload["session"]["id"] = "long"
    packed = json.dumps(payload).encode()
    pages.payloads["long"] = lambda: packed
    page = visit("#v=1&s=long")
    assert page.locator(".banner.long").text_content().startswith("The first 600,000 of 600,010 calls are drawn")
    press(page, "End")
    assert page.locator(".line.selected").count() == 1
