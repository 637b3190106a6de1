"""Where a data set lies: a folder here or an address. Each file in it is whole or not there."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Protocol

from waterglass.errors import WaterglassError
from waterglass.export.place import check_folder, refused
from waterglass.newfile import made_public
from waterglass.private import private_folder
from waterglass.remote import failed, is_url, place_of, put_file, shown

_WRITING = "_writing"


class Store(Protocol):
    """A folder of files. Names are relative, with `/`; each call raises WaterglassError where it fails."""

    def names(self, folder: str) -> list[str]:
        """Return the names of the files right below a folder, none where it is not there."""

    def read(self, name: str) -> bytes | None:
        """Return what a small file holds, None where it is not there."""

    def is_empty(self) -> bool:
        """Is nothing there yet?"""

    def put(self, local: Path, name: str) -> None:
        """Make a finished file visible under a name, in the place of what was there. The file itself may be gone."""

    def remove(self, name: str) -> None:
        """Remove a file, which need not be there."""

    def clear(self) -> None:
        """Remove everything that this run has made, as far as nobody else can have added to it."""

    def scratch(self) -> AbstractContextManager[Path]:
        """A private folder to write files in before they are put; gone at the end."""


def store_of(target: str) -> Store:
    """Return the store of a path or an address. Raises WaterglassError."""
    return RemoteStore(target) if is_url(target) else LocalStore(Path(target))


class LocalStore:
    """A folder of this machine. Nothing is written through a link."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def names(self, folder: str) -> list[str]:
        """Return the names of the files right below a folder."""
        try:
            return sorted(os.listdir(self.folder / folder))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise refused(self.folder, error) from error

    def read(self, name: str) -> bytes | None:
        """Return what a small file holds."""
        try:
            return (self.folder / name).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise refused(self.folder, error) from error

    def is_empty(self) -> bool:
        """Is there no folder, or an empty one? Raises WaterglassError for a link or a file."""
        return check_folder(self.folder)

    def put(self, local: Path, name: str) -> None:
        """Move a finished file to its name."""
        try:
            target = self._made(name)
            with open(local, "rb+") as file:
                os.fsync(file.fileno())
            made_public(local)
            os.replace(local, target)
        except OSError as error:
            raise refused(self.folder, error) from error

    def _made(self, name: str) -> Path:
        """Return the path of a name, its folders made."""
        at = self.folder
        for part in name.split("/")[:-1]:
            at /= part
            with suppress(FileExistsError):
                at.mkdir()
            if not stat.S_ISDIR(os.lstat(at).st_mode):
                raise WaterglassError("something that is no folder has its place in the export", str(at))
        return self.folder / name

    def remove(self, name: str) -> None:
        """Remove a file."""
        try:
            (self.folder / name).unlink(missing_ok=True)
        except OSError as error:
            raise refused(self.folder, error) from error

    def clear(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """A private folder beside the tables, so that a finished file can be moved."""
        try:
            parent = self._made(f"{_WRITING}/x").parent
            folder = Path(tempfile.mkdtemp(dir=parent))
        except OSError as error:
            raise refused(self.folder, error) from error
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def drop_rests(self) -> None:
        """Remove what processes that were ended left behind."""
        shutil.rmtree(self.folder / _WRITING, ignore_errors=True)


class RemoteStore:
    """A place elsewhere, by its address."""

    def __init__(self, url: str) -> None:
        self._place = place_of(url)

    def names(self, folder: str) -> list[str]:
        """Return the names of the files right below a folder."""
        try:
            self._place.system.invalidate_cache()
            paths = self._place.system.ls(self._place.below(folder), detail=False)
        except FileNotFoundError:
            return []
        except Exception as error:
            raise failed("cannot list this address", self._place.url, error) from None
        return sorted(str(path).rstrip("/").rpartition("/")[2] for path in paths)

    def read(self, name: str) -> bytes | None:
        """Return what a small file holds."""
        try:
            return bytes(self._place.system.cat_file(self._place.below(name)))
        except FileNotFoundError:
            return None
        except Exception as error:
            raise failed("cannot read this address", self._place.url, error) from None

    def is_empty(self) -> bool:
        """Is nothing below the address? Raises WaterglassError where a file has it."""
        try:
            self._place.system.invalidate_cache()
            if self._place.system.isfile(self._place.path):
                raise WaterglassError("will not write the export over a file", shown(self._place.url))
        except WaterglassError:
            raise
        except Exception as error:
            raise failed("cannot look at this address", self._place.url, error) from None
        return not self.names("")

    def put(self, local: Path, name: str) -> None:
        """Upload a finished file."""
        put_file(self._place, local, self._place.below(name))

    def remove(self, name: str) -> None:
        """Remove a file."""
        try:
            self._place.system.rm_file(self._place.below(name))
        except FileNotFoundError:
            return
        except Exception as error:
            raise failed("cannot remove a file", self._place.url, error) from None

    def clear(self) -> None:
        """Do nothing: another machine may be writing there, and each file is whole."""

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """A private folder of this machine."""
        with private_folder() as folder:
            yield folder
