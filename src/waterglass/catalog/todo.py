"""Which sessions are still to be counted, and in which order."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Set


class Todo:
    """Sessions by id, newest first; those that somebody waits for come before. Its user guards it with a lock."""

    def __init__(self) -> None:
        self.left = 0  # bytes of transcripts that wait
        self._sizes: dict[str, int] = {}
        self._wanted: deque[str] = deque()
        self._counting: set[str] = set()

    @property
    def ready(self) -> bool:
        """Is there one to take?"""
        return bool(self._sizes.keys() - self._counting)

    @property
    def empty(self) -> bool:
        """Does none wait, and is none being counted?"""
        return not self._sizes and not self._counting

    @property
    def urgent(self) -> bool:
        """Is there one to take that somebody waits for?"""
        return any(id_ in self._sizes and id_ not in self._counting for id_ in self._wanted)

    def begin(self, sizes: Mapping[str, int], there: Collection[str]) -> None:
        """Have these counted, in this order, before those that wait already and are still there."""
        self._sizes = {**sizes, **{id_: size for id_, size in self._sizes.items() if id_ in there and id_ not in sizes}}
        self.left = sum(self._sizes.values())

    def add(self, sizes: Mapping[str, int]) -> bool:
        """Have these counted too, after the others; return whether any of them is new."""
        fresh = {id_: size for id_, size in sizes.items() if id_ not in self._sizes}
        self._sizes.update(fresh)
        self.left += sum(fresh.values())
        return bool(fresh)

    def want(self, ids: Iterable[str]) -> None:
        """Note that somebody waits for these."""
        self._wanted.extendleft(reversed(list(ids)))

    def holds(self, ids: Set[str]) -> bool:
        """Is any of these not counted yet?"""
        return not ids.isdisjoint(self._counting) or not self._sizes.keys().isdisjoint(ids)

    def take(self) -> str | None:
        """Return the next, which is being counted until `done` is told of it; None where there is none."""
        id_ = self._take_wanted()
        if id_ is None:
            id_ = next((id_ for id_ in self._sizes if id_ not in self._counting), None)
        if id_ is not None:
            self.left -= self._sizes.pop(id_)
            self._counting.add(id_)
        return id_

    def _take_wanted(self) -> str | None:
        """Take the first that somebody waits for off their list: each is looked at once, however many there are."""
        later: list[str] = []  # being counted, and changed since
        found = None
        while self._wanted and found is None:
            id_ = self._wanted.popleft()
            if id_ in self._sizes:
                if id_ in self._counting:
                    later.append(id_)
                else:
                    found = id_
        self._wanted.extendleft(reversed(later))
        return found

    def done(self, session: str) -> None:
        """Note that a session is counted."""
        self._counting.discard(session)
