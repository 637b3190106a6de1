"""How a session is named on the command line."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

MOST_IDS = 50


class SessionName(click.types.StringParamType):
    """A session as the user names it; any text, completed from the ids of the sessions that are there."""

    name = "session"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return ids that begin so, newest first, each with its project; files where a path is being typed."""
        from click.shell_completion import CompletionItem  # late: only a shell that asks needs it

        if incomplete.startswith((".", "~")) or os.sep in incomplete:
            return [CompletionItem(incomplete, type="file")]
        from waterglass.cli.terminal import visible
        from waterglass.discover import discover

        refs = [ref for ref in discover(ctx.params.get("roots")) if ref.id.startswith(incomplete)]
        items = [CompletionItem(ref.id, help=visible(os.path.basename(ref.folders[0]))) for ref in refs[:MOST_IDS]]
        return items if not "latest".startswith(incomplete) else [CompletionItem("latest"), *items]
