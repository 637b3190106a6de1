"""Signals of health: each with its figure, what it was worked out from, and its rows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from tests.metrics.story import Story
from tests.transcripts import Call, used
from waterglass.metrics import Signal, health

ORDER = [
    "contextFill", "compactions", "reReads", "reReadsAfterCompaction", "errorRateFirstHalf", "errorRateSecondHalf",
    "userWait",
]  # fmt: skip


@pytest.fixture
def signals(tmp_path: Path) -> Callable[[Story], dict[str, Signal]]:
    return lambda story: {signal.id: signal for signal in health(story.trace(tmp_path))}


Signals = Callable[[Story], dict[str, Signal]]


def test_the_signals_stand_in_their_order_with_the_names_of_the_contract(story: Story, signals: Signals) -> None:
    found = signals(story.asks().read().ends())
    assert list(found) == ORDER
    assert set(msgspec.to_builtins(found["reReads"])) == {"id", "value", "unit", "basis", "rowIds"}


def test_context_fill_says_which_window_it_is_of(story: Story, signals: Signals) -> None:
    story.asks().at.reply("Hm.", usage=used(read=50_000, input=0))
    fill = signals(story)["contextFill"]
    assert (fill.value, fill.unit) == (25.0, "percent")
    assert "assumed" in fill.basis and "50,000 of 200,000" in fill.basis


def test_what_is_not_known_has_no_figure(story: Story, signals: Signals) -> None:
    found = signals(story.asks())
    assert [found[name].value for name in ORDER] == [None, 0, 0, 0, None, None, None]


def test_compactions_are_counted_by_thread(story: Story, signals: Signals) -> None:
    story.asks().read().compacted().agent().compacted().back()
    found = signals(story)["compactions"]
    assert (found.value, found.basis) == (2, "1 in the main thread, 1 in sub-agents")


def test_a_second_read_of_an_unchanged_file_is_a_re_read(story: Story, signals: Signals) -> None:
    found = signals(story.asks().read().read("b.py").read().ends())
    assert (found["reReads"].value, found["reReads"].row_ids) == (1, ["toolu_3"])
    assert found["reReadsAfterCompaction"].value == 0


def test_what_a_compaction_dropped_is_counted_apart(story: Story, signals: Signals) -> None:
    found = signals(story.asks().read().compacted().read().read().ends())
    assert (found["reReads"].row_ids, found["reReadsAfterCompaction"].row_ids) == (["toolu_3"], ["toolu_2"])


@pytest.mark.parametrize(
    "between",
    [
        lambda s: s.edit(),
        lambda s: s.run("sed -i s/a/b/ src/parser.py"),
        lambda s: s.run("git checkout -- src/parser.py"),
        lambda s: s.run("git stash"),
        lambda s: s.run("git apply x.patch"),
        lambda s: s.agent("a1").edit().back(),
    ],
)
def test_a_file_that_may_have_changed_is_no_re_read(
    between: Callable[[Story], object], story: Story, signals: Signals
) -> None:
    between(story.asks().read())
    assert signals(story.read())["reReads"].value == 0


def test_another_part_another_agent_or_a_failed_read_is_no_re_read(story: Story, signals: Signals) -> None:
    story.asks().read().read(offset=100).agent("a1").read().back().read("b.py", error=True).read("b.py", error=True)
    assert signals(story)["reReads"].value == 0


def test_a_change_of_another_file_leaves_a_re_read(story: Story, signals: Signals) -> None:
    assert signals(story.asks().read().edit("src/b.py").read())["reReads"].value == 1


def test_error_rates_of_both_halves_have_their_counts(story: Story, signals: Signals) -> None:
    story.asks().read().read("b.py").read("c.py", error=True).read("d.py", error=True)
    found = signals(story)
    assert (found["errorRateFirstHalf"].value, found["errorRateFirstHalf"].basis) == (0, "0 of 2 calls")
    assert (found["errorRateSecondHalf"].value, found["errorRateSecondHalf"].row_ids) == (100, ["toolu_3", "toolu_4"])


def test_a_declined_call_is_no_error(story: Story, signals: Signals) -> None:
    text = "The user doesn't want to proceed with this tool use."
    story.asks().read().call("Bash", text, error=True, command="rm x")
    assert signals(story)["errorRateSecondHalf"].value == 0


def test_the_wait_for_the_user_is_a_share_of_the_wall_clock(story: Story, signals: Signals) -> None:
    t = story.transcript
    t.prompt("one")
    t.at("+10s").reply("Yes.", [Call("Read", {"file_path": "/code/demo/a.py"}, "c1")], step_ms=0)
    t.at("+10s").result("c1", "x")
    t.at("+20s").prompt("two")
    t.at("+40s").reply("Good.")
    found = signals(story)["userWait"]
    assert (found.value, found.unit) == (25.0, "percent")
    assert "20 of 80 s" in found.basis
