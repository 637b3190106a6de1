"""What a session continues, and who owns the replies that several sessions hold."""

from __future__ import annotations

from tests.core.conftest import Read
from tests.core.told import OTHER, SESSION, started
from tests.transcripts import Transcript, used
from waterglass.session import Session

THIRD = "c0fe0000-0000-4000-8000-00000000000c"


def continues(session: Session) -> str | None:
    found: str | None = session.head()["session"]["continues"]
    return found


def copied(source: Transcript, session_id: str, lines: int | None = None) -> Transcript:
    """A session that begins with a copy of the first lines of another."""
    t = Transcript(session_id, now=source.now)
    for line in source.lines[:lines]:
        assert isinstance(line, dict)
        t.raw({**line, "sessionId": session_id})
    return t


def test_a_fork_continues_the_session_that_its_records_name_in_sight_or_not(read: Read) -> None:
    t = Transcript(SESSION)
    t.prompt("Go", forkedFrom={"sessionId": OTHER, "messageUuid": "u"})
    assert continues(read(t)) == OTHER


def test_another_session_id_in_the_first_record_that_has_one_is_what_it_continues(read: Read) -> None:
    t = Transcript(SESSION)
    t.raw({"type": "summary", "summary": "x", "leafUuid": "y"})
    t.prompt("Go", sessionId=OTHER)
    t.prompt("On", sessionId=SESSION)
    assert continues(read(t)) == OTHER


def test_another_session_id_later_in_the_file_says_nothing(read: Read) -> None:
    t = started()
    t.prompt("On", sessionId=OTHER)
    assert continues(read(t)) is None


def test_a_copied_history_continues_the_owner_of_its_replies(read: Read) -> None:
    first = started(session_id=OTHER)
    first.reply("Hi", message_id="m1")
    t = copied(first, SESSION)
    t.at("+1h").reply("On", message_id="m2")
    assert continues(read(t, first)) == OTHER
    assert continues(read(first, t)) is None


def test_the_latest_session_of_the_same_slug_that_had_ended_before_is_what_it_continues(read: Read) -> None:
    one = started("2.1.20", session_id=OTHER, slug="brave-otter")
    two = started("2.1.20", session_id=THIRD, slug="brave-otter", now=one.now + 60_000)
    t = started("2.1.20", slug="brave-otter", now=one.now + 3_600_000)
    assert continues(read(t, one, two)) == THIRD
    assert continues(read(two, one, t)) == OTHER
    assert continues(read(one, two, t)) is None


def test_a_slug_joins_no_sessions_that_overlap_or_lie_in_other_projects(read: Read) -> None:
    one = started("2.1.20", session_id=OTHER, slug="brave-otter")
    one.at("+2h").prompt("Still here")
    t = started("2.1.20", slug="brave-otter", now=one.now - 3_600_000)
    assert continues(read(t, one)) is None
    far = started("2.1.20", session_id=THIRD, slug="brave-otter", cwd="/code/elsewhere")
    assert continues(read(t, far)) is None


def test_no_session_continues_itself(read: Read) -> None:
    t = Transcript(SESSION)
    t.prompt("Go", forkedFrom={"sessionId": SESSION, "messageUuid": "u"})
    assert continues(read(t)) is None


def test_over_a_chain_of_copies_each_reply_is_spent_once_by_the_session_that_made_it(read: Read) -> None:
    first = started(session_id=OTHER)
    first.reply("One", message_id="m1", usage=used(input=1, output=10))
    second = copied(first, THIRD)
    second.at("+1h").reply("Two", message_id="m2", usage=used(input=1, output=200))
    third = copied(second, SESSION)
    third.at("+1h").reply("Three", message_id="m3", usage=used(input=1, output=3_000))
    outputs = {}
    for t in (first, second, third):
        others = [o for o in (first, second, third) if o is not t]
        usage = read(t, *others).usage
        outputs[t.session_id] = (usage["output"], usage["inherited"]["output"])
    assert outputs == {OTHER: (10, 0), THIRD: (200, 10), SESSION: (3_000, 210)}


def test_a_session_that_is_a_copy_and_no_more_comes_before_the_one_that_went_on(read: Read) -> None:
    first = started(session_id=OTHER)
    first.reply("One", message_id="m1", usage=used(input=1, output=10))
    t = copied(first, SESSION)
    t.at("+1h").reply("Two", message_id="m2", usage=used(input=1, output=200))
    assert read(first, t).usage["output"] == 10
    assert read(t, first).usage["output"] == 200
