"""How the routes answer: JSON made in a thread, and what goes wrong as an error in JSON."""

from __future__ import annotations

import asyncio
import logging
import threading
import zlib
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from waterglass.errors import UsageError, WaterglassError
from waterglass.payload import encode
from waterglass.server.access import error_body

_GZIP = 16 + zlib.MAX_WBITS
_NEAR = ("127.0.0.1", "::1")  # packing takes longer than sending where nothing goes over a wire
log = logging.getLogger("waterglass")


class NotThere(Exception):
    """What was asked for by id is not there."""


class Busy(Exception):
    """So many ask at once that this one is refused; `args` are what is said of it and what to try."""


class Few:
    """Work that takes a while, so much at once and no more: others wait, and so many may. Whoever leaves before the
    answer stops his own."""

    def __init__(self, at_once: int = 2, waiting: int = 8) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._left = at_once + waiting

    async def answer(self, request: Request, work: Callable[[Callable[[], bool]], bytes]) -> Response:
        """Return what `work` makes in a thread, JSON; it may ask whether the client has gone. Raises Busy."""
        if self._left <= 0:
            raise Busy("Too many questions at once", "once more in a moment")
        self._left -= 1
        gone = threading.Event()
        watch = asyncio.create_task(_told_of_leaving(request.receive, gone))
        try:
            async with self._free:
                return packed(request, b"" if gone.is_set() else await run_in_threadpool(work, gone.is_set))
        finally:
            watch.cancel()
            self._left += 1


async def _told_of_leaving(receive: Callable[[], Awaitable[Any]], gone: threading.Event) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    gone.set()


def as_json(make: Callable[[Request], dict[str, Any]]) -> Callable[[Request], Any]:
    """Return an endpoint that answers with what `make` returns."""
    return answered(lambda request: encode(make(request)))


def answered(make: Callable[[Request], bytes]) -> Callable[[Request], Any]:
    """Return an endpoint for `make`, which returns JSON; in a thread, so that a long read holds up nobody
    else."""

    async def in_thread(request: Request) -> Response:
        return await run_in_threadpool(lambda: packed(request, make(request)))

    return guarded(in_thread)


def packed(request: Request, data: bytes) -> Response:
    """Return the response that carries this JSON."""
    headers = {"vary": "accept-encoding"}
    near = request.client is not None and request.client.host in _NEAR
    if not near and "gzip" in request.headers.get("accept-encoding", ""):
        packer = zlib.compressobj(3, wbits=_GZIP)
        data = packer.compress(data) + packer.flush()
        headers["content-encoding"] = "gzip"
    return Response(data, media_type="application/json", headers=headers)


def guarded(make: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Any]:
    """Return an endpoint that answers what goes wrong in `make` with an error in JSON."""

    async def endpoint(request: Request) -> Response:
        try:
            return await make(request)
        except NotThere:
            return error(404, "That is not in the sessions that are shown", "go back to the list")
        except Busy as busy:
            return error(503, *busy.args)
        except UsageError as wrong:
            return error(400, wrong.what, wrong.hint)
        except WaterglassError as failed:
            return error(409, failed.what, failed.hint)
        except Exception as failed:  # the page shows that it failed; what a transcript holds stays out of the log
            frame = failed.__traceback__
            while frame is not None and frame.tb_next is not None:
                frame = frame.tb_next
            where = f"{frame.tb_frame.f_code.co_filename}:{frame.tb_lineno}" if frame is not None else "?"
            log.error("%s at %s", type(failed).__name__, where)
            return error(500, "The server failed on this", f"{type(failed).__name__}; the terminal says where")

    return endpoint


def error(status: int, what: str, hint: str) -> Response:
    """Return an error in JSON."""
    return Response(error_body(what, hint), status_code=status, media_type="application/json")
