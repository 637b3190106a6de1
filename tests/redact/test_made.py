"""How much is found of secrets that were made up from what their issuers publish, and how much is hidden in vain."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from urllib.parse import quote

import pytest

from tests.redact.made import CONTEXTS, FORMATS, NAMED, Sample, harmless, secrets
from waterglass.redact import Redactor

SEEDS = (20260101, 20260102)
RECALL, RECALL_OF_CODED, FALSE_ALARMS = 0.995, 0.95, 2
PIECE = 12  # characters of a token: nobody can use fewer, and a rule that ends too early leaves more


def left(shown: str, secret: str) -> bool:
    """Is the secret, or of a long one any piece, still there?"""
    if len(secret) < 2 * PIECE:
        return secret in shown
    return any(secret[at : at + PIECE] in shown for at in range(0, len(secret) - PIECE + 1))


def missed(samples: list[Sample]) -> list[tuple[str, str]]:
    return [(s.kind, s.context) for s in samples if left(Redactor().text(s.text), s.secret)]


def test_the_set_has_the_size_that_is_promised() -> None:
    assert len(FORMATS) + len(NAMED) >= 120
    assert len(CONTEXTS) == 5
    samples = list(secrets(1))
    assert len(samples) == 5 * (len(FORMATS) + len(NAMED))
    assert [s for s in samples if s.secret not in s.text] == []
    assert len({text for _, text in harmless(1)}) >= 300 and len(list(harmless(1))) >= 400


@pytest.mark.parametrize("seed", SEEDS)
def test_of_made_up_secrets_all_but_one_in_two_hundred_go(seed: int) -> None:
    samples = list(secrets(seed))
    gone = missed(samples)
    assert 1 - len(gone) / len(samples) >= RECALL, gone


@pytest.mark.parametrize("seed", SEEDS)
def test_of_what_only_looks_like_a_secret_all_but_two_in_four_hundred_stay(seed: int) -> None:
    texts = list(harmless(seed))
    alarms = [(group, text) for group, text in texts if Redactor().text(text) != text]
    assert len(alarms) <= FALSE_ALARMS * len(texts) / 400, alarms


def coloured(value: str) -> str:
    half = len(value) // 2
    return f"{value[:half]}\x1b[1;32m{value[half:]}\x1b[0m"


FORMS: dict[str, Callable[[str], str]] = {
    "base64": lambda value: base64.b64encode(f"it is {value} now".encode()).decode(),
    "base64 for addresses": lambda value: base64.urlsafe_b64encode(f"it is {value} now".encode()).decode(),
    "base64 in lines": lambda value: base64.encodebytes(f"it is {value} now, and more words follow".encode()).decode(),
    "hexadecimal": lambda value: f"it is {value} now".encode().hex(),
    "percent": lambda value: quote(value, safe=""),
    "percent, all of it": lambda value: "".join(f"%{byte:02X}" for byte in value.encode()),
    "numbers": lambda value: "".join(f"\\u{ord(char):04x}" for char in value),
    "json in json": lambda value: json.dumps(json.dumps(json.dumps({"v": value}))),
    "coloured": coloured,
    "parted by what is not seen": lambda value: f"{value[:9]}\u200b{value[9:]}",
}


@pytest.mark.parametrize("form", FORMS)
def test_of_coded_and_split_secrets_nineteen_in_twenty_go(form: str) -> None:
    bare = [s for s in secrets(SEEDS[0]) if s.context == "bare"]
    kept = []
    for sample in bare:
        coded = FORMS[form](sample.text)
        shown = Redactor().text(f"see {coded} and go on")
        if shown == f"see {coded} and go on" or left(
            shown.replace("\x1b[1;32m", "").replace("\u200b", ""), sample.secret
        ):
            kept.append(sample.kind)
    assert len(bare) == len(FORMATS)
    assert 1 - len(kept) / len(bare) >= RECALL_OF_CODED, kept


@pytest.mark.parametrize("ending", ["\n", "\n    ", "\r\n", "\\n"])
def test_of_tokens_that_a_terminal_broke_nineteen_in_twenty_go(ending: str) -> None:
    tokens = [s for s in secrets(SEEDS[0]) if s.context == "bare" and len(s.text) > 40 and "://" not in s.text]
    kept = []
    for sample in tokens:
        lines = [sample.text[at : at + 40] for at in range(0, len(sample.text), 40)]
        shown = Redactor().text(ending.join(lines))
        if any(len(line) >= PIECE and line[:20] in shown and line[:20] in sample.secret for line in lines):
            kept.append(sample.kind)
    assert len(tokens) > 60
    assert 1 - len(kept) / len(tokens) >= RECALL_OF_CODED, kept
