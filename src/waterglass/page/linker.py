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
        body, _, exported = parsed[name]
        parts.append(f"const m_{name} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();")
    script = "\n".join(parts) + "\n"
    if _ENDS_SCRIPT.search(script):
        raise LinkError("a module holds `</script` or `<!--`, which no inline script can hold")
    return script


_Parsed = tuple[str, list[str], list[str]]  # body, names of the modules it needs, names it exports


def _parse(name: str, text: str) -> _Parsed:
    lines: list[str] = []
    needs: list[str] = []
    exported: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("import"):
            match = _IMPORT.match(line)
            if match is None:
                raise LinkError(f"{name}.js:{number}: only `import {{ a }} from '#name';` on one line can be linked")
            needs.append(match.group(3))
            lines.append(f"const {{ {_bindings(match.group(1), name, number)} }} = m_{match.group(3)};")
        elif line.startswith("export"):
            match = _EXPORT.match(line)
            if match is None:
                raise LinkError(f"{name}.js:{number}: only `export function`, `class` and `const` can be linked")
            exported.append(match.group(1))
            lines.append(line[match.end() :])
        else:
            lines.append(line)
    return "\n".join(lines).rstrip(), needs, exported


def _bindings(names: str, module: str, number: int) -> str:
    bindings = []
    for part in (part.strip() for part in names.split(",")):
        match = _NAME.match(part)
        if match is None and part:
            raise LinkError(f"{module}.js:{number}: `{part}` is no name that can be imported")
        if match is not None:
            bindings.append(f"{match.group(1)}: {match.group(2)}" if match.group(2) else match.group(1))
    return ", ".join(bindings)


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
            todo.extend((need, False) for need in reversed(parsed[name][1]))
    return done
