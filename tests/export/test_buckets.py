"""Sessions from and to Google's and Azure's object stores: programs on this machine that speak as those do."""

from __future__ import annotations

import base64
import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import RunWaterglass
from tests.export.exporting import needs_tables
from waterglass.sample import sample_root

HOW = {
    "gs": "gs:// was not tried: pip install gcsfs gcp-storage-emulator (beside waterglass[parquet,remote])",
    "az": "az:// was not tried: pip install adlfs (beside waterglass[parquet,remote]), npm install --global azurite",
}
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("buckets")]
PATIENCE_S = 60
SESSION = "5a3b1e00-71de-4f00-8a00-0000000000a1"
# Run with the environment of the store: puts the files of a folder, or takes them.
FILL = """
import fsspec, pathlib, sys
url, folder = sys.argv[1], pathlib.Path(sys.argv[2])
system, path = fsspec.core.url_to_fs(url)
for file in folder.rglob("*"):
    if file.is_file():
        system.pipe_file(f"{path}/{file.relative_to(folder).as_posix()}", file.read_bytes())
"""
TAKE = """
import fsspec, pathlib, sys
url, folder = sys.argv[1], pathlib.Path(sys.argv[2])
system, path = fsspec.core.url_to_fs(url)
for name in system.find(path):
    file = folder / name.removeprefix(path).lstrip("/")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(system.cat_file(name))
"""
MAKE = "import fsspec, sys; fsspec.core.url_to_fs(sys.argv[1])[0].mkdir(sys.argv[1].partition('://')[2])"


class Bucket(NamedTuple):
    """A store that runs, with an empty bucket: its address, what to set to reach it, and what no message may hold."""

    url: str
    env: dict[str, str]
    secret: str


def azure(port: int, key: str) -> str:
    """What tells the library where the store is."""
    endpoint = f"http://127.0.0.1:{port}/waterglass"
    return f"DefaultEndpointsProtocol=http;AccountName=waterglass;AccountKey={key};BlobEndpoint={endpoint};"


def answers(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def running(command: list[str], env: dict[str, str], folder: Path, port: int) -> Iterator[None]:
    """A server, from when it answers until it is ended."""
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, env=env, cwd=folder, stdout=log, stderr=log)
    try:
        end = time.monotonic() + PATIENCE_S
        while not answers(port):
            assert server.poll() is None and time.monotonic() < end, (folder / "log").read_text()
            time.sleep(0.1)
        yield
    finally:
        server.kill()
        server.wait()


@pytest.fixture(scope="module", params=["gs", "az"])
def bucket(
    request: pytest.FixtureRequest, child_environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Bucket]:
    kind, folder = request.param, tmp_path_factory.mktemp("bucket")
    needed = {"gs": ("fsspec", "gcsfs", "gcp_storage_emulator"), "az": ("fsspec", "adlfs")}[kind]
    program = shutil.which("azurite-blob")
    if any(importlib.util.find_spec(name) is None for name in needed) or (kind == "az" and program is None):
        pytest.skip(HOW[kind])
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = int(one.getsockname()[1])
    env, key = {**child_environment, "PYTHONWARNINGS": "ignore"}, base64.b64encode(os.urandom(32)).decode()
    if kind == "gs":
        env |= {"STORAGE_EMULATOR_HOST": f"http://127.0.0.1:{port}", "FSSPEC_GS": json.dumps({"token": "anon"})}
        env["GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT"] = "false"  # asks first, over TLS, which kind of bucket it is
        command = [sys.executable, "-m", "gcp_storage_emulator", "start", "--host", "127.0.0.1", "--port", str(port)]
        command += ["--in-memory", "--default-bucket", "logs"]
    else:
        env |= {"AZURITE_ACCOUNTS": f"waterglass:{key}", "AZURE_STORAGE_CONNECTION_STRING": azure(port, key)}
        command = [str(program), "--blobHost", "127.0.0.1", "--blobPort", str(port), "--inMemoryPersistence"]
        command += ["--skipApiVersionCheck", "--disableTelemetry"]
    with running(command, env, folder, port):
        found = Bucket(f"{kind}://logs", env, key)
        if kind == "az":
            python(found, MAKE, found.url)
        yield found


def python(bucket: Bucket, script: str, *args: str | Path) -> None:
    done = subprocess.run([sys.executable, "-c", script, *map(str, args)], env=bucket.env, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


@pytest.fixture(scope="module")
def tree(bucket: Bucket, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample, with a folder whose name has what addresses have a meaning for; it lies in the bucket too."""
    folder = tmp_path_factory.mktemp("tree") / "projects"
    shutil.copytree(sample_root(), folder)
    (project,) = folder.glob("-home*")
    project.rename(folder / "-home ü%41#b?c")
    python(bucket, FILL, f"{bucket.url}/projects", folder)
    return folder


def tables(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.parquet")}


@pytest.mark.parametrize("workers", ["1", "3"])
def test_tables_from_and_to_a_bucket_are_those_of_folders_and_kept_the_second_time(
    workers: str, bucket: Bucket, tree: Path, tmp_path: Path, run_waterglass: RunWaterglass
) -> None:
    needs_tables()
    run_waterglass("export", "--all", "--root", tree, "--to", "parquet", "-o", tmp_path / "here")
    target = f"{bucket.url}/o ü%41/{workers}"
    args = ("export", "--all", "--root", f"{bucket.url}/projects", "--to", "parquet", "-o", target)
    done = run_waterglass(*args, "--workers", workers, env=bucket.env)
    assert done.returncode == 0 and "4 sessions" in done.stderr, done.stderr
    python(bucket, TAKE, target, tmp_path / "there")
    assert tables(tmp_path / "there") == tables(tmp_path / "here") and len(tables(tmp_path / "there")) == 24
    again = run_waterglass(*args, "--workers", workers, env=bucket.env)
    assert "(4 unchanged)" in again.stderr, again.stderr


def test_one_session_goes_into_a_file_in_a_bucket_in_the_place_of_what_was_there(
    bucket: Bucket, tree: Path, tmp_path: Path, run_waterglass: RunWaterglass
) -> None:
    run_waterglass("export", SESSION, "--root", tree, "--to", "otlp", "-o", tmp_path / "here")
    (tmp_path / "old").mkdir()
    (tmp_path / "old/trace").write_text("old")
    python(bucket, FILL, f"{bucket.url}/traces", tmp_path / "old")
    asked = ("export", SESSION, "--root", f"{bucket.url}/projects", "--to", "otlp", "-o", f"{bucket.url}/traces/trace")
    done = run_waterglass(*asked, env=bucket.env)
    assert done.returncode == 0, done.stderr
    python(bucket, TAKE, f"{bucket.url}/traces", tmp_path / "there")
    assert (tmp_path / "there/trace").read_bytes() == (tmp_path / "here").read_bytes()


def test_a_bucket_that_is_not_there_is_one_line(
    bucket: Bucket, tree: Path, tmp_path: Path, run_waterglass: RunWaterglass
) -> None:
    other = bucket.url.replace("logs", "nowhere")
    to = ("--to", "otlp", "-o")
    for args in (["--root", f"{other}/projects", *to, tmp_path / "out"], ["--root", tree, *to, f"{other}/out"]):
        done = run_waterglass("export", "--all", *args, env=bucket.env)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
        assert other in done.stderr and bucket.secret not in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("bucket", ["az"], indirect=True)  # the program that stands for Google's looks at no key
def test_a_wrong_key_is_one_line_without_it(bucket: Bucket, tree: Path, run_waterglass: RunWaterglass) -> None:
    key = base64.b64encode(b"x" * 32).decode()
    text = bucket.env["AZURE_STORAGE_CONNECTION_STRING"].replace(bucket.secret, key)
    env = {**bucket.env, "AZURE_STORAGE_CONNECTION_STRING": text}
    done = run_waterglass("export", "--all", "--root", f"{bucket.url}/projects", "--to", "otlp", "-o", "x", env=env)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1) and key not in done.stderr, done.stderr
    assert "cannot" in done.stderr
