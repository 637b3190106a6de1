"""`/api/sessions/{id}/report`: the report of a session, as `waterglass report` writes it, for the browser to keep.

No byte of a transcript is ever answered as something that a browser would show or run: it is an attachment, without a
type that means anything.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, BinaryIO

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from waterglass.errors import UsageError
from waterglass.server.answers import Busy
from waterglass.server.opened import Files, Load

LEVELS = ("secrets", "paths", "structure", "off")
_PIECE = 256 << 10


class Reports:
    """Makes one report at a time: of a long session that takes a processor for ten seconds."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._one = threading.Lock()

    async def answer(self, request: Request, ref: Files) -> Response:
        """Return the report at the level of the request. Raises UsageError, WaterglassError, Busy."""
        level = request.query_params.get("redact", LEVELS[0])
        if level not in LEVELS:
            raise UsageError("No such level of redaction", "", f"one of {', '.join(LEVELS)}")
        if request.method == "HEAD":
            return Response(media_type="application/octet-stream", headers=_named("waterglass.html"))
        name, stream, size = await run_in_threadpool(self._made, ref, level)
        headers = {**_named(name), "content-length": str(size)}
        return StreamingResponse(_pieces(stream), media_type="application/octet-stream", headers=headers)

    def _made(self, ref: Files, level: str) -> tuple[str, BinaryIO, int]:
        """Write the report into a private folder, and return its name and the open file, which has no place any
        more."""
        from waterglass.report import default_name, write_report

        if not self._one.acquire(blocking=False):
            raise Busy("Another report is being made", "try again in a moment")
        try:
            # Read for this alone: the session that the page looks at goes on growing meanwhile.
            session: Any = self._load(ref, None)
            with tempfile.TemporaryDirectory(prefix="waterglass-report-", ignore_cleanup_errors=True) as folder:
                target = Path(folder) / "report.html"
                size = write_report(session, target, level)  # type: ignore[arg-type]  # it is one of LEVELS
                with target.open("rb") as made:
                    # A copy without a place: Windows cannot remove a folder in which a file is open.
                    stream = tempfile.TemporaryFile()  # noqa: SIM115, closed by whoever sends it
                    shutil.copyfileobj(made, stream)
            stream.seek(0)
            return default_name(ref.id, None), stream, size  # a title may hold what the report hides
        finally:
            self._one.release()


def _named(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"'}


async def _pieces(stream: BinaryIO) -> AsyncIterator[bytes]:
    try:
        while piece := await run_in_threadpool(stream.read, _PIECE):
            yield piece
    finally:
        stream.close()
