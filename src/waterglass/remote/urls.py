"""Addresses: which ones are taken, how they are shown, and what says why one could not be used."""

from __future__ import annotations

import logging
import os
import re
from errno import errorcode
from typing import Any

from msgspec import Struct

from waterglass.errors import UsageError, WaterglassError
from waterglass.remote.ssh import UnknownHostError, connect

# What is written to these is there when its upload has ended, and not before.
OBJECT_STORES = frozenset({"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss"})
# Here a file is written under another name and moved. `memory` is for tests: it is gone with the process.
FILE_SYSTEMS = frozenset({"ssh", "sftp", "smb", "hdfs", "memory"})
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*)://")
_USER = re.compile(r"(://)[^/]*@")
_LOCAL = "file"
_SSH = ("ssh", "sftp")
# What these write to their logs may hold a password, and goes to stderr where nobody has set up logging.
_LOUD = ("adlfs", "azure", "fsspec", "gcsfs", "google", "paramiko", "s3fs", "smbprotocol")
_KNOW = "look at its key and put it into ~/.ssh/known_hosts, as connecting once with ssh does"
_LIBRARIES = "pip install s3fs (s3), gcsfs (gs), adlfs (az), paramiko (ssh), smbprotocol (smb)"


class Place(Struct, frozen=True):
    """An address with its file system: `path` is what that one calls it, without an end of `/`."""

    url: str
    scheme: str
    system: Any
    path: str

    def __repr__(self) -> str:
        """Return it without what a person keeps secret."""
        return f"Place({shown(self.url)!r})"

    def below(self, *names: str) -> str:
        """Return the path of what lies below it."""
        return "/".join((self.path, *names))

    def address(self, path: str) -> str:
        """Return the address of a path at or below it, as it may be shown."""
        if path == self.path or path.startswith(f"{self.path}/"):
            return f"{shown(self.url).rstrip('/')}{path[len(self.path) :]}"
        return shown(f"{self.scheme}://{path}")


def is_url(text: str) -> bool:
    """Is this an address, rather than a path or a session's id?"""
    return _URL.match(text) is not None or ("::" in text and "://" in text)  # one within another is refused, later


def shown(url: str) -> str:
    """Return an address as it may be shown: without user, password and query."""
    return _USER.sub(r"\1***@", re.split(r"[?#]", url, maxsplit=1)[0])


def local_path(url: str) -> str | None:
    """Return the path that a `file://` address names, None for any other address or path."""
    scheme = _URL.match(url)
    return url[scheme.end() :] if scheme is not None and scheme[1].lower() == _LOCAL else None


def place_of(url: str) -> Place:
    """Return the place of an address; connects to it where the file system needs that.

    Raises WaterglassError: a kind of address that is not taken, several in one, or a library that is not installed.
    """
    found = _URL.match(url)
    scheme = found[1].lower() if found is not None else ""
    if "::" in url:
        raise UsageError("an address within an address is not taken", shown(url))
    if scheme not in OBJECT_STORES | FILE_SYSTEMS:
        kinds = ", ".join(f"{name}://" for name in sorted(OBJECT_STORES | FILE_SYSTEMS - {"memory"}))
        raise UsageError("this kind of address is not taken", shown(url), f"one of {kinds}")
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise WaterglassError(
            "addresses need fsspec, which is not installed", shown(url), "pip install 'waterglass[remote]'"
        ) from error
    for name in _LOUD:
        if not (log := logging.getLogger(name)).handlers:
            log.addHandler(logging.NullHandler())
    try:
        system, path = connect(url) if scheme in _SSH else url_to_fs(url)
    except ImportError as error:
        raise WaterglassError(f"the library for {scheme}:// is not installed", shown(url), _LIBRARIES) from error
    except UnknownHostError:
        raise WaterglassError("the key of this host is not known", shown(url), _KNOW) from None
    except Exception as error:  # each library has errors of its own
        raise failed("cannot reach this address", url, error) from None
    return Place(url, scheme, system, str(path).rstrip("/"))


def failed(what: str, url: str, error: BaseException) -> WaterglassError:
    """Return the error for an address. Of what the library says only the kind is told: the rest may hold a password."""
    return failed_at(what, shown(url), error)


def failed_at(what: str, address: str, error: BaseException) -> WaterglassError:
    """Return the error for an address that may be shown as it is."""
    return WaterglassError(f"{what} ({reason_of(error)})", address)


def reason_of(error: BaseException) -> str:
    """Return why something failed, in words of the system or as the name of the error: never in the library's own."""
    number = error.errno if isinstance(error, OSError) else None
    if number is not None and number in errorcode:
        return os.strerror(number).lower()
    if isinstance(error, FileNotFoundError):
        return "not found"
    return "permission denied" if isinstance(error, PermissionError) else type(error).__name__
