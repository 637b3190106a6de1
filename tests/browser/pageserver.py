"""The page with made-up answers: a small server on loopback with the page's own policy."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qs, unquote

from waterglass.page.linker import link_modules
from waterglass.page.sources import ENTRY, modules

WEB = Path(__file__).resolve().parents[2] / "src" / "waterglass" / "web"
CASES = Path(__file__).resolve().parents[1] / "web"
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html; charset=utf-8", ".json": "application/json"}
Answer = tuple[int, Any]


@dataclass
class Pages:
    """What the server answers: payloads by session id (bytes as they are), the list, scorecards that are asked for
    apart; and a switch to refuse."""

    payloads: dict[str, Callable[[], dict[str, Any] | bytes]] = field(default_factory=dict)
    listing: Callable[[], dict[str, Any]] = lambda: {}
    body: Callable[[str], dict[str, Any]] = lambda row: {}
    scorecards: dict[str, dict[str, Any]] = field(default_factory=dict)
    refuse: int = 0
    asked: list[str] = field(default_factory=list)
    address: str = ""
    looked_at_once: int = 10  # calls that one question for contents looks into
    ended: threading.Event = field(default_factory=threading.Event)
    blocks: str = ""
    dropped: list[bytes] = field(default_factory=list)

    def api(self, path: str, query: str = "") -> Answer:
        """The answer to a path below /api."""
        if self.refuse:
            return self.refuse, {"error": {"what": "refused", "hint": "try later"}}
        parts = path.split("/", 5)
        if len(parts) == 3:
            return 200, self.listing()
        session = unquote(parts[3])
        if session not in self.payloads:
            return 404, {"error": {"what": "There is no such session", "hint": "It may have been deleted"}}
        if parts[4:] == ["scorecard"]:
            return 200, dict.fromkeys(("metrics", "health", "cost")) | self.scorecards.get(session, {})
        payload = self.payloads[session]()
        if parts[4:] == ["find"]:
            told = json.loads(payload) if isinstance(payload, bytes) else payload
            return 200, self.found(told["table"]["columns"]["id"], parse_qs(query))
        if isinstance(payload, bytes):
            return 200, payload if len(parts) == 4 else self.body(unquote(parts[5]))
        payload["session"]["id"] = session
        if len(parts) == 4:
            return 200, payload
        wanted = unquote(parts[5])
        if parts[4] == "rows":
            return 200, self.body(wanted)
        key, name = ("replies", "id") if parts[4] == "replies" else ("prompts", "uuid")
        found = next((item for item in payload[key] if item[name] == wanted), None)
        if found is None:
            return 404, {"error": {"what": "There is no such text", "hint": ""}}
        return 200, {**found, "text": found["text"] + " …and the rest of it. THE END"}

    def found(self, rows: list[str], asked: dict[str, list[str]]) -> dict[str, Any]:
        """The rows that hold texts, looked for from the last row on, a few at a time."""
        texts, start = [text.lower() for text in asked["q"]], asked.get("from", rows[-1:])[0]
        at = rows.index(start) + 1
        some = rows[max(0, at - self.looked_at_once) : at][::-1]
        bodies = {row: json.dumps(self.body(row), ensure_ascii=False).lower() for row in some}
        return {
            "found": [[row for row in some if text in bodies[row]] for text in texts],
            "searched": len(some),
            "unread": 0,
            "next": rows[at - len(some) - 1] if at > len(some) else None,
        }


def report_blocks(payload: dict[str, Any], bodies: list[Any], texts: dict[str, list[Any]]) -> str:
    """The data blocks of a report: the payload, the rows' bodies 256 a block, and cut texts by block number."""

    def block(name: str, value: Any) -> str:
        packed = base64.b64encode(gzip.compress(json.dumps(value).encode())).decode()
        return f'<script type="text/plain" id="{name}">{packed}</script>'

    rows = [block(f"wg-rows-{at // 256}", bodies[at : at + 256]) for at in range(0, len(bodies), 256)]
    cut = [block(f"wg-texts-{number}", items) for number, items in texts.items()]
    return "".join([block("wg-head", payload), *rows, *cut])


def import_map() -> str:
    """The import map of the page, from the modules in the folder."""
    return json.dumps({"imports": {f"#{f.stem}": f"/static/{f.name}" for f in sorted(WEB.glob("*.js"))}})


@cache
def linked_script() -> bytes:
    """The page as one script, as the real server hands it out; a hundred modules take a test half a second."""
    return link_modules(modules(), ENTRY).encode()


def policy(mapping: str) -> str:
    """The Content-Security-Policy of the server's page."""
    digest = base64.b64encode(hashlib.sha256(mapping.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'self' 'sha256-{digest}'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )


def handler_of(pages: Pages) -> type[BaseHTTPRequestHandler]:
    """A request handler that answers from `pages`."""
    mapping = import_map()
    page = (
        (WEB / "index.html")
        .read_text()
        .replace("/static/main.js", "/page.js")
        .replace('<script type="importmap"></script>', f'<script type="importmap">{mapping}</script>')
    )

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.split("?")[0]
            pages.asked.append(self.path)
            if path == "/":
                self.send(200, TYPES[".html"], page.encode())
            elif path == "/page.js":
                self.send(200, TYPES[".js"], linked_script())
            elif path == "/report":
                self.send(200, TYPES[".html"], page.replace("</body>", f"{pages.blocks}</body>").encode())
            elif path.startswith("/api/") and path.endswith("/changes"):
                self.stay()
            elif path.startswith("/api/") and path.endswith("/report") and not pages.refuse:
                named = {"Content-Disposition": 'attachment; filename="waterglass-small.html"'}
                self.send(200, "application/octet-stream", b"<!doctype html>", named)
            elif path.startswith("/api/"):
                status, answer = pages.api(path, self.path.partition("?")[2])
                self.send(status, TYPES[".json"], answer if isinstance(answer, bytes) else json.dumps(answer).encode())
            else:
                folder = WEB if path.startswith("/static/") else CASES
                file = folder / path.split("/", 2)[-1]
                if file.suffix in TYPES and file.is_file() and ".." not in path:
                    self.send(200, TYPES[file.suffix], file.read_bytes())
                else:
                    self.send(404, "text/plain", b"")

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["content-length"]))
            ours = self.headers["x-waterglass"] == "drop" and self.headers["origin"] == pages.address
            if self.path != "/api/dropped" or not ours:
                self.send(403, TYPES[".json"], b"{}")
                return
            pages.dropped.append(content)
            error = {"error": {"what": "No conversation is in this file", "hint": "0 records were read"}}
            good = content.startswith(b"{")
            self.send(201 if good else 400, TYPES[".json"], json.dumps({"id": "small"} if good else error).encode())

        def send(self, status: int, kind: str, content: bytes, named: Mapping[str, str] = MappingProxyType({})) -> None:
            self.send_response(status)
            for name, value in named.items():
                self.send_header(name, value)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Content-Security-Policy", policy(mapping))
            self.send_header("X-Content-Type-Options", "nosniff")
            self.end_headers()
            with suppress(OSError):  # a page that is closed waits for no answer
                self.wfile.write(content)

        def stay(self) -> None:
            """A stream of changes on which nothing happens until the client leaves or the server ends."""
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            with suppress(OSError):
                while not pages.ended.wait(0.2):
                    self.wfile.write(b":\n\n")

        def log_message(self, format: str, *args: object) -> None:
            del format, args

    return Handler


@contextmanager
def serving(pages: Pages, port: int = 0) -> Iterator[Pages]:
    """Serve until the block ends; `pages.address` says where."""
    server = ThreadingHTTPServer(("127.0.0.1", port), handler_of(pages))
    server.daemon_threads = True
    pages.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield pages
    finally:
        pages.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()
