"""Sessions from and to a host by SSH: OpenSSH's own server on this machine, with keys and a port of its own."""

from __future__ import annotations

import getpass
import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.conftest import RunWaterglass
from tests.export.exporting import NOW_MS, needs_tables
from tests.transcripts import Transcript
from waterglass.cli.exporting import sources_of
from waterglass.export import Reading, export_sessions
from waterglass.sample import sample_root

HOW = "ssh:// was not tried: install openssh-server, pip install paramiko (beside waterglass[parquet,remote])"
fsspec = pytest.importorskip("fsspec", reason=HOW)
pytest.importorskip("paramiko", reason=HOW)
SERVER, KEYGEN = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin"), shutil.which("ssh-keygen")
RUN = Path("/run/sshd")  # a server that root starts needs it; Debian's service makes it
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(SERVER is None or KEYGEN is None, reason=HOW),
    pytest.mark.skipif(
        sys.platform == "linux" and os.geteuid() == 0 and not RUN.is_dir(), reason=f"{HOW}; as root: mkdir {RUN}"
    ),
    pytest.mark.filterwarnings("ignore"),  # of the libraries
    pytest.mark.xdist_group("ssh"),
]
PATIENCE_S = 60
PASSWORD = "hunter2-of-nobody"
SESSION = "5a3b1e00-71de-4f00-8a00-0000000000a1"


class Host(NamedTuple):
    """A server that runs: its port, the folder of its keys, a home whose known hosts have it, and what to set."""

    port: int
    keys: Path
    home: Path

    def env(self, key: str = "user") -> dict[str, str]:
        """The environment of who has a key to it."""
        return {"HOME": str(self.home), "FSSPEC_SFTP": json.dumps(self.options(key)), "PYTHONWARNINGS": "ignore"}

    def options(self, key: str = "user") -> dict[str, Any]:
        found = {"key_filename": str(self.keys / key), "look_for_keys": False, "allow_agent": False}
        return {**found, "username": getpass.getuser()}

    def url(self, path: Path | str, more: str = "") -> str:
        return f"ssh://{more}127.0.0.1:{self.port}{path}"

    def knows(self, key: str) -> None:
        """Make this key the one that is known."""
        kind, text = (self.keys / f"{key}.pub").read_text().split()[:2]
        (self.home / ".ssh/known_hosts").write_text(f"[127.0.0.1]:{self.port} {kind} {text}\n")


def served(folder: Path, subsystem: str) -> Iterator[Host]:
    assert SERVER is not None and KEYGEN is not None
    folder.chmod(0o700)
    for name in ("host", "user", "other"):
        subprocess.run([KEYGEN, "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = int(one.getsockname()[1])
    (folder / "conf").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nAuthorizedKeysFile {folder}/user.pub\n"
        f"PidFile none\nStrictModes no\nPasswordAuthentication no\nSubsystem sftp {subsystem}\n"
    )
    (folder / "home/.ssh").mkdir(parents=True, mode=0o700)
    host = Host(port, folder, folder / "home")
    host.knows("host")
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen([SERVER, "-D", "-e", "-f", folder / "conf"], stderr=log)
        try:
            end = time.monotonic() + PATIENCE_S
            while b"listening" not in (folder / "log").read_bytes():
                assert server.poll() is None and time.monotonic() < end, (folder / "log").read_text()
                time.sleep(0.05)
            yield host
        finally:
            server.terminate()
            server.wait()


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    yield from served(tmp_path_factory.mktemp("sshd"), "internal-sftp")


@pytest.fixture(scope="module")
def readonly(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    yield from served(tmp_path_factory.mktemp("sshd"), "internal-sftp -R")


@pytest.fixture
def here(host: Host, monkeypatch: pytest.MonkeyPatch) -> Host:
    """The host, for this process."""
    monkeypatch.setenv("HOME", str(host.home))
    monkeypatch.setitem(fsspec.config.conf, "sftp", host.options())
    return host


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The sample, in a folder whose name has what addresses have a meaning for."""
    folder = tmp_path / "a b%20ü #1?x" / "projects"
    shutil.copytree(sample_root(), folder)
    (project,) = folder.glob("-home*")
    project.rename(folder / "-home ü%41#b?c")
    return folder


def tables(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.parquet")}


def one_line(done: subprocess.CompletedProcess[str], why: str) -> None:
    assert (done.returncode, done.stderr.count("\n")) == (1, 1) and why in done.stderr, done.stderr
    assert PASSWORD not in done.stderr + done.stdout


@pytest.mark.parametrize("workers", ["1", "3"])
def test_tables_from_and_to_a_host_are_those_of_folders_and_kept_the_second_time(
    workers: str, host: Host, tree: Path, tmp_path: Path, run_waterglass: RunWaterglass
) -> None:
    needs_tables()
    run_waterglass("export", "--all", "--root", tree, "--to", "parquet", "-o", tmp_path / "here")
    out = tmp_path / "o ü%41#?" / "tables"
    args = ("export", "--all", "--root", host.url(tree), "--to", "parquet", "-o", host.url(out), "--workers", workers)
    done = run_waterglass(*args, env=host.env())
    assert done.returncode == 0 and "4 sessions" in done.stderr, done.stderr
    assert tables(out) == tables(tmp_path / "here") and len(tables(out)) == 24
    again = run_waterglass(*args, env=host.env())
    assert "(4 unchanged)" in again.stderr and not list(out.rglob("*.part"))


def test_a_file_on_a_host_replaces_the_one_before_and_a_transcript_is_not_written_over(
    host: Host, tree: Path, tmp_path: Path, run_waterglass: RunWaterglass
) -> None:
    (tmp_path / "out").write_text("old")
    asked = ("export", "--all", "--root", host.url(tree), "--to", "otlp", "-o")
    assert run_waterglass(*asked, host.url(tmp_path / "out"), env=host.env()).returncode == 0
    run_waterglass("export", "--all", "--root", tree, "--to", "otlp", "-o", tmp_path / "here")
    there, local = (sorted((tmp_path / name).read_bytes().splitlines()) for name in ("out", "here"))
    assert there == local != []
    one_line(run_waterglass(*asked, host.url(tree / "x.jsonl"), env=host.env()), "among the transcripts")


def test_a_host_whose_key_is_not_known_or_another_gets_no_key_of_ours(
    host: Host, tree: Path, run_waterglass: RunWaterglass
) -> None:
    asked = ("export", "--all", "--root", host.url(tree, f"me:{PASSWORD}@"), "--to", "otlp", "-o", "x")
    before = (host.keys / "log").read_text().count("Accepted")
    try:
        (host.home / ".ssh/known_hosts").write_text("")
        one_line(run_waterglass(*asked, env=host.env()), "the key of this host is not known")
        host.knows("other")
        one_line(run_waterglass(*asked, env=host.env()), "BadHostKey")
    finally:
        host.knows("host")
    assert (host.keys / "log").read_text().count("Accepted") == before


def test_a_wrong_key_and_a_place_that_is_not_there_are_one_line(
    host: Host, tree: Path, tmp_path: Path, run_waterglass: RunWaterglass
) -> None:
    def asked(url: str, key: str = "user") -> subprocess.CompletedProcess[str]:
        return run_waterglass("export", "--all", "--root", url, "--to", "otlp", "-o", "x", env=host.env(key))

    one_line(
        asked(host.url(tree, f"{getpass.getuser()}:{PASSWORD}@"), "other"),
        "cannot reach this address (BadAuthenticationType)",
    )
    one_line(asked(host.url(tmp_path / "nowhere")), "nothing is there")


def test_where_nothing_may_be_written_it_is_said_and_nothing_is_left(
    readonly: Host, tree: Path, tmp_path: Path, run_waterglass: RunWaterglass
) -> None:
    asked = ("export", "--all", "--root", readonly.url(tree), "--to", "otlp", "-o", readonly.url(tmp_path / "out"))
    one_line(run_waterglass(*asked, env=readonly.env()), "cannot write the export (permission denied)")
    assert not (tmp_path / "out").exists() and not list(tmp_path.rglob("*.part"))


def test_a_server_that_speaks_no_ssh_is_one_line(host: Host, run_waterglass: RunWaterglass) -> None:
    program = (
        "import socket\ns = socket.create_server(('127.0.0.1', 0))\nprint(s.getsockname()[1], flush=True)\n"
        "while True:\n    c, _ = s.accept(); c.sendall(b'HTTP/1.1 400 Bad\\r\\n\\r\\n'); c.close()"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as other:
        try:
            assert other.stdout is not None
            url = f"ssh://me:{PASSWORD}@127.0.0.1:{int(other.stdout.readline())}/x"
            asked = ("export", "--all", "--root", url, "--to", "otlp", "-o", "x")
            one_line(run_waterglass(*asked, env=host.env()), "cannot reach this address (SSHException)")
        finally:
            other.kill()


def test_what_vanishes_after_the_listing_is_named_and_what_grows_is_read_as_listed(
    here: Host, tree: Path, tmp_path: Path
) -> None:
    (gone,) = tree.rglob(f"{SESSION}.jsonl")
    grown = next(path for path in sorted(tree.glob("*/*.jsonl")) if path != gone)
    reading = Reading(now_ms=NOW_MS, strict=False)
    with sources_of([], [str(tree)]) as found:
        kept = [source for source in found.sources if source.ref.path != str(gone)]
        export_sessions(kept, "jsonl", tmp_path / "here", reading=reading)
    with sources_of([], [here.url(tree)]) as found:
        gone.unlink()
        with grown.open("ab") as file:
            file.write(grown.read_bytes())
        done = export_sessions(found.sources, "jsonl", tmp_path / "out", reading=reading)
    assert [session for session, _ in done.left_out] == [SESSION]
    assert sorted((tmp_path / "out").read_bytes().splitlines()) == sorted((tmp_path / "here").read_bytes().splitlines())


def test_a_folder_that_may_not_be_listed_and_a_link_to_one_are_named(
    here: Host, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree / "-linked").symlink_to(tree / "-home ü%41#b?c")
    from waterglass.remote import place_of

    kind = type(place_of(here.url(tree)).system)
    listing = kind.ls

    def refusing(self: Any, path: str, **more: Any) -> Any:
        if path.endswith("-pressmark"):
            raise PermissionError(13, "Permission denied")
        return listing(self, path, **more)

    monkeypatch.setattr(kind, "ls", refusing)
    with sources_of([], [here.url(tree)]) as found:
        told = {address.rpartition("/")[2]: reason for address, reason in found.unread}
        assert len(found.sources) == 3
    assert sorted(told.values()) == ["a link to a folder, which is not followed", "permission denied"]


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_an_export_that_is_ended_leaves_nothing_half_and_its_copies_private_or_gone(
    how: signal.Signals, host: Host, tmp_path: Path, child_environment: dict[str, str]
) -> None:
    needs_tables()
    for number in range(60):
        t = Transcript(f"5e551044-0000-4000-8000-{number:012}", cwd="/code/tide").at("2026-03-02T09:00:00Z")
        for turn in range(40):
            t.prompt(f"{turn} {'and more ' * 40}")
        t.write(tmp_path / "projects")
    (tmp_path / "scratch").mkdir()
    env = {**child_environment, **host.env(), "TMPDIR": str(tmp_path / "scratch")}
    args = ("export", "--all", "--root", host.url(tmp_path / "projects"), "--to", "parquet", "--workers", "1")
    command = [sys.executable, "-m", "waterglass", *args, "-o", host.url(tmp_path / "out")]
    export = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, cwd=tmp_path)
    end = time.monotonic() + PATIENCE_S
    while len(list((tmp_path / "out/_done").glob("*"))) < 3:
        assert export.poll() is None and time.monotonic() < end
        time.sleep(0.02)
    export.send_signal(how)
    _, said = export.communicate(timeout=PATIENCE_S)
    assert export.returncode != 0 and b"Traceback" not in said, said
    left = list((tmp_path / "scratch").iterdir())
    assert all(path.name.startswith("waterglass-") and stat.S_IMODE(path.stat().st_mode) == 0o700 for path in left)
    assert how == signal.SIGKILL or left == []
    parquet = pytest.importorskip("pyarrow.parquet", reason=HOW)
    assert all(parquet.ParquetFile(path).metadata.num_rows >= 0 for path in (tmp_path / "out").rglob("*.parquet"))
    assert len(list((tmp_path / "out/_done").iterdir())) < 60
    subprocess.run(command, env=env, cwd=tmp_path, check=True, capture_output=True)
    assert len(list((tmp_path / "out/_done").iterdir())) == 60
