"""The example package: small, installed as anybody would, and run."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT, GUARD, RunWaterglass, run_python
from waterglass.sample import sample_root

EXAMPLE = CHECKOUT / "examples" / "waterglass-metric-questions"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that has the example as the installer leaves it; nothing is fetched for it."""
    pytest.importorskip("hatchling", reason="hatchling is not installed: the example cannot be built")
    copy, target = tmp_path_factory.mktemp("example"), tmp_path_factory.mktemp("target")
    for file in EXAMPLE.iterdir():
        if file.is_file():
            (copy / file.name).write_bytes(file.read_bytes())
    asked = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        "--disable-pip-version-check",
    ]
    import os

    done = run_python([*asked, "--target", str(target), str(copy)], cwd=copy, env=dict(os.environ))
    assert done.returncode == 0, done.stdout + done.stderr
    return target


def test_it_is_short() -> None:
    (module,) = EXAMPLE.glob("*.py")
    assert module.read_text(encoding="utf-8").count("\n") < 40


def test_it_is_measured_shown_and_in_a_report(installed: Path, run_waterglass: RunWaterglass, tmp_path: Path) -> None:
    more = {"PYTHONPATH": f"{installed}:{GUARD}:{CHECKOUT / 'src'}"}
    root = ("--root", sample_root())
    document = json.loads(run_waterglass("show", "5a3b1e00", *root, "--json", env=more).stdout)
    metric = document["metrics"][6]
    assert (metric["id"], metric["status"], metric["label"]) == ("questions", "ok", "Questions to the user")
    assert metric["value"] == len(metric["evidence"])
    assert re.search(
        r"✓ Questions to the user +\d+ questions?\n", run_waterglass("show", "5a3b1e00", *root, env=more).stdout
    )
    listed = run_waterglass("plugins", env=more).stdout
    assert "waterglass-metric-questions 1.0" in listed
    done = run_waterglass("report", "5a3b1e00", *root, "-o", tmp_path / "report.html", env=more)
    assert done.returncode == 0, done.stderr
    without = run_waterglass("show", "5a3b1e00", *root, "--json", env={**more, "WATERGLASS_NO_PLUGINS": "1"}).stdout
    assert len(json.loads(without)["metrics"]) == 6
    assert sys.executable


PAGE = (CHECKOUT / "docs" / "plugins.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["METRIC", "EXPORTER"])
def test_the_examples_of_the_page_are_plugins(name: str) -> None:
    from waterglass.metrics import Settings
    from waterglass.plugins import Exported, Exporter, Measured, MetricPlugin
    from waterglass.session import load

    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE, re.S | re.M)
    (block,) = [block for block in blocks if f"\n{name} = " in block]
    names: dict[str, object] = {}
    exec(block, names)
    session = load("5a3b1e00", [str(sample_root())])
    plugin = names[name]
    if isinstance(plugin, MetricPlugin):
        assert 0 < (plugin.measure(Measured(session, Settings())).value or 0) < 1
    else:
        assert isinstance(plugin, Exporter)
        one = Exported(session.id, session.head(), list(session.row_fields()), lambda: iter(()))
        assert len(list(plugin.lines(iter([one])))) == len(session.rows) + 1
