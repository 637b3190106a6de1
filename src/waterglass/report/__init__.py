"""One session as one self-contained HTML file, redacted, that opens from disk without a server or a network."""

from __future__ import annotations

from waterglass.report.document import render_report, report_parts
from waterglass.report.file import default_name, write_report

__all__ = ["default_name", "render_report", "report_parts", "write_report"]
