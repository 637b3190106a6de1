"""The audit: every reply record once, under the reply that counts it or left out with its rule."""

from __future__ import annotations

from tests.core.conftest import Read
from tests.core.told import OTHER, started
from tests.transcripts import Call, Transcript, used
from waterglass.session import Session


def left_out(session: Session) -> list[tuple[str, int]]:
    return [(record["rule"], record["line"]) for record in session.audit()["leftOut"]]


def test_a_counted_reply_lists_all_its_records(read: Read) -> None:
    t = started()
    t.reply("Text", [Call("Bash", {"command": "ls"}, "c1")], message_id="m", thinking="hm", usage=used(output=7))
    document = read(t).audit()
    (reply,) = document["replies"]
    assert (reply["replyId"], [record["line"] for record in reply["records"]]) == ("m", [2, 3, 4])
    assert (document["agrees"], document["sum"]["output"], document["leftOut"]) == (True, 7, [])


def test_a_replay_and_a_text_of_the_program_are_left_out_by_name(read: Read) -> None:
    t = started()
    t.reply("One", message_id="m", usage=used(output=9))
    t.raw(t.lines[-1])
    t.reply("No response requested.", model="<synthetic>")
    session = read(t)
    assert left_out(session) == [("replay", 3), ("synthetic", 4)]
    assert session.audit()["records"] == {"counted": 1, "leftOut": 2}


def test_what_another_session_owns_is_left_out_and_in_no_sum(read: Read) -> None:
    first = Transcript(OTHER, cwd="/code/demo")
    first.at("2026-03-02T08:00:00Z").prompt("Begin")
    first.reply("One", message_id="m_old", usage=used(output=100))
    second = started()
    second.reply("One", message_id="m_old", usage=used(output=100), forkedFrom={"sessionId": OTHER})
    second.reply("Two", message_id="m_new", usage=used(output=5))
    document = read(second, first).audit()
    assert [reply["replyId"] for reply in document["replies"]] == ["m_new"]
    assert [record["rule"] for record in document["leftOut"]] == ["inherited"]
    assert (document["sum"]["output"], document["agrees"]) == (5, True)


def test_an_advisors_call_is_an_entry_of_its_own_within_the_reply_that_asked(read: Read) -> None:
    t = started()
    advice = {"type": "advisor_message", "model": "claude-advisor", **used(output=3)}
    t.reply("One", message_id="m", usage=used(output=4, iterations=[advice]))
    document = read(t).audit()
    assert [(reply["within"], reply["usage"]["output"]) for reply in document["replies"]] == [(None, 4), ("m", 3)]
    assert (document["agrees"], document["records"]["counted"]) == (True, 1)
