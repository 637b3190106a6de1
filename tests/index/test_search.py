"""Search finds every kind of text, says where, and never what is no text."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import RunWaterglass
from tests.index.conftest import FIRST, SECOND, Place
from tests.transcripts import Transcript
from waterglass.discover import discover
from waterglass.index import parse, search, update

Write = Callable[[], None]


@pytest.fixture
def written(place: Place, session: Write) -> Place:
    session()
    place.update()
    return place


@pytest.mark.parametrize(
    ("text", "part", "named"),
    [
        ("lantern", "prompt", None),
        ("c++", "prompt", None),
        ("100%", "prompt", None),
        ("on my way", "reply", None),
        ("lighthouse", "reply", None),
        ("foo/bar' src", "input", "toolu_1"),
        ("4711", "input", "toolu_1"),
        ("MARMALADE", "output", "toolu_1"),
        ("评审", "output", "toolu_1"),
    ],
)
def test_every_kind_of_text_is_found_with_its_row(written: Place, text: str, part: str, named: str | None) -> None:
    (hit,) = written.find(text).hits
    assert (hit.session, hit.part, hit.row_id, hit.agent_id) == (FIRST, part, named, None)
    start, end = hit.matches[0]
    assert hit.snippet[start:end].casefold() == text.split()[0].casefold()


def test_the_texts_of_a_sub_agent_are_found_with_its_id(written: Place) -> None:
    hits = written.find("heron").hits
    assert {(hit.part, hit.agent_id, hit.event_id.split("@")[0]) for hit in hits} == {
        ("prompt", "ab12", "ab12"), ("reply", "ab12", "ab12"),
    }  # fmt: skip


@pytest.mark.parametrize("key", ["command", "timeout", "parentUuid", "content", "file_path", "tool_use", "marmelade"])
def test_keys_and_names_of_records_are_no_texts(written: Place, key: str) -> None:
    assert written.find(key).hits == []


def test_a_search_in_some_parts_finds_nothing_in_the_others(written: Place) -> None:
    assert {hit.part for hit in written.find("foo/bar").hits} == {"input", "output"}
    assert {hit.part for hit in written.find("foo/bar", parts=("output", "reply")).hits} == {"output"}
    assert {hit.part for hit in written.find("/", parts=("input",)).hits} == {"input"}


def test_what_the_program_wrote_for_itself_is_not_searched(place: Place) -> None:
    made = Transcript(FIRST)
    made.prompt("<system-reminder>walnut</system-reminder>")
    made.prompt("a walnut hint", isMeta=True)
    made.compact_summary("We talked of a walnut.")
    made.prompt("eat the hazelnut")
    made.write(place.projects)
    place.update()
    assert place.find("walnut").hits == [] and len(place.find("hazelnut").hits) == 1


def test_the_newest_session_and_in_it_the_newest_record_come_first(place: Place) -> None:
    place.write(SECOND, "apple one", "apple two", when="2026-03-04T09:00:00Z")
    place.write(FIRST, "apple three", when="2026-03-01T09:00:00Z")
    place.update()
    assert [hit.snippet for hit in place.find("apple").hits] == ["apple two", "apple one", "apple three"]


def test_one_session_leaves_room_for_the_others_and_the_rest_is_counted(place: Place) -> None:
    place.write(SECOND, *[f"apple {n}" for n in range(9)], when="2026-03-04T09:00:00Z")
    place.write(FIRST, "apple old")
    place.update()
    found = place.find("apple", limit=8)
    assert [hit.session for hit in found.hits] == [SECOND] * 3 + [FIRST]
    assert (found.more, found.stopped) == (6, False)


def test_a_project_and_a_time_narrow_the_search(place: Place) -> None:
    shop = Transcript(FIRST, cwd="/code/shop")
    shop.at("2026-03-01T09:00:00Z").prompt("apple early")
    shop.at("2026-03-05T09:00:00Z").prompt("apple late")
    shop.write(place.projects)
    place.write(SECOND, "apple elsewhere", when="2026-03-05T09:00:00Z")
    place.update()
    assert [hit.project for hit in place.find("apple", project="SHOP").hits] == ["/code/shop"] * 2
    late = place.find("apple", project="shop", since_ms=1_772_600_000_000).hits
    assert [hit.snippet for hit in late] == ["apple late"]


def test_a_record_that_a_resumed_session_copied_is_shown_once_in_the_newest(place: Place) -> None:
    old = Transcript(FIRST)
    old.prompt("apple pie")
    old.write(place.projects)
    resumed = Transcript(SECOND)
    resumed.lines = [{**old.lines[0], "sessionId": SECOND}]  # type: ignore[dict-item]
    resumed.at("2026-03-09T09:00:00Z").prompt("more of it")
    resumed.write(place.projects)
    place.update()
    assert [hit.session for hit in place.find("apple").hits] == [SECOND]


def test_a_query_without_any_word_reads_the_texts_and_stops_when_its_time_is_over(written: Place) -> None:
    assert {hit.part for hit in written.find("/").hits} == {"input", "output"}
    found = written.find("/", time_s=-1)
    assert found.stopped and found.hits == [] and found.more > 0


def test_a_hit_is_what_the_file_holds_now_and_never_what_it_held(written: Place) -> None:
    path = next(written.projects.rglob(f"{FIRST}.jsonl"))
    path.write_bytes(path.read_bytes().replace(b"marmalade", b"chocolate"))
    assert written.find("marmalade").hits == []
    path.unlink()
    assert written.find("lantern").hits == []


def test_the_command_prints_one_document_and_says_what_was_not_searched(
    run_waterglass: RunWaterglass, place: Place, session: Write
) -> None:
    session()
    env = {"XDG_CACHE_HOME": str(place.cache)}
    done = run_waterglass("search", "marmalade", "--root", place.projects, "--json", env=env)
    document = json.loads(done.stdout)
    assert [(hit["session"], hit["rowId"], hit["part"]) for hit in document["hits"]] == [(FIRST, "toolu_1", "output")]
    assert document["complete"] is True and any("pictures" in text for text in document["notSearched"])
    shown = run_waterglass("search", "marmalade", "--root", place.projects, env=env)
    assert "toolu_1" in shown.stdout and "not searched" in shown.stderr


def test_control_characters_of_a_transcript_are_shown_and_not_sent(run_waterglass: RunWaterglass, place: Place) -> None:
    place.write(FIRST, "apple \x1b[31mred\x07 \u202eevil")
    env = {"XDG_CACHE_HOME": str(place.cache)}
    for form in ([], ["--json"]):
        done = run_waterglass("search", "apple", "--root", place.projects, *form, env=env)
        assert done.returncode == 0 and not set("\x1b\x07\u202e") & set(done.stdout)


@pytest.mark.parametrize("query", ["", "  "])
def test_a_search_for_nothing_is_wrong_usage(run_waterglass: RunWaterglass, query: str) -> None:
    done = run_waterglass("search", query)
    assert done.returncode == 2 and done.stderr.startswith("waterglass: nothing to search for")


def test_the_queries_of_the_shared_case_find_what_they_should(place: Place, shared: Path) -> None:
    case = shared / "cases" / "C83"
    discovery = discover([str(case / "projects")])
    update(place.store, discovery)
    for asked in json.loads((case / "expected.json").read_text())["expect"]["queries"]:
        hits = search(place.store, discovery, parse(asked["q"])).hits
        assert len({hit.session for hit in hits}) == asked.get("sessions", 0), asked


def test_hostile_transcripts_are_indexed_and_searched_without_an_error(place: Place) -> None:
    folder = place.projects / "-code-odd"
    folder.mkdir()
    lines = [
        b'{"type":"user","message":{"role":"user","content":"apple \\ud800 alone"}}',
        b'{"type":"user","message":{"role":"user","content":"apple \xff\xfe bytes"}}',
        b'{"type":"user","message":{"role":"user","content":"apple \\u0000 nul"}}',
        b'{"type":"user","message":{"role":"user","content":[null,7,{"type":"text","text":"apple deep"}]}}',
        b'{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"X","input":'
        + b'{"a":' * 200 + b'"apple 1e999", "n": 123456789012345678901234567890' + b"}" * 200 + b"}]}}",
        b'{"type":"user","message":{"role":"user","content":' + b"[" * 5_000 + b"]" * 5_000 + b"}}",
        b'{"a":1}{"type":"user","message":{"role":"user","content":"apple beside"}}',
        b"apple, and no JSON at all",
        b'{"type":"user","message":{"role":"user","content":"apple unfinish',
    ]  # fmt: skip
    (folder / f"{FIRST}.jsonl").write_bytes(b"\n".join(lines))
    assert place.update().unread == []
    snippets = " ".join(hit.snippet for hit in place.find("apple", limit=100).hits)
    for word in ("alone", "bytes", "nul", "deep", "1e999", "beside"):
        assert word in snippets, word
    assert "no JSON" not in snippets
