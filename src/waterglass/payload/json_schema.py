"""The payload and the events as JSON Schema (draft 2020-12), generated from the types in `shapes`.

Objects are closed: a field that is not named there is an error, so the schema of one version tells all of it. A later
version of the program may add fields; it then ships a schema that names them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from waterglass.payload.head import PAYLOAD

EVENTS = 1  # the version of the events; raised when a field of theirs changes its meaning or goes
_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_REFS = "#/$defs/{name}"


def payload_schema() -> dict[str, Any]:
    """Return the schema of the payload: `show --json`, `GET /api/sessions/{id}` and the report's."""
    from waterglass.payload.shapes import Payload

    whole = _schema(Payload, f"urn:waterglass:payload:{PAYLOAD}", "A session as Waterglass tells it")
    whole["oneOf"] = [{"required": ["rows"]}, {"required": ["table"]}]
    return whole


def events_schema() -> dict[str, Any]:
    """Return the schema of one event: of each item of `events` in `show --json --events`.

    A line of `export --to jsonl` is an event with `session` beside its fields.
    """
    from waterglass.payload.shapes import EventFields

    return _schema(EventFields, f"urn:waterglass:event:{EVENTS}", "An event of a session as Waterglass tells it")


def text_of(schema: dict[str, Any]) -> str:
    """Return a schema as it is printed and shipped: indented, ending in a newline."""
    return msgspec.json.format(msgspec.json.encode(schema), indent=2).decode() + "\n"


def _schema(type_: Any, name: str, title: str) -> dict[str, Any]:
    (ref,), parts = msgspec.json.schema_components([type_], ref_template=_REFS)
    own = parts.pop(ref["$ref"].rpartition("/")[2])
    whole = {"$schema": _DRAFT, "$id": name, **own, "title": title, "$defs": dict(sorted(parts.items()))}
    for node in _objects(whole):
        if "properties" in node:
            node["additionalProperties"] = False
            # A default is one of the program's: it is written out too.
            written = [name for name, own in node["properties"].items() if "default" in own]
            for name in written:
                del node["properties"][name]["default"]
            node["required"] = [*node.get("required", ()), *written]
    return whole


def _objects(node: Any) -> Iterator[dict[str, Any]]:
    """Yield a schema and all schemas in it."""
    if isinstance(node, dict):
        yield node
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from _objects(child)
