"""The one family of errors that a person gets to see: what went wrong, where, and what to try."""

from __future__ import annotations


class WaterglassError(Exception):
    """Something could not be done: `what` without a full stop, `where` (a path, id or option), `hint` (what to try).

    The command line prints it as one line and leaves with `exit_code`; the server answers with `what` and `hint`.
    """

    exit_code = 1

    def __init__(self, what: str, where: str = "", hint: str = "") -> None:
        super().__init__(what, where, hint)
        self.what = what
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        """Return `what: where. Try: hint`, without the parts that are empty. Not escaped for a terminal."""
        place = f"{self.what}: {self.where}" if self.where else self.what
        return f"{place}. Try: {self.hint}" if self.hint else place


class UsageError(WaterglassError):
    """The command was called in a way that it does not have."""

    exit_code = 2
