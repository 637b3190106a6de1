"""A transcript from anywhere, dropped on the start page or chosen there."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser import payloads
from tests.browser.pageserver import Pages, report_blocks

pytestmark = pytest.mark.browser
GOOD = b'{"type":"user"}\n'
DROP = """([type, files]) => {
  const data = new DataTransfer();
  for (const [name, text] of files) data.items.add(new File([text], name));
  const event = new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true });
  document.querySelector('.shelf, .grid').dispatchEvent(event);
  return event.defaultPrevented;
}"""


def drop(page: Any, *files: tuple[str, str], kind: str = "drop") -> bool:
    """Drop files on the page; tells whether the browser is kept from opening them itself."""
    return bool(page.evaluate(DROP, [kind, [list(file) for file in files]]))


def test_a_dropped_transcript_opens_as_a_session(visit: Any, pages: Pages) -> None:
    page = visit()
    assert drop(page, ("tide.jsonl", GOOD.decode()))
    page.locator(".grid").wait_for()
    assert pages.dropped == [GOOD]
    assert "s=small" in page.url
    page.go_back()
    page.locator(".shelf").wait_for()


def test_a_transcript_is_chosen_by_the_keyboard_too(visit: Any, pages: Pages) -> None:
    page = visit()
    # The browser's own window is not opened: Chromium does not always tell of it.
    page.evaluate(
        "document.querySelector('input[type=file]').addEventListener('click', (event) => {"
        " event.preventDefault(); window.asked = true; })"
    )
    page.get_by_role("button", name="Open a file").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("window.asked")
    page.locator("input[type=file]").set_input_files({"name": "tide.jsonl", "mimeType": "", "buffer": GOOD})
    page.locator(".grid").wait_for()
    assert pages.dropped == [GOOD]


def test_what_can_be_dropped_is_said_while_a_file_is_over_the_page(visit: Any) -> None:
    page = visit()
    drop(page, ("tide.jsonl", "{}"), kind="dragover")
    assert page.get_by_text("Drop a .jsonl to open it").is_visible()
    page.evaluate("document.dispatchEvent(new DragEvent('dragleave', { relatedTarget: null }))")
    assert not page.get_by_text("Drop a .jsonl to open it").is_visible()


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ([("notes.txt", "x")], "That is no .jsonl file."),
        ([("a.jsonl", "{}"), ("b.jsonl", "{}")], "One file at a time."),
        ([("a.jsonl", "junk")], "No conversation is in this file: 0 records were read"),
    ],
)
def test_what_is_no_session_is_said_and_the_list_stays(visit: Any, files: list[tuple[str, str]], said: str) -> None:
    page = visit(errors="Failed to load resource")
    assert drop(page, *files)
    page.locator(".dropsaid", has_text=said).wait_for()
    assert page.locator(".line.session").count() > 0


def test_a_file_that_is_too_large_is_not_sent(visit: Any, pages: Pages) -> None:
    page = visit()
    page.evaluate(
        """async () => {
          const { DropPlace } = await import('#dropped');
          const place = new DropPlace(() => { throw new Error('sent'); }, () => undefined);
          document.body.append(place.said);
          await place.take([{ name: 'a.jsonl', size: 257 * 1048576 }]);
          place.close();
        }"""
    )
    assert "256 MB can be dropped" in page.locator(".dropsaid:not(:empty)").text_content()
    assert pages.dropped == []


def test_text_that_is_dragged_is_the_browsers_own_business(visit: Any) -> None:
    page = visit()
    assert not page.evaluate(
        """() => { const data = new DataTransfer(); data.setData('text/plain', 'x');
        const event = new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
        document.querySelector('.shelf').dispatchEvent(event); return event.defaultPrevented; }"""
    )


def test_neither_a_session_nor_a_report_takes_files(visit: Any, pages: Pages) -> None:
    page = visit("#v=1&s=small")
    assert not drop(page, ("tide.jsonl", "{}"))
    payload = payloads.small()
    payload["report"] = {"createdMs": payloads.BEGIN, "redaction": {"level": "secrets", "counts": {}}, "texts": {}}
    pages.blocks = report_blocks(payload, [{} for _ in payload["table"]["columns"]["id"]], {})
    page = visit(path="report")
    assert not drop(page, ("tide.jsonl", "{}"))
    assert page.get_by_text("Open a file").count() == 0
    assert pages.dropped == []
