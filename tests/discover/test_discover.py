"""Every layout is found, and nothing that is no transcript."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests import modes
from tests.transcripts import Transcript
from waterglass.discover import Discovery, Scan, SessionRef, again, discover, discover_folder, look_in, scan

ONE = "5e550001-0000-4000-8000-000000000001"
TWO = "5e550002-0000-4000-8000-000000000002"
needs_links = pytest.mark.skipif(not hasattr(os, "symlink"), reason="no symbolic links here")


def talk(session: str = ONE, **fields: object) -> Transcript:
    t = Transcript(session, **fields)  # type: ignore[arg-type]
    t.prompt("Count the boats")
    t.at("+2s").reply(text="Three.")
    return t


def keys(found: Discovery) -> dict[str, list[str]]:
    return {ref.id: [file.key for file in ref.files] for ref in found}


def test_a_main_transcript_is_a_session_named_by_its_file(tmp_path: Path) -> None:
    path = talk(folder="-code-demo").write(tmp_path)
    found = discover([str(tmp_path)])
    assert keys(found) == {ONE: ["main"]}
    ref = found.sessions[0]
    assert (ref.path, ref.size, ref.root, ref.folders) == (
        str(path),
        path.stat().st_size,
        str(tmp_path),
        (str(path.parent),),
    )
    assert ref.modified_ms == path.stat().st_mtime_ns // 1_000_000


@pytest.mark.parametrize("version", ["2.0.60", "2.1.20", "2.1.220"])
def test_agents_are_found_in_the_layout_of_each_era(tmp_path: Path, version: str) -> None:
    t = talk(version=version)
    t.agent("a0ffee1", sidecar={"agentType": "Explore"}).prompt("Look")
    t.write(tmp_path)
    (ref,) = discover([str(tmp_path)])
    assert [(file.key, file.kind, file.agent_id) for file in ref.files] == [
        ("main", "main", None),
        ("a0ffee1", "agent", "a0ffee1"),
    ]
    assert ref.files[1].sidecar == ref.files[1].path.removesuffix(".jsonl") + ".meta.json"


def test_agents_of_workflows_are_found_at_any_depth(tmp_path: Path) -> None:
    main = talk().write(tmp_path)
    deep = main.parent / ONE / "subagents" / "workflows" / "wf_1" / "x" / "y"
    deep.mkdir(parents=True)
    (deep / "agent-w1.jsonl").write_bytes(talk(agent_id="w1").content())
    (deep / "w2.jsonl").write_bytes(b"{}\n")
    assert keys(discover([str(tmp_path)])) == {ONE: ["main", "w1"]}


def test_backups_spilled_results_and_memories_are_no_sessions(tmp_path: Path) -> None:
    folder = talk().write(tmp_path).parent
    for name in (f"{ONE}.jsonl.bak", "memory/MEMORY.md", "memory/x.jsonl", f"{ONE}/tool-results/out.jsonl", "x.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"{}\n")
    (tmp_path / "stray.jsonl").write_bytes(b"{}\n")
    assert keys(discover([str(tmp_path)])) == {ONE: ["main"]}


def test_the_titles_file_neither_adds_nor_removes_a_session(tmp_path: Path) -> None:
    folder = talk().write(tmp_path).parent
    (folder / "sessions-index.json").write_text('{"entries":[{"sessionId":"gone","summary":"Gone"}]}')
    assert keys(discover([str(tmp_path)])) == {ONE: ["main"]}


def test_agents_without_their_main_transcript_make_an_orphan(tmp_path: Path) -> None:
    t = talk()
    t.agent("a1").prompt("Look")
    t.write(tmp_path).unlink()
    (ref,) = discover([str(tmp_path)])
    assert (ref.id, ref.orphan, [file.key for file in ref.files]) == (ONE, True, ["a1"])


def test_a_flat_agent_belongs_to_the_session_that_it_names(tmp_path: Path) -> None:
    folder = talk().write(tmp_path).parent
    (folder / "agent-a2.jsonl").write_bytes(b'{"type":"file-history-snapshot"}\n' + talk(TWO, agent_id="a2").content())
    assert keys(discover([str(tmp_path)])) == {ONE: ["main"], TWO: ["a2"]}


def test_a_flat_agent_with_a_very_long_first_line_is_read_no_further_than_64_kib(tmp_path: Path) -> None:
    folder = talk().write(tmp_path).parent
    t = Transcript(ONE, agent_id="a2", is_sidechain=True)
    t.prompt("x" * 200_000)
    (folder / "agent-a2.jsonl").write_bytes(t.content())
    assert keys(discover([str(tmp_path)])) == {ONE: ["main", "a2"]}


def test_a_flat_agent_that_names_no_session_is_reported_and_not_dropped(tmp_path: Path) -> None:
    folder = talk().write(tmp_path).parent
    (folder / "agent-a2.jsonl").write_bytes(b"garbage\n\xff\n")
    found = discover([str(tmp_path)])
    assert [file.path for file in found.unreadable] == [str(folder / "agent-a2.jsonl")]


def test_flat_agents_are_left_for_a_second_step(tmp_path: Path) -> None:
    t = talk(version="2.0.60")
    t.agent("a0ffee1").prompt("Look")
    t.write(tmp_path)
    walk = Scan(look_in([str(tmp_path)]))
    assert keys(walk.discovery()) == {ONE: ["main"]}
    walk.assign_flat()
    assert keys(walk.discovery()) == {ONE: ["main", "a0ffee1"]}


def test_files_of_one_id_in_several_folders_are_one_session(tmp_path: Path) -> None:
    talk(folder="-a").write(tmp_path)
    talk(folder="-b").write(tmp_path)
    found = discover([str(tmp_path)])
    assert keys(found) == {ONE: ["main", "main#2"]}
    assert [os.path.basename(folder) for folder in found.sessions[0].folders] == ["-a", "-b"]


def test_two_agents_of_one_name_have_keys_of_their_own(tmp_path: Path) -> None:
    main = talk().write(tmp_path)
    for place in ("subagents", "subagents/x"):
        (main.parent / ONE / place).mkdir(parents=True, exist_ok=True)
        (main.parent / ONE / place / "agent-main.jsonl").write_bytes(talk(agent_id="main").content())
    (ref,) = discover([str(tmp_path)])
    assert [file.key for file in ref.files] == ["main", "main#2", "main#3"]


@needs_links
def test_a_linked_project_folder_is_followed_once_and_loops_end(tmp_path: Path) -> None:
    store, root = tmp_path / "store", tmp_path / "projects"
    talk(folder="-demo").write(store)
    root.mkdir()
    (root / "-demo").symlink_to(store / "-demo")
    (root / "-again").symlink_to(store / "-demo")
    (store / "-demo" / "loop").symlink_to("..")
    (root / "up").symlink_to("..")
    (root / "self").symlink_to(".")
    (root / "dangling").symlink_to("nowhere")
    (tmp_path / "outside.jsonl").write_bytes(b"{}\n")
    assert keys(discover([str(root)])) == {ONE: ["main"]}


@needs_links
def test_links_to_files_and_links_of_agent_folders_are_not_followed(tmp_path: Path) -> None:
    root, folder = tmp_path / "projects", tmp_path / "projects" / "-demo"
    talk(folder="-demo").write(root)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "agent-x.jsonl").write_bytes(talk(agent_id="x").content())
    (outside / "secret.jsonl").write_bytes(talk(TWO).content())
    (folder / f"{TWO}.jsonl").symlink_to(outside / "secret.jsonl")
    (folder / "zero.jsonl").symlink_to("/dev/zero")
    (folder / "loop.jsonl").symlink_to("loop.jsonl")
    (folder / ONE).mkdir()
    (folder / ONE / "subagents").symlink_to(outside)
    (folder / TWO).symlink_to(outside)
    assert keys(discover([str(root)])) == {ONE: ["main"]}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_pipes_and_folders_named_like_transcripts_are_never_opened(tmp_path: Path) -> None:
    folder = talk().write(tmp_path).parent
    os.mkfifo(folder / "pipe.jsonl")
    os.mkfifo(folder / "agent-pipe.jsonl")
    (folder / "folder.jsonl").mkdir()
    assert keys(discover([str(tmp_path)])) == {ONE: ["main"]}


def test_a_file_with_two_names_counts_once(tmp_path: Path) -> None:
    path = talk().write(tmp_path)
    os.link(path, path.parent / f"{TWO}.jsonl")
    assert keys(discover([str(tmp_path)])) == {ONE: ["main"]}


def test_odd_names_are_sessions_whose_ids_can_be_written(tmp_path: Path) -> None:
    folder = talk().write(tmp_path).parent
    names = [b"-rf", b"a\nb", b"\x1b]0;t\x07", b"\xff\xfe", b".hidden", "\u202egnp".encode(), b"%2e%2e%2fx", b"x" * 249]
    for name in names:
        try:
            Path(os.fsdecode(os.fsencode(folder) + b"/" + name + b".jsonl")).write_bytes(b"{}\n")
        except OSError:
            names.remove(name)  # this file system takes no such name
    ids = {ref.id for ref in discover([str(tmp_path)])}
    assert len(ids) == len(names) + 1
    assert [id_.encode().decode() for id_ in ids]


@modes.that_hold()
def test_what_may_not_be_read_is_reported_and_the_rest_found(tmp_path: Path) -> None:
    folder = talk().write(tmp_path).parent
    (folder / f"{TWO}.jsonl").write_bytes(b"{}\n")
    (folder / f"{TWO}.jsonl").chmod(0)
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed").chmod(0)
    found = discover([str(tmp_path)])
    (tmp_path / "closed").chmod(0o700)
    assert keys(found) == {ONE: ["main"]}
    assert {(os.path.basename(file.path), file.reason) for file in found.unreadable} == {
        (f"{TWO}.jsonl", "permission denied"),
        ("closed", "permission denied"),
    }


def test_a_file_that_vanishes_during_the_walk_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    talk(ONE).write(tmp_path)
    gone = talk(TWO).write(tmp_path)
    name_of = scan.session_id

    def unlink_first(name: str) -> str | None:
        gone.unlink(missing_ok=True)
        return name_of(name)

    monkeypatch.setattr(scan, "session_id", unlink_first)
    found = discover([str(tmp_path)])
    assert (keys(found), found.unreadable) == ({ONE: ["main"]}, [])


def test_missing_and_empty_roots_give_no_sessions(tmp_path: Path) -> None:
    found = discover([str(tmp_path / "gone"), str(tmp_path)])
    assert (len(found), found.roots) == (0, [str(tmp_path)])


def test_sessions_come_newest_file_first(tmp_path: Path) -> None:
    for number, session in enumerate((TWO, ONE)):
        path = talk(session).write(tmp_path)
        os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))
    assert [ref.id for ref in discover([str(tmp_path)])] == [ONE, TWO]


def test_one_project_folder_can_be_looked_at_alone(tmp_path: Path) -> None:
    path = talk(ONE, folder="-a").write(tmp_path)
    talk(TWO, folder="-b").write(tmp_path)
    found = discover_folder(str(path.parent))
    assert (keys(found), found.sessions[0].root) == ({ONE: ["main"]}, str(path.parent))


@pytest.mark.parametrize("version", ["2.0.60", "2.1.20"])
def test_looking_again_sees_growth_and_new_agents(tmp_path: Path, version: str) -> None:
    t = talk(version=version)
    t.agent("a1").prompt("Look")
    path = t.write(tmp_path)
    (before,) = discover([str(tmp_path)])
    assert again(before) == before
    with path.open("ab") as file:
        file.write(b"{}\n")
    new = path.parent / ONE / "subagents" / "new"
    new.mkdir(parents=True)
    (new / "agent-a2.jsonl").write_bytes(talk(agent_id="a2").content())
    after = again(before)
    assert after is not None
    assert {file.key for file in after.files} == {"main", "a1", "a2"}
    assert after.files[0].size == before.files[0].size + 3


def test_looking_again_at_an_orphan_or_at_what_is_gone(tmp_path: Path) -> None:
    t = talk()
    t.agent("a1").prompt("Look")
    path = t.write(tmp_path)
    path.unlink()
    (ref,) = discover([str(tmp_path)])
    assert again(ref) == ref
    os.unlink(ref.path)
    assert again(ref) is None


def test_a_reference_says_project_and_time(tmp_path: Path) -> None:
    talk(cwd="/code/boats/.worktrees/red").write(tmp_path)
    (ref,) = discover([str(tmp_path)])
    assert isinstance(ref, SessionRef)
    assert ref.project == "/code/boats"
    assert round(ref.modified.timestamp() * 1000) == ref.modified_ms
