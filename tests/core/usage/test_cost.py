"""What a session cost at list prices: per model, cache lives apart, and nothing guessed."""

from __future__ import annotations

import sys

import pytest

from tests.core.conftest import Read
from tests.core.told import started
from tests.transcripts import used
from waterglass.cost import cost_of

pytest.importorskip("genai_prices", reason="the price data is not installed (waterglass[prices])")
SONNET = "claude-sonnet-4-5-20250929"  # per million tokens: 3 in, 15 out, 0.30 cached, 3.75 and 6 to write the cache


def test_each_kind_of_token_has_its_price(read: Read) -> None:
    t = started()
    usage = used(input=1_000, output=2_000, read=10_000, created=5_000, created_1h=1_000)
    t.reply("One", message_id="m", model=SONNET, stop_reason="end_turn", usage=usage)
    cost = read(t).cost()
    assert cost is not None
    expected = (1_000 * 3 + 2_000 * 15 + 10_000 * 0.3 + 4_000 * 3.75 + 1_000 * 6) / 1_000_000
    assert cost["usd"] == pytest.approx(expected)
    assert (cost["byModel"], cost["unpriced"]) == ({SONNET: cost["usd"]}, [])


def test_many_small_calls_cost_what_they_cost_one_by_one_and_a_large_one_has_its_own_price(read: Read) -> None:
    t = started()
    for number in range(300):  # together far above the size from which a request costs more
        t.reply("x", message_id=f"m{number}", model=SONNET, usage=used(input=1_000, output=0))
    cost = read(t).cost()
    assert cost is not None and cost["usd"] == pytest.approx(300 * 1_000 * 3 / 1_000_000)
    t.reply("x", message_id="large", model=SONNET, usage=used(input=300_000, output=0))
    more = read(t).cost()
    assert more is not None and more["usd"] - cost["usd"] > 300_000 * 3 / 1_000_000 * 1.5


def test_a_model_without_a_price_is_named_and_adds_nothing(read: Read) -> None:
    t = started()
    t.reply("One", message_id="m", model="glimmer-9", usage=used(input=1_000))
    cost = read(t).cost()
    assert cost is not None and (cost["usd"], cost["unpriced"], cost["byModel"]) == (0, ["glimmer-9"], {})


def test_without_the_price_data_there_is_no_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "genai_prices", None)
    assert cost_of([], None) is None
