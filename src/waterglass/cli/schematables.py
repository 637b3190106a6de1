"""The document of `waterglass schema` as tables for a terminal."""

from __future__ import annotations

import shutil
from typing import Any, Literal, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from waterglass.cli.console import TableConsole
from waterglass.cli.terminal import size, visible, wants_colour

TOOLS = 40  # shown in a terminal; --json has all
UNREADABLE = 10
_PIPED = 160  # columns where no terminal says how many there are
_VERDICTS = {"yes": "green", "partly": "yellow", "no": "red", "not seen here": "bright_black"}


def print_tables(document: dict[str, Any], stream: TextIO) -> None:
    """Print the document for a person, whatever its names hold."""
    colour = wants_colour(stream)
    width = shutil.get_terminal_size((_PIPED, 24)).columns if stream.isatty() else _PIPED
    console = TableConsole(
        file=stream,
        width=max(60, width),
        color_system="auto" if colour else None,
        markup=False,
        highlight=False,
        emoji=False,
    )
    _head(console, document)
    _confirmed(console, document["confirmed"])
    _record_types(console, document)
    _blocks(console, document)
    _results(console, document)
    _tools(console, document)
    _unknown(console, document)
    _unreadable(console, document["unreadable"])


def _table(title: str, *columns: str) -> Table:
    """Return an empty table; columns that begin with # hold numbers."""
    table = Table(title=Text(title, "bold"), title_justify="left", box=None, pad_edge=False, expand=False)
    for column in columns:
        number = column.startswith("#")
        side: Literal["right", "left"] = "right" if number else "left"
        table.add_column(column.lstrip("#"), justify=side, overflow="fold", no_wrap=number)
    return table


def _show(console: Console, table: Table, left_out: int = 0, of: str = "") -> None:
    console.print()
    console.print(table)
    if left_out:
        console.print(Text(f"… and {left_out:,} more{of}", "bright_black"))


def _text(name: str | None, style: str = "") -> Text:
    return Text(visible(name), style) if name is not None else Text("(no type)", "bright_black")


def _versions(versions: dict[str, str | None]) -> Text:
    first, last = versions["first"], versions["last"]
    if first is None or last is None:
        return Text("–")
    return Text(visible(first) if first == last else f"{visible(first)} – {visible(last)}")


def _counts(row: dict[str, Any]) -> tuple[Text, Text, Text]:
    return Text(f"{row['count']:,}"), Text(f"{row['files']:,}"), _versions(row["versions"])


def _head(console: Console, document: dict[str, Any]) -> None:
    files = document["files"]
    console.print(Text(", ".join(visible(root) for root in document["roots"]), "bold"))
    console.print(
        f"{document['sessions']:,} sessions in {files['main'] + files['agent']:,} files ({files['agent']:,} of "
        f"sub-agents), {size(document['bytes'])}, versions {_versions(document['versions'])}"
    )
    odd = {
        "blank": document["blankLines"],
        "skipped": document["skippedLines"],
        "unfinished at a file's end": document["partialTails"],
    }
    mended = {
        "mended": document["repairedRecords"],
        "recovered from damaged lines": document["recoveredRecords"],
        "with fields of an odd type": document["degradedRecords"],
    }
    console.print(f"{document['physicalLines']:,} lines: {_listed(odd)}")
    console.print(f"{document['records']:,} records: {_listed(mended)}")


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items())


def _confirmed(console: Console, rows: list[dict[str, Any]]) -> None:
    table = _table("What a reader relies on", "wanted", "raw fields", "confirmed", "counts")
    for row in rows:
        verdict = Text(row["confirmed"], _VERDICTS[row["confirmed"]])
        table.add_row(Text(row["wanted"]), Text(row["fields"]), verdict, Text(visible(_listed(row["counts"]))))
    _show(console, table)


def _record_types(console: Console, document: dict[str, Any]) -> None:
    table = _table("Record types", "type/subtype", "#records", "#files", "versions", "keys (share when < 99.5 %)")
    for row in document["recordTypes"]:
        name = _text(row["type"], "" if row["known"] else "yellow")
        if row["subtype"] is not None:
            name.append(visible(f"/{row['subtype']}"))
        table.add_row(name, *_counts(row), _keys(row))
    _show(console, table, document["recordTypesLeftOut"], " of further types")


def _blocks(console: Console, document: dict[str, Any]) -> None:
    table = _table("Blocks", "in", "type", "#blocks", "#files", "versions", "keys (share when < 99.5 %)")
    for row in document["blocks"]:
        table.add_row(_text(row["in"]), _text(row["type"], "" if row["known"] else "yellow"), *_counts(row), _keys(row))
    _show(console, table, document["blocksLeftOut"], " of further types")


def _keys(row: dict[str, Any]) -> Text:
    shown = Text(", ").join(_key(key, row["count"]) for key in row["keys"])
    if row["keysLeftOut"]:
        shown.append(f" … and {row['keysLeftOut']:,} more", "bright_black")
    return shown


def _key(key: dict[str, Any], total: int) -> Text:
    """Return a key with its share; one so rare that its share says nothing has its count instead."""
    share = key["count"] / total
    if share >= 0.995:
        return Text(visible(key["name"]))
    said = f"{share:.1%}" if share >= 0.001 else f"{key['count']:,}"
    return Text(f"{visible(key['name'])} ({said})")


def _results(console: Console, document: dict[str, Any]) -> None:
    table = _table("Contents of tool results", "form", "#results", "#files", "versions")
    for row in document["resultContents"]:
        table.add_row(_text(row["form"]), *_counts(row))
    _show(console, table, document["resultContentsLeftOut"], " of further forms")
    console.print(f"is_error: {_listed(document['isError'])}")


def _tools(console: Console, document: dict[str, Any]) -> None:
    tools = document["tools"]
    table = _table(f"Tools ({len(tools):,})", "name", "#calls", "#files", "versions")
    for row in tools[:TOOLS]:
        table.add_row(_text(row["name"]), *_counts(row))
    _show(console, table, max(0, len(tools) - TOOLS), " (--json names them)")
    if document["toolsLeftOut"]:
        console.print(Text(f"… and {document['toolsLeftOut']:,} calls of further names", "bright_black"))


def _unknown(console: Console, document: dict[str, Any]) -> None:
    console.print()
    for title, field in (("Unknown record types", "unknownRecordTypes"), ("Unknown block types", "unknownBlockTypes")):
        counts = document[field]
        console.print(f"{title}: {', '.join(f'{visible(name)} {n:,}' for name, n in counts.items()) or 'none'}")


def _unreadable(console: Console, places: list[dict[str, str]]) -> None:
    if not places:
        return
    table = _table(f"Could not be read ({len(places):,})", "path", "reason")
    for place in places[:UNREADABLE]:
        table.add_row(_text(place["path"]), _text(place["reason"]))
    _show(console, table, max(0, len(places) - UNREADABLE), " (--json names them)")
