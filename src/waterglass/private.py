"""Folders for copies that nobody else can read, gone at the end also where a signal comes while they are removed."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def private_folder() -> Iterator[Path]:
    """A new private folder, gone at the end. Its name is known before it is there, so that no signal comes between."""
    folder = Path(tempfile.gettempdir(), f"waterglass-{os.urandom(12).hex()}")
    try:
        folder.mkdir(mode=0o700)
        yield folder
    finally:
        try:
            shutil.rmtree(folder, ignore_errors=True)
        except BaseException:  # the one signal that ends the program; from now on they are ignored
            shutil.rmtree(folder, ignore_errors=True)
            raise
