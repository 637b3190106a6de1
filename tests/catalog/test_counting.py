"""Counting beside this process gives what counting in it gives, and a lost process loses one session."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from tests.transcripts import Call, Transcript
from waterglass.catalog import counting
from waterglass.catalog.counting import Child, Job, count
from waterglass.discover import SessionRef, discover
from waterglass.errors import WaterglassError

NOW = 1_772_442_000_000


@pytest.fixture
def ref(tmp_path: Path) -> SessionRef:
    t = Transcript("5e550001-0000-4000-8000-000000000001", cwd="/code/caf\u00e9 \U0001f6a3")
    t.prompt("Count\nthe boats")
    t.reply("On it", calls=[Call("Bash", {"command": "ls"}, id="toolu_1")])
    t.result("toolu_1", "a\nb")
    t.write(tmp_path)
    return discover([str(tmp_path)]).sessions[0]


def test_a_child_counts_what_this_process_counts(ref: SessionRef) -> None:
    child = Child()
    try:
        assert not child.runs
        answers = [child.count(Job(ref, ()), NOW) for _ in range(2)]
        assert child.runs
    finally:
        child.close()
    assert not child.runs
    assert answers == [count(Job(ref, ()), NOW)] * 2
    assert answers[0].listing is not None and answers[0].listing["toolCalls"] == 1


def test_a_child_that_ends_costs_the_session_at_hand_and_the_next_is_counted(ref: SessionRef) -> None:
    child = Child()
    try:
        assert child.count(Job(ref, ()), NOW).listing
        assert child._process is not None
        child._process.kill()
        lost = child.count(Job(ref, ()), NOW)
        assert (lost.listing, "ended" in (lost.failure or "")) == (None, True)
        assert child.count(Job(ref, ()), NOW).listing
    finally:
        child.close()


def test_a_child_can_be_stopped_while_it_is_waited_for(ref: SessionRef, monkeypatch: pytest.MonkeyPatch) -> None:
    child = Child()
    assert child.count(Job(ref, ()), NOW).listing
    process = child._process
    assert process is not None
    stopping = threading.Timer(0.2, child.stop)
    stopping.start()
    assert process.stdout is not None and process.stdout.readline() == b""
    stopping.join()
    child.close()


def test_a_child_that_was_to_end_before_it_had_begun_ends_at_once(ref: SessionRef) -> None:
    child = Child()
    child.stop()
    assert child.count(Job(ref, ()), NOW).listing is None
    assert not child.runs


def test_without_an_interpreter_to_start_this_process_counts(
    ref: SessionRef, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "none"))
    child = Child()
    assert child.count(Job(ref, ()), NOW).listing
    assert not child.runs


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (WaterglassError("not a regular file", "x"), "not a regular file"),
        (KeyError("secret"), "could not be counted (KeyError)"),
    ],
)
def test_an_odd_session_gives_a_reason_and_no_content(
    ref: SessionRef, monkeypatch: pytest.MonkeyPatch, error: Exception, failure: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("waterglass.session.load", fail)
    assert counting.count(Job(ref, ()), NOW).failure == failure
