"""Which records, blocks and fields a set of transcripts really holds: counters over plain records, no content.

Everything here is bounded. All that grows with a file are the ids of its calls, as numbers, until the file's end.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from waterglass.schema.names import BLOCK_TYPES, CALL_BLOCKS, RECORD_TYPES
from waterglass.schema.tally import Tallies, Tally, short
from waterglass.schema.texts import exit_code
from waterglass.schema.times import time_ms

MAX_KINDS = 300  # record types with their subtypes: 60 are known
MAX_BLOCKS = 100
MAX_TOOLS = 1_000  # 8,432 real files held 290 names
MAX_FORMS = 50
MAX_IDS = 200_000  # distinct call ids of one file that are followed, about 20 MB; no real file came near

Kind = tuple[str | None, str | None]
_SIGNS = {True: "true", False: "false"}


class Pairing:
    """Whether calls and results of one file find each other by id."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._calls: set[int] = set()
        self._results: Counter[int] = Counter()

    def call(self, use_id: object) -> None:
        """Note the id of a call."""
        if not isinstance(use_id, str) or not use_id:
            self.counts["calls without id"] += 1
        elif len(self._calls) < MAX_IDS:
            self._calls.add(hash(use_id))
        else:
            self.counts["calls not followed"] += 1

    def result(self, use_id: object) -> None:
        """Note the call's id in a result."""
        if not isinstance(use_id, str) or not use_id:
            self.counts["results without id"] += 1
        elif len(self._results) < MAX_IDS:
            self._results[hash(use_id)] += 1
        else:
            self.counts["results not followed"] += 1

    def end_file(self) -> None:
        """Count how the file's calls were answered, and forget them."""
        for call in self._calls:
            answers = self._results.pop(call, 0)
            self.counts["calls with one result" if answers == 1 else "with several" if answers else "with none"] += 1
        self.counts["results without a call"] += self._results.total()
        self._calls.clear()
        self._results.clear()


class Observed:
    """The counters. Give it every record of a file as a plain object, then `end_file`, and so on."""

    def __init__(self) -> None:
        self.kinds: Tallies[Kind] = Tallies(MAX_KINDS)  # by type and subtype
        self.blocks: Tallies[Kind] = Tallies(MAX_BLOCKS)  # by what holds the block and its type
        self.tools: Tallies[str] = Tallies(MAX_TOOLS)
        self.result_forms: Tallies[str] = Tallies(MAX_FORMS)
        self.everything = Tally()  # all records, for the range of versions
        self.is_error: Counter[str] = Counter(dict.fromkeys(("true", "false", "absent", "other"), 0))
        self.exit_codes = 0  # failed results whose text begins with a code
        self.meta_results = 0  # records marked as the program's own that hold a result
        self.inputs: Counter[str] = Counter(dict.fromkeys(("object", "other", "absent"), 0))
        self.unnamed_calls = 0
        self.roles: Counter[str] = Counter(dict.fromkeys(("same", "absent", "other"), 0))
        self.times: Counter[str] = Counter(dict.fromkeys(("usual", "other form", "unreadable", "absent"), 0))
        self.pairing = Pairing()
        self._file = 0
        self._version: str | None = None  # the last one written in this file: many records name none
        self._waiting: dict[Kind, Tally] = {}  # kinds that stand before the first version of this file

    def record(self, record: dict[str, Any]) -> None:
        """Count one record."""
        version = record.get("version")
        if version.__class__ is str and version != self._version:
            self._version = short(version)
            for early in self._waiting.values():
                early.saw_version(self._version)
            self._waiting.clear()
        kind = kind_of(record)
        self.everything.saw(self._file, self._version)
        tally = self.kinds.saw(kind, self._file, self._version, record.keys())
        if self._version is None and tally is not None:
            self._waiting[kind] = tally
        self.times[_time_form(record)] += 1
        message = record.get("message")
        if message.__class__ is dict:
            self._message(record, kind[0], message)

    def end_file(self) -> None:
        """Close the file whose records were given last."""
        self.pairing.end_file()
        self._file += 1
        self._version = None
        self._waiting.clear()

    def _message(self, record: dict[str, Any], kind: str | None, message: dict[str, Any]) -> None:
        if kind in ("user", "assistant"):
            role = message.get("role")
            self.roles["same" if role == kind else "absent" if role is None else "other"] += 1
        content = message.get("content")
        for block in content if isinstance(content, list) else ():
            if not isinstance(block, dict):
                continue
            name = _name(block.get("type"))
            self.blocks.saw((kind, name), self._file, self._version, block.keys())
            if name in CALL_BLOCKS:
                self._call(block)
            elif name == "tool_result":
                self._result(record, block)

    def _call(self, block: dict[str, Any]) -> None:
        name = block.get("name")
        if isinstance(name, str) and name:
            self.tools.saw(short(name), self._file, self._version)
        else:
            self.unnamed_calls += 1
        given = block.get("input")
        self.inputs["object" if isinstance(given, dict) else "absent" if given is None else "other"] += 1
        self.pairing.call(block.get("id"))

    def _result(self, record: dict[str, Any], block: dict[str, Any]) -> None:
        sign = block.get("is_error")
        self.is_error["absent" if sign is None else _SIGNS[sign] if isinstance(sign, bool) else "other"] += 1
        self.meta_results += record.get("isMeta") is True
        self.pairing.result(block.get("tool_use_id"))
        content = block.get("content")
        self.result_forms.saw(self._form(content), self._file, self._version)
        text = content
        if isinstance(content, list) and content and isinstance(content[0], dict):
            text = content[0].get("text")
        self.exit_codes += sign is True and isinstance(text, str) and exit_code(text[:40]) is not None

    def _form(self, content: object) -> str:
        """Return the form of a result's content, counting the blocks in it."""
        if content is None:
            return "absent"
        if isinstance(content, str):
            return "string"
        if not isinstance(content, list):
            return "other"
        names = set()
        for item in content:
            if isinstance(item, dict):
                name = _name(item.get("type"))
                self.blocks.saw(("tool_result", name), self._file, self._version, item.keys())
                names.add(name or "(no type)")
            else:
                names.add("bare string" if isinstance(item, str) else "other")
        return short(f"list of {' and '.join(sorted(names)[:4])}") if names else "empty list"

    @property
    def unknown_records(self) -> dict[str, int]:
        """Counts of the record types that Waterglass does not know, by name."""
        return _unknown(((kind[0], tally) for kind, tally in self.kinds.ranked()), RECORD_TYPES)

    @property
    def unknown_blocks(self) -> dict[str, int]:
        """Counts of the block types that Waterglass does not know, by name."""
        return _unknown(((kind[1], tally) for kind, tally in self.blocks.ranked()), BLOCK_TYPES)


def kind_of(record: dict[str, Any]) -> Kind:
    """Return the type of a record and its subtype; None for either where it has none or one that is no text."""
    name = _name(record.get("type"))
    if name == "system":
        return name, _name(record.get("subtype"))
    inner = record.get("attachment") if name == "attachment" else record.get("data") if name == "progress" else None
    return name, _name(inner.get("type")) if isinstance(inner, dict) else None


def _name(value: object) -> str | None:
    return short(value) if isinstance(value, str) else None


def _time_form(record: dict[str, Any]) -> str:
    stamp = record.get("timestamp")
    if stamp.__class__ is str and len(stamp) == 24 and stamp[10] == "T" and stamp[19] == "." and stamp[23] == "Z":
        return "usual" if time_ms(stamp) is not None else "unreadable"
    if stamp is None:
        stamp = record.get("ts") if record.get("ts") is not None else record.get("created_at")
    if stamp is None:
        return "absent"
    return "unreadable" if time_ms(stamp) is None else "other form"


def _unknown(kinds: Any, known: frozenset[str]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for name, tally in kinds:
        if name is not None and name not in known:
            counts[name] += tally.count
    return dict(counts.most_common())
