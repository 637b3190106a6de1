"""`waterglass index`: bring the index of all sessions up to date, say what it holds, or remove it."""

from __future__ import annotations

import time
from datetime import datetime
from typing import TYPE_CHECKING

import click

from waterglass.cli.options import config_option, root_option, window_option
from waterglass.cli.terminal import size, visible
from waterglass.cli.updating import SOON_S, Bar, bring_up_to_date, found_sessions, keep_texts_as_set, note
from waterglass.errors import UsageError, WaterglassError

if TYPE_CHECKING:
    from waterglass.index import Status, Store, Updated

_PATIENCE_S = 600.0  # for another process that is writing: this command is there to have it written


@click.command()
@root_option
@window_option
@config_option
@click.option("--status", "wants_status", is_flag=True, help="Say what the index holds, and whether it is whole.")
@click.option("--clear", "wants_clear", is_flag=True, help="Remove the index; it is made again when it is needed.")
def command(
    roots: list[str] | None, window: int | None, config: str | None, wants_status: bool, wants_clear: bool
) -> None:
    """Bring the index for search and statistics up to date.

    It lies in your cache folder and can be removed at any time. It holds the words of your transcripts and where they
    stand: as secret as the transcripts themselves.
    """
    if wants_status and wants_clear:
        raise UsageError("--status and --clear do not go together", hint="one of them")
    if wants_clear:
        _clear()
    elif wants_status:
        _status(roots)
    else:
        _update(roots)


def _clear() -> None:
    from waterglass.archive.kept import drop_texts
    from waterglass.index import clear

    gone = clear()
    if drop_texts():
        gone.append("the texts that were kept of transcripts")
    click.echo(f"removed: {', '.join(gone)}" if gone else "there is no index")


def _update(roots: list[str] | None) -> None:
    from waterglass.index import using
    from waterglass.metrics.result import counted
    from waterglass.stats import gather

    discovery = found_sessions(roots)
    keep_texts_as_set(discovery)

    def work(store: Store) -> str | None:
        begun = bring_up_to_date(store, discovery, _PATIENCE_S, texts=False)  # counting needs to know the sessions
        patience_s = SOON_S if begun.busy else _PATIENCE_S  # once is enough
        updates: list[Updated] = []
        with Bar("counting") as bar:
            gather(
                store,
                discovery,
                bar.of,
                patience_s=patience_s,
                meanwhile=lambda: updates.append(bring_up_to_date(store, discovery, patience_s)),
            )
        if store.temporary:
            return None
        done = updates[0]
        state = "is not up to date" if done.waiting else "is up to date"
        return f"read {counted(done.files, 'file')} ({size(done.bytes)}); the index {state}: {visible(store.path)}"

    told = using(work)
    click.echo(told or "nothing was kept")
    if told is None:
        click.get_current_context().exit(WaterglassError.exit_code)


def _status(roots: list[str] | None) -> None:
    from waterglass.archive.kept import kept_texts
    from waterglass.discover import discover
    from waterglass.index import KEPT_DAYS, SOON_DAYS, has_index, status, using

    if not has_index():
        click.echo("there is no index yet; `waterglass index` makes it")
        return
    now_ms = time.time_ns() // 1_000_000
    discovery = discover(roots)

    def work(store: Store) -> Status:
        for text in store.notes:
            note(text)
        return status(store, discovery, now_ms)

    told = using(work)
    click.echo(f"index     {visible(told.path)}, {size(told.size)}")
    click.echo(f"sessions  {told.sessions:,}" + (f", {told.deleted:,} of them deleted" if told.deleted else ""))
    click.echo(f"files     {told.files:,}, {told.to_read:,} new or changed since")
    hidden = f", and {told.hidden:,} hidden of texts that are gone or were replaced" if told.hidden > 0 else ""
    click.echo(f"records   {told.records:,}{hidden}")
    if (kept := kept_texts(discovery)) is not None:
        click.echo(
            f"kept      {size(kept.bytes)} of texts, as the setting keep_text says, in {visible(kept.folder)}:"
            f" {kept.deleted:,} of the sessions are read from there, their transcripts deleted. Whoever can read your"
            " files can read them; `waterglass index --clear` removes them."
        )
    if told.next_ms is not None:
        when = datetime.fromtimestamp(told.next_ms / 1000).strftime("%Y-%m-%d")
        click.echo(
            f"Claude Code deletes transcripts {KEPT_DAYS} days after they were last written, unless its setting"
            f" cleanupPeriodDays says otherwise: about {told.going:,} sessions within {SOON_DAYS} days, the first about"
            f" {when}. `waterglass archive` keeps copies."
        )
