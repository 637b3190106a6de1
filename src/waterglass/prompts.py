"""Prompts: what a person typed, and nothing else; and the title that a session goes by."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from waterglass.link import ByUuid, Linked
from waterglass.model import TEXT_KEPT, Event


class Prompt(Struct):
    """One text of a person on the main thread, cut at TEXT_KEPT."""

    text: str
    text_chars: int
    ms: int | None
    uuid: str | None
    state: str  # sent | queued | unsent
    order: int  # index in the merged events
    place: tuple[str, int, int]  # file, offset, length of its record
    parent_uuid: str | None = None
    branch: str = "active"  # or abandoned: a rewind left it behind

    @property
    def id(self) -> str:
        """What its whole text is asked for by."""
        return self.uuid or f"{self.place[0]}@{self.place[1]}"


def collect_prompts(linked: Linked) -> tuple[list[Prompt], int]:
    """Return the prompts in file order and the number of abandoned ways (rewinds)."""
    prompts: list[Prompt] = []
    waiting: list[Prompt] = []
    for order, event in linked.index.marks:
        if event.agent_id is not None:
            continue
        kind = event.kind
        if kind == "prompt" and event.type == "user":
            last = prompts[-1] if prompts else None
            if last is not None and last.state == "sent" and last.place[:2] == (event.file, event.offset):
                last.text = f"{last.text}\n{event.text}"[:TEXT_KEPT]
                last.text_chars += event.text_chars + 1
            elif event.text and event.text.strip():
                prompts.append(_prompt(event, "sent", order))
        elif kind == "queued" and event.text:
            prompts.append(_prompt(event, "queued", order))
        elif kind == "queue" and event.text and event.detail_of("operation") == "enqueue":
            waiting.append(_prompt(event, "unsent", order))
    seen = Counter(prompt.text for prompt in prompts)
    for prompt in waiting:
        if seen[prompt.text] > 0:
            seen[prompt.text] -= 1
        else:
            prompts.append(prompt)
    prompts.sort(key=lambda p: p.order)
    return prompts, _mark_branches(prompts, linked.by_uuid)


def _prompt(event: Event, state: str, order: int) -> Prompt:
    place = (event.file, event.offset, event.length)
    return Prompt(event.text or "", event.text_chars, event.ms, event.uuid, state, order, place, event.parent_uuid)


def _mark_branches(prompts: list[Prompt], by_uuid: ByUuid) -> int:
    """Mark what lies at or below an earlier one of several prompts under one record; return how many ways were left."""
    under: dict[str, list[Prompt]] = {}
    for prompt in prompts:
        if prompt.parent_uuid is not None and prompt.state == "sent":
            under.setdefault(prompt.parent_uuid, []).append(prompt)
    left = {p.uuid for siblings in under.values() for p in siblings[:-1] if p.uuid is not None}
    if not left:
        return 0
    below: dict[str | None, bool] = {None: False} | dict.fromkeys(left, True)
    for prompt in prompts:
        path: list[str | None] = []
        at = prompt.uuid
        while at not in below:  # each record is walked over once, since what lies above it is known then
            below[at] = False  # right for most, and where a circle closes
            path.append(at)
            event = by_uuid.get(at or "")
            if event is None:
                at = None
                break
            at = event.parent_uuid or event.detail_of("parent")
        if below[at]:
            below.update(dict.fromkeys(path, True))
        prompt.branch = "abandoned" if below[prompt.uuid] else "active"
    return sum(len(siblings) - 1 for siblings in under.values())


def title_of(linked: Linked, prompts: list[Prompt], indexed: str | None) -> tuple[str | None, str | None]:
    """Return the title and its source: custom, agent, ai, index or prompt; of each kind the last record wins.

    A `summary` record titles the session only if the record that it names is in it: old versions put the titles of
    other sessions at the head of a file.
    """
    last: dict[str, str] = {}
    for _, event in linked.index.marks:
        if event.kind != "title" or not event.text or event.agent_id is not None:
            continue
        source = event.detail_of("source")
        if source == "summary":
            if event.detail_of("leaf") not in linked.by_uuid:
                continue
            source = "ai"
        last[source] = event.text
    for source in ("custom", "agent", "ai"):
        if source in last:
            return last[source], source
    if indexed:
        return indexed, "index"
    first = next((p.text for p in prompts if p.state != "unsent"), None)
    return (" ".join(first.split())[:200], "prompt") if first else (None, None)
