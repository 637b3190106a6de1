"""The tests themselves cannot leave this machine, and see no sessions of a person."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from tests.conftest import run_python
from tests.guard import no_outside

OUTSIDE = "192.0.2.1"  # an address kept for documentation: nobody's


def test_a_connection_beyond_this_machine_is_refused() -> None:
    with socket.socket() as outside, pytest.raises(no_outside.OutsideConnection):
        outside.connect((OUTSIDE, 80))
    with pytest.raises(no_outside.OutsideConnection):
        socket.getaddrinfo("example.invalid", 80)
    assert len(no_outside.attempts) >= 2
    del no_outside.attempts[-2:]


def test_a_child_process_is_refused_too(child_environment: dict[str, str], tmp_path: Path) -> None:
    program = f"import socket; socket.create_connection(({OUTSIDE!r}, 80), 5)"
    done = run_python(["-c", program], cwd=tmp_path, env=child_environment)
    assert done.returncode == 1
    assert no_outside.MARK in done.stderr


def test_a_connection_to_this_machine_is_allowed() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert client.getpeername() == server.getsockname()


def test_the_home_of_the_tests_is_empty(home: Path) -> None:
    assert Path.home() == home
    assert Path(os.path.expanduser("~")) == home
    assert not (home / ".claude").exists()
