"""One session as one self-contained HTML file, redacted, that opens from disk without a server or a network."""

from __future__ import annotations

from waterglass.report.file import default_name, render_report, write_report

__all__ = ["default_name", "render_report", "write_report"]
