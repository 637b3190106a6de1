"""The routes: the page's files from memory, the list, a session, one body. Ids are looked up, never joined to a
path."""

from __future__ import annotations

import logging
import threading
import time
import zlib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Protocol

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from waterglass.errors import WaterglassError
from waterglass.page import server_files
from waterglass.payload import encode
from waterglass.server.access import Access, Guard, error_body
from waterglass.server.follow import Follow, TooMany
from waterglass.server.headers import common_headers
from waterglass.server.opened import Files, Load, Opened, OpenSessions
from waterglass.server.stream import change_stream

_GZIP = 16 + zlib.MAX_WBITS
_PATIENCE_S = 20.0  # for the folders to be looked through, where an id is not known
_NEAR = ("127.0.0.1", "::1")  # packing takes longer than sending where nothing goes over a wire
log = logging.getLogger("waterglass")


class Listed(Protocol):
    """The list of sessions as the server needs it."""

    def snapshot(self, after: int | None = None) -> dict[str, Any]:
        """Return what is known of the sessions now."""

    def find(self, session: str) -> Files | None:
        """Return the place of a session by its id."""

    def wait(self, *, timeout: float) -> bool:
        """Wait until all sessions have been found, `timeout` seconds at most; tell whether they have."""


class NotThere(Exception):
    """What was asked for by id is not there."""


class _Answers:
    """What is answered, by the ids in a request. Called from many threads."""

    def __init__(self, listed: Listed, sessions: OpenSessions, looked_in: list[dict[str, Any]] | None = None) -> None:
        self._listed = listed
        self._looked_in = looked_in
        self._sessions = sessions
        self._begun = False

    def sessions(self, request: Request) -> dict[str, Any]:
        given = request.query_params.get("after", "")
        known = self._listed.snapshot(int(given) if given.isascii() and given.isdigit() and len(given) < 16 else None)
        if known["sessions"] and not self._begun:
            self._begun = True
            threading.Thread(target=self._open_ahead, args=(known["sessions"][0]["id"],), daemon=True).start()
        return known if self._looked_in is None else {**known, "lookedIn": self._looked_in}

    def payload(self, request: Request) -> bytes:
        return self._sessions.payload(self.place(request))

    def scorecard(self, request: Request) -> bytes:
        return self._sessions.scorecard(self.place(request))

    def row(self, request: Request) -> dict[str, Any]:
        return self._body(request, lambda session, key: session.row_body(key))

    def reply(self, request: Request) -> dict[str, Any]:
        return self._body(request, lambda session, key: session.reply_body(key))

    def prompt(self, request: Request) -> dict[str, Any]:
        return self._body(request, lambda session, key: session.prompt_body(key))

    def _body(self, request: Request, ask: Callable[[Opened, str], dict[str, Any] | None]) -> dict[str, Any]:
        key = request.path_params["key"]
        found = self._sessions.ask(self.place(request), lambda session: ask(session, key))
        if found is None:
            raise NotThere
        return found

    def place(self, request: Request) -> Files:
        """Return where the session of an address lies. Raises NotThere."""
        session = request.path_params["session"]
        ref = self._listed.find(session)
        if ref is None and self._listed.wait(timeout=_PATIENCE_S):  # an address of a session may come before its name
            ref = self._listed.find(session)
        if ref is None:
            raise NotThere
        return ref

    def _open_ahead(self, session: str) -> None:
        """Read the newest session while the list is looked at: as a rule it is the one that is opened."""
        ref = self._listed.find(session)
        if ref is not None:
            with suppress(Exception):  # whoever opens it is told
                self._sessions.payload(ref)


class App(Guard):
    """The application. `follow` is to be told of changes by whoever watches the folders, and closed."""

    def __init__(self, app: ASGIApp, access: Access, follow: Follow) -> None:
        super().__init__(app, access, common_headers())
        self.follow = follow


def make_app(listed: Listed, load: Load, access: Access, looked_in: list[dict[str, Any]] | None = None) -> App:
    """Return the application. `load` reads a session, or reads it on; `looked_in` replaces the list's own (where the
    sample is shown)."""
    page = server_files()
    sessions = OpenSessions(load, _now_ms)
    answers = _Answers(listed, sessions, looked_in)
    follow = Follow(sessions, listed.find)

    async def file(request: Request) -> Response:
        found = page.files.get(request.scope["path"])
        if found is None:
            return await nowhere(request)
        return Response(found[0], media_type=None, headers={"content-type": found[1]})

    async def index(request: Request) -> Response:
        return Response(page.index, media_type="text/html")

    async def nowhere(request: Request, error: Exception | None = None) -> Response:
        return _error(404, "There is no such page", "")

    async def changes(request: Request) -> Response:
        return await change_stream(request, follow, await run_in_threadpool(answers.place, request))

    one = "/api/sessions/{session}"
    routes = [
        Route("/", index),
        Route("/api/sessions", _json(answers.sessions)),
        Route(one, _answered(answers.payload)),
        Route(one + "/changes", _guarded(changes)),
        Route(one + "/scorecard", _answered(answers.scorecard)),
        Route(one + "/rows/{key:path}", _json(answers.row)),
        Route(one + "/replies/{key:path}", _json(answers.reply)),
        Route(one + "/prompts/{key:path}", _json(answers.prompt)),
        Route("/{path:path}", file),
    ]
    # The handler is for paths that do not begin with a slash (`GET http://host/ HTTP/1.1`).
    app = Starlette(routes=routes, exception_handlers={404: nowhere})
    app.router.redirect_slashes = False  # a redirect to a path from a URL could lead anywhere (`//host/`)
    return App(app, access, follow)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _json(make: Callable[[Request], dict[str, Any]]) -> Callable[[Request], Any]:
    """Return an endpoint that answers with what `make` returns."""
    return _answered(lambda request: encode(make(request)))


def _answered(make: Callable[[Request], bytes]) -> Callable[[Request], Any]:
    """Return an endpoint for `make`, which returns JSON; in a thread, so that a long read holds up nobody
    else."""

    def answer(request: Request) -> Response:
        data = make(request)
        headers = {"vary": "accept-encoding"}
        near = request.client is not None and request.client.host in _NEAR
        if not near and "gzip" in request.headers.get("accept-encoding", ""):
            packer = zlib.compressobj(3, wbits=_GZIP)
            data = packer.compress(data) + packer.flush()
            headers["content-encoding"] = "gzip"
        return Response(data, media_type="application/json", headers=headers)

    async def in_thread(request: Request) -> Response:
        return await run_in_threadpool(answer, request)

    return _guarded(in_thread)


def _guarded(make: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Any]:
    """Return an endpoint that answers what goes wrong in `make` with an error in JSON."""

    async def endpoint(request: Request) -> Response:
        try:
            return await make(request)
        except NotThere:
            return _error(404, "That is not in the sessions that are shown", "go back to the list")
        except TooMany:
            return _error(503, "Too many pages follow sessions", "close some of them")
        except WaterglassError as error:
            return _error(409, error.what, error.hint)
        except Exception as error:  # the page shows that something failed; what a transcript holds stays out of the log
            frame = error.__traceback__
            while frame is not None and frame.tb_next is not None:
                frame = frame.tb_next
            where = f"{frame.tb_frame.f_code.co_filename}:{frame.tb_lineno}" if frame is not None else "?"
            log.error("%s at %s", type(error).__name__, where)
            return _error(500, "The server failed on this", f"{type(error).__name__}; the terminal says where")

    return endpoint


def _error(status: int, what: str, hint: str) -> Response:
    return Response(error_body(what, hint), status_code=status, media_type="application/json")
