"""`waterglass serve`: the sessions in the browser."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from waterglass.cli.browser import open_page
from waterglass.cli.options import WholeNumber, config_option, otel_option, root_option, window_option
from waterglass.cli.scoring import Asked, scoring_options
from waterglass.cli.updating import text_keeper
from waterglass.errors import UsageError, WaterglassError

if TYPE_CHECKING:
    from waterglass.catalog import Catalog
    from waterglass.discover import SessionRef
    from waterglass.metrics import Settings
    from waterglass.server.dropped import Dropped
    from waterglass.session import Session

_QUIET_S = 2.0  # for the browser to start
_AGAIN_S = 2.0  # folders without a session are not looked at again before
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@click.command()
@root_option
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Listen on this address.")
@click.option(
    "--port", type=WholeNumber(0, 65535), metavar="N", help="Listen on this port; else 8765 or the next free one."
)
@click.option("--allow-host", "names", multiple=True, metavar="NAME", help="Answer under this name too.")
@click.option("--no-open", "stays", is_flag=True, help="Do not open a browser.")
@scoring_options
@otel_option
@window_option
@config_option
def command(
    roots: list[str] | None,
    host: str,
    port: int | None,
    names: tuple[str, ...],
    stays: bool,
    asked: Asked,
    otel: list[str] | None,
    window: int | None,
    config: str | None,
) -> None:
    """Show the sessions in the browser: the list, and the waterfall of each.

    Listens on this machine only, and answers only to the address that it prints. Stop it with Ctrl-C.
    """
    if host not in _LOOPBACK and not names:
        raise UsageError(
            "others can reach this address, and no name is given to answer under",
            host,
            "--allow-host NAME beside --host",
        )
    from waterglass.discover import discover
    from waterglass.live import Changes, Watcher
    from waterglass.server import Upkeep, listen, make_app, run
    from waterglass.server.access import Access
    from waterglass.server.dropped import Dropped

    settings = asked.resolved()
    catalog, sought = _catalog(roots)
    dropped = Dropped()
    read = _reader(catalog, dropped, settings, otel, window)
    listener = listen("127.0.0.1" if host == "localhost" else host, port)
    with listener.socket:  # what ends this process may come before the server runs
        access = Access(secrets.token_urlsafe(18), listener.port, frozenset(name.lower() for name in names))

        keep = text_keeper()
        before = (lambda discovery: keep(discovery, None)) if keep is not None else lambda discovery: []
        upkeep = Upkeep(lambda: discover(catalog.roots), settings, before=before)
        app = make_app(catalog, read, access, sought=sought, upkeep=upkeep, dropped=dropped)

        def told(changes: Changes) -> None:
            app.follow.changed(changes.sessions if not changes.others else None)
            catalog.changed(changes.sessions, changes.others)

        watcher = Watcher(catalog.roots, told)
        address = listener.address(access.code)
        _say(host, sought, address)
        catalog.start(_QUIET_S)
        watcher.start()
        if not stays:
            threading.Thread(target=open_page, args=(address,), daemon=True).start()
        try:
            run(app, listener)
        finally:
            watcher.close()
            app.close()
            upkeep.close()
            catalog.close()


def _reader(
    catalog: Catalog,
    dropped: Dropped,
    settings: Callable[[str | None], Settings],
    otel: list[str] | None,
    window: int | None,
) -> Callable[[SessionRef, Session | None], Session]:
    """Return what reads a session, or reads on one that was read before."""
    from waterglass.session import load

    telemetry = None
    if otel is not None:
        from waterglass.otel import Telemetry

        telemetry = Telemetry(otel)
        telemetry.heard()  # what cannot be read is said now, not when a session is opened

    def read(ref: SessionRef, before: Session | None) -> Session:
        alone = dropped.find(ref.id) is not None  # it has nothing to do with the sessions of the roots
        in_sight = [] if alone else catalog.in_sight(ref.id)
        session = load(ref, window=window, in_sight=in_sight, otel=telemetry, growing=True, before=before)
        session.settings = settings(session.project)
        if alone:
            session.continues = None  # we named its file: that its records name another session is no sign
        return session

    return read


def _say(host: str, sought: _Sought | None, address: str) -> None:
    if host not in _LOOPBACK:
        click.echo(f"Listening on {host}: everyone who can reach it and has the code can read your sessions.", err=True)
    if sought is not None:
        places = ", ".join(place["path"] for place in sought()["lookedIn"]) or "nowhere"
        click.echo(f"No sessions found (looked in {places}): showing the sample. Others: --root DIR", err=True)
    click.echo(f"Waterglass is at {address}")
    click.echo("Stop it with Ctrl-C.", err=True)


def _catalog(roots: list[str] | None) -> tuple[Catalog, _Sought | None]:
    """Return the sessions to show; where there are none the sample, and where they are looked for."""
    from waterglass.catalog import Catalog
    from waterglass.discover import look_in
    from waterglass.sample import sample_root
    from waterglass.schema.layout import written

    for place in look_in(roots):
        if roots and not place.exists:
            raise WaterglassError("no such folder", written(place.path), "--root DIR with a folder of project folders")
    sought = _Sought(roots)
    if sought()["begun"]:
        return Catalog(roots), None
    return Catalog([str(sample_root())], sample=True), sought


class _Sought:
    """The folders of a person's own sessions while the sample is shown: one may begin there meanwhile."""

    def __init__(self, roots: list[str] | None) -> None:
        self._roots = roots
        self._looked_s = 0.0
        self._told: dict[str, Any] = {}

    def __call__(self) -> dict[str, Any]:
        """Return which folders these are, and as `begun` whether they hold a session by now."""
        from waterglass.discover import Scan, look_in
        from waterglass.schema.layout import written

        now = time.monotonic()
        if not self._told or (not self._told["begun"] and now - self._looked_s > _AGAIN_S):
            places = look_in(self._roots)
            scan = Scan(places)
            if not scan.discovery().sessions:
                scan.assign_flat()
            shown = [{"path": written(place.path), "exists": place.exists} for place in places]
            self._told = {"lookedIn": shown, "begun": bool(scan.discovery().sessions)}
            self._looked_s = now
        return self._told
