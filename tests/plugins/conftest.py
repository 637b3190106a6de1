"""What the tests of plugins share: packages with entry points, written by hand beside the product."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from waterglass.plugins import found

Installed = Callable[..., Path]

METRIC = """
from waterglass import Evidence, Finding, MetricPlugin

def measure(session):
    {body}

METRIC = MetricPlugin(
    label="Calls", explanation="How many calls there are.", unit="calls", better="lower", measure=measure
)
"""
COUNTS = 'return Finding("ok", len(session.rows), f"{len(session.rows)} calls")'


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of packages, seen by this process and forgotten after the test."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    _forget()
    yield folder
    _forget()
    for name in [name for name, module in sys.modules.items() if _file(module).startswith(str(folder))]:
        del sys.modules[name]


def _file(module: object) -> str:
    return getattr(module, "__file__", None) or ""


def _forget() -> None:
    found.metrics.cache_clear()
    found.exporters.cache_clear()


@pytest.fixture
def install(site: Path) -> Installed:
    """Return `install(package, code, metrics=, exporters=)`: write a package as an installer leaves it."""

    def install(package: str, code: str, **points: dict[str, str]) -> Path:
        module = package.replace("-", "_")
        (site / f"{module}.py").write_text(code, encoding="utf-8")
        info = site / f"{module}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = []
        for group, names in points.items():
            lines += [f"[waterglass.{group}]", *(f"{name} = {module}:{value}" for name, value in names.items())]
        (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
        return site

    return install
