"""Transcripts that were dropped on the page: each a session of its own, beside those of the roots and never among them.

A path in a request could name any file of this machine, so none is taken: the browser sends the bytes of the file that
a person chose. They go into a private folder that ends with this run.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import tempfile
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from waterglass.discover import SessionRef
from waterglass.discover.find import beside
from waterglass.errors import UsageError, WaterglassError
from waterglass.payload import encode
from waterglass.server.answers import Busy
from waterglass.server.opened import OpenSessions

MOST_BYTES = 256 << 20  # of one file; the largest transcripts are half as long
KEPT = 8  # files; the one that was dropped first goes when there are more
_TIME_S = 120.0  # for the bytes to arrive
_PIECE = 1 << 20  # bytes that are written at once
_LIMIT = f"a file may have {MOST_BYTES >> 20} MB; `waterglass serve --root DIR` reads any"


class Dropped:
    """The files that were dropped, by the ids of their sessions. Safe for many threads. `close` removes them."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._changing = threading.Lock()  # guards what follows
        self._refs: OrderedDict[str, SessionRef] = OrderedDict()
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._taking = False

    def find(self, session: str) -> SessionRef | None:
        """Return the place of a session by its id, None for one that was not dropped."""
        with self._changing:
            return self._refs.get(session)

    def close(self) -> None:
        """Remove all files."""
        with self._changing:
            self._refs.clear()
            folder, self._folder = self._folder, None
        if folder is not None:
            folder.cleanup()

    async def answer(self, request: Request, sessions: OpenSessions) -> Response:
        """Take the file that is the body of a request, and return the id of its session.

        Raises UsageError for a file that is no session, WaterglassError where it cannot be kept, Busy.
        """
        with self._changing:
            if self._taking:
                raise Busy("Another file is being taken", "try again in a moment")
            self._taking = True
        try:
            told = await self._take(request, sessions)
        finally:
            with self._changing:
                self._taking = False
        return Response(encode(told), status_code=201, media_type="application/json")

    async def _take(self, request: Request, sessions: OpenSessions) -> dict[str, Any]:
        length = request.headers.get("content-length", "")
        if length.isascii() and length.isdigit() and (len(length) > 18 or int(length) > self._most_bytes):
            raise UsageError("The file is too large", "", _LIMIT)
        # Named after nothing that was sent: an id is a key here and everywhere behind it.
        session = f"dropped-{secrets.token_hex(8)}"
        try:
            folder = await run_in_threadpool(self._new_folder, session)
            try:
                path = folder / f"{session}.jsonl"
                async with asyncio.timeout(_TIME_S):
                    await self._write(request, path)
                ref = await run_in_threadpool(self._read, session, str(path), sessions)
            except BaseException:
                await run_in_threadpool(shutil.rmtree, folder, ignore_errors=True)
                raise
        except (TimeoutError, ClientDisconnect) as error:
            raise WaterglassError("The file did not arrive whole", "", "drop it again") from error
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise WaterglassError(
                f"The file could not be kept ({reason})", "", "make room for temporary files"
            ) from error
        for old in self._keep(ref):
            await run_in_threadpool(shutil.rmtree, Path(old.path).parent, ignore_errors=True)
        return {"id": session}

    def _new_folder(self, session: str) -> Path:
        """Make the folder of one file, in which nobody else can look."""
        with self._changing:
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(prefix="waterglass-dropped-", ignore_cleanup_errors=True)
            folder = Path(self._folder.name) / session
        folder.mkdir(mode=0o700)
        return folder

    async def _write(self, request: Request, path: Path) -> None:
        """Write the body to a new file, piece by piece. Raises UsageError where it is too large or empty."""
        size = 0
        pieces: list[bytes] = []
        waiting = 0
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        with open(os.open(path, flags, 0o600), "wb", buffering=0) as stream:
            async for part in request.stream():
                size += len(part)
                if size > self._most_bytes:
                    raise UsageError("The file is too large", "", _LIMIT)
                pieces.append(part)
                waiting += len(part)
                if waiting >= _PIECE:
                    await run_in_threadpool(_write_all, stream, b"".join(pieces))
                    pieces, waiting = [], 0
            await run_in_threadpool(_write_all, stream, b"".join(pieces))
        if not size:
            raise UsageError("The file is empty", "", "drop the .jsonl file of a session")

    def _read(self, session: str, path: str, sessions: OpenSessions) -> SessionRef:
        """Return the place of a session that holds a conversation. Raises UsageError for anything else."""
        try:
            ref = msgspec.structs.replace(beside(path), id=session)
        except WaterglassError as error:
            raise UsageError("This file is no session", "", error.what) from error
        with self._changing:
            self._refs[session] = ref  # whoever reads it asks whether it is one of these
        try:
            head = sessions.ask(ref, lambda opened: opened.head())
            if head["session"]["state"] == "empty":
                held = head["coverage"]
                raise UsageError(
                    "No conversation is in this file",
                    "",
                    f"{held['records']} records were read, {held['skippedLines']} lines could not be",
                )
        except BaseException:
            with self._changing:
                self._refs.pop(session, None)
            sessions.forget(session)
            raise
        return ref

    def _keep(self, ref: SessionRef) -> list[SessionRef]:
        """Put a session last, and return those that there is no room for any more."""
        with self._changing:
            self._refs.move_to_end(ref.id)
            return [self._refs.popitem(last=False)[1] for _ in range(len(self._refs) - KEPT)]


def _write_all(stream: Any, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[stream.write(view) :]
