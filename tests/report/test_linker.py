"""The linker: modules to one script, in an order that runs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from waterglass.page import LinkError, link_modules, report_frame


def test_a_module_stands_after_what_it_imports() -> None:
    script = link_modules(
        {
            "main": "import { b } from '#second';\nb();",
            "second": "import { a } from '#first';\nexport const b = a;",
            "first": "export function a() {}",
        },
        "main",
    )
    assert script.index("m_first =") < script.index("m_second =") < script.index("m_main =")


def test_exports_are_returned_and_imports_taken_by_their_names() -> None:
    script = link_modules(
        {"main": "import { a as x } from '#first';\nx();", "first": "export const a = 1;\nexport class B {}"}, "main"
    )
    assert "return { a, B };" in script
    assert "const { a: x } = m_first;" in script
    assert "export" not in script and "import" not in script


def test_a_module_that_nobody_imports_is_left_out() -> None:
    assert "alone" not in link_modules({"main": "", "alone": "export const alone = 1;"}, "main")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("import x from '#first';", "main.js:1: only `import"),
        ("import '#first';", "main.js:1: only `import"),
        ("import { a } from './first.js';", "main.js:1: only `import"),
        ("export default 1;", "main.js:1: only `export"),
        ("export * from '#first';", "main.js:1: only `export"),
        ("export let a = 1;", "main.js:1: only `export"),
        ("export const a = 1, b = await import('#first');", "main.js:1: "),
        ("  import { a } from '#first';", "main.js:1: neither"),
        ("const a = await import('#first');", "main.js:1: neither"),
        ("const here = import.meta.url;", "main.js:1: neither"),
        ("import { b } from '#first';", "which does not export that"),
        ("import { a, b as c } from '#first';", "which does not export that"),
        ("import { nowhere } from '#nowhere';", "imports #nowhere, which is not there"),
    ],
)
def test_any_other_form_is_an_error_that_names_the_place(line: str, said: str) -> None:
    with pytest.raises(LinkError, match=said.replace("`", ".").replace("#", ".")):
        link_modules({"main": line, "first": "export const a = 1;"}, "main")


def test_a_type_in_a_comment_is_no_import() -> None:
    lines = ["/** @type {import('#axis').Axis} */", " * @param {Map<string, import('#axis').Axis>} a", "// import(x)"]
    script = link_modules({"main": "\n".join(lines)}, "main")
    assert all(line.strip() in script for line in lines)


def test_a_linked_script_runs(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed; the browser tests run the page's own linked script")
    modules = {
        "main": "import { twice as double, Box } from '#sums';\nimport { one } from '#numbers';\n"
        "const twice = new Box(double(one)).value;\nconsole.log(twice);",
        "sums": "import { one } from '#numbers';\nexport const twice = (n) => n * (one + one);\n"
        "export class Box {\n  constructor(value) {\n    this.value = value;\n  }\n}",
        "numbers": "export const one = 1;\nconst twice = 'a name of each module is its own';",
    }
    script = tmp_path / "linked.mjs"
    script.write_text(link_modules(modules, "main"), "utf-8")
    done = subprocess.run([node, str(script)], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("2\n", "")


def test_a_circle_of_modules_is_an_error_that_names_it() -> None:
    with pytest.raises(LinkError, match="main -> first -> main"):
        link_modules({"main": "import { a } from '#first';", "first": "import { b } from '#main';"}, "main")


def test_a_script_that_would_end_its_element_is_refused() -> None:
    with pytest.raises(LinkError, match="no inline script"):
        link_modules({"main": "const a = '</ScRipt>';"}, "main")


def test_the_page_itself_can_be_linked() -> None:
    frame = report_frame()
    assert frame.after.count("<script") == 1
    assert "script-src 'sha256-" in frame.before
    assert "\nimport " not in frame.after and "\nexport " not in frame.after
