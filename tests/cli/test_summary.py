"""The summary of `waterglass show` where a session lacks what it usually has."""

from __future__ import annotations

import io
import json
from pathlib import Path

from tests.transcripts import Transcript
from waterglass.cli.summary import print_summary
from waterglass.discover import discover
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


def test_a_file_that_cannot_be_read_is_counted_where_the_summary_says_what_was_read(tmp_path: Path) -> None:
    t = Transcript("0a0a0a0a-1111-4222-8333-444444444444")
    t.prompt("go")
    t.agent("a1").prompt("look")
    t.write(tmp_path)
    ref = next(iter(discover([str(tmp_path)])))
    Path(ref.files[1].path).unlink()
    out = io.StringIO()
    print_summary(load(ref, in_sight=[]).overview(), out)
    assert "all read" not in out.getvalue()
    assert ": 1 unreadable files\n  a1: cannot read the transcript" in out.getvalue()
