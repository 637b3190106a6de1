"""`waterglass archive`: keep compressed copies of transcripts before Claude Code deletes them."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

import click

from waterglass.cli.options import config_option, root_option, window_option
from waterglass.cli.terminal import size, visible, visible_json
from waterglass.cli.updating import Bar, found_sessions, note, span

if TYPE_CHECKING:
    from waterglass.archive import Archived

_MOST_SAID = 20  # files that could not be kept, or would be copied, are named one by one up to here


@click.command()
@root_option
@window_option
@config_option
@click.option("--to", "target", metavar="DIR", required=True, help="The archive's folder; it is made if there is none.")
@click.option("--since", metavar="SPAN", callback=span, help="Only sessions written to in this span: 30m, 12h, 7d, 2w.")
@click.option("--dry-run", is_flag=True, help="Say what would be copied, and write nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    roots: list[str] | None,
    window: int | None,
    config: str | None,
    target: str,
    since: int | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Keep compressed copies of transcripts, with everything that belongs to them.

    Only what is new or has grown is copied; each copy is read back before it counts. The transcripts are not touched,
    and nothing in the archive is ever deleted. Its folder is a --root like any other.

    \b
    waterglass archive --to ~/claude-archive
    waterglass list --root ~/.claude/projects --root ~/claude-archive
    """
    from waterglass.archive import archive

    discovery = found_sessions(roots)
    oldest = time.time_ns() // 1_000_000 - since if since is not None else None
    with Bar("archiving") as bar:
        done = archive(discovery, target, since_ms=oldest, dry_run=dry_run, progress=bar.of)
    if as_json:
        _print_json(done)
    else:
        _print(done)
    for file in done.failed[:_MOST_SAID]:
        note(f"not kept: {file.path} ({file.reason})")
    if len(done.failed) > _MOST_SAID:
        note(f"not kept: {len(done.failed) - _MOST_SAID:,} more")
    if done.failed:
        click.get_current_context().exit(1)


def _print_json(done: Archived) -> None:
    import msgspec

    sys.stdout.flush()
    sys.stdout.buffer.write(visible_json(msgspec.json.encode(done)) + os.linesep.encode())


def _print(done: Archived) -> None:
    plain = sum(file.bytes for file in done.copied)
    files = "1 file" if len(done.copied) == 1 else f"{len(done.copied):,} files"
    sessions = len({file.session for file in done.copied})
    of = f"{files} of {sessions:,} session{'s' * (sessions != 1)}"
    rest = f"{done.up_to_date:,} up to date, {len(done.failed):,} not kept"
    if done.dry_run:
        for file in done.copied[:_MOST_SAID]:
            click.echo(f"would copy {visible(file.path)} ({size(file.bytes)})")
        if len(done.copied) > _MOST_SAID:
            click.echo(f"would copy {len(done.copied) - _MOST_SAID:,} more")
        click.echo(f"would copy {of}, {size(plain)}; {rest}")
        return
    packed = sum(file.packed_bytes or 0 for file in done.copied)
    kept = f", {size(plain)} as {size(packed)}" if done.copied else ""
    click.echo(f"copied {of}{kept}; {rest}: {visible(done.to)}")
