"""Every session of the corpus, read by the product and held against the second opinion."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from tests.corpus.faults import Held
from tests.corpus.held import hold_root

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900), pytest.mark.xdist_group("corpus")]

SESSIONS = 178  # ids among the 179 main files: one lies in two project folders
ORPHANS = 16  # sessions of which only agent files are left
PLACED = 0.99  # of the genuine sub-agents whose parent is there


@pytest.fixture(scope="module")
def held(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Held:
    """All faults of all sessions, found once, by two processes side by side."""
    scratch = str(tmp_path_factory.mktemp("reports"))
    roots = [str(root) for root in sorted(shared.glob("corpus/*/projects"))]
    total = Held()
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for part in pool.map(hold_root, roots, [scratch] * len(roots)):
            total.sessions += part.sessions
            total.calls += part.calls
            total.genuine += part.genuine
            total.placed += part.placed
            total.faults += part.faults
    return total


@pytest.fixture
def none_of(held: Held) -> Callable[..., None]:
    """Fail with the first faults of some codes, if there are any."""

    def check(*codes: str) -> None:
        faults = held.of(*codes)
        assert not faults, f"{len(faults)} faults:\n" + "\n".join(faults[:20])

    return check


def test_every_session_of_the_corpus_was_read_without_an_exception(held: Held, none_of: Callable[..., None]) -> None:
    assert held.sessions == SESSIONS + ORPHANS
    assert held.calls > 11_000
    none_of("raised")


def test_every_tool_call_has_its_row_exactly_once(none_of: Callable[..., None]) -> None:
    none_of("row missing", "row too many", "row twice", "row differs")


def test_every_call_with_a_result_in_the_files_is_paired_and_every_other_is_open(none_of: Callable[..., None]) -> None:
    none_of("not paired", "paired with nothing")


def test_a_row_has_the_text_and_the_error_of_its_result(none_of: Callable[..., None]) -> None:
    none_of("output differs", "outcome")


def test_rows_begin_and_end_at_the_times_of_their_records(none_of: Callable[..., None]) -> None:
    none_of("start differs", "end differs", "negative")


def test_sub_agents_stand_under_the_call_that_started_them(held: Held, none_of: Callable[..., None]) -> None:
    assert held.genuine > 0
    assert held.placed >= PLACED * held.genuine
    none_of("agent missing", "agent kind", "agent misplaced")


def test_sub_agents_without_a_parent_are_problems_by_name(none_of: Callable[..., None]) -> None:
    none_of("agent unnamed")


def test_rows_of_a_sub_agent_stand_under_its_call(none_of: Callable[..., None]) -> None:
    none_of("row under another agent")


def test_children_lie_inside_their_parents(none_of: Callable[..., None]) -> None:
    none_of("child outside")


def test_bytes_read_and_skipped_are_the_sizes_of_the_files(none_of: Callable[..., None]) -> None:
    none_of("bytes")


def test_coverage_counts_every_line_record_and_replay(none_of: Callable[..., None]) -> None:
    none_of("coverage")


def test_usage_equals_the_slow_ledger(none_of: Callable[..., None]) -> None:
    none_of("usage")


def test_prompts_and_titles_follow_the_rule(none_of: Callable[..., None]) -> None:
    none_of("prompts", "title")


def test_the_parts_of_time_sum_to_the_wall_clock(none_of: Callable[..., None]) -> None:
    none_of("times", "time parts")


def test_the_table_holds_the_same_tree_as_the_rows(none_of: Callable[..., None]) -> None:
    none_of("table")


def test_exchanges_cover_all_rows_and_every_reference_leads_somewhere(none_of: Callable[..., None]) -> None:
    none_of("exchange", "reference")


def test_the_list_tells_what_the_payloads_tell(none_of: Callable[..., None]) -> None:
    none_of("list")


def test_contexts_and_background_ends_and_chains_of_sessions_follow_the_rules(none_of: Callable[..., None]) -> None:
    none_of("context", "background", "continues")


def test_show_prints_every_session(none_of: Callable[..., None]) -> None:
    none_of("show")


def test_a_report_is_written_of_every_session_and_opens(none_of: Callable[..., None]) -> None:
    none_of("report")
