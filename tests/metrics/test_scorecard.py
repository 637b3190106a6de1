"""The scorecard as a whole: its order, what a metric that fails becomes, and sessions with nothing in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.metrics.conftest import Score
from tests.metrics.story import Story
from tests.transcripts import Call
from waterglass.metrics import (
    METRICS,
    Finding,
    Judged,
    Metric,
    Settings,
    Trace,
    compaction_losses,
    health,
    needs,
    read_trace,
    scorecard,
)
from waterglass.metrics.result import MOST_EVIDENCE, STATUSES
from waterglass.schema.json import encode

ORDER = ["grepSemantic", "earlyVictory", "verificationDensity", "overreach", "continuity", "loopDetection"]
FIELDS = {
    "id", "label", "explanation", "status", "value", "unit", "better", "display", "detail", "notes", "evidence",
}  # fmt: skip


def test_the_metrics_stand_in_the_order_of_the_contract_with_all_their_fields(story: Story, score: Score) -> None:
    results = score(story.asks().edit().ends())
    assert [metric.id for metric in METRICS] == list(results) == ORDER
    for result in results.values():
        told = msgspec.to_builtins(result)
        assert set(told) == FIELDS
        assert told["status"] in STATUSES and told["label"] and told["explanation"] and told["display"]
        assert all(set(one) == {"eventId", "rowId", "replyId", "why"} for one in told["evidence"])
    assert [results[name].better for name in ORDER] == [None, "lower", "lower", "lower", "higher", "lower"]


def _fails(trace: Trace) -> Finding:
    raise ValueError("a fault of its own")


BROKEN = Metric("broken", "Broken", "Fails.", "things", None, _fails)


def test_a_metric_that_fails_is_unknown_with_the_reason_and_the_others_stand(story: Story, tmp_path: Path) -> None:
    trace = story.asks().edit().ends().trace(tmp_path)
    results = scorecard(trace, story.judged(), metrics=(BROKEN, *METRICS))
    assert (results[0].status, results[0].value) == ("unknown", None)
    assert "a fault of its own" in results[0].notes[0]
    assert [result.id for result in results[1:]] == ORDER
    assert results[2].status == "alert"


def test_a_test_may_see_the_fault_itself(story: Story, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="of its own"):
        scorecard(story.asks().trace(tmp_path), metrics=(BROKEN,), strict=True)


def test_a_session_without_calls_accuses_of_nothing(story: Story, score: Score) -> None:
    results = score(story.asks("Hello").ends("Done.", "done"))
    statuses = [results[name].status for name in ORDER]
    assert statuses == ["unknown", "na", "na", "ok", "na", "ok"]
    assert [results[name].value for name in ORDER] == [None, None, None, 0, None, 0]


def test_a_session_without_prompts_or_times_is_judged_like_another(story: Story, tmp_path: Path) -> None:
    story.edit().ends()
    for line in story.transcript.lines:
        assert isinstance(line, dict)
        del line["timestamp"]
    trace = story.trace(tmp_path)
    results = {r.id: r for r in scorecard(trace, story.judged(), strict=True)}
    assert results["earlyVictory"].status == "alert"
    assert {s.id: s.value for s in health(trace)}["userWait"] is None


def test_evidence_is_cut_and_says_how_much_is_left_out(story: Story, score: Score) -> None:
    for n in range(MOST_EVIDENCE + 5):
        story.call("Grep", f"{n}", pattern=f"x{n}")
    result = score(story)["grepSemantic"]
    assert len(result.evidence) == MOST_EVIDENCE
    assert any(note.startswith("5 more") for note in result.notes)


HOSTILE: list[dict[str, Any]] = [
    {"file_path": ["/code/demo/a.py"] * 3, "command": 7},
    {"file_path": "\x00" * 50, "old_string": None},
    {"file_path": "../" * 2_000 + "x.py"},
    {"paths": [f"/code/demo/{n}.py" for n in range(5_000)]},
    {"command": "a" * 30_000, "file_path": "x" * 5_000},
    {"command": "git checkout -- " + " ".join(f"f{n}.py" for n in range(1_000))},
    {"command": "(" * 500 + "rm x" + ")" * 500},
    {"command": "rm 'unclosed && pytest | tail", "n": 10**300},
    {},
]


@pytest.mark.parametrize("name", ["Bash", "Edit", "Read", "mcp__x__edit_files", "Batch", "Agent", "", "x" * 500])
def test_no_input_makes_a_metric_fail(name: str, story: Story, tmp_path: Path) -> None:
    story.asks("Do not " * 500)
    for number, given in enumerate(HOSTILE):
        for again in range(3):
            call_id = f"h{number}.{again}"
            story.at.reply(None, [Call(name, given, call_id)])
            story.at.result(call_id, "same", is_error=False)
    story.compacted("x" * 100).ends()
    view = story.session(tmp_path).view()
    trace = read_trace(view, Settings(scope=("src/",), verify=("[", "a*"), state_files=("*[",)))
    results = scorecard(trace, Judged({"h0.0": "odd"}, {"r": ("odd", None)}), strict=True)
    told = encode([msgspec.to_builtins(one) for one in [*results, *health(trace), *compaction_losses(view, {})]])
    assert len(told) < 400_000
    assert needs(trace).texts in ((), tuple(story.claims))


def test_many_calls_take_time_in_proportion(story: Story, tmp_path: Path) -> None:
    """A loop over loops would show: 3,000 calls in one exchange, all of them the same or all of them different."""
    import time

    for n in range(1_500):
        story.call("Read", "same", file_path="/code/demo/a.py", offset=n % 2)
    for n in range(1_500):
        story.call("mcp__web__look", f"{n}", page=n)
    view = story.compacted().ends().session(tmp_path).view()
    for row in view.rows:
        assert row.facts.label
    start = time.process_time()
    trace = read_trace(view, Settings())
    results = {r.id: r for r in scorecard(trace, story.judged(), strict=True)}
    health(trace)
    spent = time.process_time() - start
    assert results["loopDetection"].value == 2
    assert spent < 1.0
