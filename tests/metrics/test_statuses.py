"""Every answer of each metric, also the ones that say that it cannot tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.metrics.conftest import Score
from tests.metrics.story import LONG_AFTER, SESSION, Story
from tests.transcripts import Transcript
from waterglass.metrics import Settings, read_trace, scorecard


def test_text_and_semantic_search_are_counted_side_by_side(story: Story, score: Score) -> None:
    story.asks().call("Grep", "x", pattern="a").run("grep -rn b src", "y").run("cat a | grep x > /dev/null", "")
    story.call("LSP", "z", operation="hover").call("mcp__serena__find_symbol", "z", name_path="A").ends()
    result = score(story)["grepSemantic"]
    assert (result.status, result.better) == ("ok", None)
    assert result.detail == {"textSearches": 3, "textSearchesInShell": 2, "semanticCalls": 2}
    assert result.value == 0.6


def test_without_a_semantic_call_it_is_text_search_only_and_unknown(story: Story, score: Score) -> None:
    result = score(story.asks().call("Grep", "x", pattern="a").run("npm test | grep fail", "").ends())["grepSemantic"]
    assert (result.status, result.value) == ("unknown", None)
    assert result.detail["textSearches"] == 1
    assert "no semantic call" in result.notes[0]


def early(story: Story, score: Score) -> tuple[str, float | None, str]:
    result = score(story)["earlyVictory"]
    return result.status, result.value, " ".join([result.display, *result.notes])


def test_the_words_name_the_fact_and_no_more(story: Story, score: Score) -> None:
    status, value, words = early(story.asks().edit().check().edit().ends(), score)
    assert (status, value, words) == ("alert", 1, "last passing check is older than the last edit")


def test_two_exchanges_that_are_raised_count_as_two(story: Story, score: Score) -> None:
    story.asks().edit().ends().asks("Now b").edit("src/b.py").ends().asks("Now c").edit("src/c.py").check().ends()
    result = score(story)["earlyVictory"]
    assert (result.value, result.detail["raisedExchanges"], result.detail["fine"]) == (2, [0, 1], 1)


def test_a_failed_check_after_the_last_edit_is_named_as_such(story: Story, score: Score) -> None:
    assert early(story.asks().edit().check(verdict="fail").ends(), score)[2] == "the checks after the last edit failed"


def test_one_passing_check_of_several_is_enough(story: Story, score: Score) -> None:
    assert early(story.asks().edit().check(verdict="fail").check("ruff check src").ends(), score)[:2] == ("ok", 0)


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("its result cannot be read", lambda s: s.edit().check("npm test | tail -1", "unknown", "")),
        ("may be a check", lambda s: s.edit().run("./tools/everything", "ok")),
        ("may be a check", lambda s: s.edit().run("python tools/try_it.py", "ok")),
        ("may be a check", lambda s: s.edit().run("docker exec app whatever --all", "ok")),
        ("may be a check", lambda s: s.edit().run("yes | ./tools/everything", "ok")),
        ("may be a check", lambda s: s.edit().run("newtool --strict", "ok")),
        ("may be a check", lambda s: s.edit().run("gh run watch 12 --exit-status", "ok")),
        ("calls are not written", lambda s: s.edit().agent(kept=False).back()),
        ("was not let run", lambda s: refused(s.edit())),
    ],
)
def test_what_may_have_been_a_passing_check_is_no_accusation(
    reason: str, told: object, story: Story, score: Score
) -> None:
    assert callable(told)
    told(story.asks())
    status, value, words = early(story.ends(), score)
    assert (status, value) == ("unknown", None)
    assert reason in words


def test_a_check_that_a_person_ran_is_no_accusation(story: Story, score: Score) -> None:
    story.asks().edit().at.prompt("<bash-input>npm test</bash-input>")
    story.at.prompt("<bash-stdout>ok</bash-stdout><bash-stderr></bash-stderr>")
    results = score(story.ends())
    assert [results[name].status for name in ("earlyVictory", "verificationDensity")] == ["unknown", "unknown"]


def test_another_line_that_a_person_typed_is_no_excuse(story: Story, score: Score) -> None:
    story.asks().edit().at.prompt("<bash-input>git status</bash-input>")
    assert early(story.ends(), score)[0] == "alert"


def refused(story: Story) -> Story:
    text = "The user doesn't want to proceed with this tool use."
    return story.call("Bash", text, error=True, command="pytest -q")


@pytest.mark.parametrize(
    "command",
    [
        "git status",
        "ls -la",
        "cat src/parser.py",
        "npm install",
        "npm run dev",
        "node -v",
        "curl -s x | python3 -m json.tool",
        "curl -s x | python3 -c 'print(1)'",
        "docker exec app cat a.log",
        "docker compose restart web",
    ],
)
def test_a_program_that_checks_nothing_is_no_excuse(command: str, story: Story, score: Score) -> None:
    assert early(story.asks().edit().run(command, "ok").ends(), score)[:2] == ("alert", 1)


def test_a_claim_that_cannot_be_read_is_unknown(story: Story, score: Score) -> None:
    assert early(story.asks().edit().ends("Valmis.", "unknown"), score)[:2] == ("unknown", None)


def test_a_passing_check_spares_even_what_cannot_be_read(story: Story, score: Score) -> None:
    assert early(story.asks().edit().check().ends("Valmis.", "unknown"), score)[:2] == ("ok", 0)


def test_a_check_before_the_edit_of_another_thread_does_not_cover_it(story: Story, score: Score) -> None:
    assert early(story.asks().edit().check().agent().edit("src/b.py").back().ends(), score)[:2] == ("alert", 1)


@pytest.mark.parametrize(
    ("version", "live", "status"), [("2.0.70", True, "ok"), ("2.0.70", False, "alert"), ("2.1.220", True, "alert")]
)
def test_a_text_that_may_go_on_is_no_end_of_an_exchange(version: str, live: bool, status: str, tmp_path: Path) -> None:
    """In a live session the text of a reply is written before its call; a stop reason says that none will come."""
    story = Story(Transcript(SESSION, version=version)).asks().edit().ends()
    view = story.session(tmp_path, story.transcript.now + 1_000 if live else LONG_AFTER).view()
    results = {r.id: r for r in scorecard(read_trace(view, Settings()), story.judged(), strict=True)}
    assert results["earlyVictory"].status == status


def test_no_edits_make_it_not_applicable(story: Story, score: Score) -> None:
    results = score(story.asks().read().ends())
    assert [results[n].status for n in ("earlyVictory", "verificationDensity", "continuity")] == ["na", "na", "na"]


def test_markup_counts_where_checks_ran_and_only_there(story: Story, score: Score) -> None:
    story.asks().edit("page.html").ends()
    assert early(story, score)[0] == "ok"


def test_markup_after_the_check_counts(story: Story, score: Score) -> None:
    assert early(story.asks().edit().check().edit("package.json").ends(), score)[0] == "alert"


def test_density_is_edits_by_passing_checks(story: Story, score: Score) -> None:
    story.asks().edit().edit("src/b.py").edit("README.md").check().edit("src/c.py").check(verdict="fail").check().ends()
    result = score(story)["verificationDensity"]
    assert (result.status, result.value) == ("ok", 1.5)
    assert result.detail == {
        "edits": 3, "otherEdits": 1, "passingChecks": 2, "failingChecks": 1, "unreadChecks": 0,
    }  # fmt: skip
    assert "3 edits" in result.display and "2 passing checks" in result.display


def test_density_without_a_passing_check_shows_infinity(story: Story, score: Score) -> None:
    result = score(story.asks().edit().ends())["verificationDensity"]
    assert (result.status, result.value) == ("alert", None)
    assert "∞" in result.display


def test_density_cannot_be_told_where_no_check_can_be_read(story: Story, score: Score) -> None:
    result = score(story.asks().edit().check("npm test | tail -1", "unknown", "").ends())["verificationDensity"]
    assert (result.status, result.value) == ("unknown", None)


def test_without_a_scope_the_value_is_files_per_task(story: Story, score: Score) -> None:
    story.asks().edit("a.py").edit("b.py").edit("a.py").ends().asks("more").edit("a.py").ends().asks("why?").ends()
    result = score(story)["overreach"]
    assert (result.status, result.value) == ("ok", 1.5)
    assert (result.detail["files"], result.detail["tasks"], result.detail["mostFilesInATask"]) == (2, 2, 2)


def test_with_a_scope_the_value_is_the_number_of_files_outside(story: Story, score: Score) -> None:
    story.asks().edit("src/a.py").edit("b.py").edit("b.py").edit("c/d.py").ends()
    result = score(story, scope=("src/",))["overreach"]
    assert (result.status, result.value, result.detail["outside"]) == ("alert", 2, ["b.py", "c/d.py"])


def test_what_git_may_have_put_back_cannot_be_told(story: Story, score: Score) -> None:
    result = score(story.asks().edit("b.py").run("git reset --hard", "HEAD").ends(), scope=("src/",))["overreach"]
    assert (result.status, result.value) == ("unknown", None)


def test_without_a_folder_no_path_is_held_against_a_scope(story: Story, score: Score) -> None:
    story.asks().edit("src/a.py").ends()
    for line in story.transcript.lines:
        assert isinstance(line, dict)
        line.pop("cwd", None)
    assert score(story, scope=("src/",))["overreach"].status == "unknown"


@pytest.mark.parametrize("pattern", ["# src/", "", "!src/", "!"])
def test_a_scope_that_names_nothing_accuses_of_nothing(pattern: str, story: Story, tmp_path: Path) -> None:
    trace = story.asks().edit().ends().trace(tmp_path, Settings(scope=(pattern,)))
    results = {r.id: r for r in scorecard(trace, story.judged())}
    assert results["overreach"].status == "unknown" and results["overreach"].notes
    assert results["earlyVictory"].status == "alert"


def test_continuity_is_one_or_nought(story: Story, score: Score) -> None:
    result = score(story.asks().edit().read("PROGRESS.md").ends())["continuity"]
    assert (result.status, result.value, result.better) == ("warn", 0, "higher")
    assert "PROGRESS.md" in result.display


def test_continuity_is_one_where_it_was_read_first(story: Story, score: Score) -> None:
    result = score(story.asks().read("PROGRESS.md").edit().ends())["continuity"]
    assert (result.status, result.value, len(result.evidence)) == ("ok", 1, 1)


def test_what_the_program_loaded_counts_as_read(story: Story, score: Score) -> None:
    story.asks().at.attachment("nested_memory", path="/code/demo/src/CLAUDE.md")
    result = score(story.edit().read("TODO.md").ends())["continuity"]
    assert (result.status, result.value) == ("ok", 1)


def test_a_reminder_with_the_contents_of_a_state_file_counts_as_read(story: Story, score: Score) -> None:
    story.asks().at.prompt(
        "<system-reminder>\nContents of /code/demo/AGENTS.md (project instructions):\n\nx\n</system-reminder>"
    )
    assert score(story.edit().read("TODO.md").ends())["continuity"].value == 1


def test_loops_are_counted_and_shown(story: Story, score: Score) -> None:
    story.asks()
    for _ in range(4):
        story.read("a.py")
    for _ in range(3):
        story.run("ls", "x")
    result = score(story.edit("a.py").edit("a.py").ends())["loopDetection"]
    assert (result.status, result.value, len(result.evidence)) == ("alert", 2, 7)
    assert "4 times" in result.display
    assert result.detail["repeatedCalls"] == 5
    assert result.detail["editsPerFile"] == [{"path": "a.py", "edits": 2}]


def test_loops_cannot_be_told_without_results(story: Story, score: Score) -> None:
    for _ in range(4):
        story.read("a.py", result=False)
    assert score(story)["loopDetection"].status == "unknown"


def test_a_question_about_a_running_job_is_named_in_the_notes(story: Story, score: Score) -> None:
    for _ in range(4):
        story.run("gh run watch 5", "in progress")
    result = score(story)["loopDetection"]
    assert (result.value, result.detail["polling"]) == (0, 1)
    assert "running job" in result.notes[0]
