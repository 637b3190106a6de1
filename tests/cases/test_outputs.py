"""Pictures, kept previews and markup: in the payload, in a body and in a report."""

from __future__ import annotations

import base64
import gzip
import re
import time
from pathlib import Path

import pytest

from tests.cases.conftest import LONG_AFTER, ONE, Shown, flat, typed
from tests.transcripts import Call, Transcript, dumps
from waterglass.report import render_report
from waterglass.session import Session, load

PICTURE = "iVBORw0KGgo" + "A1b2" * 600
SPILLED = "this line stands in the spilled file alone"
MARKUP = '<img src=x onerror="alert(1)"></script><script>alert(2)</script>{{7*7}}'


def opened(root: Path) -> Session:
    return load(ONE, [str(root)], now_ms=LONG_AFTER)


def unpacked(html: str) -> str:
    """All data blocks of a report, as text."""
    blocks = re.findall(r'<script type="text/plain" id="[^"]+">([^<]*)<', html)
    assert len(blocks) >= 2
    return "".join(gzip.decompress(base64.b64decode(block)).decode() for block in blocks)


@pytest.fixture
def with_a_picture(root: Path) -> Path:
    source = {"type": "base64", "media_type": "image/png", "data": PICTURE}
    t = Transcript(ONE)
    t.prompt([{"type": "image", "source": source}, {"type": "text", "text": "What is this?"}])
    t.at("+1s").reply(None, [Call("Read", {"file_path": "/code/demo/a.png"}, id="c1")])
    mirror = {"type": "image", "file": {"base64": PICTURE, "type": "image/png", "originalSize": 1_800}}
    t.at("+1s").result("c1", [{"type": "image", "source": source}], tool_use_result=mirror)
    t.write(root)
    return root


def test_a_picture_is_no_text_of_a_prompt_or_an_output(with_a_picture: Path, shown: Shown) -> None:
    payload = shown()
    assert typed(payload) == ["What is this?"]
    assert flat(payload["rows"])[0]["output"] == ""
    assert PICTURE not in dumps(payload)


def test_a_picture_that_its_record_holds_twice_is_one(with_a_picture: Path) -> None:
    body = opened(with_a_picture).row_body("c1")
    assert body is not None
    assert len(body["images"]) == 1


def test_a_report_holds_a_picture_once_at_most(with_a_picture: Path) -> None:
    html = render_report(opened(with_a_picture))
    assert unpacked(html).count(PICTURE) <= 1
    assert PICTURE not in html


@pytest.mark.parametrize("spill", [True, False])
def test_a_kept_preview_is_marked_and_what_it_points_to_is_never_opened(
    root: Path, tmp_path: Path, shown: Shown, spill: bool
) -> None:
    elsewhere = tmp_path / "elsewhere.txt"
    elsewhere.write_text(SPILLED)
    t = Transcript(ONE)
    t.prompt("Go")
    t.at("+1s").reply(None, [Call("Bash", {"command": "seq 9999"}, id="c1")])
    preview = f"<persisted-output>\nOutput too large (3.1KB). Full output saved to: {elsewhere}\n\nPreview:\n1\n2\n"
    kept = {"stdout": "1\n2\n", "stderr": "", "persistedOutputPath": str(elsewhere), "persistedOutputSize": 3_090}
    t.at("+1s").result("c1", preview + "</persisted-output>", tool_use_result=kept)
    main = t.write(root)
    if spill:
        folder = main.with_suffix("") / "tool-results"
        folder.mkdir(parents=True)
        (folder / "c1.txt").write_text("1\n" * 1_545)
    time.sleep(0.02)  # so that a read would have another time
    before = elsewhere.stat().st_atime_ns
    (row,) = flat(shown()["rows"])
    assert (row["outcome"], row["truncated"]) == ("ok", True)
    session = opened(root)
    body = session.row_body("c1")
    assert body is not None and body["truncated"] is True
    html = render_report(session)
    assert SPILLED not in dumps(row) + dumps(body) + html + unpacked(html)
    assert elsewhere.stat().st_atime_ns == before


def test_an_output_that_only_speaks_of_previews_is_whole(root: Path, shown: Shown) -> None:
    t = Transcript(ONE)
    t.prompt("Go")
    t.at("+1s").reply(None, [Call("Bash", {"command": "cat notes"}, id="c1")])
    t.at("+1s").result("c1", "The tag <persisted-output> marks a preview.")
    t.write(root)
    assert flat(shown()["rows"])[0]["truncated"] is False


def test_markup_in_any_field_is_kept_as_it_is_and_is_never_markup_of_the_report(root: Path, shown: Shown) -> None:
    t = Transcript(ONE, cwd=f"/code/{MARKUP}", model=MARKUP, branch=MARKUP, folder="-code-demo")
    t.title(MARKUP, "custom")
    t.prompt(MARKUP)
    t.at("+1s").reply(MARKUP, [Call(MARKUP, {MARKUP: MARKUP}, id=MARKUP)], thinking=MARKUP)
    t.at("+1s").result(MARKUP, MARKUP, is_error=True)
    t.write(root)
    payload = shown()
    assert (payload["session"]["title"], typed(payload)) == (MARKUP, [MARKUP])
    (row,) = flat(payload["rows"])
    assert (row["id"], row["toolName"], row["input"], row["output"]) == (MARKUP, MARKUP, {MARKUP: MARKUP}, MARKUP)
    html = render_report(opened(root))
    assert not any(part in html for part in ("<img src=x", "alert(1)", "alert(2)", "{{7*7}}"))
    assert dumps(MARKUP)[1:-1] in unpacked(html)
