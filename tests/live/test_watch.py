"""Which sessions' files changed, as the system tells it."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from waterglass.live import Changes, Watcher, changes_of, watch

Watch = Callable[..., "Heard"]
PATIENCE_S = 30.0


class Heard:
    """What a watcher told, and a way to wait for it."""

    watcher: Watcher

    def __init__(self) -> None:
        self.changes: list[Changes] = []
        self.come = threading.Condition()

    def __call__(self, changes: Changes) -> None:
        with self.come:
            self.changes.append(changes)
            self.come.notify_all()

    def session(self, session: str, timeout: float = PATIENCE_S) -> bool:
        with self.come:
            return self.come.wait_for(lambda: any(session in c.sessions for c in self.changes), timeout)

    def others(self, timeout: float = PATIENCE_S) -> bool:
        with self.come:
            return self.come.wait_for(lambda: any(c.others for c in self.changes), timeout)


@pytest.fixture
def watched() -> Iterator[Watch]:
    """Watch roots until the test ends."""
    started: list[Watcher] = []

    def start(*roots: Path) -> Heard:
        heard = Heard()
        heard.watcher = Watcher([str(root) for root in roots], heard)
        started.append(heard.watcher)
        heard.watcher.start()
        deadline = time.monotonic() + PATIENCE_S
        while not heard.watcher.notified and any(root.is_dir() for root in roots):
            assert time.monotonic() < deadline, "no notifications are to be had"
            time.sleep(0.01)
        return heard

    yield start
    for watcher in started:
        watcher.close()


def written(heard: Heard, path: Path, session: str) -> None:
    """Write to a file again and again until it is told: a folder is watched a moment after it is there."""
    deadline = time.monotonic() + PATIENCE_S
    while not heard.session(session, 0.2) and time.monotonic() < deadline:
        with path.open("a") as stream:
            stream.write("{}\n")
    assert heard.session(session, 0)


@pytest.mark.parametrize(
    ("path", "sessions", "others"),
    [
        ("/code/p/-a/s1.jsonl", {"s1"}, False),
        ("/code/p/-a/s1/subagents/agent-x.jsonl", {"s1"}, False),
        ("/code/p/-a/s1/subagents/deep/er/agent-x.meta.json", {"s1"}, False),
        ("/code/p/-a/s1/subagents", {"s1"}, False),
        ("/code/p/-a/s1/tool-results/out.txt", set(), False),
        ("/code/p/-a/s1", set(), False),
        ("/code/p/-a/sessions-index.json", set(), False),
        ("/code/p/-a/agent-x.jsonl", set(), True),
        ("/code/p/-a", set(), True),
        ("/code/p", set(), True),
        ("/elsewhere/s1.jsonl", set(), False),
        ("/code/private/-a/s1.jsonl", set(), False),
    ],
)
def test_a_path_tells_its_session_by_its_name(path: str, sessions: set[str], others: bool) -> None:
    assert changes_of([path], ["/code/p"]).sessions == sessions
    assert path.startswith(("/elsewhere", "/code/private")) or changes_of([path], ["/code/p"]).others is others


def test_a_file_that_is_written_is_told_within_a_moment(tmp_path: Path, watched: Watch) -> None:
    (tmp_path / "-a").mkdir()
    heard = watched(tmp_path)
    began = time.monotonic()
    (tmp_path / "-a" / "s1.jsonl").write_text("{}\n")
    assert heard.session("s1")
    assert time.monotonic() - began < 5


def test_folders_that_come_later_are_watched_too(tmp_path: Path, watched: Watch) -> None:
    heard = watched(tmp_path)
    agents = tmp_path / "-b" / "s2" / "subagents"
    agents.mkdir(parents=True)
    assert heard.others()
    written(heard, agents / "agent-x.jsonl", "s2")


def test_a_root_that_comes_later_is_watched(tmp_path: Path, watched: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "_RETRY_S", 0.1)
    heard = watched(tmp_path / "projects")
    (tmp_path / "projects" / "-a").mkdir(parents=True)
    written(heard, tmp_path / "projects" / "-a" / "s1.jsonl", "s1")


def test_a_root_that_goes_and_comes_back_is_watched_again(
    tmp_path: Path, watched: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "_RETRY_S", 0.1)
    root = tmp_path / "projects"
    (root / "-a").mkdir(parents=True)
    heard = watched(root)
    shutil.rmtree(root)
    deadline = time.monotonic() + PATIENCE_S
    while heard.watcher.notified and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not heard.watcher.notified
    (root / "-a").mkdir(parents=True)
    written(heard, root / "-a" / "s9.jsonl", "s9")


def test_without_notifications_the_watcher_says_now_and_then_that_anything_may_have_changed(
    tmp_path: Path, watched: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    import watchfiles

    def refuse(*paths: str, **how: object) -> Iterator[object]:
        raise OSError(28, "No space left on device")  # what the system says when there are too many watches

    monkeypatch.setattr(watchfiles, "watch", refuse)
    monkeypatch.setattr(watch, "_RETRY_S", 0.05)
    monkeypatch.setattr(watch, "_PAUSE_S", 0.05)
    heard = Heard()
    watcher = Watcher([str(tmp_path)], heard)
    watcher.start()
    try:
        assert heard.others()
        assert not watcher.notified
    finally:
        watcher.close()


def test_a_watcher_ends_when_it_is_closed(tmp_path: Path, watched: Watch) -> None:
    watched(tmp_path)
    names = [thread.name for thread in threading.enumerate()]
    assert "watch" in names
    heard = Heard()
    watcher = Watcher([str(tmp_path)], heard)
    watcher.start()
    watcher.close()
    assert [t.name for t in threading.enumerate()].count("watch") == names.count("watch")


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_root_that_is_a_link_is_watched(tmp_path: Path, watched: Watch) -> None:
    (tmp_path / "real" / "-a").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    heard = watched(tmp_path / "link")
    (tmp_path / "real" / "-a" / "s1.jsonl").write_text("{}\n")
    assert heard.session("s1")
