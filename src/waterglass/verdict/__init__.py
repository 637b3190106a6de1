"""Whether a check passed: from the exit code, `is_error` and the runner's own summary, in that order of trust."""

from __future__ import annotations

from waterglass.verdict.verdict import VERDICTS, verify_ok

__all__ = ["VERDICTS", "verify_ok"]
