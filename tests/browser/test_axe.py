"""What axe-core, the usual checker of accessibility, says of every view of the page: nothing."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest

from tests.browser import answers, payloads, scorecards
from tests.browser.look import press, settle
from tests.browser.pageserver import Pages
from tests.browser.test_access import VIEWS

pytestmark = pytest.mark.browser
PATCH = [{"oldStart": 14, "newStart": 17, "lines": [" def f(x):", "-    return old(x)", "+    return new(x)"]}]
MORE: dict[str, tuple[str, list[str]]] = {
    "sorted list": ("#v=1&sort=-errors", []),
    "patch": ("#v=1&s=scored&row=toolu_00009", []),
    "copy": ("#v=1&s=scored&row=toolu_00009", ["Click:.detail .menu summary"]),
    "timing": ("#v=1&s=scored&row=toolu_00009&tab=timing", []),
    "talk": ("#v=1&s=small", ["Click:.toggle"]),
    "no match": ("#v=1&s=small&q=zebra", []),
    "live": ("#v=1&s=live", []),
    "not there": ("#v=1&s=nowhere", []),
}
FOUND = """async () => (await axe.run(document, { resultTypes: ['violations'] })).violations
  .map((found) => `${found.id}: ${found.nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(' ')}`)"""


@pytest.mark.parametrize(("theme", "width"), [("light", 1440), ("dark", 1440), ("dark", 390)])
def test_axe_finds_nothing_in_any_view(visit: Any, pages: Pages, theme: str, width: int) -> None:
    axe = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
    pages.payloads |= {"scored": scorecards.scored, "small": payloads.small}
    pages.body = lambda row: answers.body(row) | {"patch": PATCH}
    # The policy of the page keeps axe from the frames that it would look into; there are none.
    how = {"color_scheme": theme, "bypass_csp": True, "viewport": {"width": width, "height": 844}}
    page = visit(errors="Failed to load resource", **how)
    found = {}
    for name, (fragment, steps) in (VIEWS | MORE).items():
        page.goto("about:blank")
        page.goto(f"{pages.address}/{fragment}")
        page.locator('html[data-ready="1"]').wait_for(state="attached")
        for step in steps:
            if step.startswith("Tab:"):
                page.get_by_role("tab", name=step[4:]).click()
            elif step.startswith("Click:"):
                page.locator(step[6:]).first.click()
            else:
                press(page, step)
        settle(page)
        page.wait_for_function("!document.querySelector('[aria-busy]')")
        page.evaluate(axe)
        if said := page.evaluate(FOUND):
            found[name] = said
    assert found == {}
