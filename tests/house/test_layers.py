"""Imports point down: the order of the pipeline is the order of the layers."""

from __future__ import annotations

import ast
import re
import sys
import tomllib

from tests.house.source import CHECKOUT, imports, layer_of, modules

# From top to bottom; docs/architecture.md says what each is for. A layer imports only what stands below its line.
LAYERS = (
    ("__main__",),
    ("cli",),
    ("server",),
    ("live",),
    ("export", "archive"),
    ("remote",),
    ("report", "compare", "gate"),
    ("page",),
    ("stats",),
    ("catalog",),
    ("index",),
    ("session",),
    ("bodyreader",),
    ("plugins",),
    ("judging",),
    ("scoring", "card", "notebook"),
    ("inherit",),
    ("payload",),
    ("metrics",),
    ("view",),
    ("audit",),
    ("timeline", "context"),
    ("replies", "prompts"),
    ("otel",),
    ("rows",),
    ("cost",),
    ("usage",),
    ("load",),
    ("link",),
    ("outcome",),
    ("normalize",),
    ("verdict", "claims"),
    ("classify",),
    ("shell",),
    ("otherprocess", "growth", "crew", "private", "newfile"),
    ("read",),
    ("discover",),
    ("packed",),
    ("schema",),
    ("redact", "sample"),
    ("errors", "model", "version"),
)
DEPTH = {name: depth for depth, line in enumerate(LAYERS) for name in line}
NO_CODE = {"tables", "web"}  # data files and the page
PUBLIC_DOOR = "__init__"  # hands out public names of any layer, when asked
# What is drawn comes from the payload; these may not know the records, events and rows behind it.
RENDERERS = {"server", "export", "report", "compare", "gate", "page"}
BEHIND_THE_PAYLOAD = {
    "schema", "normalize", "link", "rows", "replies", "prompts", "usage", "audit", "context", "timeline", "view",
}  # fmt: skip
# Same input, same output: no clock, no environment, no process, no network.
PURE = BEHIND_THE_PAYLOAD | {
    "model", "outcome", "shell", "classify", "payload", "metrics", "redact", "verdict", "claims", "scoring", "compare",
    "gate", "notebook",
}  # fmt: skip
WORLD = {"os", "time", "random", "secrets", "socket", "subprocess", "shutil", "tempfile", "asyncio"}
IMPORTED_AS = {"google-re2": "re2"}
# A child process may speak to its parent in bytes: that is no print.
PRINTS = re.compile(r"^print$|\.echo$|^(sys\.)?(stdout|stderr)\.write$|^(rich\.)?print$")


def own_imports(module: str) -> list[tuple[int, str]]:
    names = [(line, name.split(".")) for line, name in imports(module)]
    return [(line, parts[1]) for line, parts in names if parts[0] == "waterglass" and len(parts) > 1]


def all_layers() -> list[str]:
    found = {layer_of(module) for module in modules()}
    return sorted(found - {PUBLIC_DOOR})


def test_each_layer_has_a_place_in_the_order() -> None:
    assert [layer for layer in all_layers() if layer not in DEPTH] == []


def test_imports_point_down() -> None:
    wrong = [
        f"{module}:{line} {name}"
        for module in modules()
        if (layer := layer_of(module)) != PUBLIC_DOOR
        for line, name in own_imports(module)
        if name != layer and DEPTH.get(name, -1) <= DEPTH.get(layer, len(LAYERS))
    ]
    assert wrong == []


def test_the_renderers_read_the_payload_and_nothing_behind_it() -> None:
    wrong = [
        f"{module}:{line} {name}"
        for module in modules()
        if layer_of(module) in RENDERERS
        for line, name in own_imports(module)
        if name in BEHIND_THE_PAYLOAD
    ]
    assert wrong == []


def test_the_pure_layers_do_not_reach_for_the_world() -> None:
    wrong = [
        f"{module}:{line} {name}"
        for module in modules()
        if layer_of(module) in PURE
        for line, name in imports(module)
        if name.partition(".")[0] in WORLD
    ]
    assert wrong == []


def test_only_the_command_line_prints() -> None:
    wrong = [
        f"{module}:{node.lineno}"
        for module, tree in modules().items()
        if layer_of(module) != "cli"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and PRINTS.search(ast.unparse(node.func))
    ]
    assert wrong == []


def test_every_import_is_the_standard_library_or_a_declared_dependency() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [text for texts in project["optional-dependencies"].values() for text in texts]
    asked = [*project["dependencies"], *extras]
    declared = {IMPORTED_AS.get(name := text.partition(">")[0].strip(), name).replace("-", "_") for text in asked}
    known = {"waterglass", *sys.stdlib_module_names, *declared}
    wrong = [
        f"{module}:{line} {name}"
        for module in modules()
        for line, name in imports(module)
        if name.partition(".")[0] not in known
    ]
    assert wrong == []


def test_the_architecture_page_names_every_layer() -> None:
    page = (CHECKOUT / "docs" / "architecture.md").read_text(encoding="utf-8")
    words = set(re.split(r"[\s`|,;:()]+", page))
    assert [name for name in [*all_layers(), *NO_CODE] if not {name, f"{name}/", f"{name}.py"} & words] == []
