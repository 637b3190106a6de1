"""The detail of a call in the form that its tool asks for, and what can be copied of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.browser import answers
from tests.browser.look import copied, line, loaded, nodes, press, selected, settle
from tests.browser.pageserver import Pages
from tests.browser.payloads import HOSTILE

pytestmark = pytest.mark.browser
READ, GREP, AGENT, MCP, EDIT, BASH, WRITE = (f"toolu_{i:05d}" for i in (0, 1, 2, 8, 9, 10, 13))


@pytest.fixture
def call(visit: Any, pages: Pages) -> Any:
    """Opens a call with an input and an output."""

    def open_call(row: str, given: Any, output: str | None, tab: str = "output", **context: Any) -> Any:
        pages.body = lambda _: answers.body(row) | {"input": given, "output": output}
        page = visit(f"#v=1&s=small&row={row}&tab={tab}", **context)
        loaded(page)
        return page

    return open_call


def test_a_command_stands_with_its_exit_code_and_duration_above_its_output(call: Any) -> None:
    page = call(BASH, {"command": "npm test -- tides"}, "Exit code 1\n\x1b[31m1 failing\x1b[0m")
    head = page.locator(".commandhead")
    assert head.locator(".command").text_content() == "npm test -- tides"
    assert head.locator("p").text_content() == "exit code 1 · took 41.0 s"
    assert page.locator(".detailbody .a-red").text_content() == "1 failing"


def test_an_exit_code_that_is_not_written_is_not_made_up(call: Any) -> None:
    page = call(BASH, {"command": "npm test -- tides"}, "Killed")
    assert page.locator(".commandhead p").text_content() == "error · took 41.0 s"


def test_a_read_file_has_its_line_numbers_beside_the_text(call: Any) -> None:
    page = call(READ, {"file_path": "a.py", "offset": 48}, f"    48→def f():\n    49→\t{HOSTILE}\n")
    assert page.locator(".numbers").text_content() == "48\n49"
    assert page.locator(".numbered .code").text_content() == f"def f():\n\t{HOSTILE}"


def test_a_long_file_is_folded_with_its_size(call: Any) -> None:
    page = call(READ, {"file_path": "a.py"}, "\n".join(f"{i:6}→line {i}" for i in range(1, 5_001)))
    page.get_by_text("2,000 lines of 5,000 lines").wait_for()
    assert page.locator(".numbers").text_content().endswith("\n2000")
    page.get_by_role("button", name="show all").click()
    assert page.locator(".numbered .code").text_content().endswith("line 5000")


def test_hits_of_a_search_are_grouped_by_file(call: Any) -> None:
    page = call(GREP, {"pattern": "x"}, "src/a.py:3:x = 1\nsrc/a.py:9:x = 2\nsrc/b.py:1:x")
    assert page.locator(".hits h3").all_text_contents() == ["src/a.py 2 hits", "src/b.py 1 hit"]
    assert page.get_by_text("3 hits in 2 files").is_visible()


def test_a_change_is_unified_or_side_by_side_and_the_choice_stays(call: Any) -> None:
    page = call(EDIT, {"file_path": "a.py", "old_string": "a\nb\nc", "new_string": "a\nB\nc\nd"}, "done", "input")
    assert page.locator(".changehead span").text_content() == "+2 lines, −1 line"
    page.get_by_role("button", name="Side by side").click()
    pairs = page.locator(".diff.split .pair")
    assert [p.locator(".half").nth(0).text_content() for p in pairs.all()] == [" a", "-b", " c", ""]
    assert [p.locator(".half").nth(1).text_content() for p in pairs.all()] == [" a", "+B", " c", "+d"]
    page.reload()
    page.locator(".diff.split").wait_for()


def test_several_edits_are_one_change_and_a_new_file_is_all_added(call: Any, visit: Any, pages: Pages) -> None:
    edits = [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": ""}]
    page = call(EDIT, {"file_path": "a.py", "edits": edits}, "done")
    assert page.locator(".diff").count() == 2
    pages.body = lambda row: answers.body(row) | {"input": {"file_path": "n.md", "content": "x\ny"}, "output": "ok"}
    page = visit(f"#v=1&s=small&row={WRITE}&tab=input")
    page.locator(".diff .plus .code").first.wait_for()
    assert page.locator(".diff .plus .code").all_text_contents() == ["x", "y"]


def test_a_change_that_the_result_wrote_down_has_the_line_numbers_of_the_file(visit: Any, pages: Pages) -> None:
    given = {"file_path": "a.py", "old_string": "b", "new_string": "B"}
    patch = [{"oldStart": 14, "newStart": 17, "lines": [" a", "-b", f"+{HOSTILE}", " c"]}]
    pages.body = lambda row: answers.body(row) | {"input": given, "output": "updated", "patch": patch}
    page = visit(f"#v=1&s=small&row={EDIT}")
    page.locator(".diff").wait_for()
    shown = [[part.text_content() for part in line.locator("span").all()] for line in page.locator(".diff > div").all()]
    assert shown == [
        ["14", "17", " ", "a"],
        ["15", "", "-", "b"],
        ["", "18", "+", HOSTILE],
        ["16", "19", " ", "c"],
    ]
    page.get_by_role("button", name="Side by side").click()
    pair = page.locator(".diff .pair").nth(1)
    assert [half.text_content() for half in pair.locator(".half").all()] == ["15-b", f"18+{HOSTILE}"]


def test_a_file_that_was_written_whole_has_line_numbers(call: Any) -> None:
    page = call(WRITE, {"file_path": "n.md", "content": "x\ny\n"}, "File created", "output")
    assert page.locator(".diff .no").all_text_contents() == ["1", "2"]


def test_a_huge_change_stays_few_elements(call: Any) -> None:
    lines = "\n".join(f"line {i}" for i in range(20_000))
    page = call(EDIT, {"file_path": "a.py", "old_string": "", "new_string": lines}, "done", "input")
    page.get_by_role("button", name="19,700 more").wait_for()
    assert nodes(page) < 2_500
    page.get_by_role("button", name="19,700 more").click()
    page.get_by_role("button", name="19,400 more").wait_for()


def test_an_agent_says_what_it_did_and_leads_to_its_first_call(call: Any) -> None:
    page = call(AGENT, {"prompt": "find it", "subagent_type": "Explore"}, "It is in zone.py")
    said = page.locator(".agenthead").text_content()
    assert said.startswith("6 calls (agent 2, search 1, read 1, bash 1, mcp 1) · 1 error · 18k tokens written")
    page.get_by_role("button", name="go to its first call").click()
    settle(page)
    assert selected(page) == "**/*.py"
    assert line(page, "Explore, find").get_attribute("aria-expanded") == "true"


def test_todos_are_a_list_with_their_states_in_words(call: Any) -> None:
    todos = [
        {"content": "Look", "status": "completed"},
        {"content": HOSTILE, "status": "in_progress"},
        {"content": "Test", "status": "pending"},
        {"content": "Odd", "status": None},
    ]
    page = call(EDIT, {"todos": todos}, "ok", "input")
    states = page.locator(".todostate").all_text_contents()
    assert states == ["✓ done", "▶ in progress", "○ open", "? no state"]
    assert page.locator(".todos li").nth(1).text_content().endswith(HOSTILE)


def test_json_of_a_server_tool_is_a_tree_that_opens(call: Any) -> None:
    value = [{"name": "EPOCH", "deep": {"a": {"b": {"c": HOSTILE}}}}]
    page = call(MCP, {"name": "EPOCH"}, json.dumps(value))
    tree = page.locator(".detailbody > div > ul.json")
    assert "EPOCH" in tree.text_content()
    assert HOSTILE not in tree.text_content()
    for _ in range(3):
        tree.get_by_role("button", name="▸").first.click()
    assert HOSTILE in tree.text_content()


def test_the_copy_menu_copies_command_path_input_output_link_and_rows(call: Any) -> None:
    page = call(BASH, {"command": "npm test"}, "all of it", permissions=["clipboard-read", "clipboard-write"])

    def copied(name: str) -> str:
        page.locator(".detail .menu summary").click()
        page.get_by_role("button", name=name, exact=True).click()
        page.get_by_text(f"{name} copied").wait_for()
        return str(page.evaluate("navigator.clipboard.readText()"))

    assert copied("command") == "npm test"
    assert copied("output") == "all of it"
    assert json.loads(copied("input as JSON")) == {"command": "npm test"}
    assert f"row={BASH}" in copied("link to this line")
    rows = copied("rows shown as TSV").split("\n")
    assert rows[0].split("\t")[:4] == ["id", "start", "durationMs", "tool"]
    assert rows[1].split("\t")[3:6] == ["Read", "src/tides/table.py", "ok"]
    assert json.loads(copied("rows shown as JSON"))[-1]["outcome"] == "no_result"


def test_rows_for_a_spreadsheet_hold_no_formula(visit: Any) -> None:
    page = visit("#v=1&s=small")
    said = page.evaluate(
        """async () => { const { rowsAsTsv } = await import('#copymenu'); const { View } = await import('#view');
        const payload = await (await fetch('/api/sessions/small')).json();
        payload.table.strings = payload.table.strings.map((s) => s === 'Write: docs/tides.md' ? 'Write: =cmd()' : s);
        const view = new View(payload, 0); return rowsAsTsv(view, view.lines); }"""
    )
    assert "\t'=cmd()\t" in said


def test_the_copy_menu_closes_with_escape_and_keeps_the_detail(call: Any) -> None:
    page = call(BASH, {"command": "npm test"}, "x")
    page.locator(".detail .menu summary").focus()
    press(page, "Enter", "ArrowDown", "Escape")
    assert page.locator(".detail .menu").get_attribute("open") is None
    assert page.locator(".detail").is_visible()
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"


def test_control_c_copies_the_selected_call(visit: Any) -> None:
    page = visit("#v=1&s=small", permissions=["clipboard-read", "clipboard-write"])
    page.evaluate("navigator.clipboard.writeText('')")
    press(page, "Home", "ArrowDown", "ArrowDown", "Control+c")
    copied(page, "src/tides/table.py")


def test_the_detail_docks_right_of_the_lines_and_stays_there(visit: Any) -> None:
    page = visit("#v=1&s=small&row=toolu_00000")
    page.get_by_role("button", name="Dock right of the lines").click()
    settle(page)
    grid, detail = page.locator(".grid").bounding_box(), page.locator(".detail").bounding_box()
    assert abs(grid["x"] + grid["width"] - detail["x"]) < 2
    assert line(page, "npm test").locator(".bar, .off").first.is_visible()
    page.get_by_role("separator").focus()
    press(page, "ArrowLeft")
    assert abs(page.locator(".detail").bounding_box()["width"] - detail["width"] - 24) < 2
    page.reload()
    page.locator(".detailbody .text").first.wait_for()
    assert page.locator(".detail").bounding_box()["x"] > 400
    page.get_by_role("button", name="Dock below the lines").click()
    assert page.locator(".detail").bounding_box()["x"] == 0
