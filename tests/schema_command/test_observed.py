"""The counters behind `waterglass schema`."""

from __future__ import annotations

import string
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.transcripts import Call, Transcript
from waterglass.model import Coverage
from waterglass.schema import observed as limits
from waterglass.schema.confirmed import confirm
from waterglass.schema.inventory import inventory
from waterglass.schema.observed import Observed, kind_of
from waterglass.schema.tally import MAX_KEYS, MAX_NAME, Tally, version_order

WANTED = [
    "record role/type",
    "tool name",
    "tool input",
    "tool result / success",
    "exit code",
    "toolUseId correlation",
    "timestamp",
    "semantic tool names",
    "isMeta on tool results",
]


def observe(*files: list[Any]) -> Observed:
    observed = Observed()
    for records in files:
        for record in records:
            observed.record(record)
        observed.end_file()
    return observed


def session(version: str = "2.1.220") -> Transcript:
    transcript = Transcript("5e55aaaa-0000-4000-8000-000000000001", version=version)
    transcript.at("2026-03-02T09:00:00Z").prompt("Fix it")
    return transcript


def verdicts(observed: Observed, semantic: dict[str, int] | None = None) -> dict[str, str]:
    return {row.wanted: row.confirmed for row in confirm(observed, semantic or {})}


def counts(observed: Observed, wanted: str) -> dict[str, int]:
    return next(row.counts for row in confirm(observed, {}) if row.wanted == wanted)


def test_with_no_record_every_line_of_the_table_says_not_seen_here() -> None:
    assert verdicts(Observed()) == dict.fromkeys(WANTED, "not seen here")


def test_an_ordinary_session_bears_out_what_readers_rely_on() -> None:
    transcript = session()
    transcript.reply(calls=[Call("Bash", {"command": "ls"}, "toolu_1"), Call("LSP", {"operation": "hover"}, "toolu_2")])
    transcript.result("toolu_1", "a")
    transcript.result("toolu_2", "b")
    found = verdicts(observe(transcript.lines), {"LSP": 1})
    assert found.pop("isMeta on tool results") == "no"
    assert found.pop("exit code") == "not seen here"
    assert set(found.values()) == {"yes"}


def test_an_exit_code_is_at_best_partly_there_since_it_is_only_text() -> None:
    transcript = session()
    transcript.reply(calls=[Call("Bash", {"command": "false"}, "toolu_1")])
    transcript.result("toolu_1", "Exit code 1\n", is_error=True)
    with_code = observe(transcript.lines)
    assert verdicts(with_code)["exit code"] == "partly"
    assert counts(with_code, "exit code") == {"failed results with a code": 1, "failed results": 1}
    transcript = session("1.0.80")
    transcript.reply(calls=[Call("Bash", {"command": "false"}, "toolu_1")])
    transcript.result("toolu_1", "no such file", is_error=True)
    assert verdicts(observe(transcript.lines))["exit code"] == "no"


def test_calls_and_results_are_paired_within_their_file_only() -> None:
    call = {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "tool_use", "id": "a"}]}}
    result = {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a"}]}}
    wanted = "toolUseId correlation"
    assert counts(observe([result, call]), wanted)["calls with one result"] == 1
    apart = counts(observe([call], [result]), wanted)
    assert (apart["with none"], apart["results without a call"]) == (1, 1)
    assert counts(observe([call, result, result]), wanted)["with several"] == 1
    assert verdicts(observe([call], [result]))[wanted] == "no"


def test_a_call_without_a_result_says_nothing_against_the_ids() -> None:
    transcript = session()
    transcript.reply(calls=[Call("Read", {}, "toolu_1"), Call("Read", {}, "toolu_2")])
    transcript.result("toolu_1", "a")
    assert verdicts(observe(transcript.lines))["toolUseId correlation"] == "yes"


def test_ids_are_followed_up_to_a_limit_and_the_rest_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_IDS", 2)
    blocks = [{"type": "tool_use", "id": str(n), "name": "Read", "input": {}} for n in range(5)]
    observed = observe([{"type": "assistant", "message": {"role": "assistant", "content": blocks}}])
    assert counts(observed, "toolUseId correlation") == {
        "calls with one result": 0,
        "with none": 2,
        "with several": 0,
        "results without a call": 0,
        "calls not followed": 3,
    }


@pytest.mark.parametrize(
    ("record", "kind"),
    [
        ({"type": "user"}, ("user", None)),
        ({"type": "user", "subtype": "x"}, ("user", None)),
        ({"type": "system", "subtype": "compact_boundary"}, ("system", "compact_boundary")),
        ({"type": "system"}, ("system", None)),
        ({"type": "attachment", "attachment": {"type": "file"}}, ("attachment", "file")),
        ({"type": "attachment", "attachment": "odd"}, ("attachment", None)),
        ({"type": "progress", "data": {"type": "hook_progress"}}, ("progress", "hook_progress")),
        ({"type": ["user"]}, (None, None)),
        ({}, (None, None)),
    ],
)
def test_a_record_goes_by_its_type_and_the_subtype_that_its_type_has(record: dict[str, Any], kind: object) -> None:
    assert kind_of(record) == kind


def test_versions_are_compared_by_their_numbers() -> None:
    assert sorted(["2.1.10", "0.2.122", "2.1.9", "2.0.76"], key=version_order) == [
        "0.2.122",
        "2.0.76",
        "2.1.9",
        "2.1.10",
    ]


@pytest.mark.parametrize("text", ["", "latest", "\x1b[31m2.1", "2.1-beta", "٢.١", "1." * 40, "9" * 5_000])
def test_what_is_no_version_widens_no_range(text: str) -> None:
    assert version_order(text) == ()
    observed = observe([{"type": "user", "version": "2.1.9"}, {"type": "user", "version": text}])
    tally = observed.kinds.found["user", None]
    assert (tally.first_version, tally.last_version) == ("2.1.9", "2.1.9")


def test_a_record_without_a_version_has_the_one_that_its_file_says_nearest() -> None:
    mode: dict[str, Any] = {"type": "mode"}
    observed = observe(
        [mode, {"type": "user", "version": "2.1.207"}, {"type": "user", "version": "2.1.232"}, mode],
        [mode],
    )
    tally = observed.kinds.found["mode", None]
    assert (tally.count, tally.files, tally.first_version, tally.last_version) == (3, 2, "2.1.207", "2.1.232")


def test_the_forms_of_results_name_their_blocks_once_each_in_one_order() -> None:
    image, text = {"type": "image", "source": {}}, {"type": "text", "text": "x"}
    forms: list[Any] = ["x", None, [], [text], [text, image, text], [image, text], ["x"], [{}], {}, [None]]
    results = [{"type": "tool_result", "tool_use_id": str(n), "content": form} for n, form in enumerate(forms)]
    observed = observe([{"type": "user", "message": {"role": "user", "content": results}}])
    assert {form: tally.count for form, tally in observed.result_forms.found.items()} == {
        "string": 1,
        "absent": 1,
        "empty list": 1,
        "list of text": 1,
        "list of image and text": 2,
        "list of bare string": 1,
        "list of (no type)": 1,
        "other": 1,
        "list of other": 1,
    }


def test_is_error_is_true_false_absent_or_something_else() -> None:
    signs: list[Any] = [True, False, None, "true", 1]
    blocks = [{"type": "tool_result", "tool_use_id": "a", "is_error": sign} for sign in signs]
    observed = observe([{"type": "user", "message": {"role": "user", "content": [*blocks, {"type": "tool_result"}]}}])
    assert dict(observed.is_error) == {"true": 1, "false": 1, "absent": 2, "other": 2}


def test_unknown_types_of_records_and_blocks_are_told_by_name() -> None:
    odd = {"type": "atis-latch", "message": {"content": [{"type": "brand_new"}, {"type": "text"}]}}
    nested = {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "brand_new"}]}
    observed = observe([odd, odd, {"type": "user", "message": {"role": "user", "content": [nested]}}])
    assert observed.unknown_records == {"atis-latch": 2}
    assert observed.unknown_blocks == {"brand_new": 3}


def test_times_in_other_forms_are_no_confirmation() -> None:
    records: list[Any] = [{"timestamp": "2026-03-02T09:00:00.000Z"}, {"ts": 1_772_442_000}, {"timestamp": "soon"}, {}]
    observed = observe(records)
    assert dict(observed.times) == {"usual": 1, "other form": 1, "unreadable": 1, "absent": 1}
    assert verdicts(observed)["timestamp"] == "partly"
    assert verdicts(observe([{"ts": 1_772_442_000}]))["timestamp"] == "no"
    assert verdicts(observe([{}]))["timestamp"] == "not seen here"


def test_a_file_of_ever_new_names_fills_counters_up_to_their_limits_only() -> None:
    observed = Observed()
    for n in range(3_000):
        block = {"type": f"b{n}", "k" * 200_000: 0} if n < 3 else {"type": f"b{n}"}
        calls = [{"type": "tool_use", "id": f"{n}", "name": f"tool {n}" * 50, "input": {}}]
        record = {"type": f"t{n % 400}", f"key {n}": 1, "message": {"role": "user", "content": [block, *calls]}}
        observed.record(record)
    observed.end_file()
    assert len(observed.kinds.found) == limits.MAX_KINDS
    assert len(observed.blocks.found) == limits.MAX_BLOCKS
    assert len(observed.tools.found) == limits.MAX_TOOLS
    assert observed.kinds.total == 3_000
    assert observed.tools.total == 3_000
    assert observed.blocks.total == 6_000
    names = [*observed.tools.found, *(key for t in observed.blocks.found.values() for key in t.keys)]
    assert max(map(len, names)) == MAX_NAME


def test_keys_beyond_the_limit_are_counted_and_the_first_ones_stay() -> None:
    tally = Tally()
    tally.saw(0, None, ["type", "uuid"])
    tally.saw(0, None, [f"odd {n}" for n in range(MAX_KEYS + 40)])
    tally.saw(0, None, ["type", "late"])
    assert len(tally.keys) == MAX_KEYS
    assert (tally.keys["type"], tally.keys["uuid"]) == (2, 1)
    assert tally.keys_left_out == 42 + 1
    assert tally.keys.total() + tally.keys_left_out == 2 + MAX_KEYS + 40 + 2


_NAMES = ["type", "subtype", "message", "content", "role", "version", "timestamp", "ts", "attachment", "data", "isMeta"]
_NAMES += ["is_error", "tool_use_id", "id", "name", "input"]
_WORDS = ["user", "assistant", "system", "attachment", "progress", "tool_use", "tool_result", "text", "2.1.9", ""]
_KEYS = st.sampled_from(_NAMES) | st.text(string.printable, max_size=3)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(_WORDS) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS, inner, max_size=6),
    max_leaves=12,
)


@given(st.lists(st.dictionaries(_KEYS, _VALUES, max_size=8), max_size=4))
@settings(max_examples=60, deadline=None)
def test_any_object_is_counted_once_and_the_document_can_be_made(records: list[dict[str, Any]]) -> None:
    document = inventory(observe(records), Coverage(), 0, {})
    assert sum(row["count"] for row in document["recordTypes"]) == len(records)
    assert sum(document["isError"].values()) == sum(row["count"] for row in document["resultContents"])
    assert [row["wanted"] for row in document["confirmed"]] == WANTED
    assert all(0 < key["share"] <= 1 for row in document["recordTypes"] for key in row["keys"])
