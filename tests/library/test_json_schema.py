"""The JSON Schemas of the payload and of events: made from the code, shipped as made, and true of every session."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from hypothesis import given

from tests.conftest import RunWaterglass
from tests.export.exporting import property_of, written
from tests.house.source import CHECKOUT
from tests.properties.worlds import worlds
from tests.transcripts import Call, Transcript
from waterglass.discover import discover
from waterglass.payload import encode
from waterglass.payload.fields import field_names
from waterglass.payload.json_schema import events_schema, payload_schema, text_of
from waterglass.redact import Redactor
from waterglass.sample import sample_root
from waterglass.session import load

NOW_MS = 1_800_000_000_000
PAYLOAD = jsonschema_rs.validator_for(payload_schema())
EVENT = jsonschema_rs.validator_for(events_schema())


def faults(validator: Any, document: Any, most: int = 5) -> list[str]:
    """Where a document breaks the schema, and how; never what stands there."""
    found = []
    for error in validator.iter_errors(document):
        found.append(f"{'/'.join(map(str, error.instance_path))}: {'/'.join(map(str, error.schema_path))}")
        if len(found) == most:
            break
    return found


def documents(root: Path) -> Iterator[tuple[str, dict[str, Any], list[dict[str, Any]]]]:
    """Each session of a root: its id, the payload as `show --json --events` writes it, and its events."""
    found = discover([str(root)])
    for ref in found:
        session = load(ref, in_sight=found.sessions, now_ms=NOW_MS)
        parts: list[bytes] = []
        session.write_json(parts.append, events=True)
        document = msgspec.json.decode(b"".join(parts))
        yield ref.id, document, document["events"]
        yield f"{ref.id} as a table", session.payload(table=True, scores=False), []


def faults_of(root: Path) -> list[str]:
    found = []
    for name, document, events in documents(root):
        found += [f"{name}: {fault}" for fault in faults(PAYLOAD, document)]
        found += [f"{name}: {fault}" for event in events for fault in faults(EVENT, event, 1)][:5]
    return found


@pytest.mark.parametrize(("name", "schema"), [("payload", payload_schema), ("event", events_schema)])
def test_the_shipped_schema_is_what_the_code_makes(name: str, schema: Any) -> None:
    shipped = (CHECKOUT / "docs" / "schema" / f"{name}.json").read_text(encoding="utf-8")
    assert shipped == text_of(schema()), f"renew it: waterglass schema --{name.replace('event', 'events')}"


@pytest.mark.parametrize("schema", [payload_schema(), events_schema()])
def test_the_schema_is_one_and_tells_its_version(schema: dict[str, Any]) -> None:
    jsonschema_rs.meta.validate(schema)
    assert schema["$id"].startswith("urn:waterglass:") and schema["$id"].endswith(":1")


def test_every_payload_and_event_of_the_sample_is_valid() -> None:
    assert faults_of(sample_root()) == []


def test_a_session_of_odd_records_is_valid(tmp_path: Path) -> None:
    t = Transcript("5e551044-0000-4000-8000-00000000000a")
    t.at("2026-03-02T09:00:00Z").prompt("x" * 5_000)
    t.at("+3s").reply(text="y" * 3_000, calls=[Call("Bash", {"command": "pytest"}, id="toolu_1"), Call("?", {})])
    t.raw(b'{"type":"user","message":17}').raw(b"\x00\xff{").raw({"type": "never-seen", "timestamp": None})
    t.at("+5s").result("toolu_1", "Exit code 1\n1 failed", is_error=True)
    t.write(tmp_path)
    assert faults_of(tmp_path) == []


@pytest.mark.parametrize("level", ["secrets", "paths", "structure"])
@pytest.mark.parametrize("table", [True, False])
def test_a_redacted_payload_is_valid_too(level: Any, table: bool) -> None:
    document = load("5a3b1e00", sample_root(), now_ms=NOW_MS).payload(table=table)
    redactor = Redactor(level)
    redactor.own_keys |= field_names(document)
    assert faults(PAYLOAD, json.loads(encode(redactor.value(document)))) == []


def _paths(
    node: Any, schema: dict[str, Any], own: dict[str, Any], at: tuple[Any, ...] = ()
) -> Iterator[tuple[Any, ...]]:
    """The paths of the objects in a document that the schema closes, one of each kind of place."""
    own = schema["$defs"][own["$ref"].rpartition("/")[2]] if "$ref" in own else own
    for choice in own.get("anyOf", ()):
        if "$ref" in choice or choice.get("type") in ("object", "array"):
            own = schema["$defs"][choice["$ref"].rpartition("/")[2]] if "$ref" in choice else choice
    if isinstance(node, dict) and "properties" in own:
        yield at
        for name, child in own["properties"].items():
            yield from _paths(node.get(name), schema, child, (*at, name))
    elif isinstance(node, list) and node and isinstance(own.get("items"), dict):
        yield from _paths(node[0], schema, own["items"], (*at, 0))
    elif isinstance(node, dict) and isinstance(own.get("additionalProperties"), dict) and node:
        key = next(iter(node))
        yield from _paths(node[key], schema, own["additionalProperties"], (*at, key))


def _at(document: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        document = document[step]
    return document


def test_a_field_that_is_invented_or_missing_is_found_at_every_place() -> None:
    session = load("5a3b1e00", [str(sample_root())], now_ms=NOW_MS)
    document = json.loads(msgspec.json.encode(session.payload()))
    schema = payload_schema()
    places = list(_paths(document, schema, schema))
    assert len(places) >= 25 and faults(PAYLOAD, document) == []
    for path in places:
        wrong = deepcopy(document)
        _at(wrong, path)["invented"] = 1
        assert faults(PAYLOAD, wrong), f"an extra field at {path}"
    optional = {("marks", 0, "uuid"), ("marks", 0, "replyId"), ("prompts", 0, "textChars"), ("replies", 0, "textChars")}
    required = {(*path, name) for path in places for name in _at(document, path)} - optional
    for path in required:
        wrong = deepcopy(document)
        del _at(wrong, path[:-1])[path[-1]]
        assert faults(PAYLOAD, wrong), f"without {path}"


def test_the_command_prints_the_schemas_and_reads_nothing(run_waterglass: RunWaterglass) -> None:
    done = run_waterglass("schema", "--payload", "--root", "/nowhere")
    assert (done.returncode, json.loads(done.stdout)) == (0, payload_schema())
    assert json.loads(run_waterglass("schema", "--events").stdout) == events_schema()
    assert run_waterglass("schema", "--events", "--payload").returncode == 2


@property_of
@given(worlds())
def test_every_payload_and_event_of_invented_sessions_is_valid(transcript: Transcript) -> None:
    with written(transcript) as root:
        assert faults_of(root) == []


def test_every_payload_and_event_of_the_corpus_is_valid(shared: Path) -> None:
    roots = sorted(shared.glob("corpus/*/projects"))
    assert len(roots) > 10
    assert [fault for root in roots for fault in faults_of(root)] == []
