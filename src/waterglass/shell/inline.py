"""Programs on the command line or in a heredoc (`python - <<EOF`, `node -e`): only the plainest signs in them."""

from __future__ import annotations

import re

from waterglass.shell.verdict import FILTER, Verdict

# Bounded: the signs stand early, and regular expressions over 20,000 characters a call are not free.
MAX_CODE = 8000
MAX_FILES = 50

_WRITES = re.compile(
    r"\.write(?:_text|_bytes|FileSync|File|lines)?\(|\bopen\([^()]{0,200},\s*(?:mode=)?['\"][wax]|\bfile_put_contents\("
    r"|\bappendFileSync\(|\bFile\.write\(|\.unlink\(|os\.(?:remove|rename|replace|makedirs)\(|shutil\.|json\.dump\("
    r"|\b(?:unlinkSync|rmSync|renameSync|copyFileSync|mkdirSync)\("
)
# What a terminal or a pipe gets is no file.
_TO_STREAM = re.compile(r"(?:\bstdout|\bstderr|\.buffer)\.write\(")
_SYNTAX = re.compile(r"\bast\.parse\(|\bpy_compile\b|\bcompileall\b|\bnew vm\.Script\(|\bnew Function\(")
_TESTS = re.compile(
    r"\bpytest\.main\(|\bunittest\.main\(|doctest\.testmod\(|\bPkg\.test\(|\bdevtools::(?:test|check)\(|\btest_(?:dir|local)\("
)
# Of a script that changes nothing: what it asserts is what it is for.
_ASSERTS = re.compile(r"^[ \t]*assert[ (]|\bassert\.(?:equal|strictEqual|deepEqual|deepStrictEqual|ok|throws)\(", re.M)
_READS = re.compile(r"\bopen\(|\.read_text\(|\breadFileSync\(|\bfile_get_contents\(|\bFile\.read\(")

_NAMED = re.compile(
    r"^[ \t]*(?:const |let |var )?(\w{1,40})\s*=\s*(?:\w+\.)?(?:Path\()?['\"]([^'\"\n]{1,300})['\"]\)?\s*;?\s*$", re.M
)
_PLACE = r"\(\s*(?:['\"]([^'\"\n]{1,300})['\"]|(\w{1,40}))\s*"
_OPEN = re.compile(r"\bopen" + _PLACE + r"(?:,\s*(?:mode\s*=\s*)?['\"](\w\+?\w?)['\"])?")
_PATH = re.compile(r"(?:\bPath" + _PLACE + r"\)|\b(\w{1,40}))\.(read_text|read_bytes|write_text|write_bytes|unlink)\(")
_CALL = re.compile(
    r"\b(readFileSync|readFile|file_get_contents|File\.read|writeFileSync|writeFile|appendFileSync|file_put_contents"
    r"|File\.write|unlinkSync|rmSync|os\.remove)" + _PLACE
)
_READING = frozenset(("readFileSync", "readFile", "file_get_contents", "File.read", "read_text", "read_bytes"))


def judge_code(code: str) -> Verdict:
    """What a program's text does, and the files that it names literally."""
    code = code[:MAX_CODE]
    if _TESTS.search(code):
        return Verdict(("test",))
    looked, changed = _files(code)
    # A file that the script makes up for itself is no edit.
    if _WRITES.search(_TO_STREAM.sub("", code)) and (changed or "tempfile." not in code):
        return Verdict(("edit",), changed, looked=looked)
    if _SYNTAX.search(code):
        return Verdict(("syntax",), looked)
    if _ASSERTS.search(code):
        return Verdict(("test",), looked)
    return Verdict(("read",), looked, "filter") if _READS.search(code) else FILTER


def _files(code: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    named = dict(_NAMED.findall(code))
    looked: dict[str, None] = {}
    changed: dict[str, None] = {}
    for literal, name, mode in _OPEN.findall(code):
        _note(literal or named.get(name, ""), changed if mode[:1] in ("w", "a", "x") or "+" in mode else looked)
    for literal, inner, name, method in _PATH.findall(code):
        _note(literal or named.get(inner or name, ""), looked if method in _READING else changed)
    for function, literal, name in _CALL.findall(code):
        _note(literal or named.get(name, ""), looked if function in _READING else changed)
    return tuple(looked)[:MAX_FILES], tuple(changed)[:MAX_FILES]


def _note(path: str, files: dict[str, None]) -> None:
    if path and "://" not in path:
        files[path] = None
