"""README.md: what it shows is what the commands print."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.conftest import RunWaterglass
from tests.house.source import CHECKOUT

PAGE = (CHECKOUT / "README.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"^```text\n\$ waterglass (.*)\n((?:.*\n)*?)```$", PAGE, re.M)
WIDTH = "110"  # columns of the terminal that the page shows
SIZE = re.compile(r"\b\d+ kB$")  # of a report: the page in it grows


def test_the_page_shows_commands() -> None:
    assert [line.split()[0] for line, _ in SHOWN] == ["list", "show", "report", "check"]


@pytest.mark.parametrize(("line", "shown"), SHOWN, ids=[line.split()[0] for line, _ in SHOWN])
def test_each_command_prints_what_the_page_shows(
    line: str, shown: str, run_waterglass: RunWaterglass, tmp_path: Path
) -> None:
    assert run_waterglass("sample").returncode == 0
    done = run_waterglass(*line.split(), env={"COLUMNS": WIDTH, "TZ": "UTC"})
    said, wanted = (done.stdout or done.stderr).splitlines(), shown.splitlines()
    if not find_spec("genai_prices"):
        wanted = [text for text in wanted if not text.startswith("cost ")]
    if wanted[-1] == "…":
        wanted.pop()
        said = said[: len(wanted)]
    if wanted[0].startswith("Wrote "):
        said, wanted = ([SIZE.sub("", text) for text in lines] for lines in (said, wanted))
    assert said == wanted
