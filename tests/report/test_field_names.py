"""A person may be called as one of our fields: the field keeps its name, the person does not."""

from __future__ import annotations

from tests.transcripts import Transcript
from waterglass import load
from waterglass.payload import encode
from waterglass.payload.fields import field_names
from waterglass.redact import Redactor

SESSION = "5e551044-0000-4000-8000-000000000001"


def test_the_fields_of_a_payload_keep_their_names_whatever_a_user_is_called(tmp_path: object) -> None:
    t = Transcript(SESSION, cwd="/home/agents/demo", version="2.1.220")
    t.at("2026-03-02T09:00:00Z").prompt("Look below /home/agents/demo, says agents")
    t.write(tmp_path)  # type: ignore[arg-type]
    payload = load(SESSION, roots=[str(tmp_path)], now_ms=1_780_000_000_000).payload(table=True)
    redactor = Redactor("paths")
    redactor.own_keys = field_names(payload)
    hidden = redactor.value(payload)
    assert set(hidden) == set(payload) and "agents" in hidden["usage"]
    assert b"/home/agents" not in encode(hidden) and "says [user]" in hidden["prompts"][0]["text"]
    checker = redactor.checker()
    assert checker is not None
    checker.value(hidden)
    assert dict(checker.counts) == {}


def test_what_a_transcript_names_is_none_of_our_fields() -> None:
    found = field_names({"usage": {"byModel": {"claude-x": {"input": 1}}}, "rows": [{"id": 1}, {"label": 2}]})
    assert found == {"usage", "byModel", "rows", "id", "label"}
