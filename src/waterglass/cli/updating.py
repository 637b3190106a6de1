"""Bringing the index up to date before a command uses it: with a bar where it takes long, and its notes on stderr."""

from __future__ import annotations

import os
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING

import click

from waterglass.cli.list import since_ms
from waterglass.cli.options import given_table
from waterglass.cli.progress import Line
from waterglass.cli.settings import nearest_table, speaks_for
from waterglass.cli.terminal import visible
from waterglass.errors import WaterglassError

if TYPE_CHECKING:
    from waterglass.discover import Discovery
    from waterglass.index import Store, Updated
    from waterglass.session import Session

STOPPED = "stopped; what was done is kept"
SOON_S = 2.0  # that another process is waited for without a word


def span(ctx: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    """Return the milliseconds of a span such as `7d`, None without one. Raises click.BadParameter."""
    return None if value is None else since_ms(value)


def note(text: str) -> None:
    """Say something on stderr."""
    click.echo(f"waterglass: {visible(text)}", err=True)


def note_unread(session: Session) -> None:
    """Say on stderr which files of a session could not be read: what follows is told without them."""
    for problem in session.unread:
        note(f"{session.id}: {problem.file}: {problem.message}")


def found_sessions(roots: list[str] | None) -> Discovery:
    """Return the sessions below the roots; say which of the given folders are not there. Raises WaterglassError where
    there is none."""
    from waterglass.discover import discover, nothing_found
    from waterglass.schema.layout import written

    discovery = discover(roots)
    if not discovery.sessions:
        raise nothing_found(discovery)
    for place in discovery.looked_in:
        if roots and not place.exists:
            note(f"no such folder: {written(place.path)}")
    return discovery


def keep_texts_as_set(discovery: Discovery) -> None:
    """Keep the texts of the sessions for which the setting `keep_text` is true; remove all that is kept where the file
    named by `--config` says false.

    Without `--config` the settings file of the current folder speaks for the sessions of its project. Raises
    click.BadParameter, WaterglassError.
    """
    keep = text_keeper()
    if keep is not None:
        with Bar("keeping texts") as bar:
            for text in keep(discovery, bar.of):
                note(text)


def text_keeper() -> Callable[[Discovery, Callable[[int, int], None] | None], list[str]] | None:
    """Return what keeps or removes texts as the settings files say now, and answers what a person should know of it;
    None where they say nothing. Raises click.BadParameter."""
    table = given_table()
    for_all = table is not None
    own = table or nearest_table(os.getcwd())
    keep = own.values.get("keep_text") if own is not None else None
    if own is None or keep is None:
        return None
    if not isinstance(keep, bool):
        raise click.BadParameter(f"{own.path}: keep_text is true or false")

    def kept(discovery: Discovery, progress: Callable[[int, int], None] | None) -> list[str]:
        from waterglass.archive.kept import keep_texts

        try:
            done = keep_texts(discovery, lambda ref: for_all or speaks_for(own, ref.project), progress)
        except WaterglassError as error:  # another process keeps them, or the disk is full: no reason to find nothing
            return [f"the texts of transcripts are not kept this time: {error.what}"]
        return [f"not kept: {file.path} ({file.reason})" for one in done for file in one.failed]

    def dropped(discovery: Discovery, progress: Callable[[int, int], None] | None) -> list[str]:
        from waterglass.archive.kept import drop_texts

        return ["keep_text is false: the texts that were kept of transcripts are removed"] if drop_texts() else []

    return kept if keep else dropped if for_all else None


def bring_up_to_date(store: Store, discovery: Discovery, patience_s: float = SOON_S, *, texts: bool = True) -> Updated:
    """Update the index, without `texts` the sessions alone, and say what a person should know of it, once each.

    Another process that is writing is waited for, `patience_s` seconds at most.
    """
    from waterglass.index import update

    def updated(patience_s: float) -> Updated:
        with Bar("indexing") as bar:
            return update(store, discovery, bar.of, patience_s=patience_s, texts=texts)

    while store.notes:
        note(store.notes.pop(0))
    done = updated(min(patience_s, SOON_S))
    if done.busy and patience_s > SOON_S:
        note(f"another process is writing the index: waiting for its end, {patience_s / 60:.0f} minutes at most")
        done = updated(patience_s)
    if done.deleted:
        many, whose = (
            ("1 session is", "its transcript")
            if done.deleted == 1
            else (f"{done.deleted:,} sessions are", "their transcripts")
        )
        note(f"{many} gone, {whose} deleted; all that is known but the text stays")
    if done.waiting:
        files = "1 new or changed file is" if done.waiting == 1 else f"{done.waiting:,} new or changed files are"
        note(f"another process is writing the index: {files} not in it yet")
    for file in done.unread:
        note(f"could not be read: {file.path} ({file.reason})")
    return done


class Bar(Line):
    """Says of a work how much is done, and where it is stopped that this is kept."""

    def __init__(self, verb: str) -> None:
        super().__init__()
        self._verb = verb

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        super().__exit__(kind, error, at)
        noted = getattr(error, "__notes__", ())  # by a work within this one
        if isinstance(error, KeyboardInterrupt) and STOPPED not in noted:
            error.add_note(STOPPED)

    def of(self, done: int, total: int) -> None:
        """Show that `done` of `total` bytes are done."""
        if total:
            self.show(f"{self._verb} {done * 100 // total} % (Ctrl-C keeps what is done)")
