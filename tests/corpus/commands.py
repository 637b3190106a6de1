"""The commands over one session or one root: they end well and tell what the payload tells."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path

from tests.corpus.faults import NOW_MS, Held
from tests.independent.calls import calls_of
from tests.independent.tree import Session

PART = re.compile(rb'<script type="text/plain" id="wg-([a-z0-9-]+)">([^<]*)</script>')
BLOCK = 256  # bodies of rows in one part


def hold_list(held: Held, found: dict[str, Session], root: str) -> None:
    """`list --json` tells of every session what its payload tells."""
    from click.testing import CliRunner

    from waterglass.cli.main import cli
    from waterglass.session import load

    held.current = root
    done = CliRunner().invoke(cli, ["list", "--root", root, "--json"])
    if done.exit_code != 0:
        held.fault("list", f"exit {done.exit_code} {done.exception!r} {done.stderr[-200:]}")
        return
    listed = {s["id"]: s for s in json.loads(done.stdout)["sessions"]}
    if set(listed) != set(found):
        held.fault("list", f"{len(listed)} sessions want {len(found)}")
    for id, entry in listed.items():
        held.current = id
        head = load(id, roots=[root]).head(NOW_MS)
        rows = load(id, roots=[root]).payload(NOW_MS, table=True)["table"]
        outcomes = [rows["strings"][n] for n in rows["columns"]["outcome"]]
        want = {name: head["session"][name] for name in ("title", "project", "startMs", "endMs", "models", "continues")}
        want |= {
            "prompts": sum(p["state"] != "unsent" for p in head["prompts"]),
            "toolCalls": rows["count"],
            "errors": outcomes.count("error"),
            "agents": sum(a["kind"] != "internal" for a in head["agents"]),
            "bytes": head["coverage"]["bytes"],
            "usage": {k: v for k, v in head["usage"].items() if not isinstance(v, dict)},
        }
        off = {name: (entry.get(name), value) for name, value in want.items() if entry.get(name) != value}
        if off:
            held.fault("list", f"(have, want): {off}")


def hold_commands(held: Held, session: Session, root: str, scratch: Path) -> None:
    from click.testing import CliRunner

    from waterglass.cli.main import cli

    shown = CliRunner().invoke(cli, ["show", session.id, "--root", root])
    if shown.exit_code != 0 or not shown.stdout.strip():
        held.fault("show", f"exit {shown.exit_code} {shown.exception!r} {shown.stderr[-200:]}")
    if re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", shown.stdout):
        held.fault("show", "a control character reached the terminal")
    out = scratch / f"{session.id}.html"
    written = CliRunner().invoke(cli, ["report", session.id, "--root", root, "-o", str(out)])
    if written.exit_code != 0 or not out.is_file():
        held.fault("report", f"exit {written.exit_code} {written.exception!r} {written.stderr[-200:]}")
        return
    try:
        _report(held, session, out.read_bytes())
    except (ValueError, KeyError, OSError) as error:
        held.fault("report", f"{type(error).__name__}: {error}")
    out.unlink()


def _report(held: Held, session: Session, page: bytes) -> None:
    parts = {name.decode(): json.loads(gzip.decompress(base64.b64decode(data))) for name, data in PART.findall(page)}
    payload, calls = parts["head"], len(calls_of(session))
    if payload["session"]["id"] != session.id or payload["table"]["count"] != calls:
        held.fault("report", f"{payload['session']['id']} with {payload['table']['count']} rows want {calls}")
    blocks = [len(parts[f"rows-{n}"]) for n in range(-(-calls // BLOCK))]
    if sum(blocks) != calls or any(size != BLOCK for size in blocks[:-1]):
        held.fault("report", f"bodies {blocks} of {calls} rows")
    texts = payload["report"]["texts"]
    for id, n in texts.items():
        if id not in {text["reply"] or text["prompt"] for text in parts[f"texts-{n}"]}:
            held.fault("report", f"the whole text of {id} is not where the head says")
    cut = [p["uuid"] for p in payload["prompts"] if "textChars" in p] + [
        r["id"] for r in payload["replies"] if "textChars" in r or "thinkingChars" in r
    ]
    if not set(cut) <= set(texts):
        held.fault("report", f"{len(set(cut) - set(texts))} cut texts have no place")
