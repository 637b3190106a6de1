"""`waterglass plugins`: the metrics and exporters that other packages add."""

from __future__ import annotations

import sys

import click

_COLOURS = {"loaded": "green", "failed": "red", "refused": "yellow"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(as_json: bool) -> None:
    """List the metrics and exporters that other installed packages add, and why one of them is not used.

    WATERGLASS_NO_PLUGINS=1 in the environment, or --no-plugins with a command, leaves all of them out.
    """
    from waterglass.plugins import exporters, metrics, wanted

    found = (*metrics(), *exporters()) if wanted() else ()
    if as_json:
        from waterglass.payload import encode

        told = [
            {
                "kind": one.kind,
                "name": one.name,
                "from": one.package,
                "version": one.version,
                "state": one.state,
                "reason": one.reason or None,
            }
            for one in found
        ]
        sys.stdout.buffer.write(encode({"version": 1, "enabled": wanted(), "plugins": told}) + b"\n")
        return
    if not wanted():
        click.echo("Plugins are switched off (WATERGLASS_NO_PLUGINS).")
    elif not found:
        click.echo("No other package adds a metric or an exporter.")
    from waterglass.cli.terminal import visible

    for one in found:
        state = click.style(f"{one.state:<8}", fg=_COLOURS.get(one.state))
        words = one.reason or str(getattr(one.plugin, "label", None) or getattr(one.plugin, "description", ""))
        click.echo(
            f"{one.kind:<9} {visible(f'{one.name:<20} {one.package} {one.version}'):<44} {state} {visible(words)}"
        )
