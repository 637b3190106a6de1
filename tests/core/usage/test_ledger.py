"""What was spent: one API call per reply, its last record right, counted once over all files."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.conftest import Read
from tests.core.told import OTHER, called, spawned, started
from tests.transcripts import Call, Transcript, used
from waterglass.session import Session

ZERO = dict.fromkeys(("apiCalls", "input", "cacheCreation", "cacheCreation1h", "cacheRead", "output"), 0)


def sums(usage: dict[str, Any]) -> dict[str, int]:
    """The counts of a usage that are not zero."""
    return {name: usage[name] for name in ZERO if usage[name]}


def spent(session: Session) -> dict[str, int]:
    return sums(session.usage)


def test_a_reply_split_over_records_is_one_call_and_its_last_record_counts(read: Read) -> None:
    t = started()
    usage = used(input=3, output=700, read=40, created=50, created_1h=20)
    t.reply("Text", [Call("Bash", {"command": "ls"}, "c1")], thinking="hm", usage=usage)
    assert len(t.lines) == 4
    assert spent(read(t)) == {
        "apiCalls": 1, "input": 3, "cacheCreation": 50, "cacheCreation1h": 20, "cacheRead": 40, "output": 700,
    }  # fmt: skip


def test_the_last_record_wins_though_other_records_lie_between_and_it_is_smaller(read: Read) -> None:
    t = started()
    t.reply("One", message_id="m", usage=used(output=9))
    t.prompt("Hm")
    t.reply("two", message_id="m", usage=used(output=5))
    assert spent(read(t))["output"] == 5


def test_a_request_id_is_no_key(read: Read) -> None:
    t = started()
    t.reply("One", message_id="m1", requestId="r", usage=used(output=1))
    t.reply("Two", message_id="m2", requestId="r", usage=used(output=2))
    t.reply("three", message_id="m2", requestId="other", usage=used(output=3))
    assert (spent(read(t))["apiCalls"], spent(read(t))["output"]) == (2, 4)


@pytest.mark.parametrize("empty", ["", None])
def test_records_without_a_message_id_are_calls_of_their_own(read: Read, empty: str | None) -> None:
    t = started()
    for n in (1, 2):
        t.reply(f"Reply {n}", usage=used(input=0, output=n))
        line = t.lines[-1]
        assert isinstance(line, dict)
        line["message"]["id"] = empty
    assert spent(read(t)) == {"apiCalls": 2, "output": 3}


def test_what_the_program_said_itself_is_no_call(read: Read) -> None:
    t = started()
    t.reply("API Error: 529", model="<synthetic>", usage=used(0, 0), isApiErrorMessage=True)
    t.reply("No response requested.", model="<synthetic>", usage=used(0, 0))
    session = read(t)
    assert spent(session) == {}
    assert session.head()["session"]["models"] == []
    assert [r["apiError"] for r in session.head()["replies"]] == [True, False]


def test_a_reply_that_never_stopped_has_an_output_that_is_a_lower_bound(read: Read) -> None:
    for version, bound in (("2.0.30", True), ("2.1.220", False)):
        t = started(version)
        t.reply("Hi")
        session = read(t)
        assert session.usage["outputIsLowerBound"] is bound
        assert session.head()["replies"][0]["usage"]["outputIsLowerBound"] is bound


def test_a_stop_reason_on_any_record_of_a_reply_makes_its_output_final(read: Read) -> None:
    t = started()
    t.reply("One", message_id="m", stop_reason="tool_use")
    t.reply("two", message_id="m", stop_reason=None)
    assert read(t).usage["outputIsLowerBound"] is False


def test_an_advisor_is_a_call_of_its_own_model_and_other_passes_are_in_the_sums_already(read: Read) -> None:
    passes = [
        {"type": "message", **used(input=1, output=2, read=3)},
        {"type": "advisor_message", "model": "claude-advisor", **used(input=100, output=200)},
        {"type": "message", **used(input=4, output=5, read=6)},
    ]
    t = started()
    t.reply("Hi", usage=used(input=5, output=7, read=9, iterations=passes))
    session = read(t)
    assert spent(session) == {"apiCalls": 2, "input": 105, "cacheRead": 9, "output": 207}
    by_model = {model: sums(usage) for model, usage in session.usage["byModel"].items()}
    assert by_model["claude-advisor"] == {"apiCalls": 1, "input": 100, "output": 200}
    assert sums(session.head()["replies"][0]["usage"]) == {"apiCalls": 1, "input": 5, "cacheRead": 9, "output": 7}


def test_an_advisor_that_every_part_of_a_reply_repeats_counts_once(read: Read) -> None:
    passes = [{"type": "advisor_message", "model": "m", **used(input=100, output=200)}]
    t = started()
    t.reply("Hi", [Call("Bash", {"command": "ls"}, "c1")], usage=used(input=1, output=2, iterations=passes))
    assert spent(read(t)) == {"apiCalls": 2, "input": 101, "output": 202}


def test_main_thread_agents_and_models_add_up_to_the_whole(read: Read) -> None:
    t = started()
    t.reply("Hi", usage=used(1, 2, 3, 4), model="m1")
    spawned(t, "s1", "Look", delay="+1s")
    agent = t.agent("a1", sidecar={"toolUseId": "s1"})
    agent.prompt("Look")
    agent.reply("Seen", usage=used(10, 20, 30, 40), model="m2")
    usage = read(t).usage
    for name in ZERO:
        assert usage[name] == usage["main"][name] + usage["agents"][name]
        assert usage[name] == sum(part[name] for part in usage["byModel"].values())
    assert sums(usage["agents"]) == {"apiCalls": 1, "input": 10, "output": 20, "cacheRead": 30, "cacheCreation": 40}
    assert list(usage["byModel"]) == ["m1", "claude-opus-5", "m2"]


def test_rows_of_one_reply_show_the_same_figures_and_totals_count_them_once(read: Read) -> None:
    t = started()
    called(t, "c1", "c2", usage=used(input=1, output=50, read=2, created=3))
    session = read(t)
    rows = session.payload()["rows"]
    assert [(r["inputTokens"], r["outputTokens"], r["tokens"]) for r in rows] == [
        (6, 50, {"input": 6, "output": 50})
    ] * 2
    assert spent(session)["output"] == 50


def test_a_reply_without_usage_has_no_figures(read: Read) -> None:
    t = started()
    called(t, "c1")
    line = t.lines[-1]
    assert isinstance(line, dict)
    del line["message"]["usage"]
    (row,) = read(t).payload()["rows"]
    assert (row["inputTokens"], row["contextFillPercent"]) == (None, None)


def forked(kind: str) -> tuple[Transcript, Transcript]:
    """A session and its copy that went on; `kind` is how the copy names its source."""
    first = started(prompt="Go")
    first.reply("Hi", message_id="m1", usage=used(input=10, output=20))
    copy = Transcript(OTHER, now=first.now)
    for line in first.lines:
        assert isinstance(line, dict)
        more = {"forkedFrom": {"sessionId": first.session_id, "messageUuid": line["uuid"]}} if kind == "fork" else {}
        copy.raw({**line, "sessionId": OTHER, **more})
    copy.last = first.last
    first.at("+1m").reply("On", message_id="m2", usage=used(input=1, output=2))
    copy.at("+1h").reply("Elsewhere", message_id="m3", usage=used(input=3, output=4))
    return first, copy


@pytest.mark.parametrize("kind", ["fork", "resume"])
def test_a_copied_history_is_inherited_and_spent_by_its_owner_alone(read: Read, kind: str) -> None:
    first, copy = forked(kind)
    mine, theirs = read(copy, first), read(first, copy)
    assert spent(mine) == {"apiCalls": 1, "input": 3, "output": 4}
    assert sums(mine.usage["inherited"]) == {"apiCalls": 1, "input": 10, "output": 20}
    assert spent(theirs) == {"apiCalls": 2, "input": 11, "output": 22}
    assert sums(theirs.usage["inherited"]) == {}
    assert mine.head()["session"]["continues"] == first.session_id
    assert theirs.head()["session"]["continues"] is None


def test_an_inherited_reply_is_shown_and_still_fills_the_context(read: Read) -> None:
    first, copy = forked("fork")
    copy.lines.pop()
    session = read(copy, first)
    assert [r["text"] for r in session.head()["replies"]] == ["Hi"]
    assert session.head()["context"]["tokens"] == 10


def test_an_inherited_reply_takes_its_advisor_with_it(read: Read) -> None:
    first, copy = started(), Transcript(OTHER)
    passes = [{"type": "advisor_message", "model": "m", **used(input=100, output=200)}]
    first.reply("Hi", message_id="m1", usage=used(input=1, output=2, iterations=passes))
    for line in first.lines:
        assert isinstance(line, dict)
        copy.raw({**line, "sessionId": OTHER})
    copy.at(first).at("+1h").reply("On", usage=used(input=3, output=4))
    mine, theirs = read(copy, first), read(first, copy)
    assert spent(theirs) == {"apiCalls": 2, "input": 101, "output": 202}
    assert spent(mine) == {"apiCalls": 1, "input": 3, "output": 4}
    assert sums(mine.usage["inherited"]) == {"apiCalls": 2, "input": 101, "output": 202}
