"""The summary of `waterglass show` where a session lacks what it usually has."""

from __future__ import annotations

import io
import json
from pathlib import Path

from waterglass.cli.summary import print_summary
from waterglass.session import load


def test_a_session_whose_records_have_no_time_is_shown(tmp_path: Path) -> None:
    call = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls"}}
    records = [
        {"type": "user", "uuid": "a", "message": {"role": "user", "content": "List them"}},
        {"type": "assistant", "uuid": "b", "message": {"id": "m", "role": "assistant", "content": [call]}},
    ]
    file = tmp_path / "projects" / "p" / "0a0a0a0a-1111-4222-8333-444444444444.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    out = io.StringIO()
    print_summary(load(str(file), [str(tmp_path / "projects")]).overview(), out)
    assert "1 prompt, 1 call" in out.getvalue()
