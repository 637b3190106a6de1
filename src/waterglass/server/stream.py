"""Live changes as server-sent events. A client that does not read is held by its own connection and costs the others
nothing: what it missed is worked out when it reads again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from waterglass.server.follow import Follow
from waterglass.server.opened import Files

HEARTBEAT_S = 15.0
_PIECE = 32 << 10  # bytes; so much of a message at most waits in memory for a client that does not read
_RETRY_MS = 2_000
_TYPE = "text/event-stream"


async def change_stream(request: Request, follow: Follow, ref: Files) -> Response:
    """Return the stream of a session's changes. Raises Busy, or WaterglassError where it cannot be read.

    A client begins where its `Last-Event-ID`, else the `from` of the address says, else at what was served last.
    """
    if request.method == "HEAD":
        return Response(media_type=_TYPE)
    woken = asyncio.Event()
    loop = asyncio.get_running_loop()

    def wake() -> None:
        with suppress(RuntimeError):  # the server has ended
            loop.call_soon_threadsafe(woken.set)

    served = await run_in_threadpool(follow.add, ref, wake)
    named = request.headers.get("last-event-id") or request.query_params.get("from")
    tails = request.query_params.get("lists") == "tails"
    events = _events(follow, ref.id, named or served, tails, woken)
    return _Stream(events, lambda: follow.remove(ref.id, wake))


class _Stream(StreamingResponse):
    """Says when it is over, also where its client left before it began."""

    def __init__(self, events: AsyncIterator[bytes], over: Callable[[], None]) -> None:
        super().__init__(events, media_type=_TYPE)
        self.over = over

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the client is gone."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.over()


async def _events(follow: Follow, session: str, state: str, tails: bool, woken: asyncio.Event) -> AsyncIterator[bytes]:
    yield b"retry: %d\n\n" % _RETRY_MS
    while True:
        woken.clear()
        message = await run_in_threadpool(follow.since, session, state, tails=tails)
        if message is not None:
            state = message.state
            event = b"id: " + state.encode() + b"\ndata: " + message.data + b"\n\n"
            for at in range(0, len(event), _PIECE):
                yield event[at : at + _PIECE]
        try:
            await asyncio.wait_for(woken.wait(), HEARTBEAT_S)
        except TimeoutError:
            yield b":\n\n"
