"""Spans and events put together: one record for each call that the telemetry tells of. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from waterglass.schema.telemetry import Piece

Stretch = tuple[int, int]


class ToldCall(Struct):
    """What is told of one call. Times in Unix milliseconds, None where they are not told."""

    session: str | None
    call: str | None = None  # its id
    tool: str | None = None
    whole: Stretch | None = None  # from the request to the end, by its span
    wait: Stretch | None = None  # for the permission, by its span
    execution: Stretch | None = None
    by: str | None = None  # who decided on the permission
    decided_ms: int | None = None
    ended_ms: int | None = None  # by the event of its end
    ran_ms: int | None = None  # how long it ran, by that event
    bare: bool = False  # a span below a call whose own span is not there, and that does not name the call

    @property
    def end_ms(self) -> int | None:
        """When the call ended."""
        if self.whole is not None:
            return self.whole[1]
        return self.ended_ms if self.ended_ms is not None else self.execution[1] if self.execution is not None else None

    @property
    def start_ms(self) -> int | None:
        """The earliest time that is told of it."""
        known = [stretch[0] for stretch in (self.whole, self.wait, self.execution) if stretch is not None]
        if self.ended_ms is not None:
            known.append(self.ended_ms - (self.ran_ms or 0))
        if self.decided_ms is not None:
            known.append(self.decided_ms)
        return min(known, default=None)


def told_calls(pieces: Iterable[Piece]) -> list[ToldCall]:
    """Return the calls that the pieces tell of, in the order in which they come up.

    Pieces belong together by the id of the call, and spans by their parent too. An event without an id is a call of
    its own: which of several calls of one tool it is about, nothing here can tell.
    """
    calls: list[ToldCall] = []
    by_id: dict[str, ToldCall] = {}
    by_span: dict[str, ToldCall | None] = {}  # None for an id that several calls have
    below: list[Piece] = []
    nameless: set[Piece] = set()
    for piece in pieces:
        if piece.kind in ("wait", "execution"):
            below.append(piece)  # a span is written when it ends: before the one above it
            continue
        if piece.call is None:
            if piece in nameless:
                continue  # files may overlap
            nameless.add(piece)
        known = by_id.get(piece.call) if piece.call is not None else None
        call = known if known is not None else _new(piece, calls, by_id)
        if piece.kind == "tool" and piece.span is not None:
            by_span[piece.span] = call if by_span.get(piece.span, call) is call else None
        _add(call, piece)
    for piece in below:
        known = by_id.get(piece.call) if piece.call is not None else by_span.get(piece.parent or "")
        call = known if known is not None else _new(piece, calls, by_id)
        call.bare = call.bare or (known is None and piece.call is None)
        _add(call, piece)
    return calls


def _new(piece: Piece, calls: list[ToldCall], by_id: dict[str, ToldCall]) -> ToldCall:
    call = ToldCall(piece.session, piece.call, piece.tool)
    calls.append(call)
    if piece.call is not None:
        by_id[piece.call] = call
    return call


def _add(call: ToldCall, piece: Piece) -> None:
    call.session = call.session or piece.session
    call.tool = call.tool or piece.tool
    stretch = None
    if piece.start_ms is not None and piece.end_ms is not None and piece.end_ms >= piece.start_ms:
        stretch = (piece.start_ms, piece.end_ms)
    if piece.kind == "tool":
        call.whole = stretch or call.whole
    elif piece.kind == "wait":
        call.wait, call.by = stretch or call.wait, piece.by or call.by
    elif piece.kind == "execution":
        call.execution = stretch or call.execution
    elif piece.kind == "decision":
        call.decided_ms, call.by = piece.start_ms, piece.by or call.by
    else:
        call.ended_ms, call.ran_ms, call.by = piece.start_ms, piece.duration_ms, call.by or piece.by
