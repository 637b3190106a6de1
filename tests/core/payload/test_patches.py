"""A change with the line numbers of its file, where the result has them and they add up."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.conftest import Read
from tests.core.told import started
from tests.transcripts import Call

HUNK: dict[str, Any] = {"oldStart": 14, "oldLines": 3, "newStart": 14, "newLines": 2, "lines": [" a", "-b", "-c", "+B"]}
GIVEN = {"file_path": "tide.py", "old_string": "b\nc", "new_string": "B"}


def patch_of(read: Read, mirror: Any) -> Any:
    """The patch of a call whose result says this of itself."""
    t = started()
    t.reply(calls=[Call("Edit", GIVEN, "c1")])
    t.result("c1", "updated", tool_use_result=mirror)
    body = read(t).row_body("c1")
    assert body is not None and body["output"] == "updated"
    return body["patch"]


def test_a_patch_has_its_line_numbers_and_lines(read: Read) -> None:
    assert patch_of(read, {"structuredPatch": [HUNK]}) == [{"oldStart": 14, "newStart": 14, "lines": HUNK["lines"]}]


def test_a_note_that_the_file_has_no_last_newline_is_no_line(read: Read) -> None:
    noted = HUNK | {"lines": [*HUNK["lines"], "\\ No newline at end of file"]}
    assert patch_of(read, {"structuredPatch": [noted]})[0]["lines"] == HUNK["lines"]


@pytest.mark.parametrize(
    "mirror",
    [
        None,
        "Error: no",
        {},
        {"structuredPatch": []},
        {"structuredPatch": {"0": HUNK}},
        {"structuredPatch": [None]},
        {"structuredPatch": [HUNK | {"oldStart": "14"}]},
        {"structuredPatch": [HUNK | {"oldStart": True}]},
        {"structuredPatch": [HUNK | {"newStart": -1}]},
        {"structuredPatch": [HUNK | {"newStart": 1 << 60}]},
        {"structuredPatch": [HUNK | {"oldLines": 2}]},
        {"structuredPatch": [HUNK | {"newLines": 9}]},
        {"structuredPatch": [HUNK | {"lines": None}]},
        {"structuredPatch": [HUNK | {"lines": [" a", 5]}]},
        {"structuredPatch": [HUNK | {"lines": [" a", "-b", "-c", "B"]}]},
        {"structuredPatch": [HUNK | {"lines": [" a", "-b", "-c", "+B", ""]}]},
        {"structuredPatch": [HUNK, {"lines": []}]},
    ],
)
def test_a_patch_that_does_not_add_up_is_none(read: Read, mirror: Any) -> None:
    assert patch_of(read, mirror) is None


def test_a_patch_of_a_record_with_several_results_is_nobodys(read: Read) -> None:
    t = started()
    t.reply(calls=[Call("Edit", GIVEN, "c1"), Call("Edit", GIVEN, "c2")])
    t.result("c1", "updated", tool_use_result={"structuredPatch": [HUNK]})
    record = t.lines[-1]
    assert isinstance(record, dict)
    record["message"]["content"].append({"tool_use_id": "c2", "type": "tool_result", "content": "updated too"})
    session = read(t)
    assert [body["output"] for body in session.bodies()] == ["updated", "updated too"]
    assert [body["patch"] for body in session.bodies()] == [None, None]
