"""The page's modules: no way from text to markup or code, and names that server, report and tests can all resolve."""

from __future__ import annotations

import re

from tests.house.source import WEB, scripts

SINKS = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc|\beval\s*\(|new Function"
    r"|createContextualFragment|setHTML|\bsetTimeout\(\s*['\"`]|setAttribute\(\s*['\"`]on|\.href\s*="
)
IMPORT = re.compile(r"""^\s*(?:import|export)\b[^;'"]*?\bfrom\s*["']([^"']+)["']|^\s*import\s*["']([^"']+)["']""", re.M)
NAME = re.compile(r"#[a-z][a-z0-9-]*\Z")
# Addresses of this machine may be shown, and a namespace is a name that nothing fetches.
REMOTE = re.compile(r"""["'`](?:https?:)?//(?!127\.0\.0\.1|localhost|www\.w3\.org/)[\w.]+""")


COMMENT = re.compile(r"/\*.*?\*/|(?<![:'\"`])//[^\n]*", re.S)


def code() -> dict[str, str]:
    """Every module without its comments, which name types by `import('#x')`."""
    return {name: COMMENT.sub("", text) for name, text in scripts().items()}


def test_no_module_has_an_html_sink() -> None:
    assert [(name, found) for name, text in code().items() if (found := SINKS.findall(text))] == []


def test_modules_import_only_modules_of_the_page_by_bare_names() -> None:
    asked = [(name, a or b) for name, text in code().items() for a, b in IMPORT.findall(text)]
    assert asked
    assert [(name, n) for name, n in asked if not NAME.match(n) or not (WEB / f"{n[1:]}.js").is_file()] == []


def test_no_module_imports_at_run_time_since_that_cannot_be_linked_into_the_report() -> None:
    assert [name for name, text in code().items() if re.search(r"\bimport\s*\(", text)] == []


def test_no_module_names_an_address_elsewhere() -> None:
    assert [(name, found) for name, text in code().items() if (found := REMOTE.findall(text))] == []


def test_the_document_has_no_inline_code_and_asks_for_nothing_elsewhere() -> None:
    page = (WEB / "index.html").read_text(encoding="utf-8")
    assert re.findall(r"\son\w+\s*=|\sstyle\s*=|javascript:|https?://", page, re.I) == []
