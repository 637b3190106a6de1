"""`waterglass metrics`: what the six metrics are, and how often the classifiers behind them are right."""

from __future__ import annotations

import sys

import click


@click.command()
@click.option("--card", "wants_card", is_flag=True, help="Hold the classifiers against the labelled lines, now.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(wants_card: bool, as_json: bool) -> None:
    """Say what the six metrics are; with --card, how often the classifiers behind them are right.

    The lines come with the program and were labelled by hand. docs/metrics.md says how each metric decides.
    """
    if wants_card:
        _print_card(as_json)
    else:
        _print_metrics(as_json)


def _print_card(as_json: bool) -> None:
    from waterglass.card import card, write_card
    from waterglass.payload import encode

    sections = card()
    if as_json:
        sys.stdout.buffer.write(encode({"version": 1, "sections": sections}) + b"\n")
    else:
        write_card(click.echo, sections)


def _print_metrics(as_json: bool) -> None:
    from waterglass.metrics import METRICS
    from waterglass.payload import encode

    if as_json:
        told = [
            {name: getattr(metric, name) for name in ("id", "label", "explanation", "unit", "better")}
            for metric in METRICS
        ]
        sys.stdout.buffer.write(encode({"version": 1, "metrics": told}) + b"\n")
        return
    for metric in METRICS:
        click.echo(f"{click.style(metric.id, bold=True)}  {metric.label}")
        click.echo(f"  {metric.explanation}")
        click.echo(f"  value: {metric.unit}" + (f", {metric.better} is better" if metric.better else ""))
