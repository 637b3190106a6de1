"""How the agent looked for code: by text, or by what the code means."""

from __future__ import annotations

from waterglass.metrics.result import Finding, Metric, counted
from waterglass.metrics.trace import Trace, shown


def measure(trace: Trace) -> Finding:
    """Count the calls that search text and those that ask a language server; value: the share of text search."""
    text = [a for a in trace.actions if a.searches]
    semantic = [a for a in trace.actions if "semantic" in a.facts.acts]
    in_shell = sum(a.facts.command is not None for a in text)
    detail = {"textSearches": len(text), "textSearchesInShell": in_shell, "semanticCalls": len(semantic)}
    evidence = [shown(a, "asks for meaning") for a in semantic] + [shown(a, "searches text") for a in text]
    if not semantic:
        note = "no semantic call: whether the agent had a tool for one is not written in a transcript"
        words = f"{counted(len(text), 'text search', 'text searches')}, no semantic call" if text else "no search"
        return Finding("unknown", None, words, detail, [note], evidence)
    share = len(text) / (len(text) + len(semantic))
    words = f"{counted(len(text), 'text search', 'text searches')}, {counted(len(semantic), 'semantic call')}"
    return Finding("ok", round(share, 4), words, detail, [], evidence)


METRIC = Metric(
    "grepSemantic",
    "Text or semantic search",
    "Calls that search text (Grep, Glob, grep and find in shell lines) beside calls that ask a language server for "
    "symbols, definitions or references. Neither is better; the value is the share of text search.",
    "share",
    None,
    measure,
)
