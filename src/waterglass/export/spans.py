"""The spans of a session: the session, its exchanges and agents, and in these the model's calls and the tools'."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from waterglass.export.lanes import Bar
from waterglass.export.otlp import CLIENT, ERROR, INTERNAL, OK, span, span_id, trace_id
from waterglass.export.told import Told, bars_of, usable

_FAILED = frozenset({"error", "rejected", "blocked", "interrupted"})
_OTHER = "_OTHER"


def session_spans(told: Told) -> Iterator[dict[str, Any]]:
    """Yield all spans of one session, a parent before its children. Each row is one `execute_tool` span, each counted
    API call one `chat` span."""
    yield from _Spans(told).all()


class _Spans:
    def __init__(self, told: Told) -> None:
        self.told = told
        self.payload = told.payload
        self.trace = trace_id(told.id)
        self.bars = bars_of(told)
        self.root = self._id("session", "")
        self.agents = {agent["id"]: self._id("agent", str(n)) for n, agent in enumerate(self.payload["agents"])}
        self.tools = {row["id"]: self._id("tool", own) for row, own in zip(told.rows, told.row_ids, strict=True)}
        self.replies = {reply["id"]: reply for reply in self.payload["replies"]}
        self.agent_bars = {
            agent["id"]: self._stretch(agent["startMs"], agent["endMs"]) for agent in self.payload["agents"]
        }

    def _id(self, kind: str, name: str) -> str:
        return span_id(self.told.id, kind, name)

    def _stretch(self, start: Any, end: Any) -> Bar:
        """The stretch between two times, of which either may be unknown."""
        known = [
            ms for ms in (usable(start), usable(end), usable(self.payload["session"]["startMs"])) if ms is not None
        ]
        first = known[0] if known else 0
        last = usable(end)
        return Bar(first, first if last is None else max(first, last))

    def all(self) -> Iterator[dict[str, Any]]:
        """Yield the spans."""
        yield self._session()
        exchanges = [self._exchange(n, one) for n, one in enumerate(self.payload["exchanges"])]
        yield from exchanges
        yield from (self._agent(agent) for agent in self.payload["agents"])
        exchange_ids = [one["spanId"] for one in exchanges]
        of_row = self._exchanges_of_rows()
        for call, own in zip(self.told.calls, self.told.call_ids, strict=True):
            yield self._chat(call, own, exchange_ids)
        for n, row in enumerate(self.told.rows):
            parent = self.agents.get(row["agentId"]) if row["agentId"] is not None else None
            if parent is None:
                parent = exchange_ids[of_row[n]] if n in of_row else self.root
            yield self._tool(n, row, parent)

    def _exchanges_of_rows(self) -> dict[int, int]:
        return {
            row: n for n, one in enumerate(self.payload["exchanges"]) for row in range(one["rowStart"], one["rowEnd"])
        }

    def _common(self) -> dict[str, Any]:
        return {"gen_ai.conversation.id": self.payload["session"]["id"]}

    def _session(self) -> dict[str, Any]:
        session, usage = self.payload["session"], self.payload["usage"]
        ends = [bar.end for bar in (*self.bars, *self.agent_bars.values())]
        whole = self._stretch(session["startMs"], session["endMs"])
        attributes = {
            **self._common(),
            "waterglass.session.title": session["title"],
            "waterglass.session.state": session["state"],
            "waterglass.session.api_calls": usage["apiCalls"],
        }
        return span(
            (self.trace, self.root, None), "session", INTERNAL, (whole.start, max([whole.end, *ends])), attributes
        )

    def _exchange(self, n: int, one: dict[str, Any]) -> dict[str, Any]:
        attributes = {
            **self._common(),
            "waterglass.exchange.number": n + 1,
            "waterglass.exchange.calls": one["calls"],
            "waterglass.exchange.errors": one["errors"],
        }
        ids = (self.trace, self._id("exchange", str(n)), self.root)
        return span(ids, "exchange", INTERNAL, self._stretch(one["startMs"], one["endMs"]), attributes)

    def _agent(self, agent: dict[str, Any]) -> dict[str, Any]:
        name = agent["name"] or agent["type"]
        attributes = {
            **self._common(),
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.provider.name": _provider(next(iter(self.payload["session"]["models"]), None)),
            "gen_ai.agent.id": agent["id"],
            "gen_ai.agent.name": name,
            "waterglass.agent.kind": agent["kind"],
            "waterglass.agent.type": agent["type"],
            "waterglass.agent.runs": agent["runs"],
        }
        ids = (self.trace, self.agents[agent["id"]], self.tools.get(agent["parent"] or "", self.root))
        named = f"invoke_agent {name}" if name else "invoke_agent"
        return span(ids, named, INTERNAL, self.agent_bars[agent["id"]], attributes)

    def _chat(self, call: dict[str, Any], own: str, exchange_ids: list[str]) -> dict[str, Any]:
        """A counted API call. An advisor's has the times of the reply that asked it, one of the program's own helpers
        those of its agent."""
        reply = self.replies.get(call["within"] or call["replyId"])
        usage, model = call["usage"], call["model"]
        parent = self.root
        if call["agentId"] in self.agents:
            parent = self.agents[call["agentId"]]
        elif reply is not None and 0 <= reply["exchange"] < len(exchange_ids):
            parent = exchange_ids[reply["exchange"]]
        if reply is not None:
            bar = self._stretch(reply["ms"], reply["endMs"])
        else:
            bar = self.agent_bars.get(call["agentId"]) or self._stretch(None, None)
        of_reply = reply if call["within"] is None else None
        attributes = {
            **self._common(),
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": _provider(model),
            "gen_ai.response.model": model,
            "gen_ai.response.id": call["replyId"],
            "gen_ai.response.finish_reasons": [of_reply["stopReason"]] if of_reply and of_reply["stopReason"] else None,
            "gen_ai.usage.input_tokens": usage["input"] + usage["cacheCreation"] + usage["cacheRead"],
            "gen_ai.usage.cache_creation.input_tokens": usage["cacheCreation"],
            "gen_ai.usage.cache_read.input_tokens": usage["cacheRead"],
            "gen_ai.usage.output_tokens": usage["output"],
            "waterglass.usage.api_calls": usage["apiCalls"],
            "waterglass.usage.output_is_lower_bound": usage["outputIsLowerBound"],
            "waterglass.advisor": True if call["within"] is not None else None,
            "waterglass.time_known": None if reply is not None and usable(reply["ms"]) is not None else False,
        }
        ids = (self.trace, self._id("chat", own), parent)
        return span(ids, f"chat {model}" if model else "chat", CLIENT, bar, attributes)

    def _tool(self, n: int, row: dict[str, Any], parent: str) -> dict[str, Any]:
        outcome = row["outcome"]
        failed = outcome in _FAILED
        attributes = {
            **self._common(),
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": row["toolName"],
            "gen_ai.tool.call.id": row["id"],
            "gen_ai.tool.type": "function",
            "error.type": outcome if failed else None,
            "waterglass.outcome": outcome,
            "waterglass.label": row["label"],
            "waterglass.category": row["category"],
            "waterglass.acts": row["acts"],
            "waterglass.background": row["background"] or None,
            "waterglass.time_known": None if usable(row["startTime"]) is not None else False,
        }
        status = {"code": ERROR} if failed else {"code": OK} if outcome == "ok" else {}
        ids = (self.trace, self.tools[row["id"]], parent)
        return span(ids, f"execute_tool {row['toolName']}", INTERNAL, self.bars[n], attributes, status)


def _provider(model: str | None) -> str:
    """The provider's name, as far as the model's tells it: a gateway may have answered in its place."""
    return "anthropic" if model is not None and model.startswith("claude") else _OTHER
