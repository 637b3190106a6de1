"""Who may ask: the rule of every request, before anything else is looked at.

Any page in any browser can send requests to this machine's ports, and by DNS rebinding under a name of its own. So
the Host must be one of ours, an Origin that is sent must be our own, so must be the page that a browser says the
request comes from, and every answer but the first needs the code of this run, which only the terminal showed.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from hmac import compare_digest
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs

from msgspec import Struct
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from waterglass.payload import encode

METHODS = ("GET", "HEAD")
MAX_HEAD = 16_384  # bytes of an address and headers; nothing that this server is sent is long
DROPPED = "/api/dropped"  # the one path that takes something: a file that a person dropped on the page
_BY_THE_PAGE = (b"x-waterglass", b"drop")  # a header that no form can send, and no other page without our consent
_ASKED_BY, _OTHERS = b"sec-fetch-site", (b"cross-site", b"same-site")
_OWN_HOSTS = ("localhost", "127.0.0.1", "[::1]")
_HOST = re.compile(r"(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::\d{1,5})?", re.ASCII)
_LOCKED = b"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Waterglass</title>
<p>This page opens with the address that <code>waterglass serve</code> printed in its terminal: it ends in a code of
this run.</p>
</html>
"""


class Access(Struct, frozen=True):
    """What this run accepts: its code, the port that names its cookie, further host names."""

    code: str
    port: int
    names: frozenset[str] = frozenset()

    @property
    def cookie(self) -> str:
        """The cookie's name: cookies know no ports, and two runs must not overwrite each other's."""
        return f"waterglass-{self.port}"

    def host_allowed(self, host: str) -> bool:
        """Tell whether a Host header is one of ours."""
        match = _HOST.fullmatch(host.lower())
        return match is not None and (match.group(1) in _OWN_HOSTS or match.group(1) in self.names)

    def origin_allowed(self, origin: str, host: str) -> bool:
        """Tell whether an Origin header is that of our own page."""
        match = _HOST.fullmatch(host.lower())
        named = match is not None and match.group(1) in self.names
        return origin == f"http://{host}" or (named and origin == f"https://{host}")

    def is_code(self, given: str) -> bool:
        """Compare in constant time."""
        return compare_digest(given.encode("utf-8", "replace"), self.code.encode())


class Guard:
    """Wraps an application: refuses what the rule refuses, and puts the headers on every answer, errors too."""

    def __init__(self, app: ASGIApp, access: Access, headers: Collection[tuple[bytes, bytes]]) -> None:
        self.app = app
        self.access = access
        self.headers = list(headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return  # no WebSocket, no lifespan

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *self.headers]
            await send(message)

        refusal = self._refusal(scope)
        if refusal is None:
            await self.app(scope, receive, send_with_headers)
            return
        status, headers, body = refusal
        content = [(b"content-length", str(len(body)).encode()), *headers]
        await send_with_headers({"type": "http.response.start", "status": status, "headers": content})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})

    def _refusal(self, scope: Scope) -> tuple[int, list[tuple[bytes, bytes]], bytes] | None:
        access = self.access
        if _size(scope) > MAX_HEAD:
            return _said(431, "The request is too long", f"{MAX_HEAD:,} bytes at most")
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        host = hosts[0].decode("latin-1") if len(hosts) == 1 else ""
        if not access.host_allowed(host):
            return _said(403, "This host name is not served", "open the address that was printed, or give --allow-host")
        origins = [value.decode("latin-1") for name, value in scope["headers"] if name == b"origin"]
        if any(not access.origin_allowed(origin, host) for origin in origins):
            return _said(403, "Requests of other pages are not served", "")
        # Cookies know no ports: to a page of another port of this machine, ours is sent. A browser says so.
        if scope["path"] != "/" and any(value in _OTHERS for name, value in scope["headers"] if name == _ASKED_BY):
            return _said(403, "Requests of other pages are not served", "")
        if scope["method"] == "POST" and scope["path"] == DROPPED:
            if len(origins) != 1 or _BY_THE_PAGE not in scope["headers"]:
                return _said(403, "Only the page itself may send a file", "")
        elif scope["method"] not in METHODS:
            return _said(405, "Nothing can be changed here", "", [(b"allow", b"GET, HEAD")])
        if scope["path"] == "/" and (given := parse_qs(scope["query_string"].decode("latin-1")).get("code")):
            if access.is_code(given[0]):
                cookie = f"{access.cookie}={access.code}; Path=/; HttpOnly; SameSite=Strict"
                return HTTPStatus.SEE_OTHER, [(b"location", b"/"), (b"set-cookie", cookie.encode())], b""
        elif self._has_cookie(scope):
            return None
        if scope["path"] == "/":
            return HTTPStatus.UNAUTHORIZED, [(b"content-type", b"text/html; charset=utf-8")], _LOCKED
        return _said(401, "The code of this run is missing", "open the address that waterglass serve printed")

    def _has_cookie(self, scope: Scope) -> bool:
        for name, value in scope["headers"]:
            if name == b"cookie":
                for part in value.decode("latin-1").split(";"):
                    key, _, given = part.strip().partition("=")
                    if key == self.access.cookie and self.access.is_code(given):
                        return True
        return False


def _size(scope: Scope) -> int:
    address = len(scope.get("raw_path") or scope["path"]) + len(scope["query_string"])
    return address + sum(len(name) + len(value) + 4 for name, value in scope["headers"])


def _said(
    status: int, what: str, hint: str, headers: list[tuple[bytes, bytes]] | None = None
) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    return status, [(b"content-type", b"application/json"), *(headers or [])], error_body(what, hint)


def error_body(what: str, hint: str) -> bytes:
    """Return the JSON of an error, for the page to show."""
    body: dict[str, Any] = {"error": {"what": what, "hint": hint}}
    return encode(body)
