"""Sessions as files that other programs open: events, traces, spans and tables, redacted as a report is."""

from __future__ import annotations

from waterglass.export.arrow import to_arrow
from waterglass.export.done import Done, Reading
from waterglass.export.run import FORMS, Form, export_sessions
from waterglass.export.sources import Source, all_sources

__all__ = ["FORMS", "Done", "Form", "Reading", "Source", "all_sources", "export_sessions", "to_arrow"]
