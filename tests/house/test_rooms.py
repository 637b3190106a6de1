"""Rooms stay small, and each public thing says what it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.house.source import PACKAGE, Function, functions, modules, scripts

MODULE_LINES = 350
FUNCTION_LINES = 60
SCRIPT_LINES = 250
COMMON_FUNCTION_LINES = 30
EMPTY_NAME = ("utils", "helpers", "manager", "process_", "handle_")


def length(function: Function) -> int:
    assert function.end_lineno is not None
    return function.end_lineno - function.lineno + 1


def public(body: list[ast.stmt]) -> Iterator[Function | ast.ClassDef]:
    for node in body:
        if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from public(node.body)


def test_each_module_fits_on_a_few_screens() -> None:
    lengths = {module: (PACKAGE / module).read_text(encoding="utf-8").count("\n") for module in modules()}
    assert {module: lines for module, lines in lengths.items() if lines > MODULE_LINES} == {}


def test_each_function_fits_on_a_screen() -> None:
    lengths = {f"{module}:{f.lineno} {f.name}": length(f) for module in modules() for f in functions(modules()[module])}
    assert {name: lines for name, lines in lengths.items() if lines > FUNCTION_LINES} == {}


def test_nine_functions_in_ten_are_short() -> None:
    lengths = sorted(length(f) for tree in modules().values() for f in functions(tree))
    assert lengths[len(lengths) * 9 // 10] <= COMMON_FUNCTION_LINES


def test_each_script_of_the_page_is_short() -> None:
    lengths = {name: text.count("\n") for name, text in scripts().items()}
    assert {name: lines for name, lines in lengths.items() if lines >= SCRIPT_LINES} == {}


def test_each_module_and_all_that_is_public_in_it_has_a_docstring() -> None:
    bare = [module for module, tree in modules().items() if ast.get_docstring(tree) is None]
    bare += [
        f"{module}:{node.lineno} {node.name}"
        for module, tree in modules().items()
        if not module.rpartition("/")[2].startswith("_") or module.endswith("__init__.py")
        for node in public(tree.body)
        if ast.get_docstring(node) is None
    ]
    assert bare == []


def test_no_name_says_nothing() -> None:
    names = [(module, name) for module in modules() for name in module.removesuffix(".py").split("/")]
    names += [(module, f.name.lstrip("_")) for module, tree in modules().items() for f in functions(tree)]
    assert [f"{module} {name}" for module, name in names if name.startswith(EMPTY_NAME)] == []
