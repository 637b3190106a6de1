"""The routes: the page's files from memory, the list, a session, one body. Ids are looked up, never joined to a
path."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from waterglass.errors import UsageError
from waterglass.page import server_files
from waterglass.server.access import DROPPED, Access, Guard
from waterglass.server.answers import NotThere, answered, as_json, error, guarded
from waterglass.server.download import Reports
from waterglass.server.dropped import Dropped
from waterglass.server.follow import Follow
from waterglass.server.headers import common_headers
from waterglass.server.opened import Files, Load, Opened, OpenSessions
from waterglass.server.search import Searches
from waterglass.server.statistics import Statistics
from waterglass.server.stream import change_stream
from waterglass.server.upkeep import Upkeep

Sought = Callable[[], dict[str, Any]]  # fields in place of the list's own
_FIND_S = 0.5  # for one look through a session's bodies: meanwhile it answers nobody else
_TEXTS, _TEXT = 16, 2_000  # so many texts to find, of so many characters each
_PATIENCE_S = 20.0  # for the folders to be looked through, where an id is not known


class Listed(Protocol):
    """The list of sessions as the server needs it."""

    def snapshot(self, after: int | None = None, first: int | None = None) -> dict[str, Any]:
        """Return what is known of the sessions now."""

    def find(self, session: str) -> Files | None:
        """Return the place of a session by its id."""

    def wait(self, *, timeout: float) -> bool:
        """Wait until all sessions have been found, `timeout` seconds at most; tell whether they have."""


class _Answers:
    """What is answered, by the ids in a request. Called from many threads."""

    def __init__(
        self,
        listed: Listed,
        sessions: OpenSessions,
        dropped: Dropped,
        sought: Sought | None = None,
    ) -> None:
        self._listed = listed
        self._dropped = dropped
        self._sought = sought
        self._sessions = sessions
        self._begun = False

    def sessions(self, request: Request) -> dict[str, Any]:
        first = _number(request, "first")
        known = self._listed.snapshot(_number(request, "after"), first)
        if first is not None and len(known["sessions"]) >= first:  # the rest is asked for as if nothing were known
            known |= {"revision": None, "complete": False, "partial": True}
        if known["sessions"] and not self._begun:
            self._begun = True
            threading.Thread(target=self._open_ahead, args=(known["sessions"][0]["id"],), daemon=True).start()
        return known if self._sought is None else {**known, **self._sought()}

    def payload(self, request: Request) -> bytes:
        return self._sessions.payload(self.place(request))

    def scorecard(self, request: Request) -> bytes:
        return self._sessions.scorecard(self.place(request))

    def found(self, request: Request) -> dict[str, Any]:
        texts = [text for text in request.query_params.getlist("q") if text]
        if len(texts) > _TEXTS or any(len(text) > _TEXT for text in texts):
            raise UsageError("Too much to look for", "", f"{_TEXTS} texts of {_TEXT:,} characters at most")
        start = request.query_params.get("from")
        return self._sessions.ask(self.place(request), lambda session: session.find_texts(texts, start, _FIND_S))

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
        ref = self.find(session)
        if ref is None and self._listed.wait(timeout=_PATIENCE_S):  # an address of a session may come before its name
            ref = self.find(session)
        if ref is None:
            raise NotThere
        return ref

    def find(self, session: str) -> Files | None:
        """Return where a session lies, None for one that is neither listed nor dropped."""
        return self._dropped.find(session) or self._listed.find(session)

    def _open_ahead(self, session: str) -> None:
        """Read the newest session while the list is looked at: as a rule it is the one that is opened."""
        ref = self._listed.find(session)
        if ref is not None:
            with suppress(Exception):  # whoever opens it is told
                self._sessions.payload(ref)


class App(Guard):
    """The application. `follow` is to be told of changes by whoever watches the folders."""

    def __init__(self, app: ASGIApp, access: Access, follow: Follow, dropped: Dropped) -> None:
        super().__init__(app, access, common_headers())
        self.follow = follow
        self._dropped = dropped

    def close(self) -> None:
        """Follow nothing any more, and remove what was dropped."""
        self.follow.close()
        self._dropped.close()


def make_app(
    listed: Listed,
    load: Load,
    access: Access,
    sought: Sought | None = None,
    upkeep: Upkeep | None = None,
    dropped: Dropped | None = None,
) -> App:
    """Return the application. `load` reads a session, or reads it on; `sought`, where the sample is shown, tells which
    folders held no session; `dropped` keeps the files that are dropped on the page. Without `upkeep` there is neither
    search nor statistics."""
    page = server_files()
    dropped = dropped or Dropped()
    sessions = OpenSessions(load, _now_ms)
    answers = _Answers(listed, sessions, dropped, sought)
    follow = Follow(sessions, answers.find)

    async def file(request: Request) -> Response:
        found = page.files.get(request.scope["path"])
        if found is None:
            return await _nowhere(request)
        return Response(found[0], media_type=None, headers={"content-type": found[1]})

    async def index(request: Request) -> Response:
        return Response(page.start if not request.url.query else page.index, media_type="text/html")

    async def take(request: Request) -> Response:
        return await dropped.answer(request, sessions)

    routes = [
        Route("/", index),
        Route("/api/sessions", as_json(answers.sessions)),
        *_of_one(answers, follow, Reports(load)),
        Route(DROPPED, guarded(take), methods=["POST"]),
    ]
    if upkeep is not None:
        routes.append(Route("/api/search", guarded(Searches(upkeep).answer)))
        routes.append(Route("/api/stats", guarded(Statistics(upkeep).answer)))
    routes.append(Route("/{path:path}", file))
    # The handler is for paths that do not begin with a slash (`GET http://host/ HTTP/1.1`).
    app = Starlette(routes=routes, exception_handlers={404: _nowhere})
    app.router.redirect_slashes = False  # a redirect to a path from a URL could lead anywhere (`//host/`)
    return App(app, access, follow, dropped)


def _of_one(answers: _Answers, follow: Follow, reports: Reports) -> list[Route]:
    """Return the routes of one session."""

    async def changes(request: Request) -> Response:
        return await change_stream(request, follow, await run_in_threadpool(answers.place, request))

    async def report(request: Request) -> Response:
        return await reports.answer(request, await run_in_threadpool(answers.place, request))

    one = "/api/sessions/{session}"
    return [
        Route(one, answered(answers.payload)),
        Route(one + "/changes", guarded(changes)),
        Route(one + "/scorecard", answered(answers.scorecard)),
        Route(one + "/find", as_json(answers.found)),
        Route(one + "/report", guarded(report)),
        Route(one + "/rows/{key:path}", as_json(answers.row)),
        Route(one + "/replies/{key:path}", as_json(answers.reply)),
        Route(one + "/prompts/{key:path}", as_json(answers.prompt)),
    ]


async def _nowhere(request: Request, failed: Exception | None = None) -> Response:
    return error(404, "There is no such page", "")


def _number(request: Request, name: str) -> int | None:
    """Return a number of the query, None where there is none."""
    given = request.query_params.get(name, "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 16 else None


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
