"""What `waterglass export` works on and with: sessions here and elsewhere, processes and clusters."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from waterglass.cli.updating import found_sessions
from waterglass.discover import resolve
from waterglass.errors import UsageError, WaterglassError
from waterglass.export import Source, all_sources
from waterglass.private import private_folder
from waterglass.remote import Mirror, is_url, local_path, mirror, mirror_of_session, shown

if TYPE_CHECKING:
    from waterglass.crew import Crew

_FEW_BYTES = 32 << 20  # of transcripts: below, starting processes takes longer than they save


class Found(NamedTuple):
    """The sessions to export, and the files that could not be read with the reasons."""

    sources: list[Source]
    unread: list[tuple[str, str]]


class Asked(NamedTuple):
    """How an export is to be done."""

    form: str
    target: str
    workers: int | None
    dask: str | None


@contextmanager
def sources_of(names: Sequence[str], roots: list[str] | None) -> Iterator[Found]:
    """The sessions of these names, without any all of them; what lies elsewhere in mirrors that are gone at the end.

    Raises WaterglassError where there is none.
    """
    with private_folder() as folder:
        mirrors: list[Mirror] = []
        here = [_here(root, folder, mirrors) for root in roots or ()] or None
        if not names:
            discovery = found_sessions(here)
            sources, odd = all_sources(discovery, mirrors), discovery.unreadable
        else:
            sources = [_named(name, here, folder, mirrors) for name in names]
            odd = [file for source in sources for file in source.ref.unread]
        unread = [(_real(file.path, mirrors), file.reason) for file in dict.fromkeys(odd)]
        yield Found(sources, [*unread, *(file for found in mirrors for file in found.unread)])


def _here(root: str, folder: Path, mirrors: list[Mirror]) -> str:
    """Return the folder to look in for a root: of one that lies elsewhere, a mirror."""
    path = local_path(root) or root
    if not is_url(path):
        return path
    top = folder / str(len(mirrors))
    top.mkdir()
    found = mirror(path, top)
    if not any(name.endswith((".jsonl", ".jsonl.gz")) for name in found.files):
        raise WaterglassError("no session found", shown(path), "--root URL of a folder of project folders")
    mirrors.append(found)
    return found.top


def _named(name: str, roots: list[str] | None, folder: Path, mirrors: list[Mirror]) -> Source:
    path = local_path(name) or name
    if is_url(path):
        top = folder / str(len(mirrors))
        top.mkdir()
        found, path = mirror_of_session(path, top)
        mirrors.append(found)
    ref, discovery = resolve(path, roots, os.getcwd())
    if name == "latest":
        click.echo(f"latest is {ref.id}", err=True)
    return Source(ref, discovery.sessions, tuple(mirrors))


def _real(path: str, mirrors: Sequence[Mirror]) -> str:
    return next((found.real(path) for found in mirrors if path.startswith(found.top)), path)


@contextmanager
def crew_for(asked: Asked, found: Found) -> Iterator[Crew | None]:
    """Who makes the tables; None for this process alone. Raises WaterglassError."""
    from waterglass.crew import processes, processors
    from waterglass.export.cluster import dask

    if asked.form != "parquet":
        yield None
        return
    ours_alone = any(place.startswith("memory:") for place in (asked.target, *_addresses(found)))
    if ours_alone and (asked.dask is not None or (asked.workers or 1) > 1):
        raise UsageError("memory:// is this process's own, so no other can read or write it", hint="--workers 1")
    if asked.dask is not None:
        with dask(asked.dask) as crew:
            yield crew
        return
    most = min(asked.workers or processors(), len(found.sources))
    few = asked.workers is None and sum(source.ref.size for source in found.sources) < _FEW_BYTES
    yield None if most == 1 or few or ours_alone else processes(most)


def _addresses(found: Found) -> set[str]:
    return {place.url for source in found.sources for place in source.mirrors}
