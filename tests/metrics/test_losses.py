"""What a compaction lost: a table of what was in view, which of it the summary names, what was asked for again."""

from __future__ import annotations

from pathlib import Path

import msgspec

from tests.metrics.story import Story
from waterglass.metrics import Loss, LostItem, compaction_losses, loss_needs
from waterglass.model import TEXT_KEPT

SUMMARY = "We changed src/parser.py and ran npm test; the port is 8765 and `TokenKind` is done."


def losses(story: Story, root: Path, texts: dict[str, str] | None = None) -> list[Loss]:
    return compaction_losses(story.session(root).view(), texts or {})


def item(loss: Loss, kind: str, text: str) -> LostItem:
    return next(one for one in loss.items if (one.kind, one.text) == (kind, text))


def told(story: Story) -> Story:
    story.asks().read("src/parser.py").read("src/lexer.py").run("npm test", "ok").run("npm run lint", "ok")
    story.ends("The port is 8765, the limit 4096, and `TokenKind` needs `Span`.", "none").compacted(SUMMARY)
    return story.asks("Go on").read("src/lexer.py").run("npm run lint", "ok").edit("src/parser.py")


def test_paths_commands_numbers_and_names_are_held_against_the_summary(story: Story, tmp_path: Path) -> None:
    (loss,) = losses(told(story), tmp_path)
    named = {(one.kind, one.text): one.named for one in loss.items}
    assert named == {
        ("path", "src/parser.py"): True,
        ("path", "src/lexer.py"): False,
        ("command", "npm test"): True,
        ("command", "npm run lint"): False,
        ("number", "8765"): True,
        ("number", "4096"): False,
        ("name", "TokenKind"): True,
        ("name", "Span"): False,
    }
    assert "literal" in loss.basis


def test_what_was_read_or_run_again_is_named_by_its_rows(story: Story, tmp_path: Path) -> None:
    (loss,) = losses(told(story), tmp_path)
    assert item(loss, "path", "src/lexer.py").seen == ["toolu_2"]
    assert item(loss, "path", "src/lexer.py").again == ["toolu_5"]
    assert item(loss, "command", "npm run lint").again == ["toolu_6"]
    assert item(loss, "path", "src/parser.py").again == []  # an edit reads nothing again
    assert loss.counts["path"] == {"seen": 2, "named": 1, "again": 1, "unnamedAgain": 1}


def test_what_the_summary_leaves_out_and_was_asked_for_again_stands_first(story: Story, tmp_path: Path) -> None:
    (loss,) = losses(told(story), tmp_path)
    assert [one.text for one in loss.items[:2]] == ["src/lexer.py", "npm run lint"]
    assert [one.named for one in loss.items] == sorted(one.named for one in loss.items)


def test_the_evidence_is_in_the_session(story: Story, tmp_path: Path) -> None:
    view = told(story).session(tmp_path).view()
    (loss,) = compaction_losses(view, {})
    events = {event.id for event in view.linked.events}
    rows, replies = {row.id for row in view.rows}, {reply.id for reply in view.replies}
    assert {loss.event_id, loss.summary_event_id} <= events
    for one in loss.items:
        assert set(one.seen) <= (replies if one.kind in ("name", "number") else rows)
        assert set(one.again) <= rows


def test_an_operand_that_is_no_path_is_none(story: Story, tmp_path: Path) -> None:
    story.asks().run("cat src/a.py && head Makefile && cat 'a|b' && cat word", "x").compacted("Nothing.")
    (loss,) = losses(story, tmp_path)
    assert [one.text for one in loss.items if one.kind == "path"] == ["src/a.py", "Makefile"]


def test_each_compaction_drops_what_came_since_the_one_before(story: Story, tmp_path: Path) -> None:
    story.asks().read("a.py").compacted("one").read("b.py").compacted("two").read("a.py").read("b.py")
    first, second = losses(story, tmp_path)
    assert [one.text for one in first.items] == ["a.py"]
    assert [one.text for one in second.items] == ["b.py"]
    assert (first.items[0].again, second.items[0].again) == ([], ["toolu_4"])


def test_a_sub_agent_loses_only_what_it_saw_itself(story: Story, tmp_path: Path) -> None:
    story.asks().read("a.py").agent().read("b.py").compacted("x").back()
    (loss,) = losses(story, tmp_path)
    assert loss.agent_id == "a0c0ffee0c0ffee01"
    assert [one.text for one in loss.items] == ["b.py"]


def test_a_summary_without_a_boundary_is_a_compaction_and_a_boundary_without_a_summary_too(
    story: Story, tmp_path: Path
) -> None:
    story.asks().read("a.py").at.compact_summary("It was a.py.")
    story.read("b.py").at.compact_boundary()
    first, second = losses(story.read("c.py"), tmp_path)
    assert first.items[0].named and first.summary_event_id == first.event_id
    assert not second.items[0].named and second.summary_event_id is None
    assert "no summary" in second.basis


def test_long_texts_are_asked_for_and_read_whole(story: Story, tmp_path: Path) -> None:
    summary = "x " * TEXT_KEPT + "late.py"
    story.asks().read("late.py").ends("y " * TEXT_KEPT + "the port is 9911", "none").compacted(summary)
    view = story.session(tmp_path).view()
    wanted = loss_needs(view)
    assert [event.text_chars for event in wanted.summaries] == [len(summary)]
    assert list(wanted.replies) == list(story.claims)
    (cut,) = compaction_losses(view, {})
    assert not item(cut, "path", "late.py").named
    assert "only the first" in cut.basis
    texts = {wanted.summaries[0].id: summary, wanted.replies[0]: "y " * TEXT_KEPT + "the port is 9911"}
    (whole,) = compaction_losses(view, texts)
    assert item(whole, "path", "late.py").named
    assert not item(whole, "number", "9911").named
    assert "only the first" not in whole.basis


def test_a_number_within_another_is_not_named(story: Story, tmp_path: Path) -> None:
    story.asks().ends("The port is 8080 and 1,024 files.", "none").compacted("It has 18080 lines and 1024 files.")
    (loss,) = losses(story, tmp_path)
    assert {one.text: one.named for one in loss.items} == {"8080": False, "1,024": True}


def test_a_file_name_within_another_is_not_named(story: Story, tmp_path: Path) -> None:
    story.asks().read("src/a.py").compacted("We read data.py and src/a.pyx.")
    assert not losses(story, tmp_path)[0].items[0].named


def test_a_value_that_stands_behind_a_piece_of_a_longer_one_is_found(story: Story, tmp_path: Path) -> None:
    story.asks().run("npm test", "ok").compacted("Not npm testing, but npm test.")
    assert losses(story, tmp_path)[0].items[0].named


def test_a_long_session_keeps_a_table_of_bounded_size(story: Story, tmp_path: Path) -> None:
    story.asks()
    for n in range(400):
        story.read(f"src/part{n}.py")
    (loss,) = losses(story.compacted("All of it."), tmp_path)
    assert (len(loss.items), loss.left_out) == (300, 100)
    assert loss.counts["path"]["seen"] == 400


def test_without_a_compaction_nothing_is_lost(story: Story, tmp_path: Path) -> None:
    assert losses(story.asks().read().ends(), tmp_path) == []


def test_the_table_has_the_names_of_the_contract(story: Story, tmp_path: Path) -> None:
    plain = msgspec.to_builtins(losses(told(story), tmp_path)[0])
    assert {"eventId", "agentId", "ms", "summaryEventId", "items", "counts", "leftOut", "basis"} == set(plain)
    assert set(plain["items"][0]) == {"kind", "text", "named", "seen", "again"}
