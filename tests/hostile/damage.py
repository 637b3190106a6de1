"""Damage one byte of a session and say what changed that the byte cannot have reached."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tests.corpus.shapes import flat
from waterglass.read import RecordReader
from waterglass.session import Session, load

NOW_MS = 1_900_000_000_000
KINDS = ("flip", "cut", "nul")


@dataclass
class Damage:
    """What was done to which file, and the content before and after."""

    kind: str
    at: int
    path: Path
    clean: bytes
    damaged: bytes

    def __str__(self) -> str:
        around = self.damaged[max(0, self.at - 40) : self.at + 20]
        return f"{self.kind} at {self.at} of {self.path.name}: {around!r}"

    @property
    def touched(self) -> set[int]:
        """Numbers of the clean lines that hold the byte, or that a lost newline joined to it."""
        line = self.clean.count(b"\n", 0, self.at) + 1
        return {line, line + 1} if self.clean[self.at] == 10 else {line}


def damages(random: Random, paths: list[Path]) -> Iterator[Damage]:
    """Single bytes flipped, cut out or overwritten, without end."""
    while True:
        path = random.choice(paths)
        clean = path.read_bytes()
        if not clean:
            continue
        at, kind = random.randrange(len(clean)), random.choice(KINDS)
        put = {"flip": bytes([clean[at] ^ 1 << random.randrange(8)]), "cut": b"", "nul": b"\0"}[kind]
        yield Damage(kind, at, path, clean, clean[:at] + put + clean[at + 1 :])


def is_json_object(line: bytes) -> bool:
    """Would a strict parser, and a strict writer after it, take this line as an object?"""
    try:
        value = json.loads(line, parse_constant=_no_number)
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict)


def _no_number(name: str) -> None:
    raise ValueError(name)


def records_by_line(path: Path) -> tuple[dict[int, list[Any]], RecordReader]:
    """The records of each line, by its number."""
    reader = RecordReader(str(path), "main")
    found: dict[int, list[Any]] = {}
    for record, _, length, line, _ in reader:
        found.setdefault(line, []).append((record, length))
    return found, reader


def faults_of_reading(damage: Damage) -> Iterator[str]:
    """What reading the damaged file changed on other lines, and what it left unsaid."""
    damage.path.write_bytes(damage.clean)
    before, _ = records_by_line(damage.path)
    damage.path.write_bytes(damage.damaged)
    after, reader = records_by_line(damage.path)
    touched = damage.touched
    shift = damage.damaged.count(b"\n") - damage.clean.count(b"\n")
    for line, records in before.items():
        if line in touched:
            continue
        there = after.get(line + shift if line > min(touched) else line)
        if there != records:
            yield f"line {line} reads otherwise"
    told = {p.line for p in reader.coverage.problems} | {p.line for p in reader.tail.problems}
    lines = damage.damaged.split(b"\n")
    for number in {min(touched), *(() if shift <= 0 else (min(touched) + 1,))}:
        line = lines[number - 1] if number <= len(lines) else b""
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        is_tail = number == len(lines) and reader.tail.partial_tail
        if line.strip() and not is_json_object(line) and number not in told and not is_tail:
            yield f"line {number} is no JSON and nothing says so"
    if reader.coverage.bytes + reader.tail.bytes != len(damage.damaged):
        yield "bytes are not accounted for"


@dataclass
class Told:
    """What a session tells, by the names that the lines of its files hold."""

    rows: dict[str, Any]
    replies: dict[str, Any]
    prompts: dict[str, str]

    @classmethod
    def of(cls, session: Session) -> Told:
        """Derive and write everything; what cannot be done raises."""
        parts: list[bytes] = []
        session.write_json(parts.append, events=True)
        payload = json.loads(b"".join(parts))
        spent: dict[str, Any] = {}
        for reply in session.view().replies:
            if reply.id:
                spent.setdefault(reply.id, []).append((reply.text, reply.usage))
        rows = {row["id"]: row for row in flat(payload["rows"])}
        return cls(rows, spent, {p["uuid"]: p["text"] for p in payload["prompts"] if p["uuid"]})


def faults_of_telling(damage: Damage, id: str, root: Path, before: Told) -> Iterator[str]:
    """What changed of rows, replies and prompts whose names do not stand on the touched lines."""
    lines = damage.clean.split(b"\n")
    if damage.path.name.startswith("agent-") and damage.path.parent.parent == root:
        names = next((n for n, line in enumerate(lines, 1) if b'"sessionId"' in line), 1)
        if names in damage.touched:
            return  # whose such a file is stands in it alone, so all of it hangs on that line
    after = Told.of(load(id, roots=[str(root)], now_ms=NOW_MS))
    touched = b"\n".join(lines[number - 1] for number in damage.touched if number <= len(lines))
    for name, row in before.rows.items():
        if name.partition("#")[0].encode() in touched:
            continue
        there = after.rows.get(name)
        if there is None:
            yield f"row {name} is gone"
        elif any(row[part] != there[part] for part in ("toolName", "input", "output", "error") if part in row):
            yield f"row {name} differs"
    for name, spent in before.replies.items():
        if name.encode() not in touched and after.replies.get(name) != spent:
            yield f"reply {name} differs"
    placed = set(after.prompts.values())  # a prompt without an id is named by its place, which moves
    for name, text in before.prompts.items():
        if "@" in name and text in placed:
            continue
        if name.encode() not in touched and after.prompts.get(name) != text:
            yield f"prompt {name} differs"
