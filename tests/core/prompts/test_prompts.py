"""Prompts are what a person typed on the main thread, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.conftest import Read
from tests.core.told import SESSION, called, spawned, started
from tests.transcripts import Transcript
from waterglass.session import Session


def said(session: Session) -> list[tuple[str, str]]:
    """State and text of each prompt."""
    return [(p["state"], p["text"]) for p in session.head()["prompts"]]


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def test_text_and_blocks_of_text_are_prompts_and_blocks_are_joined_by_a_newline(read: Read) -> None:
    t = Transcript(SESSION)
    t.prompt("Plain")
    t.prompt([text("First"), text("second")])
    t.prompt([text("Look"), {"type": "image", "source": {"type": "base64", "data": "x"}}, text("here")])
    assert said(read(t)) == [("sent", "Plain"), ("sent", "First\nsecond"), ("sent", "Look\nhere")]


@pytest.mark.parametrize(
    "written",
    [
        "<system-reminder>Mind the gap</system-reminder>",
        "<command-name>/clear</command-name>",
        "<command-message>x</command-message>",
        "<local-command-stdout>x</local-command-stdout>",
        "<local-command-caveat>x</local-command-caveat>",
        "<bash-input>ls</bash-input>",
        "<bash-stdout>x</bash-stdout><bash-stderr></bash-stderr>",
        "<task-notification><task-id>b1</task-id></task-notification>",
        "<ide_opened_file>x</ide_opened_file>",
        "[Request interrupted by user]",
        "[Request interrupted by user for tool use]",
        "Stop hook feedback:\n- x",
        "  \n<system-reminder>x</system-reminder>",
    ],
)
def test_what_the_program_wrote_is_no_prompt_and_is_left_out_of_one(read: Read, written: str) -> None:
    t = Transcript(SESSION)
    t.prompt(written)
    t.prompt([text(written), text("Mine"), text(written)])
    assert said(read(t)) == [("sent", "Mine")]


@pytest.mark.parametrize("mark", ["isMeta", "isCompactSummary", "isVisibleInTranscriptOnly"])
def test_text_that_the_program_put_in_is_no_prompt(read: Read, mark: str) -> None:
    t = started()
    t.prompt("Caveat", **{mark: True})
    t.prompt([text("Caveat")], **{mark: True})
    assert said(read(t)) == [("sent", "Go")]


def test_words_that_only_quote_the_program_are_a_prompt(read: Read) -> None:
    words = ["Why <system-reminder>?", "<b>bold</b>", "< system-reminder>", "[Request for help]", "Stop hooks please"]
    t = Transcript(SESSION)
    for one in words:
        t.prompt(one)
    assert [p for _, p in said(read(t))] == words


def test_a_text_of_nothing_is_no_prompt(read: Read) -> None:
    t = Transcript(SESSION)
    for empty in ("", "  \n", [], [text("")]):
        t.prompt(empty)  # type: ignore[arg-type]
    assert said(read(t)) == []


def test_text_beside_a_result_is_a_prompt_too(read: Read) -> None:
    t = started()
    called(t, "c1")
    block = {"type": "tool_result", "tool_use_id": "c1", "content": "x"}
    t.record("user", message={"role": "user", "content": [block, text("And do this")]})
    session = read(t)
    assert said(session) == [("sent", "Go"), ("sent", "And do this")]
    assert session.rows[0].outcome == "ok"


@pytest.mark.parametrize("version", ["1.0.60", "2.0.30", "2.1.220"])
def test_what_an_agent_was_asked_is_no_prompt(read: Read, version: str) -> None:
    t = started(version)
    spawned(t, "s1", "Look")
    t.agent("a1").prompt("Look")
    assert said(read(t)) == [("sent", "Go")]


def test_a_queued_text_stands_where_it_was_taken_in(read: Read) -> None:
    t = started()
    t.queue("enqueue", "Also this")
    called(t, "c1")
    t.result("c1", "x")
    t.queue("remove")
    t.attachment("queued_command", prompt="Also this", commandMode="prompt")
    t.prompt("Next")
    assert said(read(t)) == [("sent", "Go"), ("queued", "Also this"), ("sent", "Next")]


def test_a_queued_text_that_got_a_record_of_its_own_is_sent(read: Read) -> None:
    t = started()
    t.queue("enqueue", "Also this")
    t.queue("dequeue")
    t.prompt("Also this")
    assert said(read(t)) == [("sent", "Go"), ("sent", "Also this")]


def test_a_queued_text_that_is_seen_in_neither_form_is_unsent(read: Read) -> None:
    t = started()
    t.queue("enqueue", "Lost")
    t.queue("popAll")
    t.prompt("Next")
    session = read(t)
    assert said(session) == [("sent", "Go"), ("unsent", "Lost"), ("sent", "Next")]
    assert session.listing()["prompts"] == 2
    assert [m["label"] for m in session.head()["marks"] if m["kind"] == "prompt"] == ["Go", "Next"]


def test_equal_texts_are_matched_one_to_one(read: Read) -> None:
    t = started()
    for _ in range(3):
        t.queue("enqueue", "Again")
    t.attachment("queued_command", prompt="Again")
    t.prompt("Again")
    assert sorted(state for state, words in said(read(t)) if words == "Again") == ["queued", "sent", "unsent"]


@pytest.mark.parametrize("via", ["queue", "attachment"])
def test_a_notification_in_the_queue_is_no_prompt(read: Read, via: str) -> None:
    t = started()
    t.notification("b1", "Ended", via=via)
    t.queue("enqueue", "/compact <command-name>x</command-name>")
    assert said(read(t)) == [("sent", "Go"), ("unsent", "/compact <command-name>x</command-name>")]


def test_a_queued_text_of_blocks_is_joined(read: Read) -> None:
    t = started()
    t.attachment("queued_command", prompt=[text("One"), {"type": "image", "source": {}}, text("two")])
    assert said(read(t))[1] == ("queued", "One\ntwo")


def branches(session: Session) -> tuple[dict[str, str], int]:
    """The branch of each prompt by its text, and the number of abandoned ways."""
    head = session.head()
    return {p["text"]: p["branch"] for p in head["prompts"]}, head["coverage"]["branches"]


def test_a_rewind_leaves_the_earlier_of_two_prompts_under_one_record_and_all_below_it(read: Read) -> None:
    t = started()
    t.at("+1s").reply("Yes?")
    fork = t.last
    t.prompt("First try")
    t.reply("Tried.")
    t.prompt("More of it")
    t.prompt("Second try", parentUuid=fork)
    t.reply("Better.")
    t.prompt("Go on")
    assert branches(read(t)) == (
        {
            "Go": "active",
            "First try": "abandoned",
            "More of it": "abandoned",
            "Second try": "active",
            "Go on": "active",
        },
        1,
    )


def test_each_further_prompt_under_one_record_is_one_way_more(read: Read) -> None:
    t = started()
    fork = t.last
    for n in range(4):
        t.prompt(f"Try {n}", parentUuid=fork)
    assert branches(read(t))[1] == 3


def test_results_hooks_and_replies_under_one_record_are_no_branch(read: Read) -> None:
    t = started()
    called(t, "c1", "c2", one_record_per_block=False)
    parent = t.last
    for id in ("c1", "c2"):
        t.result(id, "x")
    t.attachment("hook_success", hookName="PostToolUse")
    t.prompt("Next", parentUuid=parent)
    assert branches(read(t)) == ({"Go": "active", "Next": "active"}, 0)


def test_prompts_without_a_parent_are_no_branch(read: Read) -> None:
    t = Transcript(SESSION)
    for n in range(3):
        t.prompt(f"Start {n}", parentUuid=None)
    assert branches(read(t))[1] == 0


def test_what_lies_below_an_abandoned_prompt_over_a_compaction_is_abandoned(read: Read) -> None:
    t = started()
    fork = t.last
    t.prompt("First try")
    t.compact_boundary()
    t.prompt("After it")
    t.prompt("Second try", parentUuid=fork)
    assert branches(read(t))[0] == {
        "Go": "active", "First try": "abandoned", "After it": "abandoned", "Second try": "active",
    }  # fmt: skip


def test_branches_of_a_long_chain_and_of_a_circle_are_told(read: Read) -> None:
    t = started()
    fork = t.last
    for n in range(3_000):
        t.prompt(f"step {n}")
    t.prompt("Other way", parentUuid=fork)
    t.prompt("Round", uuid="r1", parentUuid="r2")
    t.prompt("and round", uuid="r2", parentUuid="r1")
    found, ways = branches(read(t))
    assert ways == 1
    assert (found["step 2999"], found["Other way"], found["Round"], found["and round"]) == (
        "abandoned", "active", "active", "active",
    )  # fmt: skip


def test_a_long_prompt_is_cut_and_its_whole_text_is_there_when_asked_for(read: Read) -> None:
    t = started(prompt="ä" * 5_000)
    session = read(t)
    (prompt,) = session.head()["prompts"]
    assert (len(prompt["text"]), prompt["textChars"]) == (2_000, 5_000)
    assert session.prompt_body(prompt["uuid"]) == {"uuid": prompt["uuid"], "text": "ä" * 5_000}
    assert session.prompt_body("nobody") is None


def test_the_whole_text_of_a_prompt_leaves_out_what_the_program_wrote(read: Read) -> None:
    t = Transcript(SESSION)
    t.prompt([text("<system-reminder>x</system-reminder>"), text("a" * 1_500), text("b" * 1_500)])
    t.attachment("queued_command", prompt="Queued")
    t.queue("enqueue", "Unsent")
    session = read(t)
    bodies = [session.prompt_body(p["uuid"]) for p in session.head()["prompts"]]
    assert [b and b["text"] for b in bodies] == ["a" * 1_500 + "\n" + "b" * 1_500, "Queued", "Unsent"]
