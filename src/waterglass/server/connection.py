"""One connection: uvicorn's, with an end to waiting. Its own waits without limit for a request that trickles in, so
that a few hundred half requests from anybody on this machine would lock everybody out."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

from waterglass.server.access import MAX_HEAD, error_body
from waterglass.server.headers import common_headers

REQUEST_S = 10.0  # from connecting, or the first byte of a request, to the end of its headers
WRITE_S = 30.0  # for a client to read what waits for it
MOST = 200  # connections; a browser opens six


class Connection(H11Protocol):
    """Closes when a request takes too long to arrive, or an answer to be read, or when another needs its place."""

    _since = 0.0  # when it began to wait for a request, by the clock of the loop
    _deadline: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request. Where there are too many, the one that has waited longest goes: whoever holds
        all of them with requests that never come would else lock everybody out."""
        super().connection_made(transport)
        if len(self.connections) > MOST:
            waiting = [one for one in self.connections if isinstance(one, Connection) and not one._answering()]
            min(waiting, key=lambda one: one._since if one is not self else self.loop.time()).transport.abort()
        self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came. The time to the end of the headers runs on: a byte a second does not prolong it."""
        super().data_received(data)
        if self._answering():
            self._stop_waiting()
        elif self._deadline is None and not self.transport.is_closing():
            self._await_request()

    def pause_writing(self) -> None:
        """Begin to wait for the client to read. To close would wait too: for a client that is frozen, for ever."""
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(WRITE_S, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop waiting: it has read."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP, or too long to be seen whole, with the headers of every answer."""
        if not self._answering():  # else it would end up inside another answer
            body = error_body("That was no HTTP request", f"or one that is longer than {MAX_HEAD:,} bytes")
            headers = [
                (b"content-type", b"application/json"),
                (b"content-length", str(len(body)).encode()),
                (b"connection", b"close"),
                *common_headers(),
            ]
            lines = [b"HTTP/1.1 400 Bad Request", *(name + b": " + value for name, value in headers)]
            self.transport.write(b"\r\n".join([*lines, b"", body]))
        self.transport.close()

    def _answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _await_request(self) -> None:
        self._since = self.loop.time()
        self._deadline = self.loop.call_later(REQUEST_S, self._give_up)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        self.transport.close()
