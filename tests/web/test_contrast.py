"""The colours of both themes by the formula of WCAG: texts 4.5 to 1, bars 3 to 1, on all that they stand on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

STYLE = Path(__file__).resolve().parents[2] / "src" / "waterglass" / "web" / "page.css"
GROUNDS = ("bg", "odd", "sel", "errbg", "panel")
TEXTS = ("text", "dim", "accent", "error", "compact", "warn", "a-green", "k-web")
# What a tile or a menu stands on is no error row: warnings and terminal colours are never drawn there.
QUIET = {"warn": ("bg", "odd", "sel", "panel"), "a-green": ("bg", "odd", "panel"), "k-web": ("bg", "odd", "panel")}
BARS = tuple(f"k-{kind}" for kind in ("agent", "bash", "read", "edit", "search", "web", "mcp", "other"))


def theme(name: str) -> dict[str, str]:
    """The colour variables of a theme."""
    style = STYLE.read_text(encoding="utf-8")
    blocks = re.findall(r'^:root(\[data-theme="dark"\])? \{(.*?)^\}', style, re.M | re.S)
    light, dark = (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", text)) for _, text in blocks)
    return light if name == "light" else light | dark


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb`."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Ratio of two colours, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_texts_can_be_read_on_every_ground(name: str) -> None:
    colours = theme(name)
    pairs = [(text, ground) for text in TEXTS for ground in QUIET.get(text, GROUNDS)]
    assert [(t, g) for t, g in pairs if contrast(colours[t], colours[g]) < 4.5] == []


@pytest.mark.parametrize("name", ["light", "dark"])
def test_bars_and_borders_of_controls_can_be_seen_on_every_ground(name: str) -> None:
    colours = theme(name)
    pairs = [(bar, ground) for bar in (*BARS, "control") for ground in GROUNDS]
    assert [(b, g) for b, g in pairs if contrast(colours[b], colours[g]) < 3] == []


@pytest.mark.parametrize("name", ["light", "dark"])
def test_signs_of_a_change_can_be_read_on_its_colours(name: str) -> None:
    colours = theme(name)
    assert [ground for ground in ("plus", "minus") if contrast(colours["text"], colours[ground]) < 4.5] == []


@pytest.mark.parametrize("name", ["light", "dark"])
def test_heat_grows_in_one_direction_of_lightness(name: str) -> None:
    steps = [luminance(theme(name)[f"h{level}"]) for level in range(5)]
    assert steps in (sorted(steps), sorted(steps, reverse=True))
