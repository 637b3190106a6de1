"""The list of sessions while it is being made: names first, newest first; then the counts, newest first.

Memory holds one entry a session and no transcript. All reading happens in threads of its own; `snapshot` never waits
for them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Sequence
from typing import Any

from waterglass.catalog.counting import Child, Counted, Job, count
from waterglass.catalog.entries import Entry, aged, going_fields, looked_in_fields, place, session_fields
from waterglass.catalog.kin import Kin, ties
from waterglass.catalog.memory import Memory
from waterglass.catalog.todo import Todo
from waterglass.catalog.touched import Touched
from waterglass.discover import Head, Scan, SessionRef, Unreadable, again, look_in
from waterglass.schema.layout import written

FIRST = 50  # sessions that are named before any flat agent is read
_BATCH = 200  # sessions that are named between two revisions
_WORKERS = 2
_WORTH = 24_000_000  # bytes left to count from which a process of its own pays: it takes 0.3 s to start
_IDLE_S = 2.0  # after so long without work a process ends
_PATIENCE_S = 1.0  # for a thread to end; one that reads a very long file ends with the process
_NAMING_S = 3.0  # for all sessions to be named: 6,000 take two
_FRESH_S = 2.0  # folders are not looked at again before


class Catalog:
    """Reads the sessions below `roots` (None: those of this machine's user) and hands out what it knows at any moment.

    `now` returns Unix milliseconds. `sample` is only passed on: these are the invented sessions.
    """

    def __init__(
        self, roots: Sequence[str] | None = None, now: Callable[[], int] | None = None, *, sample: bool = False
    ) -> None:
        self.sample = sample
        self._roots = list(roots) if roots else None
        self._now = now or (lambda: time.time_ns() // 1_000_000)
        self._looked_in = look_in(self._roots)
        self.roots = [place.path for place in self._looked_in]  # whether they are there or not
        self._changed = threading.Condition()  # guards all that follows
        self._refs: dict[str, SessionRef] = {}
        self._entries: dict[str, Entry] = {}
        self._unreadable: list[Unreadable] = []
        self._odd: dict[str, list[Unreadable]] = {}  # by session: files or a whole session that could not be read
        self._removed: list[tuple[int, str]] = []
        self._kin = Kin()
        self._revision = 0
        self._named = False  # every session has its head
        self._unplaced = False  # counts came in that may move a session to another project or chain
        self._todo = Todo()
        self.memory = Memory(() if sample else self.roots)  # what an earlier run saw; its `notes` are for a person
        self._rescan = False
        self._scanned_s = 0.0
        self._touched = Touched()
        self._closed = False
        self._quiet_s: float | None = 0.0
        self._threads: list[threading.Thread] = []
        self._children = [Child() for _ in range(_WORKERS)]

    # -- for whoever asks ---------------------------------------------------------------------------------------------

    def start(self, quiet_s: float | None = 0) -> None:
        """Begin to read, in threads that end with the process or with `close`.

        Counting waits `quiet_s` seconds, unless somebody waits for a count: a browser that is just starting needs the
        processors too, and its first page needs names alone. None: nothing is counted but what somebody waits for.
        """
        self._quiet_s = quiet_s
        self._threads = [threading.Thread(target=self._read, name="catalog", daemon=True)]
        for child in self._children:
            self._threads.append(threading.Thread(target=self._count, args=(child,), name="catalog count", daemon=True))
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stop reading, and end the processes that count."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for child in self._children:
            child.stop()
        for thread in self._threads:
            thread.join(timeout=_PATIENCE_S)
        self.memory.keep(few=True)

    def changed(self, sessions: Collection[str], others: bool = False) -> None:
        """Tell that the files of these sessions have changed, and with `others` that there may be more sessions.

        They are looked at while somebody looks at the list, and counted again the less often the longer they are.
        """
        with self._changed:
            self._touched.add(sessions, others or not self._refs.keys() >= set(sessions))
            self._changed.notify_all()

    def find(self, session: str) -> SessionRef | None:
        """Return a session by its id, with its files as they are now; None where none is (yet: it is looked for)."""
        with self._changed:
            ref = self._refs.get(session)
        found = again(ref) if ref is not None else None
        if found is None:  # it is new, or gone from where it was: an archive may have it
            with self._changed:
                self._touched.look(time.monotonic())
                self._changed.notify_all()
        return found

    def in_sight(self, session: str) -> list[SessionRef]:
        """Return the sessions to hold one against for shared history: few, since the heads of all tell which.

        While they are still being read this waits, three seconds at most: looking into thousands of files beside the
        thread that names them takes longer. After that, the sessions of the same folder stand for those without a name.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._named or self._closed, _NAMING_S)
            kin = self._kin if self._named else Kin(self._entries.values())
            return kin.in_sight(session, self._entries, self._refs, self._named)

    def snapshot(self, after: int | None = None, first: int | None = None) -> dict[str, Any]:
        """Return the document of `/api/sessions`: all that is known, or what changed since the revision `after`; with
        `first` the newest so many sessions alone.

        Asking for all has the folders looked at again if that was over two seconds ago; not complete until then."""
        now_ms = self._now()
        with self._changed:
            self._touched.ask(time.monotonic())
            whole = after is None and (first is None or first > len(self._refs))  # who has a part asks for all next
            self._rescan |= whole and self._complete() and time.monotonic() - self._scanned_s > _FRESH_S
            self._changed.notify_all()
            self._settle(now_ms)
            odd = self._unreadable + [file for files in self._odd.values() for file in files]
            return {
                "revision": self._revision,
                "complete": self._complete(),
                "sample": self.sample,
                **looked_in_fields(self._looked_in),
                "deleted": len(self.memory.deleted - self._refs.keys()),
                "going": going_fields(self._refs.values(), now_ms),
                "sessions": session_fields(self._entries.values(), after, now_ms, first),
                "unreadable": [{"path": file.path, "reason": file.reason} for file in dict.fromkeys(odd)],
                "removed": [id_ for revision, id_ in self._removed if after is not None and revision > after],
            }

    def wait(self, ids: Collection[str] | None = None, timeout: float | None = None) -> bool:
        """Wait until every session has its name (None), or until these are counted, which then come first; return
        whether that took no longer than `timeout` seconds."""
        with self._changed:
            if ids is None:
                return self._changed.wait_for(lambda: self._named or self._closed, timeout)
            self._todo.want(ids)
            self._changed.notify_all()
            wanted = set(ids)
            return self._changed.wait_for(lambda: self._closed or not self._open(wanted), timeout)

    def counted_bytes(self, ids: Collection[str]) -> int:
        """Return how many bytes of these sessions have been counted."""
        with self._changed:
            return sum(self._refs[id_].size for id_ in ids if id_ in self._refs and not self._open({id_}))

    # -- with the lock held -------------------------------------------------------------------------------------------
    def _open(self, ids: set[str]) -> bool:
        return not self._named or self._todo.holds(ids)

    def _complete(self) -> bool:
        return self._named and self._todo.empty and not self._rescan

    def _bump(self, entries: Collection[Entry]) -> None:
        if entries:
            self._revision += 1
            for entry in entries:
                entry.revision = self._revision

    def _settle(self, now_ms: int) -> None:
        """Bring up to date what changes without reading: chains, and sessions that have become idle."""
        if self._unplaced:
            self._unplaced = False
            self._bump(place(self._entries))
        self._bump(aged(self._entries.values(), now_ms))

    def _put(self, ref: SessionRef, head: Head) -> Entry | None:
        """Enter a session as its head tells; None where no file of it can be read."""
        self._odd.pop(ref.id, None)
        if head.unreadable:
            self._odd[ref.id] = head.unreadable
        if len(head.unreadable) == len(ref.files):
            self._drop(ref.id)
            return None
        entry = self._entries.get(ref.id)
        if entry is None:
            entry = Entry(ref, head, 0, project=head.project, continues=head.continues, group=ref.id)
            self._entries[ref.id] = entry
        entry.ref, entry.head, entry.state_until = ref, head, 0
        return entry

    def _drop(self, session: str) -> None:
        self._touched.forget(session)
        if self._entries.pop(session, None) is not None:
            self._revision += 1
            self._removed.append((self._revision, session))

    def _take(self) -> tuple[Job, bool] | None:
        """Take the next session from the queue, and whether to count it in a process of its own."""
        heavy = self._todo.left > _WORTH
        id_ = self._todo.take()
        if id_ is None:
            return None
        entry = self._entries.get(id_)
        if entry is None:
            self._todo.done(id_)
            return None
        return Job(entry.ref, self._kin.of(entry, self._refs)), heavy

    def _enter(self, job: Job, counted: Counted) -> None:
        self._todo.done(job.ref.id)
        entry = self._entries.get(job.ref.id)
        if entry is not None:  # its files may have changed since: the count holds until the next
            if counted.listing is not None:
                self._unplaced = self._unplaced or entry.moved_by(counted.listing)
                entry.counts, entry.state_until = counted.listing, 0
                if entry.ref is job.ref:
                    self.memory.counted(job.ref, entry.head, job.related, counted.listing)
            elif entry.ref is job.ref:
                odd = Unreadable(written(job.ref.path), counted.failure or "could not be counted")
                self._odd.setdefault(job.ref.id, []).append(odd)
            self._bump([entry])
        self._changed.notify_all()

    # -- the thread that looks and names ------------------------------------------------------------------------------

    def _read(self) -> None:
        self.memory.load()
        scan = Scan(self._looked_in)
        found = scan.discovery()
        fresh = self._name(found.sessions[:FIRST])
        while True:
            if scan.assign_flat():
                found = scan.discovery()
            with self._changed:
                self._refs = {ref.id: ref for ref in found.sessions}
                self._unreadable = found.unreadable
            self._queue_up(fresh | self._name(found.sessions))
            with self._changed:
                self._scanned_s = time.monotonic()
                self._rescan = False
                self._changed.notify_all()
            while touched := self._next():
                self._update(touched)
            with self._changed:
                if self._closed:
                    return
                self._touched.scanned()
            scan = Scan(self._looked_in)
            fresh, found = set(), scan.discovery()

    def _next(self) -> set[str]:
        """Wait for something to do and return the sessions to look at again; none: walk through the folders, or end."""
        with self._changed:
            while not self._closed and not self._rescan:
                now = time.monotonic()
                if self._touched.scan_is_due(now, self._scanned_s):
                    break
                self._queue_some([id_ for id_ in self._touched.late(now) if id_ in self._entries])
                if taken := self._touched.take(now):
                    return taken
                self._changed.wait(self._touched.wait(now))
            return set()

    def _update(self, ids: Collection[str]) -> None:
        """Look at some sessions again; one that is gone has the folders walked through."""
        with self._changed:
            refs = [self._refs[id_] for id_ in ids if id_ in self._refs]
            heads = {ref.id: self._entries[ref.id].head for ref in refs if ref.id in self._entries}
        found = [now for ref in refs if (now := again(ref)) is not None]
        fresh = self._name(found)
        with self._changed:
            self._touched.add((), len(found) < len(refs))
            entries = [self._entries[id_] for id_ in fresh if id_ in self._entries]
            if any(e.ref.id not in heads or ties(e.head) != ties(heads[e.ref.id]) for e in entries):
                self._kin = Kin(self._entries.values())
                self._unplaced = True
            self._queue_some([e.ref.id for e in entries if self._touched.count(e.ref.id, e.ref.size, time.monotonic())])

    def _queue_some(self, ids: Collection[str]) -> None:
        if self._todo.add({id_: self._entries[id_].ref.size for id_ in ids}):
            self._changed.notify_all()

    def _name(self, refs: Sequence[SessionRef]) -> set[str]:
        """Read the heads of those that are new or have changed, and return their ids."""
        with self._changed:
            known = {id_: entry.ref for id_, entry in self._entries.items()}
            self._refs.update({ref.id: ref for ref in refs})
        fresh = [ref for ref in refs if known.get(ref.id) != ref]
        for start in range(0, len(fresh), _BATCH):
            heads = [(ref, self.memory.head(ref)) for ref in fresh[start : start + _BATCH]]
            with self._changed:
                if self._closed:
                    break
                self._bump([entry for entry in (self._put(ref, head) for ref, head in heads) if entry is not None])
                if not known:
                    self._bump(place(self._entries))  # the first that are shown have their projects at once
        return {ref.id for ref in fresh}

    def _queue_up(self, fresh: set[str]) -> None:
        """Have these counted, newest first, and let go of what is no longer there."""
        with self._changed:
            for id_ in self._entries.keys() - self._refs.keys():
                self._drop(id_)
            self._odd = {id_: files for id_, files in self._odd.items() if id_ in self._refs}
            entries = [self._entries[id_] for id_ in fresh if id_ in self._entries]
            entries.sort(key=lambda entry: (-entry.last_ms, entry.ref.id))
            self._kin = Kin(self._entries.values())
            known, unknown = self.memory.recall(entries, self._kin, self._refs)
            self._todo.begin({entry.ref.id: entry.ref.size for entry in unknown}, self._entries)
            self._bump([*known, *place(self._entries)])
            self._named = True
            self._changed.notify_all()

    # -- the threads that count ---------------------------------------------------------------------------------------

    def _has_work(self) -> bool:
        todo = self._todo
        return self._closed or (self._named and (todo.urgent if self._quiet_s is None else todo.ready))

    def _count(self, child: Child) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._todo.urgent, self._quiet_s)
        try:
            while True:
                with self._changed:
                    pause_s = _IDLE_S if child.runs else None
                    ready = self._changed.wait_for(self._has_work, pause_s)
                    if self._closed:
                        return
                    taken = self._take() if ready else None
                if not ready:
                    child.close()
                elif taken is not None:
                    job, heavy = taken
                    counted = child.count(job, self._now()) if heavy or child.runs else count(job, self._now())
                    with self._changed:
                        self._enter(job, counted)
                        few = self._todo.empty
                    self.memory.keep(few=few)
        finally:
            child.close()
