"""Control characters become visible, figures take fixed forms."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waterglass.cli.terminal import duration, size, tokens, visible, wants_colour


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain – ünïcode 漢字 🙂", "plain – ünïcode 漢字 🙂"),
        ("\x1b]0;title\x07", "␛]0;title^G"),
        ("a\rb\nc\td", "a^Mb^Jc^Id"),
        ("\x7f\x00", "^?^@"),
        ("\x9b31m", "U+009B31m"),
        ("\u202egnp.exe\u2066", "U+202Egnp.exeU+2066"),
        ("a\u2028b", "aU+2028b"),
        ("half \ud83d", "half U+D83D"),
    ],
)
def test_each_control_character_is_shown_in_a_visible_form(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_newlines_and_tabs_stay_where_lines_are_asked_for() -> None:
    assert visible("a\n\tb\r\x1b[2J", lines=True) == "a\n\tb^M␛[2J"


@given(st.text(st.characters(), max_size=60))
def test_nothing_that_is_shown_can_steer_a_terminal_and_all_of_it_can_be_written(text: str) -> None:
    shown = visible(text)
    assert all(" " <= c != "\x7f" and not "\x80" <= c <= "\x9f" for c in shown)
    assert visible(shown) == shown
    shown.encode("utf-8")


@pytest.mark.parametrize(
    ("ms", "shown"),
    [
        (None, ""),
        (0, "0 ms"),
        (219, "219 ms"),
        (999, "999 ms"),
        (1_000, "1.00 s"),
        (5_370, "5.37 s"),
        (9_994, "9.99 s"),
        (9_996, "10.0 s"),
        (12_240, "12.2 s"),
        (59_949, "59.9 s"),
        (59_950, "1m 00s"),
        (124_000, "2m 04s"),
        (3_599_499, "59m 59s"),
        (3_599_600, "1h 00m"),
        (3_900_000, "1h 05m"),
        (86_369_999, "23h 59m"),
        (86_370_000, "1d 0h"),
        (183_600_000, "2d 3h"),
    ],
)
def test_a_duration_takes_the_two_units_that_matter(ms: float | None, shown: str) -> None:
    assert duration(ms) == shown


@pytest.mark.parametrize(
    ("count", "shown"),
    [(None, ""), (0, "0"), (812, "812"), (1_000, "1.0k"), (4_210, "4.2k"), (9_951, "10k"), (215_400, "215k")],
)
def test_tokens_are_rounded_to_what_matters(count: int | None, shown: str) -> None:
    assert tokens(count) == shown


def test_large_counts_take_larger_units() -> None:
    assert (tokens(1_234_000), tokens(999_600), size(999), size(4_200), size(129_000_000)) == (
        "1.2M",
        "1.0M",
        "999 B",
        "4.2 kB",
        "129 MB",
    )


@pytest.mark.parametrize(
    ("stream", "environment", "wanted"),
    [
        (Terminal(), {}, True),
        (Terminal(), {"NO_COLOR": ""}, True),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"TERM": "dumb"}, False),
        (io.StringIO(), {}, False),
    ],
)
def test_colour_follows_no_color_and_the_terminal(
    stream: io.StringIO, environment: dict[str, str], wanted: bool
) -> None:
    assert wants_colour(stream, environment) is wanted
