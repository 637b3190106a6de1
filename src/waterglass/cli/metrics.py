"""`waterglass metrics`: what the metrics are, and how often the classifiers behind the six own ones are right."""

from __future__ import annotations

import sys
from typing import Any

import click

from waterglass.cli.scoring import no_plugins_option


@click.command()
@click.option("--card", "wants_card", is_flag=True, help="Hold the classifiers against the labelled lines, now.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@no_plugins_option
def command(wants_card: bool, as_json: bool, no_plugins: bool) -> None:
    """Say what the metrics are; with --card, how often the classifiers behind the six own ones are right.

    The lines come with the program and were labelled by hand. docs/metrics.md says how each metric decides.
    """
    if wants_card:
        _print_card(as_json)
    else:
        _print_metrics(as_json, no_plugins)


def _print_card(as_json: bool) -> None:
    from waterglass.card import card, write_card
    from waterglass.payload import encode

    sections = card()
    if as_json:
        sys.stdout.buffer.write(encode({"version": 1, "sections": sections}) + b"\n")
    else:
        write_card(click.echo, sections)


def _print_metrics(as_json: bool, no_plugins: bool) -> None:
    from waterglass.payload import encode

    told = _told(no_plugins)
    if as_json:
        sys.stdout.buffer.write(encode({"version": 1, "metrics": told}) + b"\n")
        return
    from waterglass.cli.terminal import visible

    for metric in told:
        source = f"  (of the package {metric['from']})" if "from" in metric else ""
        click.echo(f"{click.style(metric['id'], bold=True)}  {visible(metric['label'] + source)}")
        click.echo(f"  {visible(metric['explanation'])}")
        better = f", {metric['better']} is better" if metric["better"] else ""
        click.echo(f"  value: {visible(metric['unit'] or 'a number')}{better}")


def _told(no_plugins: bool) -> list[dict[str, Any]]:
    """The metrics, those of third parties last and with the package that they are `from`."""
    from waterglass import plugins
    from waterglass.metrics import METRICS

    words = ("label", "explanation", "unit", "better")
    told = [{"id": metric.id, **{name: getattr(metric, name) for name in words}} for metric in METRICS]
    for one in plugins.metrics() if plugins.wanted() and not no_plugins else ():
        if one.plugin is not None:
            own = {name: getattr(one.plugin, name) for name in words}
            told.append({"id": one.name, **own, "from": f"{one.package} {one.version}"})
    return told
