"""Reading goes on where it stopped: in two parts at any line, or byte by byte, it gives what reading whole gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.core.told import SESSION, started
from tests.transcripts import Call, Transcript, used
from waterglass.discover import discover
from waterglass.discover.refs import TranscriptFile
from waterglass.load import Transcript as Loaded
from waterglass.load import link_transcripts, open_transcript, read_on
from waterglass.payload import payload_head
from waterglass.session import load
from waterglass.view import make_view


def everything() -> Transcript:
    """A session with something of all that the reader may meet."""
    t = started(prompt="Mend it")
    t.at("+1s").reply(
        "Looking.", [Call("Bash", {"command": "ls"}, "c1"), Call("Read", {"file_path": "/code/demo/a"}, "c2")]
    )
    t.raw(b"\xef\xbb\xbf")
    t.at("+1s").result("c2", "text")
    t.raw(b'{"type":"user","mess')
    t.raw(b'{"type":"user","uuid":"x","sessionId":"s","message":{"role":"user","content":"caf\xe9"}}')
    t.raw(b'{"type":"mode","mode":"normal","sessionId":"s"}{"type":"mode","mode":"plan","sessionId":"s"}')
    t.at("+1s").result("c1", "Exit code 1", is_error=True)
    t.raw(t.lines[0])
    t.raw(b"\0\0\0")
    t.raw(b"")
    t.at("+1s").reply(calls=[Call("Agent", {"description": "d", "prompt": "Look"}, "c3")], usage=used(9, 9, 9, 9))
    agent = t.agent("a1", sidecar={"toolUseId": "c3"})
    agent.prompt("Look")
    agent.at("+1s").reply("é€😀", [Call("Grep", {"pattern": "x"}, "c4")])
    agent.at("+1s").result("c4", "none")
    t.at(agent).result("c3", "Done")
    t.compact_boundary()
    t.compact_summary("So far")
    t.raw({"type": "brand-new", "value": 1})
    t.queue("enqueue", "Later")
    t.title("A title")
    t.at("+1h").reply("All done.")
    return t


def derived(files: list[Loaded]) -> Any:
    """All that is computed of what was read, as plain data."""
    linked, coverage = link_transcripts(files)
    view = make_view(linked, 1_790_000_000_000)
    return [
        payload_head(view, SESSION, [], coverage, None),
        msgspec.to_builtins(view.rows, str_keys=True, builtin_types=(bytes,)),
        [(f.file.key, f.position.offset, f.position.line) for f in files],
    ]


def read_at(file: TranscriptFile, path: Path, cuts: list[int]) -> Loaded:
    """Read a file that grows to each of `cuts` in bytes and at last to its whole size."""
    whole = Path(file.path).read_bytes()
    copy = msgspec.structs.replace(file, path=str(path))
    path.write_bytes(b"")
    loaded = open_transcript(copy)
    for cut in [*cuts, len(whole)]:
        path.write_bytes(whole[:cut])
        read_on(loaded)
    return loaded


@pytest.fixture
def files(root: Path) -> list[TranscriptFile]:
    everything().write(root)
    return list(load(SESSION, roots=[str(root)]).ref.files)


def test_reading_in_two_parts_at_every_line_equals_reading_whole(files: list[TranscriptFile], tmp_path: Path) -> None:
    whole = derived([read_at(file, tmp_path / file.key, []) for file in files])
    for number, file in enumerate(files):
        data = Path(file.path).read_bytes()
        ends = [at + 1 for at, byte in enumerate(data) if byte == 10]
        for end in [0, *ends]:
            parts = [read_at(f, tmp_path / f.key, [end] if n == number else []) for n, f in enumerate(files)]
            assert derived(parts) == whole, f"{file.key} cut at {end}"


def test_reading_in_two_parts_within_a_line_equals_reading_whole(files: list[TranscriptFile], tmp_path: Path) -> None:
    whole = derived([read_at(file, tmp_path / file.key, []) for file in files])
    data = Path(files[0].path).read_bytes()
    for cut in range(1, len(data), 97):
        parts = [read_at(f, tmp_path / f.key, [cut] if n == 0 else []) for n, f in enumerate(files)]
        assert derived(parts) == whole, f"cut at {cut}"


def test_a_file_that_grows_a_few_bytes_at_a_time_equals_the_whole_one(root: Path, tmp_path: Path) -> None:
    t = started(prompt="é")
    t.at("+1s").reply("€", [Call("Bash", {"command": "ls"}, "c1")])
    t.result("c1", "😀")
    t.write(root)
    (file,) = load(SESSION, roots=[str(root)]).ref.files
    whole = derived([read_at(file, tmp_path / "whole", [])])
    assert derived([read_at(file, tmp_path / "grown", list(range(0, file.size, 3)))]) == whole


def test_a_whole_last_line_without_its_end_counts_once_after_it_got_its_end(root: Path, tmp_path: Path) -> None:
    t = started()
    t.at("+1s").reply("Done.")
    t.write(root)
    (file,) = load(SESSION, roots=[str(root)]).ref.files
    loaded = read_at(file, tmp_path / "t", [file.size - 1])
    assert [e.text for e in loaded.events] == ["Go", "Done."]
    assert loaded.tail_events == []
    assert loaded.coverage.records == 2


def test_the_unfinished_line_is_seen_while_it_is_the_last(root: Path, tmp_path: Path) -> None:
    t = started()
    t.at("+1s").reply("Done.")
    t.write(root)
    (file,) = load(SESSION, roots=[str(root)]).ref.files
    short = Path(file.path).read_bytes()[:-1]
    Path(file.path).write_bytes(short)
    loaded = open_transcript(file)
    read_on(loaded)
    assert [e.text for e in loaded.whole.events] == ["Go", "Done."]
    assert [e.text for e in loaded.events] == ["Go"]


def test_the_name_of_the_file_does_not_matter(root: Path, tmp_path: Path) -> None:
    everything().write(root)
    one = load(SESSION, roots=[str(root)]).payload(1_790_000_000_000)
    for path in sorted(root.rglob("*"), reverse=True):
        path.rename(path.with_name(path.name.replace(SESSION, "other")))
    (ref,) = discover([str(root)])
    two = load(ref).payload(1_790_000_000_000)
    for payload in (one, two):
        del payload["session"]["id"], payload["session"]["files"], payload["session"]["continues"]
    assert one == two
