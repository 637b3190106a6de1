"""Which listed sessions have to be looked at again, and when: the files of a live one change many times a second, and
counting it means reading it all."""

from __future__ import annotations

from collections.abc import Collection

LOOKED_AT_S = 60.0  # after a question for the list, while its changes are of interest
PACE_S = 0.5  # between two updates
SCAN_S = 2.0  # between two walks through the folders
_COUNT_S = 2.0  # between two counts of one session
_COUNT_RATE = 2_000_000  # bytes counted anew, a second and session; a session of 100 MB is counted every 50 s


class Touched:
    """Sessions by id, between a change of their files and the moment when it shows in the list; times in seconds."""

    def __init__(self) -> None:
        self._asked = -LOOKED_AT_S
        self._updated = 0.0
        self._touched: set[str] = set()
        self._counted: dict[str, float] = {}  # when each was last counted again
        self._late: dict[str, float] = {}  # to be counted again at that time
        self._others = False

    def ask(self, now: float) -> None:
        """Note that somebody looks at the list."""
        self._asked = now

    def look(self, now: float) -> None:
        """Note that somebody asks for a session that is not known: it may be a new one."""
        self._asked, self._others = now, True

    def add(self, ids: Collection[str], others: bool) -> None:
        """Note that the files of these sessions have changed, and with `others` that there may be new ones."""
        self._touched.update(ids)
        self._others = self._others or others

    def wait(self, now: float) -> float | None:
        """How long to sleep before asking again what is due; None: until something is noted or asked for."""
        noted = self._touched or self._others or self._late
        return PACE_S / 2 if noted and self._is_looked_at(now) else None

    def _is_looked_at(self, now: float) -> bool:
        return now - self._asked < LOOKED_AT_S

    def scan_is_due(self, now: float, scanned: float) -> bool:
        """Should the folders be walked through, which was done last at `scanned`?"""
        return self._others and self._is_looked_at(now) and now - scanned >= SCAN_S

    def scanned(self) -> None:
        """Note that a walk through the folders begins: it sees all that was noted."""
        self._touched.clear()
        self._others = False

    def take(self, now: float) -> set[str]:
        """Return the sessions to look at now."""
        if not self._touched or not self._is_looked_at(now) or now - self._updated < PACE_S:
            return set()
        taken, self._touched, self._updated = self._touched, set(), now
        return taken

    def count(self, session: str, size: int, now: float) -> bool:
        """Tell whether to count a session of `size` bytes again now; if not, it is returned by `late` in time."""
        due = self._counted.get(session, -_COUNT_S) + max(_COUNT_S, size / _COUNT_RATE)
        if now < due:
            self._late[session] = due
            return False
        self._counted[session] = now
        self._late.pop(session, None)
        return True

    def late(self, now: float) -> list[str]:
        """Return those that are to be counted now."""
        due = [session for session, at in self._late.items() if at <= now and self._is_looked_at(now)]
        for session in due:
            del self._late[session]
            self._counted[session] = now
        return due

    def forget(self, session: str) -> None:
        """Forget a session that is gone."""
        self._touched.discard(session)
        self._counted.pop(session, None)
        self._late.pop(session, None)
