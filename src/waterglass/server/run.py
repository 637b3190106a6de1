"""Listening: the port is ours before its address is printed, so that the code never goes to somebody else's program."""

from __future__ import annotations

import socket
import sys

from msgspec import Struct
from starlette.types import ASGIApp

from waterglass.errors import WaterglassError

FIRST_PORT = 8765
_TRIES = 50
# Nothing that this server is sent is long; requests that trickle in are dropped.
_MAX_HEADERS = 16_384
_KEEP_ALIVE_S = 5
_MAX_AT_ONCE = 200


class Listener(Struct):
    """A bound socket and where it listens."""

    socket: socket.socket
    host: str
    port: int

    def address(self, code: str) -> str:
        """Return what to open in a browser."""
        host = "localhost" if self.host in ("0.0.0.0", "::") else f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/?code={code}"


def listen(host: str = "127.0.0.1", port: int | None = None) -> Listener:
    """Bind `port`, or without one 8765 or the next free one. Raises WaterglassError where that cannot be done."""
    ports = [port] if port is not None else [*range(FIRST_PORT, FIRST_PORT + _TRIES), 0]
    failure: OSError | None = None
    for number in ports:
        try:
            return _bound(host, number)
        except OSError as error:
            failure = error
    hint = "another --port, or none for the next free one" if port is not None else "another --host"
    reason = (failure.strerror or str(failure)) if failure is not None else "no port"
    raise WaterglassError(f"cannot listen ({reason})", f"{host}:{port or FIRST_PORT}", hint)


def _bound(host: str, port: int) -> Listener:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":  # there it would let two programs share the port
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(128)
    except OSError:
        made.close()
        raise
    return Listener(made, host, made.getsockname()[1])


def run(app: ASGIApp, listener: Listener) -> None:
    """Serve until interrupted."""
    import gc

    import uvicorn

    # A session is hundreds of thousands of objects without cycles: looked through at every 700 new ones, they would
    # cost a third of the time that it takes to show it.
    gc.set_threshold(100_000, 20, 100)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        http="h11",
        ws="none",
        lifespan="off",
        server_header=False,
        h11_max_incomplete_event_size=_MAX_HEADERS,
        timeout_keep_alive=_KEEP_ALIVE_S,
        timeout_graceful_shutdown=1,
        limit_concurrency=_MAX_AT_ONCE,
    )
    uvicorn.Server(config).run(sockets=[listener.socket])
