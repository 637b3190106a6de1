"""The small table for notebooks."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.transcripts import Transcript
from waterglass import load, summary_html

ID = "5e551044-0000-4000-8000-00000000000a"


class Tags(HTMLParser):
    """Collects tags with their attributes, and texts."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, int]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, len(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def shown(root: Path, *titles: str, cwd: str = "/code/demo") -> tuple[str, dict[str, str]]:
    t = Transcript(ID, cwd=cwd).at("2026-03-02T09:00:00Z")
    t.prompt("Look")
    t.at("+75s").reply("Done.")
    for title in titles:
        t.title(title, "custom")
    t.write(root)
    html = summary_html(load(ID, [str(root)]))
    parsed = Tags()
    parsed.feed(html)
    assert {tag for tag, _ in parsed.tags} == {"table", "tr", "th", "td"} and not any(n for _, n in parsed.tags)
    return html, dict(zip(parsed.texts[::2], parsed.texts[1::2], strict=True))


def test_it_says_what_a_session_is_in_lines_of_name_and_value(tmp_path: Path) -> None:
    _, lines = shown(tmp_path, "A title")
    assert lines["session"] == ID and lines["title"] == "A title" and lines["project"] == "/code/demo"
    assert lines["began"] == "2026-03-02 09:00:00 UTC" and lines["lasted"] == "1 min 15 s"
    assert lines["API calls"] == "1" and lines["calls"] == "0, 0 with errors"


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "</td></table><img src=x onerror=a()>", '"&lt;"', "a\x1b[31m\u202eb"]
)
def test_what_a_transcript_says_is_text_and_nothing_else(text: str, tmp_path: Path) -> None:
    html, lines = shown(tmp_path, text, cwd=f"/code/{text.replace('/', '')}")
    assert lines["title"] == re.sub("[\x1b\u202e]", "\ufffd", text)
    assert "<script" not in html and "<img" not in html and "\x1b" not in html and "\u202e" not in html


def test_a_very_long_title_is_cut(tmp_path: Path) -> None:
    html, lines = shown(tmp_path, "long " * 10_000)
    assert len(html) < 2_000 and lines["title"].endswith("…")


def test_a_session_of_nothing_has_no_line_for_what_is_not_known(tmp_path: Path) -> None:
    Transcript(ID, folder="-code").raw(b"not a record").write(tmp_path)
    html = summary_html(load(ID, [str(tmp_path)]))
    assert "began" not in html and "title" not in html and ID in html
