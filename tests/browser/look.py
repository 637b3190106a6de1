"""What a test reads from the page."""

from __future__ import annotations

from typing import Any


def lines(page: Any) -> list[str]:
    """The names of the lines that are drawn, top to bottom."""
    return list(page.locator(".layer .line .label").all_text_contents())


def line(page: Any, text: str) -> Any:
    """The first line that holds a text."""
    return page.locator(".layer .line", has_text=text).first


def press(page: Any, *keys: str) -> None:
    """Press keys and let the page draw."""
    for key in keys:
        page.keyboard.press(key)
    settle(page)


def settle(page: Any) -> None:
    """Wait for two frames: the page draws in the next one."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def written(page: Any) -> None:
    """Wait until what is to be written into the address has been: timers of a page go off in their order, and that one
    takes 250 ms."""
    page.evaluate("() => new Promise((done) => setTimeout(done, 300))")


def loaded(page: Any) -> None:
    """Wait until the detail shows what was chosen last: until then it keeps what it had, or says that it reads."""
    page.locator(".detailbody:not([aria-busy])").wait_for()


def copied(page: Any, part: str) -> None:
    """Wait until the clipboard holds a text."""
    page.wait_for_function("async (part) => (await navigator.clipboard.readText()).includes(part)", arg=part)


def selected(page: Any) -> str:
    """The name of the selected line, empty when it is not drawn."""
    return " ".join(page.locator('.layer .line[aria-selected="true"] .label').all_text_contents())


def window(page: Any) -> tuple[float, float]:
    """Left edge and width of the window on the overview, in pixels."""
    box = page.locator(".minimap .window").bounding_box()
    return box["x"], box["width"]


def nodes(page: Any) -> int:
    """How many elements the document has."""
    return int(page.evaluate('document.getElementsByTagName("*").length'))
