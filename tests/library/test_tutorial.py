"""docs/library.md: its examples run as they stand, and tell of all that is public."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path

import pytest

import waterglass
from tests.conftest import run_python
from tests.house.source import CHECKOUT
from waterglass.sample import write_sample

PAGE = (CHECKOUT / "docs" / "library.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.S | re.M)


def test_the_examples_run_one_after_the_other(child_environment: dict[str, str], tmp_path: Path) -> None:
    write_sample(tmp_path / "demo")
    blocks = [block for block in BLOCKS if "to_arrow" not in block]
    assert len(blocks) >= 10
    done = run_python(["-c", "\n".join(blocks)], cwd=tmp_path, env=child_environment)
    assert (done.returncode, done.stderr) == (0, "")
    said = done.stdout.splitlines()
    assert sum(line.startswith("5a3b1e00-") for line in said) == 2  # found, and loaded
    assert "no session has this id" in done.stdout and "<table>" in said
    assert re.search(r"^Bash +[\d.]+ s +\d+ errors$", done.stdout, re.M)
    assert (tmp_path / "report.html").read_text(encoding="utf-8").startswith("<!")


def test_the_examples_of_tables_run_where_these_can_be_had(child_environment: dict[str, str], tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'waterglass[parquet]'")
    write_sample(tmp_path / "demo")
    done = run_python(["-c", "\n".join(BLOCKS)], cwd=tmp_path, env=child_environment)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_page_tells_of_every_public_name() -> None:
    assert [name for name in waterglass.__all__ if name not in PAGE and not name.startswith("__")] == []


def test_every_public_name_has_a_docstring() -> None:
    assert [n for n in waterglass.__all__ if not n.startswith("__") and not getattr(waterglass, n).__doc__] == []


def _members(name: str) -> list[str]:
    """The public methods, properties and fields of a public class, without those of its bases."""
    found = getattr(waterglass, name)
    return [member for member in vars(found) if not member.startswith("_")] if isinstance(found, type) else []


@pytest.mark.parametrize("name", [name for name in waterglass.__all__ if _members(name)])
def test_the_pages_tell_of_everything_that_a_public_class_has(name: str) -> None:
    told = PAGE + (CHECKOUT / "docs" / "plugins.md").read_text(encoding="utf-8")
    assert [member for member in _members(name) if not re.search(rf"\b{member}\b", told)] == []


@pytest.mark.parametrize("name", [name for name in waterglass.__all__ if _members(name)])
def test_every_method_and_property_of_a_public_class_has_a_docstring(name: str) -> None:
    members = {member: vars(getattr(waterglass, name))[member] for member in _members(name)}
    own = {m: o for m, o in members.items() if callable(o) or isinstance(o, property | cached_property)}
    assert [member for member, one in own.items() if not one.__doc__] == []
