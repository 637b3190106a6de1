"""Play a piece of work into a transcript: what the agent says and does, what the tools answer, how context fills."""

from __future__ import annotations

import difflib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from transcripts import UNSET, Call, Transcript, used


@dataclass
class Step:
    """A call with its answer: how long it `took` in seconds and by how many tokens it fills the context."""

    call: Call
    output: str | list[dict[str, Any]]
    took: float
    is_error: bool | None = None
    tool_use_result: Any = UNSET
    grow: int = 0


def bash(command: str, output: str, took: float, description: str = "", *, grow: int = 0, **more: Any) -> Step:
    """A shell line. An output that begins with `Exit code` is a failure."""
    arguments: dict[str, Any] = {"command": command}
    if description:
        arguments["description"] = description
    failed = output.startswith("Exit code")
    return Step(Call("Bash", arguments | more), output, took, True if failed else None, grow=grow)


def read(path: str, text: str, *, start: int = 1, took: float = 0.03, grow: int = 0) -> Step:
    lines = text.strip("\n").split("\n")
    numbered = "\n".join(f"{n}\t{line}" for n, line in enumerate(lines, start))
    arguments: dict[str, Any] = {"file_path": path}
    if start > 1:
        arguments |= {"offset": start, "limit": len(lines)}
    file = {"filePath": path, "content": "\n".join(lines), "numLines": len(lines), "startLine": start}
    mirror = {"type": "text", "file": file | {"totalLines": start + len(lines) + 40}}
    return Step(Call("Read", arguments), numbered, took, tool_use_result=mirror, grow=grow)


def edit(path: str, old: str, new: str, *, at: int = 40, took: float = 0.08) -> Step:
    """A replacement, with the patch that the tool reports."""
    body = list(difflib.ndiff(old.split("\n"), new.split("\n")))
    lines = [line[0] + line[2:] for line in body if line[0] != "?"]
    hunk = {"oldStart": at, "oldLines": old.count("\n") + 1, "newStart": at, "newLines": new.count("\n") + 1}
    mirror = {"filePath": path, "oldString": old, "newString": new, "originalFile": None}
    mirror |= {"structuredPatch": [hunk | {"lines": lines}], "userModified": False, "replaceAll": False}
    arguments = {"file_path": path, "old_string": old, "new_string": new, "replace_all": False}
    return Step(
        Call("Edit", arguments), f"The file {path} has been updated successfully.", took, tool_use_result=mirror
    )


def write(path: str, text: str, *, took: float = 0.06) -> Step:
    mirror = {"type": "create", "filePath": path, "content": text, "structuredPatch": [], "originalFile": None}
    return Step(
        Call("Write", {"file_path": path, "content": text}),
        f"File created successfully at: {path}",
        took,
        tool_use_result=mirror,
    )


def grep(pattern: str, output: str, took: float = 0.12, **arguments: Any) -> Step:
    names = sorted({line.split(":")[0] for line in output.split("\n")})
    mirror = {"mode": "content", "numFiles": 0, "filenames": [], "content": output, "numLines": output.count("\n") + 1}
    if arguments.get("output_mode") != "content":
        mirror = {"mode": "files_with_matches", "filenames": names, "numFiles": len(names)}
    return Step(Call("Grep", {"pattern": pattern, **arguments}), output, took, tool_use_result=mirror)


def glob(pattern: str, names: Sequence[str], took: float = 0.05) -> Step:
    mirror = {"filenames": list(names), "durationMs": round(took * 1000), "numFiles": len(names), "truncated": False}
    return Step(Call("Glob", {"pattern": pattern}), "\n".join(names), took, tool_use_result=mirror)


class Scene:
    """One agent at work. `context` is the size of its context in tokens; it grows with all that is said and read."""

    def __init__(self, transcript: Transcript, context: int = 21_400, seed: int = 7) -> None:
        self.t = transcript
        self.context = context
        self.unseen = context
        self.random = random.Random(seed)
        self.calls = 0
        self.call_id = ""
        self.started_by = ""
        self.began_ms = transcript.now

    def after(self, seconds: float) -> Scene:
        self.t.at(self.t.now + round(seconds * 1000))
        return self

    def _usage(self, said: str) -> dict[str, Any]:
        output = len(said) // 4 + self.random.randint(60, 420)
        created, cached = self.unseen, self.context - self.unseen
        self.unseen = output + self.random.randint(500, 1_400)
        self.context += self.unseen
        main = self.t.agent_id is None
        return used(3, output, cached, created, created if main and self.t.since(2, 1, 100) else 0)

    def think_ms(self) -> int:
        return self.random.randint(1_900, 7_800)

    def say(self, text: str, **fields: Any) -> None:
        self.t.at(self.t.now + self.think_ms())
        self.t.reply(text, usage=self._usage(text), **fields)

    def ask(self, calls: list[Call], text: str | None = None, thinking: str | None = None) -> list[str]:
        """A reply with calls that nobody has answered yet; returns their ids."""
        self.t.at(self.t.now + self.think_ms())
        named = [Call(c.name, c.input, c.id or self.t.next_id("toolu")) for c in calls]
        usage = self._usage(str([c.input for c in calls]) + (text or ""))
        self.t.reply(text, named, thinking=thinking, usage=usage, step_ms=self.random.randint(300, 900))
        self.calls += len(calls)
        return [str(c.id) for c in named]

    def do(self, *steps: Step, text: str | None = None, thinking: str | None = None) -> None:
        """One reply with these calls, side by side; the answers come in the order in which the calls end."""
        ids = self.ask([s.call for s in steps], text, thinking)
        began = self.t.now
        for step, call_id in sorted(zip(steps, ids, strict=True), key=lambda pair: pair[0].took):
            self.t.at(max(self.t.now + 1, began + round(step.took * 1000) + self.random.randint(4, 30)))
            self.t.result(call_id, step.output, is_error=step.is_error, tool_use_result=step.tool_use_result)
            self.grow(step.grow + len(str(step.output)) // 4)
        self.call_id = ids[-1]

    def grow(self, tokens: int) -> None:
        self.unseen += tokens
        self.context += tokens

    def compacted(self, context: int) -> None:
        self.context = self.unseen = context

    def spawn(self, *tasks: tuple[str, str, str], text: str | None = None, background: bool = False) -> list[Scene]:
        """One reply that starts sub-agents: each task is (kind, description, prompt). Returns them at work."""
        tool = "Agent" if self.t.since(2, 1, 63) else "Task"
        extra = {"run_in_background": True} if background else {}
        calls = [Call(tool, {"description": d, "subagent_type": k, "prompt": p} | extra) for k, d, p in tasks]
        scenes = []
        for call_id, (kind, description, prompt) in zip(self.ask(calls, text), tasks, strict=True):
            sidecar: dict[str, Any] | None = None
            if self.t.since(2, 1, 50):
                sidecar = {"agentType": kind, "description": description}
            if sidecar and self.t.since(2, 1, 220):
                sidecar |= {"toolUseId": call_id, "spawnDepth": 1 + self.t.is_sidechain}
            digits = f"{self.random.getrandbits(64):016x}"
            agent_id = f"a{digits}" if self.t.since(2, 1, 50) else digits[:7]
            child = self.t.agent(
                agent_id, sidecar=sidecar, model="claude-sonnet-5" if self.t.since(2, 1, 207) else self.t.model
            )
            child.at("+150ms").prompt(prompt)
            scene = Scene(child, 9_800, self.random.randrange(10_000))
            scene.started_by, scene.began_ms = call_id, child.now
            scenes.append(scene)
        return scenes

    def report_of(self, child: Scene, kind: str, report: str) -> dict[str, Any]:
        """What a finished sub-agent's result mirrors beside its text."""
        totals = {"totalDurationMs": child.t.now - child.began_ms, "totalTokens": child.context}
        content = [{"type": "text", "text": report}]
        mirror: dict[str, Any] = {"status": "completed", "agentId": child.t.agent_id, "content": content}
        return mirror | totals | {"agentType": kind, "totalToolUseCount": child.calls}

    def join(self, child: Scene, kind: str, report: str) -> None:
        """The sub-agent gives its report and its call ends."""
        child.say(report)
        self.t.at(max(self.t.now, child.t.now + 90))
        mirror = self.report_of(child, kind, report)
        note = {"type": "text", "text": f"agentId: {child.t.agent_id} (for resuming to continue this agent's work)"}
        self.t.result(
            child.started_by,
            [{"type": "text", "text": report}, note],
            tool_use_result=None if self.t.agent_id else mirror,
        )
        self.grow(len(report) // 3)
