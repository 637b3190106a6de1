"""The package as others get it: a wheel in an environment of its own, and the public names."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

import waterglass
from tests.conftest import run_python
from tests.house.source import CHECKOUT, PACKAGE, project_files

pytestmark = pytest.mark.xdist_group("package")


def run(args: list[str | Path], **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(args, capture_output=True, encoding="utf-8", timeout=280, check=False, **options)  # type: ignore[call-overload,no-any-return]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from the source distribution, so that this holds all that the wheel needs."""
    folder = tmp_path_factory.mktemp("dist")
    built = run([sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, CHECKOUT])
    assert built.returncode == 0, built.stdout + built.stderr
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a clean environment that has the wheel and what it asks for, and nothing else."""
    folder = tmp_path_factory.mktemp("clean")
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    outside = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    asked = [programs / "python", "-m", "pip", "install", "--quiet", "--retries", "1", wheel]
    done = run(asked, env=outside)
    if done.returncode and "CI" not in os.environ and "connection" in done.stderr.lower():
        pytest.skip("no package index in reach: the wheel was not tried in a clean environment")
    assert done.returncode == 0, done.stderr
    return programs


def test_the_wheel_has_every_file_of_the_package(wheel: Path) -> None:
    ours = {
        f"waterglass/{path.relative_to(PACKAGE).as_posix()}" for path in project_files() if path.is_relative_to(PACKAGE)
    }
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.startswith("waterglass/")}
    assert packed == ours
    assert {"waterglass/web/index.html", "waterglass/py.typed"} <= packed


def test_the_wheel_works_in_a_clean_environment(installed: Path, tmp_path: Path) -> None:
    environment = {"HOME": str(tmp_path), "PATH": os.defpath, "LANG": "C.UTF-8"}
    program = installed / "waterglass"
    said = run([program, "--version"], env=environment, cwd=tmp_path)
    assert said.stdout == f"waterglass {waterglass.__version__}\n"
    wrote = run([program, "sample", "-o", tmp_path / "sample"], env=environment, cwd=tmp_path)
    assert wrote.returncode == 0, wrote.stderr
    shown = run([program, "show", "latest", "--root", tmp_path / "sample", "--json"], env=environment, cwd=tmp_path)
    assert shown.returncode == 0, shown.stderr
    assert json.loads(shown.stdout)["payload"] == 1


def test_every_public_name_can_be_had_whatever_was_imported_before(
    child_environment: dict[str, str], tmp_path: Path
) -> None:
    program = (
        "import waterglass.discover, waterglass.session, waterglass.load, waterglass\n"
        "assert callable(waterglass.discover) and callable(waterglass.load), (waterglass.discover, waterglass.load)\n"
        "for name in waterglass.__all__: getattr(waterglass, name)\n"
        "from waterglass import *\n"
        "from waterglass.discover import SessionRef as again; assert again is SessionRef\n"
        "assert set(waterglass.__all__) <= set(dir(waterglass))\n"
    )
    done = run_python(["-c", program], cwd=tmp_path, env=child_environment)
    assert (done.returncode, done.stderr) == (0, "")


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'conversation'"):
        getattr(waterglass, "conversation")  # noqa: B009
