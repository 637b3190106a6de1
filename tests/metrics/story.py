"""Tell a small session in a few words, with the results of its checks and its claims beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from tests.transcripts import UNSET, Call, Transcript
from waterglass.metrics import Judged, Settings, Trace, needs, read_trace
from waterglass.session import Session, load

SESSION = "5e551044-0000-4000-8000-00000000e001"
LONG_AFTER = 1_780_000_000_000
PASSED = "collected 5 items\n\n5 passed in 0.12s"
FAILED = "Exit code 1\ncollected 5 items\n\n1 failed, 4 passed in 0.12s"


@dataclass
class Story:
    """A session being told; `thread` is the transcript that the next calls go to."""

    transcript: Transcript = field(default_factory=lambda: Transcript(SESSION))
    checks: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, str] = field(default_factory=dict)
    claims: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    thread: Transcript | None = None
    count: int = 0

    @property
    def at(self) -> Transcript:
        """Where the next call is written, a second later."""
        thread = self.thread or self.transcript
        return thread.at("+1s")

    def asks(self, text: str = "Fix the parser") -> Self:
        """A person types a prompt."""
        self.at.prompt(text)
        return self

    def call(
        self,
        name: str,
        output: Any = "ok",
        *,
        error: bool | None = None,
        result: bool = True,
        id: str | None = None,
        text: str | None = None,
        tool_use_result: Any = UNSET,
        **given: Any,
    ) -> Self:
        """The agent makes one call and gets its result."""
        self.count += 1
        call_id = id or f"toolu_{self.count}"
        self.at.reply(text, [Call(name, given, call_id)])
        if isinstance(output, str):
            self.outputs[call_id] = output
        if result:
            self.at.result(call_id, output, is_error=error, tool_use_result=tool_use_result)
        return self

    def edit(self, path: str = "src/parser.py", **options: Any) -> Self:
        """An edit by the tool."""
        return self.call(
            "Edit", "updated", file_path=self.path(path), old_string="a", new_string=f"b{self.count}", **options
        )

    def write(self, path: str, content: str = "x", **options: Any) -> Self:
        """A file written by the tool."""
        return self.call("Write", "written", file_path=self.path(path), content=f"{content}{self.count}", **options)

    def read(self, path: str = "src/parser.py", output: str = "1\tx", **options: Any) -> Self:
        """A file read by the tool."""
        return self.call("Read", output, file_path=self.path(path), **options)

    def run(self, command: str, output: str = "", **options: Any) -> Self:
        """A shell line."""
        return self.call("Bash", output, command=command, **options)

    def check(
        self, command: str = "pytest -q", verdict: str = "pass", output: str | None = None, **options: Any
    ) -> Self:
        """A shell line that checks; `verdict` is what the judge says of it."""
        text = output if output is not None else {"pass": PASSED, "fail": FAILED}.get(verdict, "")
        self.run(command, text, error=verdict == "fail" or None, **options)
        self.checks[f"toolu_{self.count}"] = verdict
        return self

    def ends(self, text: str = "Done. I have fixed the parser.", claim: str = "done") -> Self:
        """The agent ends its turn with a text."""
        reply = self.at.reply(text)
        self.claims[reply] = (claim, text if claim == "done" else None)
        return self

    def agent(self, agent_id: str = "a0c0ffee0c0ffee01", *, kept: bool = True) -> Self:
        """Start a sub-agent; what follows is its work until `back`. Not `kept`: its file is gone."""
        self.count += 1
        call_id = f"toolu_{self.count}"
        given = {"description": "help", "prompt": "help", "subagent_type": "helper"}
        self.at.reply(None, [Call("Agent", given, call_id)])
        if kept:
            self.thread = self.transcript.agent(agent_id, sidecar={"agentType": "helper", "toolUseId": call_id})
            self.thread.prompt("help")
        self.agent_call = call_id
        return self

    def back(self, output: str = "The helper is done.") -> Self:
        """The sub-agent hands its answer back."""
        if self.thread is not None:
            self.thread.at("+1s").reply(output)
            self.transcript.at(self.thread)
            self.thread = None
        self.at.result(self.agent_call, output)
        return self

    def interrupted(self) -> Self:
        """A person stops the agent."""
        self.at.interrupt(for_tool_use=False)
        return self

    def compacted(self, summary: str = "We fixed the parser.") -> Self:
        """The program empties the context."""
        self.at.compact_boundary()
        self.at.compact_summary(summary)
        return self

    def path(self, path: str) -> str:
        """A path as a tool gets it: absolute."""
        return path if path.startswith(("/", "~", "$")) else f"{self.transcript.cwd}/{path}"

    def session(self, root: Path, now_ms: int = LONG_AFTER) -> Session:
        """Write the session and read it with the product."""
        self.transcript.write(root)
        return load(SESSION, roots=[str(root)], now_ms=now_ms)

    def trace(self, root: Path, settings: Settings | None = None) -> Trace:
        """The session as the metrics see it, without any results."""
        return read_trace(self.session(root).view(), settings or Settings())

    def judged(self) -> Judged:
        """The results of checks and the claims as this story tells them."""
        return Judged(self.checks, self.claims, self.outputs)


def judged_by_the_product(session: Session, trace: Trace) -> Judged:
    """The results of checks and the claims as the product reads them from the bodies that the metrics ask for."""
    from waterglass.claims import claim
    from waterglass.verdict import verify_ok

    wanted = needs(trace)
    rows = {action.row.id: action for action in trace.actions}
    checks: dict[str, str] = {}
    for row_id in wanted.outputs:
        action = rows[row_id]
        facts = action.row.result.result if action.row.result else None
        body = session.row_body(row_id)
        if action.line is None or facts is None or body is None:
            continue
        command = action.facts.command or ""
        verdict = verify_ok(action.line, facts.is_error, facts.exit_code, body["output"] or "", command)
        if verdict is not None:
            checks[row_id] = verdict
    claims: dict[str, tuple[str, str | None]] = {}
    for reply_id in wanted.texts:
        body = session.reply_body(reply_id)
        found = claim(body["text"] if body else "")
        claims[reply_id] = (found.kind, found.said)
    listings = {row_id: (session.row_body(row_id) or {}).get("output") or "" for row_id in wanted.listings}
    return Judged(checks, claims, listings)
