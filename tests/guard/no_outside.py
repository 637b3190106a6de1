"""Keeps a process from reaching beyond this machine: an audit hook, which sees every connection that Python makes."""

from __future__ import annotations

import ipaddress
import sys
from typing import Any

MARK = "test guard: tried to reach"
attempts: list[str] = []
_LOCAL_NAMES = {None, "", "localhost", "ip6-localhost"}


class OutsideConnection(RuntimeError):
    """Code under test tried to leave this machine."""


def is_local(host: Any) -> bool:
    """Tell whether `host` (a name, an address, bytes or None) is this machine."""
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if name in _LOCAL_NAMES:
        return True
    try:
        return ipaddress.ip_address(str(name).partition("%")[0]).is_loopback
    except ValueError:
        return False


def _watch(event: str, args: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        host = args[1][0] if isinstance(args[1], tuple) else None  # else a Unix or a connected socket
    elif event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"):
        host = args[0]
    else:
        return
    if not is_local(host):
        attempts.append(f"{event} {host!r}")
        print(f"{MARK} {host!r}", file=sys.stderr)
        raise OutsideConnection(f"{event}: {host!r}")


def install() -> None:
    """Guard this process from here to its end."""
    sys.addaudithook(_watch)
