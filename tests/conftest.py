"""What all tests share: no network, a home of their own, the product as a command, a browser, shared material."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.guard import no_outside

# How fast a machine draws and runs an example says nothing of the product.
settings.register_profile("waterglass", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("waterglass")

CHECKOUT = Path(__file__).resolve().parent.parent
GUARD = CHECKOUT / "tests" / "guard"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC_BROWSERS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
NO_BROWSER = (
    "no Chromium found, so the browser tests do not run. Install one: "
    "sudo apt-get install chromium (Debian, Ubuntu) or brew install --cask chromium (macOS)"
)
NO_SHARED = "no ../shared/corpus beside the checkout: the checks over real sessions do not run"
_OF_A_PERSON = ("CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")

RunWaterglass = Callable[..., subprocess.CompletedProcess[str]]

no_outside.install()


@pytest.fixture(autouse=True)
def _no_network() -> Iterator[None]:
    """Fail a test that tried to reach beyond this machine, even where the code under test swallowed the refusal."""
    before = len(no_outside.attempts)
    yield
    assert no_outside.attempts[before:] == []


@pytest.fixture(scope="session", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An empty home folder, in force for this process too, so that no test sees the sessions of a person."""
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        patch.setenv("USERPROFILE", str(folder))
        for name in _OF_A_PERSON:
            patch.delenv(name, raising=False)
        yield folder


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared material beside the checkout; tests that need it skip where it is not."""
    folder = CHECKOUT.parent / "shared"
    if not (folder / "corpus").is_dir():
        pytest.skip(NO_SHARED)
    return folder


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium-like browser; without one tests skip, or fail if WATERGLASS_REQUIRE_BROWSER is set."""
    found = next(filter(None, map(shutil.which, (*BROWSERS, *MAC_BROWSERS))), None)
    if found is None and os.environ.get("WATERGLASS_REQUIRE_BROWSER"):
        pytest.fail(NO_BROWSER)
    return found or pytest.skip(NO_BROWSER)


@pytest.fixture(scope="session")
def child_environment(home: Path) -> dict[str, str]:
    """Environment for a child process: the source tree, a home of its own, no network, warnings as errors."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(home),
        "USERPROFILE": str(home),
        "LANG": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join([str(GUARD), str(CHECKOUT / "src")]),
        "PYTHONWARNINGS": "error",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


@pytest.fixture
def signalled_environment(child_environment: dict[str, str]) -> dict[str, str]:
    """The same for a child that gets signals: one amid an import has the interpreter leave a file open."""
    return {**child_environment, "PYTHONWARNINGS": "error,ignore::ResourceWarning"}


@pytest.fixture
def run_waterglass(child_environment: dict[str, str], tmp_path: Path) -> RunWaterglass:
    """Return `run(*args, cwd=, env=, input=, timeout=)`: the command line in a process of its own, output as text."""

    def run(
        *args: str | Path,
        cwd: Path | None = None,
        env: dict[str, str] | None = None,
        input: str | None = None,
        timeout: float = 120,
    ) -> subprocess.CompletedProcess[str]:
        done = run_python(
            ["-m", "waterglass", *map(str, args)],
            cwd=cwd or tmp_path,
            env={**child_environment, **(env or {})},
            input=input,
            timeout=timeout,
        )
        assert no_outside.MARK not in done.stderr, done.stderr
        return done

    return run


def hearing(ignored: Sequence[str] = ()) -> Callable[[], None] | None:
    """What lets a new process hear all that a terminal sends but what is `ignored`, also where these tests run under
    `nohup` or in the background."""

    def prepare() -> None:
        for name in ("SIGHUP", "SIGINT"):
            signal.signal(getattr(signal, name), signal.SIG_IGN if name in ignored else signal.SIG_DFL)

    return prepare if sys.platform != "win32" else None


def run_python(
    args: Sequence[str], *, cwd: Path, env: dict[str, str], input: str | None = None, timeout: float = 120
) -> subprocess.CompletedProcess[str]:
    """Run this interpreter with `args`; standard input is empty unless given."""
    return subprocess.run(
        [sys.executable, *args],
        cwd=cwd,
        env=env,
        input=input if input is not None else "",
        capture_output=True,
        encoding="utf-8",
        timeout=timeout,
        check=False,
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs a browser, so that `-m "not browser"` leaves it out."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Give all skips of one missing thing one place, so that the summary shows one line for it and not one a test."""
    report = yield
    if report.skipped and isinstance(report.longrepr, tuple):
        reason = report.longrepr[2].removeprefix("Skipped: ")
        if reason in (NO_BROWSER, NO_SHARED):
            report.longrepr = (str(Path(__file__)), 1, report.longrepr[2])
    return report
