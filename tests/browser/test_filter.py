"""The filter box in a browser: contents, history, matches, keys."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.browser import answers, payloads
from tests.browser.look import lines, press, selected, settle
from tests.browser.pageserver import Pages, report_blocks

pytestmark = pytest.mark.browser
NEEDLE = "Windbreak Lane"


def holding(row: str) -> dict[str, Any]:
    """A body whose output holds the text in one row, the input in another."""
    given = {"deep": [{"note": f"see {NEEDLE}"}]} if row == "toolu_00012" else {"note": "none"}
    return answers.body(row) | {"input": given, "output": f"at {NEEDLE} 7" if row == "toolu_00007" else "nothing"}


@pytest.fixture
def held(pages: Pages) -> Pages:
    """The small session whose bodies hold the text twice."""
    pages.body = holding
    return pages


def test_text_finds_calls_by_their_input_and_output_and_says_what_was_searched(visit: Any, held: Pages) -> None:
    page = visit("#v=1&s=small")
    page.get_by_label("Filter calls").fill('text:"windbreak lane"')
    page.locator(".searched", has_text="contents of 18 calls searched, input and output").wait_for()
    settle(page)
    assert page.locator(".filterbox .count").text_content() == "2 of 18 calls"
    assert len([path for path in held.asked if "/find?" in path]) == 2
    assert not [path for path in held.asked if "/rows/" in path]
    assert "contents of 18 calls searched" in page.locator(".status").text_content()
    found = [row.text_content() for row in page.locator(".layer .line.call:not(.dim) .label").all()]
    assert found == ["python -m pytest tests/test_zone.py -q", "make ferry-test"]


def test_a_few_calls_that_other_terms_leave_are_looked_into_one_by_one(visit: Any, held: Pages) -> None:
    page = visit("#v=1&s=small")
    page.get_by_label("Filter calls").fill("text:windbreak type:bash error")
    page.locator(".searched", has_text="contents of 2 calls searched").wait_for()
    assert len([path for path in held.asked if "/rows/" in path]) == 2
    assert page.locator(".filterbox .count").text_content() == "1 of 18 calls"


def test_contents_that_must_not_hold_a_text_match_only_once_they_were_read(visit: Any, held: Pages) -> None:
    page = visit("#v=1&s=small")
    page.get_by_label("Filter calls").fill("-text:windbreak")
    page.locator(".searched", has_text="contents of 18 calls searched").wait_for()
    assert page.locator(".filterbox .count").text_content().startswith("16 of 18 calls")


def test_a_body_that_cannot_be_read_is_counted_as_such(visit: Any, pages: Pages) -> None:
    page = visit("#v=1&s=small", errors="Failed to load resource")
    pages.refuse = 500
    page.get_by_label("Filter calls").fill("text:windbreak type:agent")
    page.locator(".searched", has_text="contents of 3 calls searched, input and output, 3 could not be read").wait_for()
    assert page.locator(".filterbox .count").text_content() == "0 of 18 calls"


SEARCHED = """async () => {
  const { ContentSearch } = await import('#contentsearch');
  const { View } = await import('#view');
  const ids = Array.from({ length: 5000 }, (_, i) => `r${i}`);
  const startMs = ids.map((_, i) => i);
  const columns = { id: ids, depth: ids.map(() => 0), startMs, subtreeEnd: ids.map((_, i) => i + 1) };
  const view = new View({ session: { id: 's' }, table: { count: 5000, strings: [], columns } }, 0);
  const asked = [];
  const steps = [];
  const find = async (id, texts, from) => { asked.push([id, ...texts, from]); return ANSWERS[asked.length - 1]; };
  new ContentSearch(view, { report: false, find });
  view.on('lines', () => steps.push(view.searched));
  view.setQuery('text:Needle');
  while (!/searched/.test(view.searched)) await new Promise((done) => setTimeout(done, 5));
  return [asked, steps.filter(Boolean), view.found.calls];
}"""


def test_a_long_session_is_searched_whole_in_few_questions(visit: Any) -> None:
    page = visit("#v=1&s=small")
    answers = [
        {"found": [["r4999", "r4000"]], "searched": 2_000, "unread": 0, "next": "r2999"},
        # The server has calls that the page has not been told of.
        {"found": [["new", "r2500"]], "searched": 1_001, "unread": 2, "next": "another"},
        {"found": [["r7"]], "searched": 2_000, "unread": 0, "next": None},
    ]
    asked, steps, found = page.evaluate(SEARCHED.replace("ANSWERS", json.dumps(answers)))
    assert asked == [["s", "needle", None], ["s", "needle", "r2999"], ["s", "needle", "another"]]
    assert steps[:2] == ["searching contents: 2,000 of 5,000 calls…", "searching contents: 3,001 of 5,000 calls…"]
    assert steps[-1] == "contents of 5,001 calls searched, input and output, 2 could not be read"
    assert found == 4


def test_a_search_that_fails_says_why(visit: Any, pages: Pages) -> None:
    page = visit("#v=1&s=small", errors="Failed to load resource")
    pages.refuse = 500
    page.get_by_label("Filter calls").fill("text:windbreak")
    page.locator(".searched", has_text="contents could not be searched: refused, try later").wait_for()
    assert page.locator(".filterbox .count").text_content() == "0 of 18 calls"


def test_another_filter_ends_the_search(visit: Any, held: Pages) -> None:
    held.looked_at_once = 100
    page = visit("#v=1&s=large")
    page.get_by_label("Filter calls").fill("text:needle")
    page.locator(".searched", has_text="searching contents").wait_for()
    page.get_by_label("Filter calls").fill("error")
    page.locator(".filterbox .count", has_text="2,").wait_for()
    asked = len(held.asked)
    page.wait_for_timeout(300)
    assert len(held.asked) <= asked + 4
    assert page.locator(".searched").text_content() == ""


def test_a_report_searches_its_blocks(visit: Any, pages: Pages) -> None:
    payload = payloads.small()
    payload["report"] = {"createdMs": payloads.BEGIN, "redaction": {"level": "secrets", "counts": {}}, "texts": {}}
    ids = payload["table"]["columns"]["id"]
    pages.blocks = report_blocks(payload, [holding(row) for row in ids], {})
    page = visit(path="report")
    page.get_by_label("Filter calls").fill("text:windbreak")
    page.locator(".searched", has_text="contents of 18 calls searched, as far as this report holds them").wait_for()
    assert page.locator(".filterbox .count").text_content() == "2 of 18 calls"


def test_up_in_the_empty_box_brings_earlier_filters_back(visit: Any) -> None:
    page = visit("#v=1&s=small")
    box = page.get_by_label("Filter calls")
    for text in ("error", "type:agent"):
        box.fill(text)
        page.keyboard.press("Escape")
        settle(page)
    press(page, "/", "ArrowUp")
    assert box.input_value() == "type:agent"
    press(page, "ArrowUp", "ArrowUp")
    assert box.input_value() == "error"
    assert page.locator(".filterbox .count").text_content() == "2 of 18 calls"
    press(page, "ArrowDown", "ArrowDown")
    assert box.input_value() == ""


def test_up_in_a_box_with_words_leaves_them(visit: Any) -> None:
    page = visit("#v=1&s=small")
    page.get_by_label("Filter calls").fill("error")
    press(page, "ArrowUp")
    assert page.get_by_label("Filter calls").input_value() == "error"


def test_enter_in_the_box_and_n_go_from_match_to_match(visit: Any) -> None:
    page = visit("#v=1&s=small")
    page.get_by_label("Filter calls").fill("error")
    press(page, "Enter")
    assert selected(page).startswith("python -m pytest")
    press(page, "Enter")
    assert selected(page) == "npm test -- tides"
    press(page, "Shift+Enter")
    assert selected(page).startswith("python -m pytest")
    page.get_by_role("treegrid").focus()
    press(page, "n")
    assert selected(page) == "npm test -- tides"


def test_control_f_goes_to_the_filter(visit: Any) -> None:
    page = visit("#v=1&s=small")
    press(page, "Control+f")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Filter calls"


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("colour:red", "colour:red: unknown key; quote it to look for the text"),
        ("tokens:>abc", "tokens:>abc: number expected"),
        ("dur:5y", "dur:5y: unknown unit y, one of ms s m h"),
        (
            "status:sad",
            "status:sad: unknown status sad, one of ok error rejected blocked interrupted no_result running",
        ),
        ("/(/", "/(/: not a regular expression"),
        (r"/(a)\1/", r"/(a)\1/: look-around, back-references and modifiers are not taken"),
        ("is:", "is:: value expected"),
    ],
)
def test_what_cannot_be_read_is_named_and_the_rest_still_filters(visit: Any, query: str, message: str) -> None:
    page = visit("#v=1&s=small")
    page.get_by_label("Filter calls").fill(f"type:read {query}")
    page.locator(".faults .fault").wait_for()
    assert page.locator(".faults").text_content() == message
    assert page.locator(".filterbox .count").text_content() == "3 of 18 calls"
    assert len(lines(page)) > 3


def test_of_many_terms_that_cannot_be_read_the_number_of_the_others_is_said(visit: Any) -> None:
    page = visit("#v=1&s=small&q=" + "+".join(f"foo:{i}" for i in range(5)))
    assert page.locator(".faults .fault").all_text_contents()[2:] == [
        "foo:2: unknown key; quote it to look for the text",
        "and 2 more terms",
    ]


@pytest.mark.parametrize("width", [390, 640, 641, 900, 1280])
def test_what_is_said_of_terms_stays_on_the_screen(visit: Any, width: int) -> None:
    page = visit("#v=1&s=small", viewport={"width": width, "height": 844})
    page.get_by_label("Filter calls").fill(f"/(?=x)/ status:wrong {'y' * 300}:z")
    page.locator(".faults .fault").nth(2).wait_for()
    right = page.locator(".faults .fault").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().right)")
    assert len(right) == 3 and max(right) <= width
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("key", ["q", "row", "open", "card", "agent", "t"])
def test_a_session_opens_also_by_an_address_of_100_000_signs(visit: Any, key: str) -> None:
    page = visit(f"#v=1&s=small&{key}={'-zzq+' * 20_000}")
    assert page.get_by_role("grid").or_(page.get_by_role("treegrid")).count() == 1
    assert len(lines(page)) > 8
    assert page.locator(".filterbox .count").text_content().startswith("18 ")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1440


def test_keys_and_values_of_the_session_are_offered_and_taken_by_the_keyboard(visit: Any) -> None:
    page = visit("#v=1&s=small")
    box = page.get_by_role("combobox", name="Filter calls")
    press(page, "/")
    assert box.get_attribute("aria-expanded") == "false"
    page.keyboard.type("ty")
    assert page.locator(".suggestion").all_text_contents() == ["type:kind or tool"]
    press(page, "Tab")
    assert box.input_value() == "type:"
    assert page.locator(".suggestion").first.text_content() == "bash5 calls"
    press(page, "ArrowDown", "ArrowDown")
    chosen = page.locator(f"#{box.get_attribute('aria-activedescendant')}")
    assert chosen.get_attribute("aria-selected") == "true"
    name = chosen.locator(".label").text_content()
    press(page, "Enter")
    assert box.input_value() == f"type:{name} "
    assert box.get_attribute("aria-expanded") == "false"
    assert page.locator(".filterbox .count").text_content() != "18 calls"
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Filter calls"


def test_suggestions_stay_out_of_the_way_of_typing(visit: Any) -> None:
    page = visit("#v=1&s=small")
    press(page, "/")
    page.keyboard.type("err")
    page.get_by_role("listbox", name="Suggestions").wait_for()
    press(page, "Enter")
    assert page.get_by_label("Filter calls").input_value() == "err"
    assert not page.get_by_role("listbox", name="Suggestions").is_visible()
    page.keyboard.type("o")
    page.get_by_role("listbox", name="Suggestions").wait_for()
    press(page, "Escape")
    assert page.get_by_label("Filter calls").input_value() == "erro"
    assert not page.get_by_role("listbox", name="Suggestions").is_visible()
    press(page, "Tab")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") != "Filter calls"
    press(page, "/", "End")
    page.keyboard.type(" npm zone")
    assert not page.get_by_role("listbox", name="Suggestions").is_visible()


def test_a_suggestion_is_taken_by_a_press_and_the_box_keeps_the_focus(visit: Any) -> None:
    page = visit("#v=1&s=small")
    press(page, "/")
    page.keyboard.type("status:")
    page.locator(".suggestion", has_text="error").click()
    assert page.get_by_label("Filter calls").input_value() == "status:error "
    page.locator(".filterbox .count", has_text="2 of 18 calls").wait_for()
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Filter calls"


def test_down_in_the_empty_box_offers_earlier_filters_also_after_a_reload(visit: Any) -> None:
    page = visit("#v=1&s=small")
    page.get_by_label("Filter calls").fill("type:read")
    press(page, "Escape")
    page.reload()
    page.locator('html[data-ready="1"]').wait_for(state="attached")
    press(page, "/", "ArrowDown")
    assert page.locator(".suggestion").first.text_content() == "type:readearlier"
    press(page, "Enter")
    assert page.get_by_label("Filter calls").input_value() == "type:read"
    page.locator(".filterbox .count", has_text="3 of 18 calls").wait_for()


def test_a_hostile_name_is_offered_as_text(visit: Any) -> None:
    page = visit("#v=1&s=small")
    press(page, "/")
    page.keyboard.type("file:")
    settle(page)
    assert page.locator(".suggestions img, .suggestions script").count() == 0
