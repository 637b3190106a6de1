"""Strings and payloads without their secrets."""

from waterglass.redact.redactor import LEVELS, Level, Redactor

__all__ = ["LEVELS", "Level", "Redactor"]
