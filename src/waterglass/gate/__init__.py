"""Gates over sessions: does a scorecard stay within its limits? Reads the payload's metrics and nothing behind them."""

from __future__ import annotations

from waterglass.gate.formats import FORMATS, render
from waterglass.gate.gates import Broken, Checked, Further, Limit, baseline_limits, check_session, parse_limit

__all__ = [
    "FORMATS",
    "Broken",
    "Checked",
    "Further",
    "Limit",
    "baseline_limits",
    "check_session",
    "parse_limit",
    "render",
]
