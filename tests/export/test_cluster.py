"""A cluster of two worker processes exports from and to a real S3 server on this machine, also when one is killed."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import RunWaterglass
from tests.export.exporting import NOW_MS, needs_tables
from tests.export.test_dataset import transcript
from waterglass.discover import discover
from waterglass.export import Reading, all_sources, export_sessions

NEEDED = ("distributed", "s3fs", "moto.server", "boto3")
for module in NEEDED:
    pytest.importorskip(
        module, reason="no cluster was tried: pip install distributed s3fs 'moto[server]' (beside waterglass[parquet])"
    )
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore"), pytest.mark.xdist_group("cluster")]
BUCKET = "logs"
MANY = 40
PATIENCE_S = 120
Start = Callable[..., "subprocess.Popen[bytes]"]


def until(asked: Callable[[], Any], what: str) -> Any:
    """What `asked` returns, once that is something."""
    end = time.monotonic() + PATIENCE_S
    while not (found := asked()):
        assert time.monotonic() < end, what
        time.sleep(0.05)
    return found


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def answers(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def running(*args: str, env: dict[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process, which is ended with all that it started."""
    with log.open("ab") as out:
        process = subprocess.Popen([sys.executable, "-m", *args], env=env, stdout=out, stderr=out, cwd=log.parent)
        try:
            yield process
        finally:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def environment(
    child_environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, str]]:
    """The environment of all processes, with an S3 server that runs and holds the transcripts."""
    port, folder = free_port(), tmp_path_factory.mktemp("s3")
    own = {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "hunter2",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "PYTHONWARNINGS": "ignore",
    }
    env = {**child_environment, **own}
    with running("moto.server", "-H", "127.0.0.1", "-p", str(port), env=env, log=folder / "log"):
        until(lambda: answers(port), "the S3 server does not answer")
        yield env


@pytest.fixture(scope="module")
def s3(environment: dict[str, str]) -> Any:
    import boto3

    named = {"aws_access_key_id": "key", "aws_secret_access_key": "hunter2", "region_name": "us-east-1"}
    client = boto3.client("s3", endpoint_url=environment["AWS_ENDPOINT_URL"], **named)
    client.create_bucket(Bucket=BUCKET)
    return client


@pytest.fixture(scope="module")
def root(s3: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tree") / "projects"
    for number in range(MANY):
        t = transcript(number)
        for turn in range(60):
            t.at("+20s").prompt(f"{turn} {'and more ' * 40}")
            t.reply(f"{turn} {'well ' * 80}")
        path = t.write(folder)
        s3.upload_file(str(path), BUCKET, f"projects/{path.relative_to(folder).as_posix()}")
    return folder


def there(s3: Any, prefix: str) -> dict[str, bytes]:
    """The objects below a prefix, what an upload that was broken off left behind not among them."""
    keys = [
        one["Key"]
        for page in s3.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix=prefix)
        for one in page.get("Contents", [])
    ]
    return {key.removeprefix(prefix): s3.get_object(Bucket=BUCKET, Key=key)["Body"].read() for key in keys}


def expected(root: Path, folder: Path) -> dict[str, bytes]:
    """The tables that one process here makes."""
    needs_tables()
    sources = all_sources(discover([str(root)]))
    export_sessions(sources, "parquet", folder, reading=Reading(now_ms=NOW_MS))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.parquet")}


@contextmanager
def cluster(env: dict[str, str], folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler, and its two workers."""
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    near = ("--dashboard-address", "127.0.0.1:0", "--host", "127.0.0.1")
    work = ("distributed.cli.dask_worker", address, "--no-nanny", "--nthreads", "1", *near)
    schedule = ("distributed.cli.dask_scheduler", "--port", str(port), *near)
    with running(*schedule, env=env, log=folder / "scheduler"):
        until(lambda: answers(port), "the scheduler does not answer")
        with running(*work, env=env, log=folder / "a") as a, running(*work, env=env, log=folder / "b") as b:
            for name in "ab":
                until(lambda name=name: b"Registered to" in (folder / name).read_bytes(), "a worker does not come")
            yield address, [a, b]


def test_it_gives_the_tables_of_one_process_and_a_killed_worker_costs_nothing(
    environment: dict[str, str], s3: Any, root: Path, tmp_path: Path, run_waterglass: RunWaterglass
) -> None:
    tables = expected(root, tmp_path / "here")
    with cluster(environment, tmp_path) as (address, workers):
        args = ("export", "--all", "--root", f"s3://{BUCKET}/projects", "--to", "parquet", "--dask", address)
        done = run_waterglass(*args, "-o", f"s3://{BUCKET}/whole", env=environment)
        assert done.returncode == 0 and f"{MANY} sessions" in done.stderr, done.stderr
        found = there(s3, "whole/")
        assert {name: data for name, data in found.items() if name.endswith(".parquet")} == tables

        command = [sys.executable, "-m", "waterglass", *args, "-o", f"s3://{BUCKET}/killed"]
        export = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, cwd=tmp_path)
        until(lambda: len(there(s3, "killed/_done/")) > 3, "nothing is done")
        workers[0].kill()
        _, said = export.communicate(timeout=PATIENCE_S)
        assert export.returncode == 0 and f"{MANY} sessions".encode() in said, said
        assert b"left out" not in said and workers[0].wait() != 0
        found = there(s3, "killed/")
        assert {name: data for name, data in found.items() if name.endswith(".parquet")} == tables
        assert len([name for name in found if name.startswith("_done/")]) == MANY

        again = run_waterglass(*args, "-o", f"s3://{BUCKET}/killed", env=environment)
        assert f"({MANY} unchanged)" in again.stderr
    logs = b"".join(path.read_bytes() for path in (tmp_path / name for name in ("a", "b", "scheduler")))
    assert b"hunter2" not in logs + said


def test_a_cluster_that_is_not_there_is_one_line(run_waterglass: RunWaterglass, root: Path) -> None:
    address = f"tcp://127.0.0.1:{free_port()}"
    env = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "1s", "PYTHONWARNINGS": "ignore"}
    asked = ("export", "--all", "--root", root, "--to", "parquet", "-o", "x", "--dask", address)
    done = run_waterglass(*asked, env=env)
    assert done.returncode == 1 and "cannot reach the Dask cluster" in done.stderr and "Traceback" not in done.stderr
    assert not os.path.exists("x")
