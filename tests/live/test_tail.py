"""`waterglass tail`, in a process of its own while another writes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import RunWaterglass, hearing
from tests.live.stories import FOLDER, SESSION, add, files, now_ms, story
from tests.transcripts import Call, Transcript


class Tail:
    """A running `waterglass tail`; its lines come in a thread."""

    def __init__(self, root: Path, environment: dict[str, str], *args: str) -> None:
        self.main = root / FOLDER / f"{SESSION}.jsonl"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "waterglass", "tail", SESSION[:8], "--root", str(root), *args],
            env={**environment, "TZ": "UTC"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            preexec_fn=hearing(),
        )
        self.lines: list[str] = []
        assert self.process.stderr is not None
        self.said = self.process.stderr.readline()
        self.thread = threading.Thread(target=self.read)
        self.thread.start()

    def read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def has(self, pattern: str, seconds: float = 15) -> bool:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if any(re.search(pattern, line) for line in self.lines):
                return True
            time.sleep(0.05)
        return False

    def end(self, signal_: int = signal.SIGINT) -> int:
        self.process.send_signal(signal_)
        return self.left()

    def left(self) -> int:
        code = self.process.wait(20)
        self.thread.join(20)
        return code


Start = Callable[..., Tail]


@pytest.fixture
def tail(tmp_path: Path, signalled_environment: dict[str, str]) -> Iterator[Start]:
    """Start `waterglass tail` over what lies below `tmp_path`."""
    started: list[Tail] = []

    def start(*args: str) -> Tail:
        started.append(Tail(tmp_path, signalled_environment, *args))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.end(signal.SIGKILL)
        assert one.process.stderr is not None and one.process.stdout is not None
        one.process.stderr.close()
        one.process.stdout.close()


def main(root: Path) -> Path:
    return root / FOLDER / f"{SESSION}.jsonl"


def some(first: int, last: int, *, result: bool = True, command: str = "echo {}") -> bytes:
    t = Transcript(SESSION)
    t._count = 10_000 * (first + 1)
    t.at(now_ms() - 60_000 + 100 * first)
    for n in range(first, last):
        t.at("+10ms").reply(None, [Call("Bash", {"command": command.format(n)}, id=f"toolu_{n}")])
        if result:
            t.at("+40ms").result(f"toolu_{n}", str(n))
    return t.content()


def test_it_begins_with_the_last_calls_and_goes_on_with_new_ones(tmp_path: Path, tail: Start) -> None:
    add(main(tmp_path), some(0, 20))
    running = tail("-n", "3")
    assert running.has("echo 19")
    add(main(tmp_path), some(20, 22))
    assert running.has("echo 21")
    assert [re.findall(r"echo \d+", line)[0] for line in running.lines] == [f"echo {n}" for n in range(17, 22)]
    assert re.fullmatch(r"\d\d:\d\d:\d\d  main            ✓ ok             40 ms  Bash: echo 21", running.lines[-1])
    assert running.end() == 130


def test_a_call_that_takes_its_time_has_a_line_when_it_begins_and_one_when_it_ends(tmp_path: Path, tail: Start) -> None:
    add(main(tmp_path), some(0, 1))
    running = tail()
    add(main(tmp_path), some(1, 2, result=False, command="make slow"))
    assert running.has(r"▶ running .*make slow"), running.lines
    t = Transcript(SESSION)
    t._count = 900_000
    t.at(now_ms()).result("toolu_1", "Exit code 2", is_error=True)
    add(main(tmp_path), t.content())
    assert running.has(r"✕ error .*make slow")
    assert running.end() == 130


def test_calls_of_sub_agents_name_their_agent(tmp_path: Path, tail: Start) -> None:
    whole = files(story(now_ms()), tmp_path)
    add(main(tmp_path), whole.pop(main(tmp_path)))
    running = tail()
    for path, data in whole.items():
        add(path, data)
    assert running.has(r"(Explore|closer|look|a0ffee2) .*Grep: sluice")


def test_control_characters_are_shown_and_never_sent(tmp_path: Path, tail: Start) -> None:
    add(main(tmp_path), some(0, 1, command="echo \x1b[31mred\x07 {}"))
    running = tail()
    assert running.has("red")
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", "".join(running.lines))
    assert "␛[31mred^G" in running.lines[-1]


def test_it_ends_with_one_line_when_the_files_are_gone(tmp_path: Path, tail: Start) -> None:
    add(main(tmp_path), some(0, 1))
    running = tail()
    assert running.has("echo 0")
    main(tmp_path).unlink()
    assert running.left() == 1
    assert running.process.stderr is not None
    assert re.fullmatch(r"waterglass: the files of the session are gone.*Try: .*\n", running.process.stderr.read())


def test_a_file_that_another_took_the_place_of_is_read_anew(tmp_path: Path, tail: Start) -> None:
    add(main(tmp_path), some(0, 3))
    running = tail()
    assert running.has("echo 2")
    other = tmp_path / "other"
    other.write_bytes(some(0, 1) + some(7, 9))
    os.replace(other, main(tmp_path))
    assert running.has("echo 8")
    assert running.end() == 130


def test_what_cannot_be_found_is_said_in_one_line(run_waterglass: RunWaterglass, tmp_path: Path) -> None:
    done = run_waterglass("tail", "nobody", "--root", str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
