"""The program's own server over a folder of transcripts, and clients of its streams."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from waterglass.catalog import Catalog
from waterglass.live import Changes, Watcher
from waterglass.server import listen, make_app
from waterglass.server.access import Access
from waterglass.server.app import App
from waterglass.server.run import make_server
from waterglass.session import Session, load

CODE = "the-code-of-this-run"


class Stream:
    """A client of one stream, which reads when asked to."""

    def __init__(self, port: int, path: str, headers: dict[str, str]) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        self.connection.request("GET", path, headers=headers)
        self.answer = self.connection.getresponse()
        self.id = ""
        self.beats = 0

    def next(self, timeout: float = 20) -> dict[str, Any]:
        """The next event's message. Raises TimeoutError."""
        assert self.connection.sock is not None
        self.connection.sock.settimeout(timeout)
        data = b""
        deadline = time.monotonic() + timeout
        while line := self.answer.readline():
            if time.monotonic() > deadline and not data:
                raise TimeoutError("heartbeats alone")
            line = line.rstrip(b"\n")
            if line.startswith(b"id: "):
                self.id = line[4:].decode()
            elif line.startswith(b"data: "):
                data = line[6:]
            elif line.startswith(b":"):
                self.beats += 1
            elif not line and data:
                return dict(json.loads(data))
        raise EOFError("the stream ended")

    def beat(self) -> None:
        """Read on to the next sign that the stream is there; nothing else may come."""
        while not (line := self.answer.readline()).startswith(b":"):
            assert line == b"\n" or line.startswith(b"retry: "), line
        self.beats += 1

    def until(self, done: Callable[[dict[str, Any]], bool], timeout: float = 20) -> list[dict[str, Any]]:
        """Messages up to the first that is `done`."""
        taken = [self.next(timeout)]
        deadline = time.monotonic() + timeout
        while not done(taken[-1]) and time.monotonic() < deadline:
            taken.append(self.next(timeout))
        assert done(taken[-1])
        return taken

    def close(self) -> None:
        self.connection.close()
        self.answer.close()


@dataclass
class Served:
    """A running server: its port, what it serves, and how to ask."""

    port: int
    root: Path
    app: App
    catalog: Catalog
    streams: list[Stream] = field(default_factory=list)

    @property
    def headers(self) -> dict[str, str]:
        return {"Cookie": f"waterglass-{self.port}={CODE}"}

    def get(self, path: str, method: str = "GET") -> tuple[int, Any]:
        """Status and JSON of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request(method, path, headers=self.headers)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, json.loads(body) if body else None

    def payload(self, session: str) -> dict[str, Any]:
        status, payload = self.get(f"/api/sessions/{session}")
        deadline = time.monotonic() + 30
        while status == 404 and time.monotonic() < deadline:  # not found yet: the folders are looked through
            time.sleep(0.1)
            status, payload = self.get(f"/api/sessions/{session}")
        assert status == 200
        return dict(payload)

    def follow(self, session: str, query: str = "", **headers: str) -> Stream:
        """A client of a session's changes."""
        path = f"/api/sessions/{session}/changes{query}"
        stream = Stream(self.port, path, {**self.headers, **{k.replace("_", "-"): v for k, v in headers.items()}})
        self.streams.append(stream)
        return stream


Serve = Callable[..., Served]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Serve the transcripts below `projects` from this process; with `watched=False` without news of changes."""
    ends: list[Callable[[], object]] = []

    def start(*, watched: bool = True) -> Served:
        root = tmp_path / "projects"
        root.mkdir(exist_ok=True)
        catalog = Catalog([str(root)])
        listener = listen(port=0)

        def read(ref: Any, before: Session | None) -> Session:
            return load(ref, in_sight=catalog.in_sight(ref.id), growing=True, before=before)

        app = make_app(catalog, read, Access(CODE, listener.port))
        server = make_server(app)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener.socket]})
        thread.start()
        catalog.start()
        served = Served(listener.port, root, app, catalog)

        def told(changes: Changes) -> None:
            app.follow.changed(None if changes.others else changes.sessions)
            catalog.changed(changes.sessions, changes.others)

        watcher = Watcher([str(root)], told)
        if watched:
            watcher.start()

        def end() -> None:
            for stream in served.streams:
                stream.close()
            watcher.close()
            app.follow.close()
            server.should_exit = True
            thread.join(20)
            catalog.close()
            assert not thread.is_alive()

        ends.append(end)
        return served

    yield start
    for end in ends:
        end()
