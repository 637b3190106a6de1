"""Payloads as the server answers them, made up: small ones with every oddity, and large ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

BEGIN = 1_780_000_000_000
MINUTE = 60_000
HOUR = 60 * MINUTE
HOSTILE = '<img src=x onerror="window.XSS=1"></script><script>window.XSS=2</script>'
BIDI = "safe\u202egnp.exe\u2066\u200b\x1b[31mred\x07"
PLAIN = [
    "id",
    "parent",
    "depth",
    "subtreeEnd",
    "startMs",
    "endMs",
    "duration",
    "ackMs",
    "background",
    "isReread",
    "inputTokens",
    "outputTokens",
    "tokens",
    "contextFillPercent",
]
INTERNED = [
    "type",
    "toolName",
    "label",
    "status",
    "outcome",
    "agentId",
    "startsAgentId",
    "parentAgentId",
    "messageId",
    "model",
    "category",
]
LISTS = ("acts", "targets", "warnings")
USAGE = {
    "apiCalls": 12,
    "input": 340,
    "cacheCreation": 41_200,
    "cacheCreation1h": 0,
    "cacheRead": 1_230_000,
    "output": 18_400,
    "outputIsLowerBound": True,
}


@dataclass
class Maker:
    """Collects rows in pre-order; `call` opens a row, rows made with `inside` lie below it."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    replies: list[dict[str, Any]] = field(default_factory=list)
    prompts: list[dict[str, Any]] = field(default_factory=list)
    exchanges: list[dict[str, Any]] = field(default_factory=list)
    marks: list[dict[str, Any]] = field(default_factory=list)
    compactions: list[dict[str, Any]] = field(default_factory=list)
    agents: list[dict[str, Any]] = field(default_factory=list)

    def exchange(self, text: str, ms: int, end: int) -> None:
        """Begin an exchange; rows that follow belong to it."""
        self._close()
        uuid = f"prompt-{len(self.prompts)}"
        self.prompts.append(
            {"text": text[:2000], "textChars": len(text), "ms": ms, "uuid": uuid, "state": "sent", "branch": "active"}
        )
        self.exchanges.append(
            {"prompt": len(self.prompts) - 1, "startMs": ms, "endMs": end, "rowStart": len(self.rows), "rowEnd": 0}
        )

    def call(self, tool: str, label: str, ms: int, took: int | None, **extra: Any) -> int:
        """One row; `inside` is the index of the row that it lies below. Returns its index."""
        inside = extra.pop("inside", -1)
        index = len(self.rows)
        outcome = extra.pop("outcome", "ok")
        self.rows.append(
            {
                "id": f"toolu_{index:05d}",
                "parent": inside,
                "depth": self.rows[inside]["depth"] + 1 if inside >= 0 else 0,
                "startMs": ms,
                "endMs": None if took is None else ms + took,
                "duration": took,
                "ackMs": None,
                "background": 0,
                "isReread": 0,
                "inputTokens": 42_000 + index % 90_000,
                "outputTokens": 120 + index * 7 % 900,
                "tokens": None,
                "contextFillPercent": 21 + index % 60,
                "type": "tool",
                "toolName": tool,
                "label": f"{tool}: {label}",
                "status": "success" if outcome == "ok" else "error",
                "outcome": outcome,
                "agentId": self.rows[inside]["startsAgentId"] if inside >= 0 else None,
                "startsAgentId": None,
                "parentAgentId": None,
                "messageId": f"msg_{index}",
                "model": "claude-opus-4-5",
                "category": "other",
                "acts": ["read"],
                "targets": [],
                "warnings": None,
                **extra,
            }
        )
        return index

    def agent(self, label: str, ms: int, took: int | None, **extra: Any) -> int:
        """A row that starts an agent of its own."""
        agent = f"agent-{len(self.agents)}"
        index = self.call("Agent", label, ms, took, type="agent", startsAgentId=agent, **extra)
        self.agents.append(
            {
                "id": agent,
                "kind": "spawned",
                "type": "Explore",
                "name": label,
                "parent": self.rows[index]["id"],
                "depth": self.rows[index]["depth"] + 1,
                "runs": 1,
                "startMs": ms,
                "endMs": None if took is None else ms + took,
                "contextTokens": 31_000,
                "usage": USAGE,
                "missing": False,
            }
        )
        return index

    def reply(
        self, text: str, ms: int, rows: tuple[int, ...] = (), agent: str | None = None, took: int = 2_000
    ) -> None:
        """A reply; with rows it stands before the first of them."""
        self.replies.append(
            {
                "id": f"msg-r{len(self.replies)}",
                "agentId": agent,
                "model": "claude-opus-4-5",
                "ms": ms,
                "endMs": ms + took,
                "stopReason": "tool_use" if rows else "end_turn",
                "text": text[:2000],
                "textChars": len(text),
                "thinking": "I should look first." if rows else "",
                "thinkingWithheld": False,
                "usage": USAGE,
                "exchange": len(self.exchanges) - 1,
                "rowIndexes": list(rows),
                "rowIds": [],
            }
        )

    def compaction(self, ms: int, before: int, after: int) -> None:
        """A compaction of the main thread."""
        self.compactions.append(
            {"ms": ms, "trigger": "auto", "preTokens": before, "postTokens": after, "agentId": None}
        )
        self.marks.append(
            {"kind": "compaction", "ms": ms, "endMs": ms, "label": f"compaction {before // 1000}k → {after // 1000}k"}
        )

    def _close(self) -> None:
        if not self.exchanges:
            return
        last = self.exchanges[-1]
        last["rowEnd"] = len(self.rows)
        rows = self.rows[last["rowStart"] :]
        last["calls"] = len(rows)
        last["errors"] = sum(r["outcome"] == "error" for r in rows)

    def payload(self, **head: Any) -> dict[str, Any]:
        """The document of GET /api/sessions/{id}."""
        self._close()
        for reply in self.replies:
            reply["rowIds"] = [self.rows[index]["id"] for index in reply["rowIndexes"]]
        times = [t for r in self.rows for t in (r["startMs"], r["endMs"]) if t is not None]
        times += [r["endMs"] for r in self.replies] + [p["ms"] for p in self.prompts] + [BEGIN]
        start, end = min(times), max(times)
        wall = end - start
        session = {
            "id": "s",
            "project": "/home/mira/code/tidepool",
            "title": "Tide tables",
            "titleSource": "ai",
            "state": "idle",
            "startMs": start,
            "endMs": end,
            "models": ["claude-opus-4-5", "claude-haiku-4-5"],
            "versions": ["2.1.200"],
            "gitBranches": ["main"],
            "slug": "calm-blue-tide",
            "continues": None,
            "files": [],
        }
        tokens = [[start + wall * i // 40, 20_000 + (i * 9_000) % 150_000] for i in range(40)]
        return {
            "payload": 1,
            "generator": {"name": "waterglass", "version": "0.1.0"},
            "session": session | head.pop("session", {}),
            "coverage": {"skippedLines": 0, "problems": []},
            "prompts": self.prompts,
            "replies": self.replies,
            "exchanges": self.exchanges,
            "marks": self.marks,
            "agents": self.agents,
            "compactions": self.compactions,
            "usage": {**USAGE, "main": USAGE, "agents": USAGE, "byModel": {}, "inherited": USAGE},
            "cost": None,
            "context": {
                "tokens": 84_000,
                "window": 200_000,
                "windowSource": "assumed",
                "fillPercent": 42,
                "peakTokens": 169_000,
                "series": tokens,
            },
            "time": {
                "wallMs": wall,
                "activeMs": wall - wall // 2,
                "modelMs": wall // 4,
                "toolMs": wall // 8,
                "userMs": wall - wall // 2 - wall // 4 - wall // 8,
                "idleMs": wall // 2,
                "toolBound": "at_most",
            },
            "metrics": None,
            "health": None,
            "table": table(self.rows),
            **head,
        }


def table(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Rows as columns of equal length with interned strings."""
    strings: dict[str, int] = {}

    def intern(text: str | None) -> int:
        return -1 if text is None else strings.setdefault(text, len(strings))

    ends = list(range(1, len(rows) + 1))
    for i in range(len(rows) - 1, -1, -1):
        if rows[i]["parent"] >= 0:
            ends[rows[i]["parent"]] = max(ends[rows[i]["parent"]], ends[i])
    columns: dict[str, list[Any]] = {name: [row.get(name) for row in rows] for name in PLAIN}
    columns["subtreeEnd"] = list(ends)
    for name in INTERNED:
        columns[name] = [intern(row[name]) for row in rows]
    for name in LISTS:
        columns[name] = [[intern(text) for text in row[name]] if row[name] else None for row in rows]
    columns["usage"] = [None] * len(rows)
    columns["evidence"] = [None] * len(rows)
    return {"count": len(rows), "columns": columns, "strings": list(strings)}


def small() -> dict[str, Any]:
    """Three exchanges: nested agents, every outcome, an idle gap of 2 h 14 m, a compaction, hostile names."""
    m = Maker()
    t = BEGIN
    m.exchange("Find out why the tide table is off by an hour, and mend it", t, t + 4 * MINUTE)
    m.reply("I'll look at how the table is read first.", t + 2_000, (0, 1))
    m.call("Read", "src/tides/table.py", t + 5_000, 180, targets=["src/tides/table.py"])
    m.call("Grep", '"utcoffset" in src', t + 5_000, 95)
    agent = m.agent("Explore, find every place that converts a time", t + 12_000, 95_000)
    m.call("Glob", "**/*.py", t + 15_000, 70, inside=agent)
    inner = m.agent("Plan, how the conversions fit together", t + 20_000, 60_000, inside=agent)
    m.call("Read", "src/tides/zone.py", t + 22_000, 140, inside=inner, isReread=1)
    deep = m.agent("Check, one conversion", t + 26_000, 40_000, inside=inner)
    m.call("Bash", "python -m pytest tests/test_zone.py -q", t + 30_000, 32_000, inside=deep, outcome="error")
    m.reply("The zone is read twice.", t + 64_000, (), f"agent-{2}")
    m.call("mcp__github__search_code", "utcoffset", t + 90_000, 2_300, inside=agent)
    m.call("Edit", "src/tides/zone.py", t + 120_000, 210, targets=["src/tides/zone.py"], acts=["edit"])
    m.call("Bash", "npm test -- tides", t + 130_000, 41_000, outcome="error")
    m.call("WebFetch", "https://example.org/tides", t + 180_000, 5_400)
    m.reply("The table was read in local time; it is UTC now. The test of the ferry still fails.", t + 200_000)
    t += 4 * MINUTE + 2 * HOUR + 14 * MINUTE
    m.exchange("Then run the ferry test in the background and go on", t, t + 9 * MINUTE)
    m.call("Bash", "make ferry-test", t + 4_000, 300_000, background=1, ackMs=900)
    m.call("Write", "docs/tides.md", t + 30_000, 300)
    m.compaction(t + 60_000, 184_000, 14_000)
    m.call("Bash", HOSTILE, t + 90_000, 1_000, outcome="rejected")
    m.call("Read", BIDI, t + 100_000, 20, outcome="blocked")
    m.call("mcp__evil__" + HOSTILE, "x", t + 110_000, 20, outcome="interrupted")
    m.call("Bash", "tail -f ferry.log", t + 130_000, None, outcome="no_result", id="odd/id?#1")
    m.reply("The ferry test runs. " + HOSTILE + " " + BIDI, t + 200_000)
    m.exchange("Anything left?", t + 7 * MINUTE, t + 8 * MINUTE)
    m.reply("No: everything is green.\n\n" + "A long closing text. " * 120, t + 7 * MINUTE + 5_000)
    problems = [{"code": "bad_line", "file": "main.jsonl", "line": 12, "offset": 8_812, "message": HOSTILE}]
    return m.payload(coverage={"skippedLines": 12, "problems": problems})


def live(now_ms: int) -> dict[str, Any]:
    """A session with a running call and a running agent."""
    m = Maker()
    t = now_ms - 3 * MINUTE
    m.exchange("Watch the build", t, now_ms)
    agent = m.agent("Explore, the build", t + 20_000, None, outcome="running")
    m.call("Bash", "make all", t + 30_000, 40_000, inside=agent)
    m.call("Bash", "make watch", t + 90_000, None, inside=agent, outcome="running")
    return m.payload(session={"state": "live", "endMs": now_ms - 1_000, "startMs": t})


def empty() -> dict[str, Any]:
    """A session with a prompt and no call."""
    m = Maker()
    m.exchange("Hello", BEGIN, BEGIN + 3_000)
    return m.payload(session={"title": None})
