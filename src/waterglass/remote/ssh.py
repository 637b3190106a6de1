"""Files over SSH, from and to hosts whose key is known: fsspec alone takes any key, also that of who stands between."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any

_KEYS_OF_ALL = "/etc/ssh/ssh_known_hosts"


class UnknownHostError(Exception):
    """No file of known hosts has the key that a host showed."""


def connect(url: str) -> tuple[Any, str]:
    """Return the file system of an address and the path in it. Raises ImportError and what the library raises."""
    kind = _kind()
    asked = {name: value for name, value in kind._get_kwargs_from_urls(url).items() if not name.startswith("url_")}
    _, _, path = url.partition("://")[2].partition("/")
    return kind(**asked), f"/{path}"


@cache  # the library keeps one connection for each kind, host and user
def _kind() -> Any:
    from fsspec.implementations import sftp

    paramiko: Any = sftp.paramiko

    class Refused(paramiko.MissingHostKeyPolicy):  # type: ignore[misc]
        def missing_host_key(self, client: Any, hostname: str, key: Any) -> None:
            raise UnknownHostError

    class KnownHosts(sftp.SFTPFileSystem):  # type: ignore[misc]
        def _connect(self) -> None:
            self.client = paramiko.SSHClient()
            self.client.load_system_host_keys()
            with suppress(OSError):
                self.client.load_system_host_keys(_KEYS_OF_ALL)
            self.client.set_missing_host_key_policy(Refused())
            try:
                self.client.connect(self.host, **self.ssh_kwargs)
                self.ftp = self.client.open_sftp()
            except BaseException:
                self.client.close()
                raise

        @classmethod
        def _strip_protocol(cls, path: str) -> str:
            """Take a path as it is: the library's own would look for users, queries and protocols in it."""
            return path

        def mv(self, old: str, new: str, **more: Any) -> None:
            """Move a file in the place of another; where the server cannot, only to where none is."""
            try:
                self.ftp.posix_rename(old, new)
            except OSError:
                self.ftp.rename(old, new)

    return KnownHosts
