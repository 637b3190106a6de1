"""The product's own source as the house tests look at it."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
PACKAGE = CHECKOUT / "src" / "waterglass"
WEB = PACKAGE / "web"
Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the package by its path below it, parsed."""
    return {
        path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def layer_of(module: str) -> str:
    """The layer of a module's path: its folder or its own name below the package."""
    return module.partition("/")[0].removesuffix(".py")


def functions(tree: ast.Module) -> Iterator[Function]:
    """Every function and method, nested ones too."""
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def imports(module: str) -> Iterator[tuple[int, str]]:
    """The line and full name of each module that a module imports, wherever in it the import stands."""
    for node in ast.walk(modules()[module]):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno} imports relatively"
            if node.module == "waterglass":
                yield from ((node.lineno, f"waterglass.{alias.name}") for alias in node.names)
            else:
                yield node.lineno, node.module or ""


def scripts() -> dict[str, str]:
    """Every JavaScript module of the page by its file name."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(WEB.glob("*.js"))}


@cache
def project_files() -> tuple[Path, ...]:
    """Every file of the project as git has it, new ones too; outside a repository those of the folders with source."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=CHECKOUT,
        capture_output=True,
        check=False,
    )
    if listed.returncode == 0 and listed.stdout:
        found = [CHECKOUT / name for name in listed.stdout.decode().split("\0") if name]
    else:
        found = [p for folder in ("src", "tests", "tools", "docs") for p in (CHECKOUT / folder).rglob("*")]
        found += [p for p in CHECKOUT.iterdir() if p.suffix in {".md", ".toml"}]
    return tuple(p for p in found if p.is_file() and "__pycache__" not in p.parts)


def texts() -> Iterator[tuple[str, str]]:
    """Path and text of every project file that is text."""
    for path in project_files():
        data = path.read_bytes()
        if b"\0" not in data:
            yield path.relative_to(CHECKOUT).as_posix(), data.decode("utf-8", "replace")
