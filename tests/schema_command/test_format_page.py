"""`docs/transcript-format.md` tells of everything that the schema knows."""

from __future__ import annotations

import re

import msgspec
import pytest

from tests.house.source import CHECKOUT
from waterglass.schema import layout, names, records, texts

PAGE = (CHECKOUT / "docs" / "transcript-format.md").read_text(encoding="utf-8")
# What stands as code, in spans and in the blocks between fences.
CODE = [*re.findall(r"`([^`\n]+)`", PAGE), *re.findall(r"^```\n(.*?)^```$", PAGE, re.M | re.S)]
WORDS = {word for code in CODE for word in re.findall(r"[\w-]+", code)}
STRUCTS = [kind for kind in vars(records).values() if isinstance(kind, type) and issubclass(kind, msgspec.Struct)]


def test_each_record_type_is_told() -> None:
    assert sorted(names.RECORD_TYPES - WORDS) == []


def test_each_block_type_is_told() -> None:
    assert sorted((names.BLOCK_TYPES | names.CALL_BLOCKS) - WORDS) == []


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda kind: kind.__name__)
def test_each_field_that_is_read_is_told(struct: type[msgspec.Struct]) -> None:
    assert [field for field in struct.__struct_fields__ if field not in WORDS] == []


def test_each_beginning_of_a_program_text_is_told() -> None:
    assert [beginning for beginning, _ in texts.PROGRAM_TEXTS if f"`{beginning}`" not in PAGE] == []


@pytest.mark.parametrize("name", [layout.SIDECAR, layout.AGENTS_FOLDER, layout.RESULTS_FOLDER, layout.TITLES_FILE])
def test_each_place_on_disk_is_told(name: str) -> None:
    assert any(name in code for code in CODE)


def test_all_structs_are_looked_at() -> None:
    assert {"RawRecord", "RawMessage", "RawBlock", "RawUsage", "RawToolUseResult"} <= {s.__name__ for s in STRUCTS}
