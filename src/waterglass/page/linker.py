"""Links the page's modules into one script.

A report is opened from disk, where modules cannot import each other, and its content policy allows one inline script
by its hash. So each module becomes a function that returns what the module exports, in an order in which what is
imported stands first. Only the plain forms are taken that the page is written in; anything else is an error here,
not a page that does not start.
"""

from __future__ import annotations

import re

# `import { a, b as c } from '#name';` on one line.
_IMPORT = re.compile(r"^import \{([^}]*)\} from (['\"])#([a-z][a-z0-9]*)\2;?\s*$")
_EXPORT = re.compile(r"^export (?=(?:async function|function\*?|class|const)\s+([A-Za-z_$][\w$]*))")
# Declarations that do not begin a line, `import(…)` and `import.meta`; in comments they are types.
_HIDDEN = re.compile(r"^\s+(?:import|export)\s|\bimport\s*[(.]")
_COMMENT = re.compile(r"^\s*/?\*.*|/\*.*?\*/|//.*")
_NAME = re.compile(r"^([A-Za-z_$][\w$]*)(?: as ([A-Za-z_$][\w$]*))?$")
# Either would end the script element, or change how the rest of it is read.
_ENDS_SCRIPT = re.compile(r"</script|<!--", re.IGNORECASE)


class LinkError(Exception):
    """A module is written in a form that the linker does not take; says which line of which module."""


def link_modules(sources: dict[str, str], entry: str) -> str:
    """Return one script that runs module `entry` with all that it imports; raises LinkError."""
    parsed = {name: _parse(name, text) for name, text in sources.items()}
    parts = ["'use strict';"]
    for name in _in_order(parsed, entry):
        body, needs, exported = parsed[name]
        for need, wanted in needs.items():
            if missing := wanted.difference(parsed[need][2]):
                raise LinkError(f"{name}.js imports {sorted(missing)} from #{need}, which does not export that")
        parts.append(f"const m_{name} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();")
    script = "\n".join(parts) + "\n"
    if _ENDS_SCRIPT.search(script):
        raise LinkError("a module holds `</script` or `<!--`, which no inline script can hold")
    return script


_Parsed = tuple[str, dict[str, set[str]], list[str]]  # body, names that it imports by module, names that it exports


def _parse(name: str, text: str) -> _Parsed:
    lines: list[str] = []
    needs: dict[str, set[str]] = {}
    exported: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("import"):
            match = _IMPORT.match(line)
            if match is None:
                raise LinkError(f"{name}.js:{number}: only `import {{ a }} from '#name';` on one line can be linked")
            bindings = _bindings(match.group(1), name, number)
            needs.setdefault(match.group(3), set()).update(taken for taken, _ in bindings)
            named = ", ".join(taken if taken == used else f"{taken}: {used}" for taken, used in bindings)
            lines.append(f"const {{ {named} }} = m_{match.group(3)};")
            continue
        if line.startswith("export"):
            match = _EXPORT.match(line)
            if match is None:
                raise LinkError(f"{name}.js:{number}: only `export function`, `class` and `const` can be linked")
            exported.append(match.group(1))
            line = line[match.end() :]
        if _HIDDEN.search(_COMMENT.sub("", line)):
            raise LinkError(f"{name}.js:{number}: neither `import` nor `export` can be linked within a line")
        lines.append(line)
    return "\n".join(lines).rstrip(), needs, exported


def _bindings(names: str, module: str, number: int) -> list[tuple[str, str]]:
    """Return the names that are imported, each with the name that it is used by."""
    bindings = []
    for part in (part.strip() for part in names.split(",")):
        match = _NAME.match(part)
        if match is None and part:
            raise LinkError(f"{module}.js:{number}: `{part}` is no name that can be imported")
        if match is not None:
            bindings.append((match.group(1), match.group(2) or match.group(1)))
    return bindings


def _in_order(parsed: dict[str, _Parsed], entry: str) -> list[str]:
    """Return the modules that `entry` needs, each after all that it imports; raises LinkError for a circle."""
    done: list[str] = []
    above: list[str] = []
    todo: list[tuple[str, bool]] = [(entry, False)]
    while todo:
        name, left = todo.pop()
        if left:
            above.pop()
            done.append(name)
        elif name in above:
            raise LinkError(
                f"modules import each other in a circle: {' -> '.join([*above[above.index(name) :], name])}"
            )
        elif name not in done:
            if name not in parsed:
                raise LinkError(f"{above[-1] if above else entry}.js imports #{name}, which is not there")
            above.append(name)
            todo.append((name, True))
            todo.extend((need, False) for need in reversed(list(parsed[name][1])))
    return done
