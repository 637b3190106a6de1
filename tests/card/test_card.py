"""The card: precision, recall and abstention on the labelled lines that come with the program."""

from __future__ import annotations

import json

import pytest

from tests.conftest import RunWaterglass
from waterglass.card import Section, card

FLOORS = {"acts": (0.97, 0.97), "verifyKinds": (0.97, 0.97), "verifyOk": (0.97, 0.95), "claims": (0.95, 0.95)}


@pytest.fixture(scope="module")
def sections() -> list[Section]:
    return card()


def test_every_class_of_every_classifier_is_above_its_floor(sections: list[Section]) -> None:
    assert [section.name for section in sections] == list(FLOORS)
    for section in sections:
        precision, recall = FLOORS[section.name]
        for one in section.classes:
            assert one.labelled >= 30, (section.name, one.name)
            assert (one.precision or 0) >= precision and (one.recall or 0) >= recall, (section.name, one)


def test_no_classifier_abstains_on_more_than_a_twentieth(sections: list[Section]) -> None:
    assert {section.name: section.abstention for section in sections if section.abstention > 0.05} == {}


def test_the_card_is_printed_as_a_table_and_as_json(run_waterglass: RunWaterglass) -> None:
    table = run_waterglass("metrics", "--card").stdout
    assert "verifyOk:" in table and "precision" in table
    document = json.loads(run_waterglass("metrics", "--card", "--json").stdout)
    assert [section["name"] for section in document["sections"]] == list(FLOORS)


def test_the_metrics_are_named_in_the_contracts_order(run_waterglass: RunWaterglass) -> None:
    document = json.loads(run_waterglass("metrics", "--json").stdout)
    assert [metric["id"] for metric in document["metrics"]] == [
        "grepSemantic", "earlyVictory", "verificationDensity", "overreach", "continuity", "loopDetection",
    ]  # fmt: skip
