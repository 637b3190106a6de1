"""The title of a session: custom, agent, ai, index, prompt, in this order; of each kind the last record wins."""

from __future__ import annotations

import json
from pathlib import Path

from tests.core.conftest import Read
from tests.core.told import OTHER, SESSION, started
from tests.transcripts import Transcript
from waterglass.session import Session, load


def title(session: Session) -> tuple[str | None, str | None]:
    head = session.head()["session"]
    return head["title"], head["titleSource"]


def test_each_kind_of_title_gives_way_to_the_next(read: Read, root: Path) -> None:
    t = started(prompt="Mend\n the   test")
    found = [title(read(t))]
    index = {"version": 1, "entries": [{"sessionId": SESSION, "summary": "Indexed"}]}
    (next(root.iterdir()) / "sessions-index.json").write_text(json.dumps(index))
    found.append(title(read(t)))
    for kind in ("ai", "agent", "custom"):
        t.title(f"By {kind}", kind)
        found.append(title(read(t)))
    assert found == [
        ("Mend the test", "prompt"),
        ("Indexed", "index"),
        ("By ai", "ai"),
        ("By agent", "agent"),
        ("By custom", "custom"),
    ]


def test_of_one_kind_the_last_record_wins(read: Read) -> None:
    t = started()
    t.title("First", "custom")
    t.title("Second", "custom")
    t.title("Later ai", "ai")
    assert title(read(t)) == ("Second", "custom")


def test_a_summary_titles_the_session_that_holds_its_leaf_and_no_other(read: Read) -> None:
    other = started("2.0.14", session_id=OTHER)
    t = Transcript(SESSION, version="2.0.14")
    t.summary("Of another session", leaf=other.last)
    t.prompt("Mend it")
    assert title(read(t, other)) == ("Mend it", "prompt")
    t.summary("Of this one")
    assert title(read(t, other)) == ("Of this one", "ai")


def test_a_summary_and_an_ai_title_are_of_one_kind(read: Read) -> None:
    t = started()
    t.title("Ai", "ai")
    t.summary("Summary")
    assert title(read(t)) == ("Summary", "ai")


def test_an_empty_title_is_none(read: Read) -> None:
    t = started()
    t.title("", "custom")
    t.title("Ai", "ai")
    assert title(read(t)) == ("Ai", "ai")


def test_a_session_that_nobody_spoke_in_has_no_title(read: Read) -> None:
    t = Transcript(SESSION)
    t.system("informational", content="x")
    session = read(t)
    assert title(session) == (None, None)
    assert session.view().state == "empty"


def test_an_unsent_text_is_no_title(read: Read) -> None:
    t = Transcript(SESSION)
    t.queue("enqueue", "Never sent")
    t.reply("Hello?")
    assert title(read(t)) == (None, None)


def test_an_agents_title_is_not_the_sessions(read: Read) -> None:
    t = started()
    agent = t.agent("a1")
    agent.prompt("Look")
    agent.title("Of the agent", "custom")
    assert title(read(t)) == ("Go", "prompt")


def test_an_index_of_wrong_form_is_no_fault(read: Read, root: Path) -> None:
    t = started()
    read(t)
    for wrong in ("[]", "{", '{"entries":5}', '{"entries":[5,{"sessionId":7}]}', "[" * 5_000):
        (next(root.iterdir()) / "sessions-index.json").write_text(wrong)
        assert title(load(SESSION, roots=[str(root)])) == ("Go", "prompt")
