"""Hypothesis strategies for whole sessions, written with the builder of raw transcripts."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.transcripts import Call, Transcript, used

SESSION = "5e551044-0000-4000-8000-00000000000a"
OTHER = "5e551044-0000-4000-8000-00000000000c"
VERSIONS = ("1.0.3", "1.0.60", "2.0.14", "2.0.30", "2.1.1", "2.1.20", "2.1.60", "2.1.110", "2.1.220")
DELAYS = ("+0ms", "+1ms", "+400ms", "+3s", "+7m", "+31m", "+26h", "-2s")
AWKWARD = (
    "",
    " ",
    "}{",
    "\u2028line",
    "\x1b[31mred",
    "é" * 40,
    '{"type":"user"}',
    "<system-reminder>no</system-reminder>",
)
TOOLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Bash", {"command": "pytest -q"}),
    ("Bash", {"command": "sleep 9", "run_in_background": True}),
    ("Read", {"file_path": "/code/demo/src/app.py"}),
    ("Edit", {"file_path": "/code/demo/src/app.py", "old_string": "a", "new_string": "b"}),
    ("mcp__serena__find_symbol", {"name_path": "App"}),
    ("Odd tool", {}),
)
DAMAGED = (
    b"",
    b"   ",
    b"garbage",
    b'{"type":"user","message":{"role":"user","cont',
    b"[1, 2]",
    b"\x00\x00\x00",
    b'{"type":"new-kind","sessionId":"x","value":[[1]]}',
    b'{"type":"system","subtype":"informational","content":"one"}{"type":"summary","summary":"two","leafUuid":"three"}',
)
STEPS = ("reply",) * 4 + ("prompt", "system", "compaction", "interrupt", "queue", "other", "background", "odd_reply")
MAX_DEPTH = 2
INLINE_DEPTH = 1  # sub-agents in the main file had no call that starts one

texts = st.one_of(st.sampled_from(AWKWARD), st.text(max_size=20))


class Drawn(Transcript):
    """A transcript that fails as its lines, which can be read and tried again."""

    def __repr__(self) -> str:
        files = {"main": self} | {f"agent-{a.agent_id}": a for a in self.all_agents() if a.agent_id}
        return "\n".join(f"--- {name}\n{t.content().decode(errors='replace')}" for name, t in files.items())

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))


class World:
    """One session being drawn: `draw` of the strategy, and a counter that keeps prompts of sub-agents apart."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.agents = 0

    def pick(self, *options: Any) -> Any:
        return self.draw(st.sampled_from(options))

    def talk(self, t: Transcript, depth: int) -> None:
        """Let a few things happen in the thread of `t`."""
        for _ in range(self.draw(st.integers(1, 6 if depth == 0 else 2))):
            t.at(self.pick(*DELAYS))
            step = self.pick(*STEPS)
            getattr(self, f"_{step}")(t, depth)

    def _reply(self, t: Transcript, depth: int) -> None:
        calls = [self._call(t, depth) for _ in range(self.draw(st.integers(0, 3)))]
        spent = used(*self.draw(st.tuples(*[st.integers(0, 90_000)] * 4)))
        text = self.draw(texts) if not calls or self.draw(st.booleans()) else None
        t.reply(text, calls, usage=spent, thinking=self.pick(None, "", "hm"), model=self.pick(t.model, "glm-4.7"))
        given = [
            c for r in t.lines[-8:] if isinstance(r, dict) for c in _calls_in(r) if c["id"] in {x.id for x in calls}
        ]
        for block in self.draw(st.permutations(given)):
            if block["name"] in ("Task", "Agent"):
                self._spawn(t, block, depth)
            elif self.pick(True, True, True, False):
                t.at(self.pick(*DELAYS)).result(block["id"], self.draw(texts), is_error=self.pick(None, False, True))

    def _call(self, t: Transcript, depth: int) -> Call:
        self.agents += 1
        id = f"toolu_{self.agents:04d}"
        if depth < (INLINE_DEPTH if t.layout == "inline" else MAX_DEPTH) and self.pick(False, False, True):
            return Call(
                self.pick("Task", "Agent"), {"description": "Look", "prompt": f"Look at part {self.agents}"}, id
            )
        name, given = self.pick(*TOOLS)
        return Call(name, given, id)

    def _spawn(self, t: Transcript, block: dict[str, Any], depth: int) -> None:
        """A sub-agent by one of the signs that link it, its work, and perhaps its end."""
        sign = self.pick("sidecar", "result", "progress", "prompt")
        agent = f"a{self.agents:03d}{block['id'][-4:]}"
        sidecar = {"agentType": "Explore", "toolUseId": block["id"]} if sign == "sidecar" else None
        child = t.agent(agent, sidecar=sidecar)
        child.prompt(block["input"]["prompt"])
        self.talk(child, depth + 1)
        if sign == "progress" and t.layout == "subagents":
            t.agent_progress(block["id"], child)
        if self.pick(True, True, False):
            mirror = {"status": "completed", "agentId": agent} if sign == "result" else {"status": "completed"}
            t.at(child if self.pick(True, False) else "+1s").result(block["id"], "Done.", tool_use_result=mirror)

    def _prompt(self, t: Transcript, depth: int) -> None:
        if depth == 0:
            t.prompt(self.draw(texts), **self.pick({}, {}, {"isMeta": True}))

    def _system(self, t: Transcript, depth: int) -> None:
        t.system(self.pick("informational", "turn_duration", "local_command"), content="x", durationMs=5)

    def _compaction(self, t: Transcript, depth: int) -> None:
        if depth == 0 or t.layout != "inline":  # a boundary has no parent, and there that means another sub-agent
            t.compact_boundary()
            t.compact_summary("So far")

    def _interrupt(self, t: Transcript, depth: int) -> None:
        t.interrupt()

    def _background(self, t: Transcript, depth: int) -> None:
        """A command that goes on behind, its acknowledgement, and perhaps the news that it ended."""
        self.agents += 1
        id, task = f"toolu_{self.agents:04d}", f"b{self.agents:04d}"
        t.reply(None, [Call("Bash", {"command": "make serve", "run_in_background": True}, id)])
        t.at(self.pick(*DELAYS)).result(
            id,
            f"Command running in background with ID: {task}. Output is being written to: /tmp/{task}.output",
            tool_use_result={"stdout": "", "stderr": "", "interrupted": False, "backgroundTaskId": task},
        )
        if depth == 0 and self.pick(True, True, False):
            status, via = self.pick("completed", "failed", "killed"), self.pick("user", "queue", "attachment")
            t.at(self.pick(*DELAYS)).notification(
                task, "Ended", status=status, call_id=self.pick(id, None), result=self.pick(None, "All of it"), via=via
            )

    def _odd_reply(self, t: Transcript, depth: int) -> None:
        """A reply that is no API call, one without an id, one that an older record of the same id already told."""
        what = self.pick("synthetic", "nameless", "retold", "advised")
        if what == "synthetic":
            t.reply("API Error", model="<synthetic>", usage=used(0, 0), isApiErrorMessage=True)
        elif what == "nameless":
            record = t.lines[-1] if t.reply("Nameless") else None
            if isinstance(record, dict):
                record["message"] = record["message"] | {"id": ""}
        elif what == "retold":
            id = t.reply("Once", usage=used(3, 50))
            t.at("+1s").reply("Once more", usage=used(3, 80), message_id=id)
        else:
            steps = [
                {"type": "message"} | used(1, 2),
                {"type": "advisor_message", "model": "claude-opus-5"} | used(7, 9),
            ]
            t.reply("Advised", usage=used(8, 11, iterations=steps))

    def _queue(self, t: Transcript, depth: int) -> None:
        if depth == 0:
            t.queue("enqueue", self.pick("Later", "And this", "<task-notification>x</task-notification>"))
            t.attachment("queued_command", prompt=self.pick("Later", "Now"))

    def _other(self, t: Transcript, depth: int) -> None:
        what = self.pick("title", "summary", "damaged", "again")
        if what == "title":
            t.title("A title", self.pick("ai", "custom", "agent"))
        elif what == "summary":
            t.summary("An old title", self.pick(None, "nowhere"))
        elif what == "again" and t.lines:
            t.raw(self.draw(st.sampled_from(t.lines)))
        else:
            t.raw(self.pick(*DAMAGED))


def _calls_in(record: dict[str, Any]) -> list[dict[str, Any]]:
    message = record.get("message")
    blocks = message.get("content") if isinstance(message, dict) else None
    return [b for b in blocks if b.get("type") == "tool_use"] if isinstance(blocks, list) else []


@st.composite
def worlds(draw: st.DrawFn) -> Transcript:
    """A session of any era: prompts, replies, calls, nested sub-agents, damage."""
    t = Drawn(SESSION, version=draw(st.sampled_from(VERSIONS)))
    world = World(draw)
    t.prompt(draw(texts))
    world.talk(t, 0)
    return t


@st.composite
def continued(draw: st.DrawFn) -> tuple[Transcript, Transcript]:
    """A session and one that begins with a copy of its history, by resuming or by a fork, and goes on."""
    first = draw(worlds())
    second = Drawn(OTHER, version=first.version, now=first.now)
    kept = draw(st.integers(1, len(first.lines)))
    fork = draw(st.booleans())
    for line in first.lines[:kept]:
        copied = line if isinstance(line, bytes) or "sessionId" not in line else line | {"sessionId": OTHER}
        if fork and isinstance(copied, dict) and "uuid" in copied:
            copied = copied | {"forkedFrom": {"sessionId": SESSION, "messageUuid": copied["uuid"]}}
        second.raw(copied)
    second.last = next((r["uuid"] for r in reversed(first.lines[:kept]) if isinstance(r, dict) and "uuid" in r), None)
    world = World(draw)
    world.agents = 5_000  # calls of its own
    world.talk(second.at("+1h"), 0)
    return first, second
