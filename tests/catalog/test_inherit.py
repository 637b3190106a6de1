"""A reply that several sessions hold is paid for once, by its owner."""

from __future__ import annotations

import copy
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.transcripts import Transcript, used
from waterglass.discover import Discovery, beside, discover
from waterglass.inherit import Held, ReplyIndex, history_of, owners, reply_index
from waterglass.session import load

A, B, C = (f"5e55000{n}-0000-4000-8000-00000000000{n}" for n in "abc")


def talk(session: str, replies: int = 2, **fields: object) -> Transcript:
    t = Transcript(session, **fields)  # type: ignore[arg-type]
    for number in range(replies):
        t.at("+1m").prompt(f"Question {number} of {session[:8]}")
        t.at("+1m").reply(text="Yes.", message_id=f"msg_{session[:8]}_{number}", usage=used(output=10))
    return t


def resumed(source: Transcript, session: str, replies: int = 2, **changes: object) -> Transcript:
    """A new session whose file begins with a copy of another's history, as a resume writes it."""
    t = talk(session, 0, folder=source.folder, now=source.now)
    for line in source.lines:
        line = copy.deepcopy(line)
        if isinstance(line, dict):
            line.update(sessionId=session, **changes)
        t.raw(line)
    for number in range(replies):
        t.at("+1m").prompt(f"More {number} of {session[:8]}")
        t.at("+1m").reply(text="Yes.", message_id=f"msg_{session[:8]}_{number}", usage=used(output=10))
    return t


def written(root: Path, *transcripts: Transcript) -> Discovery:
    for t in transcripts:
        t.write(root)
    return discover([str(root)])


def inherited(found: Discovery) -> dict[str, set[str]]:
    return {ref.id: set(history_of(ref, found.sessions).inherited) for ref in found}


def test_the_copy_inherits_and_the_source_owns(tmp_path: Path) -> None:
    a = talk(A)
    found = written(tmp_path, a, resumed(a, B))
    assert inherited(found) == {A: set(), B: {f"msg_{A[:8]}_0", f"msg_{A[:8]}_1"}}


def test_a_source_without_any_reply_of_its_own_still_comes_first(tmp_path: Path) -> None:
    a = talk(A)
    found = written(tmp_path, a, resumed(a, B, 1), resumed(a, C, 1))
    assert {id_: len(replies) for id_, replies in inherited(found).items()} == {A: 0, B: 2, C: 2}


def test_each_reply_is_counted_once_over_a_chain_of_copies(tmp_path: Path) -> None:
    a = talk(A)
    b = resumed(a, B)
    found = written(tmp_path, a, b, resumed(b, C))
    outputs = {ref.id: load(ref, in_sight=found.sessions).usage["output"] for ref in found}
    assert outputs == {A: 20, B: 20, C: 20}
    continues = {ref.id: history_of(ref, found.sessions).continues for ref in found}
    assert continues == {A: None, B: A, C: B}


def test_what_was_copied_is_said_apart_in_the_listing(tmp_path: Path) -> None:
    a = talk(A)
    found = written(tmp_path, a, resumed(a, B, 1))
    listing = load(next(r for r in found if r.id == B), in_sight=found.sessions).listing()
    assert (listing["prompts"], listing["inherited"]["prompts"], listing["usage"]["output"]) == (3, 2, 10)


def test_a_fork_names_its_source_even_where_that_is_the_younger(tmp_path: Path) -> None:
    a = talk(A, 1)
    b = resumed(a, B, 0, forkedFrom={"sessionId": A, "messageUuid": "x"})
    a.at("+9d").prompt("Later")
    a.reply(text="Late.", message_id="msg_late")
    early = {"type": "assistant", "timestamp": "2020-01-01T00:00:00.000Z", "sessionId": B, "uuid": "early"}
    b.raw(early | {"message": {"id": "msg_early", "role": "assistant", "model": "m", "content": []}})
    found = written(tmp_path, a, b)
    assert inherited(found) == {A: set(), B: {f"msg_{A[:8]}_0"}}


def test_a_copy_in_another_project_folder_is_found_below_the_same_root(tmp_path: Path) -> None:
    a = talk(A, folder="-one")
    b = resumed(a, B)
    b.folder = "-two"
    found = written(tmp_path, a, b)
    copied = {f"msg_{A[:8]}_0", f"msg_{A[:8]}_1"}
    assert inherited(found)[B] == copied
    assert history_of(next(ref for ref in found if ref.id == B)).inherited == copied


def test_for_a_path_only_its_project_folder_is_in_sight(tmp_path: Path) -> None:
    a = talk(A, folder="-one")
    b = resumed(a, B)
    b.folder = "-two"
    a.write(tmp_path)
    assert history_of(beside(str(b.write(tmp_path)))).inherited == frozenset()


def test_titles_and_snapshots_before_the_copied_records_do_not_hide_them(tmp_path: Path) -> None:
    a = talk(A)
    b = resumed(a, B)
    b.lines[:0] = [{"type": "summary", "summary": "x" * 300, "leafUuid": "y"}] * 20
    found = written(tmp_path, a, b)
    assert len(inherited(found)[B]) == 2


def test_sessions_that_share_nothing_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = written(tmp_path, talk(A), talk(B))
    monkeypatch.setattr("waterglass.inherit.reply_index", lambda ref: pytest.fail("read a session that shares nothing"))
    assert inherited(found) == {A: set(), B: set()}


def test_a_slug_alone_joins_within_a_project_when_one_starts_after_the_other_ended(tmp_path: Path) -> None:
    a = talk(A, version="2.0.70", slug="calm-blue-pond")
    b = talk(B, version="2.0.70", slug="calm-blue-pond", now=a.now + 1)
    beside_it = talk(C, version="2.0.70", slug="calm-blue-pond", now=a.now - 90_000)
    elsewhere = talk("5e55000d", version="2.0.70", slug="calm-blue-pond", now=a.now + 1, cwd="/code/else")
    found = written(tmp_path, a, b, beside_it, elsewhere)
    continues = {ref.id: history_of(ref, found.sessions).continues for ref in found}
    assert continues == {A: None, B: A, C: None, "5e55000d": None}


def test_synthetic_replies_and_empty_ids_are_no_replies(tmp_path: Path) -> None:
    t = talk(A, 1)
    t.reply(text="error", model="<synthetic>", message_id="msg_synthetic")
    t.record("assistant", message={"id": "", "model": "m"})
    t.record("user", message={"id": "msg_user", "model": "m"})
    t.raw(b'{"type":"assistant","uuid":"\xff","message":{"id":"msg_odd","model":"m","content":NaN}}')
    (ref,) = written(tmp_path, t)
    assert list(reply_index(ref).replies) == [f"msg_{A[:8]}_0", "msg_odd"]


def test_a_grown_file_is_indexed_anew(tmp_path: Path) -> None:
    t = talk(A, 1)
    (ref,) = written(tmp_path, t)
    assert len(reply_index(ref).replies) == 1
    t.reply(text="More.", message_id="msg_more")
    (ref,) = written(tmp_path, t)
    assert len(reply_index(ref).replies) == 2


def test_lines_longer_than_a_block_and_without_an_end_are_read(tmp_path: Path) -> None:
    t = talk(A, 0)
    t.reply(text="x" * 3_000_000, message_id="msg_long")
    t.reply(text="last", message_id="msg_last")
    path = t.write(tmp_path)
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    (ref,) = discover([str(tmp_path)])
    assert list(reply_index(ref).replies) == ["msg_long", "msg_last"]


def test_a_line_above_the_limit_is_left_out_with_its_end_and_empty_lines_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("waterglass.inherit._LONGEST", 2 << 20)
    t = talk(A, 0)
    for name in ("first", "long", "last"):
        t.reply(text="Yes.", message_id=f"msg_{name}")
    path = t.write(tmp_path)
    first, long, last = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + b"\n" * 5_000 + b" " * (2 << 20) + long + last + b" " * (5 << 20) + long)
    (ref,) = discover([str(tmp_path)])
    assert list(reply_index(ref).replies) == ["msg_first", "msg_last"]


def test_a_line_that_reading_skips_holds_no_reply(tmp_path: Path) -> None:
    t = talk(A, 0)
    t.reply(text="Yes.", message_id="msg_many", padding=[0] * (1 << 20))
    t.reply(text="Yes.", message_id="msg_few")
    (ref,) = written(tmp_path, t)
    assert list(reply_index(ref).replies) == ["msg_few"]


sessions = st.sampled_from(["s1", "s2", "s3", "s4"])
held = st.builds(Held, st.none() | st.integers(0, 50), st.none() | sessions)
worlds = st.dictionaries(sessions, st.dictionaries(st.sampled_from("abcdef"), held, max_size=6), min_size=1)


@given(worlds)
def test_every_shared_reply_has_one_owner_that_holds_it(world: dict[str, dict[str, Held]]) -> None:
    indexes = [ReplyIndex(session, replies) for session, replies in world.items()]
    owner = owners(indexes)
    holders = {r: {i.session for i in indexes if r in i.replies} for i in indexes for r in i.replies}
    assert owner.keys() == {reply for reply, by in holders.items() if len(by) > 1}
    assert all(owner[reply] in holders[reply] for reply in owner)


@given(worlds, st.randoms())
def test_the_owner_does_not_depend_on_the_order_of_sessions(world: dict[str, dict[str, Held]], random: Random) -> None:
    indexes = [ReplyIndex(session, replies) for session, replies in world.items()]
    mixed = list(indexes)
    random.shuffle(mixed)
    assert owners(indexes) == owners(mixed)
