"""How full the context is: the main thread's last reply over a window that is given, shown or assumed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.conftest import Read
from tests.core.told import called, spawned, started
from tests.transcripts import Transcript, used
from waterglass.context import assumed, fill


def context(read: Read, t: Transcript, window: int | None = None) -> dict[str, Any]:
    found: dict[str, Any] = read(t, window=window).head()["context"]
    return found


def test_the_size_is_input_and_both_cache_figures_of_the_last_reply(read: Read) -> None:
    t = started()
    t.reply("One", usage=used(input=1, output=500, read=20, created=300))
    t.at("+1s").reply("Two", usage=used(input=2, output=500, read=30, created=400))
    found = context(read, t)
    assert (found["tokens"], found["peakTokens"]) == (432, 432)
    assert found["series"] == [[t.now - 1_000, 321], [t.now, 432]]


def test_the_size_is_unknown_before_the_first_reply(read: Read) -> None:
    found = context(read, started())
    assert found == {
        "tokens": None, "window": None, "windowSource": None, "fillPercent": None, "peakTokens": None, "series": [],
    }  # fmt: skip


@pytest.mark.parametrize("usage", [{}, {"output_tokens": 5}, {"input_tokens": "5"}])
def test_a_reply_without_any_figure_of_its_input_says_nothing_of_the_context(read: Read, usage: dict[str, Any]) -> None:
    t = started()
    t.reply("One", usage=used(input=1, read=20, created=300))
    called(t, "c1", usage={"output_tokens": 0} | usage)
    session = read(t)
    found = session.head()["context"]
    assert (found["tokens"], found["peakTokens"], len(found["series"])) == (321, 321, 1)
    (row,) = session.payload()["rows"]
    assert (row["inputTokens"], row["contextFillPercent"]) == (None, None)


def test_of_a_reply_in_several_passes_the_last_pass_is_in_view(read: Read) -> None:
    passes = [{"type": "message", **used(input=100)}, {"type": "message", **used(input=130, read=7)}]
    passes.append({"type": "advisor_message", "model": "m", **used(input=9_000)})
    t = started()
    t.reply("Hi", usage=used(input=230, read=7, iterations=passes))
    assert context(read, t)["tokens"] == 137


def test_what_the_program_said_and_what_agents_saw_do_not_change_it(read: Read) -> None:
    t = started()
    spawned(t, "s1", "Look", delay="+0s")
    agent = t.agent("a1", sidecar={"toolUseId": "s1"})
    agent.at("+5s").prompt("Look")
    agent.reply("Seen", usage=used(input=90_000))
    t.at("+9s").reply("API Error", model="<synthetic>", usage=used(0, 0), isApiErrorMessage=True)
    session = read(t)
    assert session.head()["context"]["tokens"] == 4
    assert session.head()["agents"][0]["contextTokens"] == 90_000


@pytest.mark.parametrize("sign", ["boundary", "summary"])
def test_a_compaction_empties_the_context_until_the_next_reply(read: Read, sign: str) -> None:
    t = started()
    t.reply("Hi", usage=used(input=150_000))
    t.at("+1s")
    t.compact_boundary("manual") if sign == "boundary" else t.compact_summary("So far")
    found = context(read, t)
    assert (found["tokens"], found["fillPercent"], found["peakTokens"]) == (None, None, 150_000)
    t.at("+1s").reply("On", usage=used(input=9_000))
    found = context(read, t)
    assert (found["tokens"], found["fillPercent"]) == (9_000, 4.5)
    assert [tokens for _, tokens in found["series"]] == [150_000, None, 9_000]


def test_a_compaction_in_an_agent_empties_that_agent_alone(read: Read) -> None:
    t = started()
    t.reply("Hi", usage=used(input=5))
    spawned(t, "s1", "Look", usage=used(input=6))
    agent = t.agent("a1", sidecar={"toolUseId": "s1"})
    agent.prompt("Look")
    agent.reply("Seen", usage=used(input=90_000))
    agent.compact_boundary()
    session = read(t)
    assert session.head()["agents"][0]["contextTokens"] is None
    assert session.head()["context"]["tokens"] == 6
    assert [c["agentId"] for c in session.head()["compactions"]] == ["a1"]


def test_the_order_of_the_file_decides_what_came_after_a_compaction_and_not_the_clock(read: Read) -> None:
    t = started()
    t.at("+10s").reply("Hi", usage=used(input=150_000))
    t.at("-2s").compact_boundary("manual")
    assert context(read, t)["tokens"] is None


def test_compactions_are_the_boundaries_and_a_summary_without_one_is_only_a_mark(read: Read) -> None:
    t = started("1.0.60")
    t.compact_summary("So far")
    head = read(t).head()
    assert head["compactions"] == []
    t = started()
    t.compact_boundary("auto", 167_000, postTokens=12_000)
    t.compact_summary("So far")
    head = read(t).head()
    assert head["compactions"] == [
        {"ms": t.now, "trigger": "auto", "preTokens": 167_000, "postTokens": 12_000, "agentId": None}
    ]
    assert [m["kind"] for m in head["marks"] if m["kind"] != "prompt"] == ["compaction"]


def test_a_summary_without_a_boundary_is_a_mark(read: Read) -> None:
    t = started("1.0.60")
    t.compact_summary("So far")
    assert [m["kind"] for m in read(t).head()["marks"] if m["kind"] != "prompt"] == ["compaction"]


def test_the_window_that_is_given_comes_before_all_signs(read: Read) -> None:
    t = started()
    t.reply("Hi", usage=used(input=30_000))
    t.compact_boundary("auto", 167_000)
    t.reply("On", usage=used(input=60_000))
    found = context(read, t, window=120_000)
    assert (found["window"], found["windowSource"], found["fillPercent"]) == (120_000, "given", 50.0)


@pytest.mark.parametrize(
    ("peak", "window"),
    [(1, 200_000), (200_000, 200_000), (200_001, 1_000_000), (1_000_000, 1_000_000), (1_000_001, None)],
)
def test_without_a_sign_the_smallest_window_that_the_peak_fits_is_assumed(
    read: Read, peak: int, window: int | None
) -> None:
    t = started()
    t.reply("Hi", usage=used(input=peak))
    found = context(read, t)
    assert (found["window"], found["windowSource"]) == (window, "assumed" if window else None)
    assert found["fillPercent"] == (None if window is None else round(100 * peak / window, 1))
    assert assumed(None) == (None, None)


def test_an_automatic_compaction_shows_the_window(read: Read) -> None:
    for before, window in ((167_000, 200_000), (960_000, 1_000_000)):
        t = started()
        t.reply("Hi", usage=used(input=50_000))
        t.compact_boundary("auto", before)
        t.reply("On", usage=used(input=100_000))
        found = context(read, t)
        assert (found["window"], found["windowSource"]) == (window, "evidence")


def test_a_compaction_that_was_asked_for_shows_nothing_of_the_window(read: Read) -> None:
    t = started()
    t.compact_boundary("manual", 967_000)
    t.reply("On", usage=used(input=100_000))
    assert context(read, t)["windowSource"] == "assumed"


@pytest.mark.parametrize(
    ("line", "window"),
    [
        ("Context Usage\nclaude-opus-5 · 63k/200k tokens (32%)", 200_000),
        ("## Context Usage\n**Tokens:** 434.9k / 1m (43%)", 1_000_000),
    ],
)
def test_a_context_reading_shows_the_window(read: Read, line: str, window: int) -> None:
    t = started()
    t.command("context", stdout=line)
    t.reply("Hi", usage=used(input=20_000))
    found = context(read, t)
    assert (found["window"], found["windowSource"], found["fillPercent"]) == (window, "evidence", 2_000_000 / window)


def test_a_sign_that_the_peak_contradicts_is_none(read: Read) -> None:
    t = started()
    t.command("context", stdout="Context Usage\n63k/200k tokens (32%)")
    t.reply("Hi", usage=used(input=350_000))
    found = context(read, t)
    assert (found["window"], found["windowSource"]) == (1_000_000, "assumed")


def test_no_share_is_ever_above_a_hundred_percent(read: Read) -> None:
    t = started()
    called(t, "c1", usage=used(input=150_000))
    session = read(t, window=100_000)
    assert session.head()["context"]["fillPercent"] is None
    assert session.payload()["rows"][0]["contextFillPercent"] is None
    assert (fill(100, 100), fill(101, 100), fill(0, 100), fill(None, 100), fill(5, None)) == (
        100.0,
        None,
        0.0,
        None,
        None,
    )


def test_a_row_shows_the_share_of_its_own_reply_in_its_own_threads_window(read: Read) -> None:
    t = started()
    t.reply("Big", usage=used(input=400_000))
    spawned(t, "s1", "Look", usage=used(input=500_000))
    agent = t.agent("a1", sidecar={"toolUseId": "s1"})
    agent.prompt("Look")
    called(agent, "c1", usage=used(input=50_000))
    spawn = read(t).payload()["rows"][0]
    (inner,) = spawn["children"]
    assert (spawn["inputTokens"], inner["inputTokens"]) == (500_000, 50_000)
    assert (spawn["contextFillPercent"], inner["contextFillPercent"]) == (50.0, 25.0)
