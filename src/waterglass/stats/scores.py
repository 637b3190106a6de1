"""The scorecard of one session as statistics keep it: of each metric its status and value, and what judged it."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from waterglass.discover import SessionRef
from waterglass.index.listed import stamp_of
from waterglass.model import is_young
from waterglass.session import Session
from waterglass.version import __version__

if TYPE_CHECKING:  # the metrics are imported when something is judged
    from waterglass.metrics import Settings

VERSION = 1  # of what is kept and of the rules behind it: a change here has every session judged anew
METRICS = ("grepSemantic", "earlyVictory", "verificationDensity", "overreach", "continuity", "loopDetection")

SettingsOf = Callable[[str | None], "Settings"]  # by project


class SessionScores(Struct, array_like=True):
    """Status and value of each metric, in the order of `METRICS`; empty where the session could not be judged."""

    results: list[tuple[str, float | None]] = []


encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(SessionScores).decode


def scores_of(session: Session, settings: Settings, now_ms: int) -> SessionScores:
    """Return the scores of a session as it is at `now_ms`."""
    session.settings = settings
    found = {metric["id"]: (metric["status"], metric["value"]) for metric in session.scores(now_ms).metrics}
    return SessionScores([found[metric] for metric in METRICS])


def key_of(ref: SessionRef, settings: Settings, now_ms: int) -> str:
    """Return what names all that a score depends on: the files, the settings, the code, and whether calls may run."""
    chosen = blake2b(msgspec.json.encode(settings), digest_size=8).hexdigest()
    live = "live" if is_young(ref.modified_ms, now_ms) else "idle"
    return f"{VERSION}/{__version__}/{chosen}/{live}/{stamp_of(ref).hex()}"
