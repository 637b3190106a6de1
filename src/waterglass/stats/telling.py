"""What statistics want to know of one session, as a job that any process of this machine can do."""

from __future__ import annotations

import gc
from typing import Any

from msgspec import Struct

from waterglass.discover import SessionRef
from waterglass.errors import WaterglassError
from waterglass.inherit import history_of
from waterglass.load import unread_since
from waterglass.schema.layout import written
from waterglass.session import Session
from waterglass.stats import facts as told
from waterglass.stats import scores as judged
from waterglass.stats.facts import facts_of
from waterglass.stats.scores import SessionScores, SettingsOf, scores_of

_MOST_UNTIDIED = 32_000_000  # bytes of transcripts
_untidied = 0


class Wish(Struct, frozen=True):
    """A session to read, and what is wanted of it."""

    ref: SessionRef
    related: tuple[SessionRef, ...]
    """Those that may share its history."""
    paid: frozenset[str]
    """Replies that are another session's, which is gone."""
    facts: bool
    """Whether its facts are wanted, not only its scores."""
    settings: SettingsOf | None
    """By which it is judged; None: it is not."""
    now_ms: int


class Told(Struct, frozen=True):
    """What a session says; None is what was not wanted or could not be told."""

    project: str | None = None
    facts: bytes | None = None
    """Encoded, as the index keeps them."""
    listing: dict[str, Any] | None = None
    """What a list shows of it; None where another session that is gone owns a part of its history."""
    scores: bytes | None = None
    """Encoded, as the index keeps them."""
    unread: tuple[tuple[str, str], ...] = ()
    """Files of it that were found and could not be read, and why."""
    failure: str | None = None
    """Why nothing can be said of it."""
    unjudged: str | None = None
    """Why it could not be judged."""


def tell(wish: Wish) -> Told:
    """Read a session and return what is wanted. Raises nothing: one odd transcript costs no other its figures."""
    try:
        session, own = _read(wish)
        facts = told.encode(facts_of(session)) if wish.facts else None
        paths = {file.key: file.path for file in wish.ref.files}
        unread = tuple((written(paths[p.file]), p.message) for p in unread_since(wish.ref, session.unread))
        listing = session.listing(wish.now_ms) if own else None
    except WaterglassError as error:
        return Told(failure=error.what)
    except Exception as error:
        return Told(failure=f"could not be counted ({type(error).__name__})")
    scores, unjudged = _scores(wish, session)
    _tidy(wish.ref.size)
    return Told(session.project, facts, listing, scores, unread, unjudged=unjudged)


def not_told(wish: Wish, reason: str) -> Told:
    """Return what stands for a session that no process could read."""
    return Told(failure=reason)


def _read(wish: Wish) -> tuple[Session, bool]:
    """Return the session, and whether all its history is of sessions that are still there."""
    history = history_of(wish.ref, wish.related)
    inherited = history.inherited | wish.paid  # what a session that is gone paid for stays paid
    session = Session(
        wish.ref,
        inherited=inherited,
        continues=history.continues,
        indexed_title=history.indexed_title,
        folder_project=history.folder_project,
    )
    return session, inherited == history.inherited


def _tidy(read: int) -> None:
    """Let go of sessions in circles now and then, in a process without the collector."""
    global _untidied
    _untidied += read
    if _untidied > _MOST_UNTIDIED and not gc.isenabled():
        _untidied = 0
        gc.collect()


def _scores(wish: Wish, session: Session) -> tuple[bytes | None, str | None]:
    if wish.settings is None:
        return None, None
    try:
        return judged.encode(scores_of(session, wish.settings(session.project), wish.now_ms)), None
    except Exception as error:  # it is kept as what cannot be told, or it would be tried for ever
        reason = error.what if isinstance(error, WaterglassError) else type(error).__name__
        return judged.encode(SessionScores()), f"could not be judged ({reason})"
