"""Waterglass: what a Claude Code session did, read from its transcripts on this machine.

The public names are loaded when first asked for, so that importing the package (and `waterglass --help`) stays cheap.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from waterglass.discover import SessionRef, discover
    from waterglass.errors import WaterglassError
    from waterglass.export import to_arrow
    from waterglass.metrics import Evidence, Finding, Settings
    from waterglass.notebook import summary_html
    from waterglass.plugins import Exported, Exporter, Measured, MetricPlugin
    from waterglass.report import render_report
    from waterglass.session import Session, load
    from waterglass.version import __version__

__all__ = [
    "Evidence",
    "Exported",
    "Exporter",
    "Finding",
    "Measured",
    "MetricPlugin",
    "Session",
    "SessionRef",
    "Settings",
    "WaterglassError",
    "__version__",
    "discover",
    "load",
    "render_report",
    "summary_html",
    "to_arrow",
]

_HOMES = {
    "Evidence": "waterglass.metrics",
    "Exported": "waterglass.plugins",
    "Exporter": "waterglass.plugins",
    "Finding": "waterglass.metrics",
    "Measured": "waterglass.plugins",
    "MetricPlugin": "waterglass.plugins",
    "Session": "waterglass.session",
    "SessionRef": "waterglass.discover",
    "Settings": "waterglass.metrics",
    "WaterglassError": "waterglass.errors",
    "__version__": "waterglass.version",
    "discover": "waterglass.discover",
    "load": "waterglass.session",
    "render_report": "waterglass.report",
    "summary_html": "waterglass.notebook",
    "to_arrow": "waterglass.export",
}


def __getattr__(name: str) -> Any:
    """Return the public name `name`, importing its module. Raises AttributeError for any other name."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Package(ModuleType):
    """Keeps public names apart from modules of the same name.

    Importing `waterglass.discover` would set the attribute `discover` of this package to that module and so hide the
    function of that name, depending on what was imported before. `from waterglass.discover import ...` always works.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
