"""What came of a check that is not read in its output: in the background, by a project's own pattern, by its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.metrics.story import Story
from tests.transcripts import Call
from waterglass.metrics import Judged, Settings, Trace, needs, read_trace


def verdicts(trace: Trace) -> list[str]:
    return [trace.verdict(action) for action in trace.actions if action.checks]


@pytest.mark.parametrize(
    ("command", "summary", "status", "verdict"),
    [
        ("npm test", 'Background command "npm test" completed (exit code 0)', "completed", "pass"),
        ("npm test", 'Background command "npm test" failed with exit code 1', "failed", "fail"),
        ("npm test | tail -5", 'Background command "npm test" completed (exit code 0)', "completed", "unknown"),
        ("npm test", 'Background command "npm test" was stopped', "killed", "unknown"),
        ("npm test", "", "completed", "unknown"),
    ],
)
def test_a_check_in_the_background_is_known_by_the_note_of_its_end(
    command: str, summary: str, status: str, verdict: str, story: Story, tmp_path: Path
) -> None:
    t = story.asks().at
    t.reply(None, [Call("Bash", {"command": command, "run_in_background": True}, "c1")])
    t.at("+1s").result("c1", "Command running in background with ID: b1", tool_use_result={"backgroundTaskId": "b1"})
    t.at("+9s").notification("b1", summary, status=status, call_id="c1")
    trace = story.trace(tmp_path)
    assert verdicts(trace) == [verdict]
    assert needs(trace).outputs == ()  # there is no output to read: only an acknowledgement


@pytest.mark.parametrize(
    ("command", "error", "verdict"),
    [
        ("./guard --all", False, "pass"),
        ("./guard", False, "pass"),
        ("cd sub && ./guard", False, "pass"),
        ("./guard", True, "fail"),
        ("./guard > out.log 2>&1", False, "pass"),
        ("./guard | tail -3", False, "unknown"),
        ("./guard || true", False, "unknown"),
        ("./guard; echo ok", False, "unknown"),
        ("./guard &", False, "unknown"),
    ],
)
def test_an_own_check_is_judged_by_its_exit_code_where_nothing_hides_it(
    command: str, error: bool, verdict: str, story: Story, tmp_path: Path
) -> None:
    trace = story.asks().run(command, "x", error=error).trace(tmp_path, Settings(verify=("./guard",)))
    assert verdicts(trace) == [verdict]


@pytest.mark.parametrize("command", ["./guards", "echo ./guard", "cat guard"])
def test_an_own_check_is_a_command_and_no_word(command: str, story: Story, tmp_path: Path) -> None:
    assert verdicts(story.asks().run(command, "x").trace(tmp_path, Settings(verify=("./guard",)))) == []


def test_an_own_pattern_answers_where_the_output_of_a_known_check_does_not(story: Story, tmp_path: Path) -> None:
    session = story.asks().run("make check", "odd").session(tmp_path)
    judged = Judged({"toolu_1": "unknown"})
    assert verdicts(read_trace(session.view(), Settings(), judged)) == ["unknown"]
    assert verdicts(read_trace(session.view(), Settings(verify=("make check",)), judged)) == ["pass"]


def test_an_unjudged_check_is_unknown_and_asked_for(story: Story, tmp_path: Path) -> None:
    trace = story.asks().edit().check("pytest -q").ends().trace(tmp_path)
    assert verdicts(trace) == ["unknown"]
    assert needs(trace).outputs == ("toolu_2",)
    assert needs(trace).texts == tuple(story.claims)


def test_texts_are_asked_for_only_where_something_was_changed(story: Story, tmp_path: Path) -> None:
    assert needs(story.asks().read().ends().trace(tmp_path)).texts == ()


def test_a_check_that_never_ended_or_was_declined_did_not_pass(story: Story, tmp_path: Path) -> None:
    story.asks().run("pytest", "The user doesn't want to proceed with this tool use.", error=True)
    story.run("pytest", result=False)
    trace = story.trace(tmp_path)
    assert verdicts(trace) == ["refused", "unknown"]


def test_what_was_judged_counts_for_the_row_that_it_names(story: Story, tmp_path: Path) -> None:
    session = story.asks().check("pytest a").check("pytest b").session(tmp_path)
    trace = read_trace(session.view(), Settings(), Judged({"toolu_1": "pass", "toolu_2": "fail"}))
    assert verdicts(trace) == ["pass", "fail"]


def test_lists_of_files_are_asked_for_up_to_the_first_edit(story: Story, tmp_path: Path) -> None:
    story.asks().run("ls -la", "a").call("Glob", "b", pattern="*").run("git log", "c").run("ls x", "d", error=True)
    story.run("grep -rn ls .", "e").edit().run("ls", "f").ends()
    assert needs(story.trace(tmp_path)).listings == ("toolu_1", "toolu_2")
