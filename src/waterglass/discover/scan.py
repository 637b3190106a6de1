"""Walk the roots for names, places and sizes; of the files only the first bytes of flat agents are read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from msgspec import Struct

from waterglass.discover.packedcopies import Seen, plain_of, without_copies
from waterglass.discover.peek import read_owner
from waterglass.discover.refs import Discovery, LookedIn, SessionRef, TranscriptFile, Unreadable
from waterglass.discover.roots import Roots, look_in
from waterglass.schema.layout import AGENTS_FOLDER, agent_id, session_id, sidecar_name, stem, written


def discover(roots: Roots | None = None) -> Discovery:
    """Find every session below `roots`, a folder or several (default: this machine's user's), newest file first.

    Never fails: folders that are missing stand in `looked_in`, what cannot be read in `unreadable`.
    """
    scan = Scan(look_in(roots))
    scan.assign_flat()
    return scan.discovery()


def discover_folder(folder: str) -> Discovery:
    """Find the sessions of one project folder alone."""
    scan = Scan([])
    scan.add_folder(folder, folder)
    scan.looked_in = [LookedIn(folder, os.path.isdir(folder))]
    scan.assign_flat()
    return scan.discovery()


def again(ref: SessionRef) -> SessionRef | None:
    """Look at the files of one session anew, with agents that came since; None where all are gone.

    A flat agent that came since is not seen: only a walk over its whole folder would tell whose it is.
    """
    scan = Scan([])
    scan.add_session(ref)
    found = scan.discovery().sessions
    return found[0] if found else None


class _Gathered(Struct):
    root: str
    folders: dict[str, None]
    mains: list[Seen]
    agents: list[Seen]


class Scan:
    """One walk.

    Flat agents (`agent-*.jsonl` in a project folder) name their session only inside. Reading them is a step of its own,
    `assign_flat`, so that a list can show its newest sessions before it.
    """

    def __init__(self, places: list[LookedIn]) -> None:
        self.looked_in = places
        self.unreadable: list[Unreadable] = []
        self._gathered: dict[str, _Gathered] = {}
        self._unread: dict[str, list[Unreadable]] = {}  # those of `unreadable` that belong to a known session
        self._flat: list[tuple[str, str, Seen]] = []
        self._folders: set[tuple[int, int]] = set()  # identities of project folders: one real path counts once
        self._linked: set[tuple[int, int]] = set()  # identities of files with several names: one counts once
        for place in places:
            if place.exists:
                for folder in self._project_folders(place.path):
                    self.add_folder(place.path, folder)

    def _project_folders(self, root: str) -> Iterator[str]:
        top = os.path.realpath(root)
        for entry in self._entries(root):
            try:
                if not entry.is_dir():
                    continue
                if entry.is_symlink():
                    real = os.path.realpath(entry.path)
                    if top == real or top.startswith(os.path.join(real, "")):
                        continue  # it points upward: what lies there are other folders, not a project's transcripts
            except OSError as error:
                self.unreadable.append(Unreadable.of(entry.path, error))
                continue
            yield entry.path

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                return sorted(entries, key=lambda e: e.name)
        except FileNotFoundError:
            return []  # it vanished since it was seen
        except OSError as error:
            self.unreadable.append(Unreadable.of(folder, error))
            return []

    def add_folder(self, root: str, folder: str) -> None:
        """Add what lies in one project folder."""
        try:
            status = os.stat(folder)
        except OSError:
            return
        if (status.st_dev, status.st_ino) in self._folders:
            return
        self._folders.add((status.st_dev, status.st_ino))
        entries = self._entries(folder)
        names = {entry.name for entry in entries}
        for entry in entries:
            name = entry.name
            if _is_folder(entry):
                self._add_agents(root, folder, written(name), os.path.join(entry.path, AGENTS_FOLDER))
            elif (session := session_id(name)) is not None:
                before = len(self.unreadable)
                if file := self._file(entry, None, names):
                    self._session(session, root, folder).mains.append(file)
                self._note_unread(session, before)
            elif (agent := agent_id(name)) is not None and (file := self._file(entry, agent, names)):
                self._flat.append((root, folder, file))

    def add_session(self, ref: SessionRef) -> None:
        """Add the files of one known session as they are now."""
        below = os.sep + AGENTS_FOLDER + os.sep
        tops: dict[str, str] = {}  # folders of agents, and the project folders that they lie in
        for file in ref.files:
            folder = os.path.dirname(file.path)
            if file.kind == "main":
                if ref.id not in (os.curdir, os.pardir):  # no folder of that name belongs to a session
                    tops[os.path.join(stem(file.path), AGENTS_FOLDER)] = folder
            elif folder not in ref.folders:
                session_folder = file.path[: file.path.index(below)]
                tops[os.path.join(session_folder, AGENTS_FOLDER)] = os.path.dirname(session_folder)
                continue
            try:
                status = os.lstat(file.path)
            except OSError:
                continue
            if stat.S_ISREG(status.st_mode):
                found, before = self._session(ref.id, ref.root, folder), len(self.unreadable)
                group = found.mains if file.kind == "main" else found.agents
                if seen := self._seen(file.path, file.agent_id, status, file.sidecar):
                    group.append(seen)
                self._note_unread(ref.id, before)
        for top, folder in tops.items():
            self._add_agents(ref.root, folder, ref.id, top)

    def _add_agents(self, root: str, folder: str, session: str, top: str) -> None:
        """Add the agents of one session, at any depth, without following links."""
        before = len(self.unreadable)
        self._walk_agents(root, folder, session, top)
        self._note_unread(session, before)

    def _note_unread(self, session: str, before: int) -> None:
        if len(self.unreadable) > before:
            self._unread.setdefault(session, []).extend(self.unreadable[before:])

    def _walk_agents(self, root: str, folder: str, session: str, top: str) -> None:
        try:
            if not stat.S_ISDIR(os.lstat(top).st_mode):
                return
        except OSError as error:
            if not isinstance(error, (FileNotFoundError, NotADirectoryError)):
                self.unreadable.append(Unreadable.of(top, error))
            return
        todo = [top]
        while todo:
            entries = self._entries(todo.pop())
            names = {entry.name for entry in entries}
            for entry in entries:
                if _is_folder(entry):
                    todo.append(entry.path)
                elif (agent := agent_id(entry.name)) is not None and (file := self._file(entry, agent, names)):
                    self._session(session, root, folder).agents.append(file)

    def _file(self, entry: os.DirEntry[str], agent: str | None, names: set[str]) -> Seen | None:
        try:
            if not entry.is_file(follow_symlinks=False):
                return None
            status = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return None  # it vanished since it was seen
        except OSError as error:
            self.unreadable.append(Unreadable.of(entry.path, error))
            return None
        if not os.access(entry.path, os.R_OK):
            self.unreadable.append(Unreadable(written(entry.path), "permission denied"))
            return None
        if status.st_nlink > 1:
            if (status.st_dev, status.st_ino) in self._linked:
                return None
            self._linked.add((status.st_dev, status.st_ino))
        sidecar = sidecar_name(entry.name) if agent is not None else ""
        beside = os.path.join(os.path.dirname(entry.path), sidecar) if sidecar in names else None
        return self._seen(entry.path, agent, status, beside)

    def _seen(self, path: str, agent: str | None, status: os.stat_result, sidecar: str | None) -> Seen | None:
        try:
            seal = plain_of(path)
        except FileNotFoundError:
            return None
        except OSError as error:
            self.unreadable.append(Unreadable.of(path, error))
            return None
        return Seen(path, agent, status.st_mtime_ns, seal.size if seal is not None else status.st_size, sidecar, seal)

    def _session(self, session: str, root: str, folder: str) -> _Gathered:
        found = self._gathered.setdefault(session, _Gathered(root, {}, [], []))
        found.folders[folder] = None
        return found

    def assign_flat(self) -> bool:
        """Read whose each flat agent is; return whether there is any. One without its session makes one of its own."""
        some = bool(self._flat)
        for root, folder, file in self._flat:
            try:
                session = read_owner(file.path)
            except FileNotFoundError:
                continue
            except OSError as error:
                self.unreadable.append(Unreadable.of(file.path, error))
                continue
            if session is None:
                self.unreadable.append(Unreadable(written(file.path), "an agent's file that names no session"))
            else:
                self._session(session, root, folder).agents.append(file)
        self._flat.clear()
        return some

    def discovery(self) -> Discovery:
        """Return what was found up to here, newest file first."""
        sessions = [
            _ref(session, found, tuple(self._unread.get(session, ())))
            for session, found in self._gathered.items()
            if found.mains or found.agents
        ]
        sessions.sort(key=lambda ref: (-ref.modified_ms, ref.id))
        return Discovery(sessions, list(self.unreadable), list(self.looked_in))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _ref(session: str, found: _Gathered, unread: tuple[Unreadable, ...]) -> SessionRef:
    files: list[TranscriptFile] = []
    used: set[str] = set()
    numbers: dict[str, int] = {}  # by name: the last one that was given
    for kind, group in (("main", found.mains), ("agent", found.agents)):
        for file in sorted(without_copies(group), key=lambda f: f.path):
            name = file.agent_id if file.agent_id is not None else "main"
            key, number = name, numbers.get(name, 1)
            while key in used:
                number += 1
                key = f"{name}#{number}"
            used.add(key)
            numbers[name] = number
            ms = file.modified_ns // 1_000_000
            files.append(TranscriptFile(file.path, key, kind, file.size, file.sidecar, file.agent_id, ms))
    return SessionRef(
        session,
        found.root,
        tuple(found.folders),
        tuple(files),
        sum(file.size for file in files),
        max(file.modified_ms for file in files),
        unread,
    )
