"""What assistive tools need, as far as it can be told without a tool of its own: names, roles, places of the focus."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser import scorecards
from tests.browser.look import press, settle
from tests.browser.pageserver import Pages

pytestmark = pytest.mark.browser

# Each look at the page answers with what is wrong with it, as short descriptions of elements.
NAMELESS = """() => [...document.querySelectorAll(
  'button, summary, input, [role=tab], [role=separator], [role=img], [role=treegrid], img')]
.filter((e) => e.checkVisibility()).filter((e) => {
  const labelled = e.labels && e.labels.length ? e.labels[0].textContent : '';
  return !(e.getAttribute('aria-label') || e.textContent || e.getAttribute('alt') || labelled).trim();
}).map((e) => e.outerHTML.slice(0, 80))"""
MISPLACED = """() => {
  const wrong = [];
  const inside = (selector, ...parents) => { for (const e of document.querySelectorAll(selector))
    if (!e.parentElement.closest(parents.join())) wrong.push(`${selector} outside ${parents}`); };
  inside('[role=gridcell]', '[role=row]'); inside('[role=columnheader]', '[role=row]');
  inside('[role=tab]', '[role=tablist]');
  for (const row of document.querySelectorAll('[role=row]')) {
    const owner = row.id && document.querySelector(`[aria-owns="${row.id}"]`);
    if (!owner && !row.closest('[role=treegrid]')) wrong.push('row outside the tree');
  }
  for (const e of document.querySelectorAll('[aria-owns], [aria-activedescendant], [aria-describedby]'))
    for (const name of ['aria-owns', 'aria-activedescendant', 'aria-describedby'])
      if (e.hasAttribute(name) && !document.getElementById(e.getAttribute(name))) wrong.push(`${name} names nothing`);
  for (const e of document.querySelectorAll('[role=separator][tabindex]'))
    if (!(Number(e.getAttribute('aria-valuenow')) > 0)) wrong.push('separator without a value');
  if (document.querySelectorAll('main, [role=main]').length !== 1) wrong.push('not one main part');
  if (document.querySelectorAll('main header, main footer, [role=main] > header, [role=main] > footer').length)
    wrong.push('page header within the main part');
  const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
  if (new Set(ids).size !== ids.length) wrong.push('an id twice');
  for (const list of document.querySelectorAll('[role=tablist]')) {
    const stops = [...list.children].filter((tab) => tab.tabIndex === 0);
    if (!list.children.length || !list.checkVisibility()) continue;
    if (stops.length !== 1 || stops[0].getAttribute('aria-selected') !== 'true')
      wrong.push('tabs are not one stop');
  }
  return wrong;
}"""
UNREACHED = """() => [...document.querySelectorAll('*')].filter((e) => e.checkVisibility()
  && /auto|scroll/.test(getComputedStyle(e).overflowY + getComputedStyle(e).overflowX)
  && (e.scrollHeight > e.clientHeight + 14 || e.scrollWidth > e.clientWidth + 14) && e.tabIndex < 0
  && ![...e.querySelectorAll('button, input, summary, [tabindex]')].some((inner) => inner.tabIndex >= 0))
.map((e) => e.outerHTML.slice(0, 80))"""

VIEWS: dict[str, tuple[str, list[str]]] = {
    "start": ("", []),
    "session": ("#v=1&s=scored", []),
    "output": ("#v=1&s=scored&row=toolu_00010", []),
    "change": ("#v=1&s=scored&row=toolu_00009&tab=input", []),
    "raw": ("#v=1&s=scored&row=toolu_00009&tab=raw", []),
    "evidence": ("#v=1&s=scored&card=earlyVictory", []),
    "outline": ("#v=1&s=scored&card=session", []),
    "chart": ("#v=1&s=scored&card=session", ["Tab:Context"]),
    "coverage": ("#v=1&s=scored&card=session", ["Tab:Coverage"]),
    "sorted": ("#v=1&s=scored&sort=-duration", ["Home", "ArrowDown"]),
    "help": ("#v=1&s=scored", ["?"]),
    "filter": ("#v=1&s=scored&q=pytest+odd:x", ["/"]),
    "suggestions": ("#v=1&s=scored", ["/", "ArrowDown", "ArrowDown"]),
    "export": ("#v=1&s=scored", ["Click:.export summary"]),
    "empty": ("#v=1&s=empty", []),
}


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("view", VIEWS)
def test_all_is_named_in_its_place_and_in_reach_of_the_keyboard(
    visit: Any, pages: Pages, view: str, width: int
) -> None:
    pages.payloads["scored"] = scorecards.scored
    fragment, keys = VIEWS[view]
    page = visit(fragment, viewport={"width": width, "height": 844})
    for key in keys:
        if key.startswith("Tab:"):
            page.get_by_role("tab", name=key[4:]).click()
        elif key.startswith("Click:"):
            page.locator(key[6:]).click()
        else:
            press(page, key)
    settle(page)
    assert page.evaluate(NAMELESS) == []
    assert page.evaluate(MISPLACED) == []
    assert page.evaluate(UNREACHED) == []


def test_arrows_go_from_tab_to_tab(visit: Any) -> None:
    page = visit("#v=1&s=small&row=toolu_00000&tab=output")
    page.get_by_role("tab", name="Output").focus()
    press(page, "ArrowRight")
    assert page.evaluate("document.activeElement.textContent") == "Input"
    press(page, "ArrowLeft", "ArrowLeft")
    assert page.evaluate("document.activeElement.textContent") == "Raw"
    assert page.locator('[role="tab"][aria-selected="true"]').text_content() == "Raw"


def test_the_height_of_the_detail_is_said_in_pixels(visit: Any) -> None:
    page = visit("#v=1&s=small&row=toolu_00000")
    grip = page.get_by_role("separator")
    grip.focus()
    press(page, "ArrowUp")
    said = int(grip.get_attribute("aria-valuenow"))
    assert abs(said - page.locator(".detail").bounding_box()["height"]) < 1
