"""What the tests of the metrics share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.metrics.story import Story
from waterglass.metrics import MetricResult, Settings, read_trace, scorecard

Score = Callable[..., dict[str, MetricResult]]


@pytest.fixture
def story() -> Story:
    """A session to tell."""
    return Story()


@pytest.fixture
def score(tmp_path: Path) -> Score:
    """Return `score(story, **settings)`: the results by metric, checks and claims as the story tells them."""

    def score(story: Story, **settings: object) -> dict[str, MetricResult]:
        trace = read_trace(story.session(tmp_path / "projects").view(), Settings(**settings))  # type: ignore[arg-type]
        return {result.id: result for result in scorecard(trace, story.judged(), strict=True)}

    return score
