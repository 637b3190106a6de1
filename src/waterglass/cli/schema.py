"""`waterglass schema`: which records and fields the transcripts of this machine hold."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import click

from waterglass.cli.options import config_option, root_option, window_option
from waterglass.cli.progress import Line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waterglass.discover import Discovery, TranscriptFile
    from waterglass.model import Coverage
    from waterglass.schema.observed import Observed

BETWEEN_S = 0.2


@click.command()
@root_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--payload", is_flag=True, help="Print the JSON Schema of the payload (`show --json`) instead.")
@click.option("--events", is_flag=True, help="Print the JSON Schema of an event (`export --to jsonl`) instead.")
@window_option
@config_option
def command(
    roots: list[str] | None, as_json: bool, payload: bool, events: bool, window: int | None, config: str | None
) -> None:
    """Show which record types, blocks, fields and tools the transcripts hold, with counts and versions.

    Reads every line of every session below the roots and keeps counters only. Names of fields and tools are shown,
    contents are not. With --payload or --events it reads nothing and prints the form of what Waterglass itself writes.
    """
    if payload or events:
        if payload and events:
            raise click.UsageError("--payload and --events are two documents: give one of them")
        _print_schema(payload)
        return
    from waterglass.cli.collector import without_collector

    with without_collector():
        document = survey(roots)
    if as_json:
        from waterglass.cli.terminal import visible_json
        from waterglass.schema.json import encode

        sys.stdout.buffer.write(visible_json(encode(document)) + b"\n")
        return
    from waterglass.cli.schematables import print_tables

    print_tables(document, sys.stdout)


def _print_schema(payload: bool) -> None:
    from waterglass.payload.json_schema import events_schema, payload_schema, text_of

    click.echo(text_of(payload_schema() if payload else events_schema()), nl=False)


def survey(roots: list[str] | None) -> dict[str, Any]:
    """Read all sessions below `roots` and return the document. Raises WaterglassError where there is none."""
    from waterglass.discover import discover, nothing_found
    from waterglass.schema.inventory import inventory
    from waterglass.schema.layout import written
    from waterglass.schema.observed import Observed

    discovery = discover(roots)
    if not discovery.sessions:
        raise nothing_found(discovery)
    observed = Observed()
    coverage, partial_tails, unread = _read_all(discovery, observed)
    kinds = [file.kind for session in discovery for file in session.files]
    unreadable = [{"path": place.path, "reason": place.reason} for place in discovery.unreadable]
    return {
        "roots": [written(root) for root in discovery.roots],
        "sessions": len(discovery),
        "files": {"main": kinds.count("main"), "agent": kinds.count("agent")},
        **inventory(observed, coverage, partial_tails, _semantic(observed)),
        "unreadable": unreadable + unread,
    }


def _read_all(discovery: Discovery, observed: Observed) -> tuple[Coverage, int, list[dict[str, str]]]:
    from waterglass.errors import WaterglassError
    from waterglass.model import Coverage
    from waterglass.read import RecordReader
    from waterglass.schema.layout import written

    total, partial_tails = Coverage(), 0
    unread: list[dict[str, str]] = []
    with _Progress(sum(session.size for session in discovery)) as progress:
        for file in (file for session in discovery for file in session.files):
            reader = RecordReader(file.path, file.key)
            try:
                for record in _objects(file, reader, progress):
                    observed.record(record)
            except (WaterglassError, OSError) as error:
                reason = error.what if isinstance(error, WaterglassError) else str(error.strerror)
                unread.append({"path": written(file.path), "reason": reason})
            observed.end_file()
            total = total + reader.coverage + reader.tail
            partial_tails += reader.tail.partial_tail
            progress.done(file.size)
    return total, partial_tails, unread


def _objects(file: TranscriptFile, reader: Any, progress: _Progress) -> Iterator[dict[str, Any]]:
    """Yield the records of a file as plain objects, each from the place where the reader found it.

    So every line is decoded twice; in return what is a record, what was mended and what was skipped are exactly what
    they are everywhere else.
    """
    from io import BufferedReader

    from waterglass.read import open_transcript
    from waterglass.schema.bodies import record_object

    with BufferedReader(open_transcript(file.path), 1 << 20) as body:
        for _, offset, length, _, _ in reader:
            body.seek(offset)
            record = record_object(body.read(length))
            if record is not None:
                yield record
            progress.at(offset)


def _semantic(observed: Observed) -> dict[str, int]:
    """Return the calls of tools that search by meaning, by name."""
    from waterglass.classify import classify

    names = ((name, tally.count) for name, tally in observed.tools.ranked())
    return {name: count for name, count in names if classify(name, {}, None).category == "semantic"}


class _Progress(Line):
    """Says how much is read."""

    def __init__(self, total: int) -> None:
        super().__init__()
        self.total = total
        self.before = 0  # bytes of the files that are done
        self.next_s = time.monotonic()

    def at(self, offset: int) -> None:
        """Say that the file at hand is read up to `offset`. It is asked of every record."""
        if (now := time.monotonic()) >= self.next_s:
            from waterglass.cli.terminal import size

            self.next_s = now + BETWEEN_S
            self.show(f"Reading {size(self.before + offset)} of {size(self.total)}")

    def done(self, length: int) -> None:
        """Say that a file of that many bytes is read."""
        self.before += length
