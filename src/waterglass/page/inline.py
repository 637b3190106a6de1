"""The pages that stand in a file of their own: one style, one script, allowed by their hashes and nothing else."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from waterglass.page.linker import link_modules
from waterglass.page.sources import csp_hash, modules, text_of


class Frame(Struct, frozen=True):
    """What stands before and after the data blocks of a file."""

    before: str
    after: str


# Constant: what comes from a transcript goes into the data blocks, the browser's title is set by the script.
_BEFORE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<div id="app" class="app">
<p class="boot">{words}, packed in this file, drawn by a script in it. If this line stays,
scripts are blocked here or the browser is older than Chrome 89, Firefox 108 or Safari 16.4.</p>
</div>
"""
_AFTER = """<script type="module">{script}</script>
</body>
</html>
"""


@cache
def report_frame() -> Frame:
    """Return the report's page without its data."""
    return _frame("Waterglass report", "This is a Waterglass report: one session", text_of("page.css"), "reportmain")


@cache
def comparison_frame() -> Frame:
    """Return the page of a comparison without its data."""
    style = text_of("page.css") + text_of("compare.css")
    return _frame(
        "Waterglass comparison", "This is a Waterglass comparison: sessions side by side", style, "comparemain"
    )


def _frame(title: str, words: str, style: str, entry: str) -> Frame:
    assert "</style" not in style.lower(), "the style must not end its own element"
    script = "\n" + link_modules(modules(), entry)
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src '{csp_hash(script)}'",
            f"style-src '{csp_hash(style)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )
    before = _BEFORE.format(policy=policy, title=title, style=style, words=words)
    return Frame(before, _AFTER.format(script=script))
