"""Listening: the port is ours before its address is printed, so that the code never goes to somebody else's program."""

from __future__ import annotations

import errno
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct
from starlette.types import ASGIApp

from waterglass.errors import WaterglassError

if TYPE_CHECKING:
    import uvicorn

FIRST_PORT = 8765
_TRIES = 50
_KEEP_ALIVE_S = 5
_ENDING = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")  # as far as the system has them


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
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                break  # the host, not the port: the next one would fail the same way
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

    # A session is hundreds of thousands of objects without cycles: looked through at every 700 new ones, they would
    # cost a third of the time that it takes to show it.
    gc.set_threshold(100_000, 20, 100)
    make_server(app).run(sockets=[listener.socket])


def make_server(app: ASGIApp) -> uvicorn.Server:
    """Return the server, not yet running. It prints nothing: not what was asked, nor what strangers sent."""
    import uvicorn

    from waterglass.server.access import MAX_HEAD
    from waterglass.server.connection import Connection

    class Server(uvicorn.Server):
        """Hears every signal that ends a program between two steps of its loop. A handler that raises would have its
        exception lost where a request is just being answered: what goes wrong there ends that request alone."""

        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            heard: list[int] = []

            def told(number: int) -> None:
                heard.append(number)
                self.handle_exit(number, None)

            with _ending(told):
                yield
            for number in reversed(heard):
                signal.raise_signal(number)  # to whoever would have heard it

    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="critical",
        access_log=False,
        http=Connection,
        ws="none",
        lifespan="off",
        server_header=False,
        h11_max_incomplete_event_size=MAX_HEAD,  # of a request that is not whole; `access` asks of whole ones
        timeout_keep_alive=_KEEP_ALIVE_S,
        timeout_graceful_shutdown=1,
    )
    return Server(config)


@contextmanager
def _ending(told: Callable[[int], None]) -> Iterator[None]:
    """Tell of each signal that is to end this process. One that is ignored stays so, as `nohup` and shells want it."""
    before = {}
    if threading.current_thread() is threading.main_thread():  # no other may set handlers
        for number in (getattr(signal, name) for name in _ENDING if hasattr(signal, name)):
            if signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, lambda number, _: told(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
