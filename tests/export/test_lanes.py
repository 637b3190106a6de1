"""Lanes: what overlaps is drawn beside each other."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from waterglass.export.lanes import Bar, lanes

bars = st.tuples(st.integers(0, 30), st.integers(0, 12)).map(lambda pair: Bar(pair[0], pair[0] + pair[1]))


def overlap(a: Bar, b: Bar) -> bool:
    return a.start < b.end and b.start < a.end


def frames_of(borders: list[int]) -> list[Bar]:
    """Frames that touch or leave a gap, never overlap."""
    ordered = sorted(borders)
    return [Bar(a, b) for a, b in zip(ordered[::2], ordered[1::2], strict=False)]


@given(st.lists(bars, max_size=12), st.lists(st.integers(0, 40), max_size=8))
def test_no_two_bars_of_a_lane_overlap_and_none_crosses_a_frame(drawn: list[Bar], borders: list[int]) -> None:
    frames = frames_of(borders)
    placed = lanes(frames, drawn)
    for n, bar in enumerate(drawn):
        assert not any(overlap(bar, drawn[k]) for k in range(n) if placed[k] == placed[n])
        if placed[n] == 0:
            inside = [f.start <= bar.start and bar.end <= f.end for f in frames if overlap(bar, f)]
            assert all(inside)


def test_bars_one_after_the_other_need_one_lane() -> None:
    assert lanes([Bar(0, 10)], [Bar(0, 3), Bar(3, 5), Bar(5, 10)]) == [0, 0, 0]


def test_a_bar_inside_another_one_is_not_its_child() -> None:
    assert lanes([], [Bar(0, 10), Bar(2, 5)]) == [0, 1]


def test_a_bar_that_outlasts_its_frame_leaves_the_first_lane() -> None:
    assert lanes([Bar(0, 10), Bar(10, 20)], [Bar(5, 12), Bar(13, 14)]) == [1, 0]


def test_very_many_bars_that_never_end_are_placed_in_good_time() -> None:
    begun = time.monotonic()
    assert max(lanes([], [Bar(n, 100_000) for n in range(50_000)])) == 49_999
    assert time.monotonic() - begun < 10
