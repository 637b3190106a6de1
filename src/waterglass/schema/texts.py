"""Texts by which the program that wrote a transcript says what it has no field for.

Measured over 8,432 real files; several forms of one meaning are several eras.
"""

from __future__ import annotations

import re

# A text block that begins so was written by the program and is no prompt: the beginning, and what such a block is.
PROGRAM_TEXTS: tuple[tuple[str, str], ...] = (
    ("[Request interrupted by user", "interrupt"),
    ("<task-notification>", "notification"),
    ("<agent-notification>", "notification"),
    ("<system-reminder>", "reminder"),
    ("<command-", "command"),
    ("<local-command-", "command_output"),
    ("<bash-input>", "shell"),
    ("<bash-", "shell_output"),
    ("<ide_", "ide"),
    ("Stop hook feedback", "hook"),
)
_INITIALS = frozenset(text[0] for text, _ in PROGRAM_TEXTS)


def program_text(text: str) -> str | None:
    """Return what kind of text the program wrote, or None for what a person typed."""
    start = text.lstrip()[:40] if text[:1].isspace() else text[:40]
    if start[:1] not in _INITIALS:
        return None
    for beginning, kind in PROGRAM_TEXTS:
        if start.startswith(beginning):
            return kind
    return None


_TAG = re.compile(r"<(task-id|tool-use-id|agent-id|status|summary|output-file)>([^<]*)</\1>")


def notification(text: str) -> dict[str, str]:
    """Return the fields of a `<task-notification>`: task-id, tool-use-id, status, summary … as far as they are there.

    Only what stands before a `<result>` counts: the result is free text that may quote other notifications.
    """
    end = text.find("<result>")
    fields: dict[str, str] = {}
    for name, value in _TAG.findall(text if end < 0 else text[:end]):
        fields.setdefault(name, value.strip())
    return fields


def command_name(text: str) -> str:
    """Return the slash command of a `<command-name>` block with its arguments, else the text's first words."""
    name = re.search(r"<command-name>([^<]{0,200})</command-name>", text)
    arguments = re.search(r"<command-args>([^<]{0,500})</command-args>", text)
    if not name:
        return re.sub(r"<[^>]{0,40}>", " ", text[:300]).strip()
    command = name.group(1).strip()
    return f"/{command.lstrip('/')} {arguments.group(1).strip() if arguments else ''}".strip()


def inner_text(text: str) -> str:
    """Return a program's text without its tags, cut, for the label of a mark."""
    return " ".join(re.sub(r"</?[a-z_-]{1,40}>", " ", text[:500]).split())[:200]


# How a result says that the call never ran to its end. Order matters: a refusal may quote an interrupt.
_REJECTED = ("The user doesn't want to proceed", "The user doesn't want to take this action", "User rejected tool use")
_INTERRUPTED = (
    "[Request interrupted by user",
    "Interrupted by user",
    "Sibling tool call errored",
    "Cancelled: parallel tool call",
    "Request was aborted",
)
_BLOCKED = re.compile(
    r"(?:^|: )Permission (?:to use|for this tool use) .{0,300}?(?:has been denied|was denied)"
    r"|^Permission for this tool use was denied"
    r"|^Blocked by hook|Blocked by hook|\bhook error\b|haven't granted it yet|^Claude requested permissions",
    re.S,
)
_OF_BLOCKED = ("ermission", "ook", "granted")  # one of these is in every text that the expression finds; it is slow
_EXIT = re.compile(r"^(?:Error: )?Exit code (-?\d{1,10})\b")


def refusal(head: str) -> str | None:
    """Return `rejected`, `blocked` or `interrupted` for the beginning of a failed result's text, else None."""
    text = head.lstrip()
    for prefix in ("<tool_use_error>", "Error: "):
        text = text.removeprefix(prefix)
    code = exit_code(text)
    if code is not None:  # it ran: nobody refused it, whatever it printed. Codes above 128 say that a signal ended it
        killed = code > 128 and text.partition("\n")[2].startswith(_INTERRUPTED[0])
        return "interrupted" if killed else None
    if text.startswith(_REJECTED):
        return "rejected"
    if text.startswith(_INTERRUPTED):
        return "interrupted"
    if any(word in text for word in _OF_BLOCKED) and _BLOCKED.search(text[:600]):
        return "blocked"
    return None


def exit_code(head: str) -> int | None:
    """Return the code of `Exit code N` (written since 2.0.64), else None."""
    match = _EXIT.match(head)
    return int(match.group(1)) if match else None


_AGENT_ID = re.compile(r"\bagentId: ([A-Za-z0-9_-]{4,80})")
_BACKGROUND_ID = re.compile(
    r"^Command (?:running in background|was manually backgrounded by user) with ID: ([A-Za-z0-9_-]{1,80})"
)
_ASYNC = ("Async agent launched", "Command running in background", "Command was manually backgrounded")

ACKNOWLEDGED = frozenset(text[:5] for text in _ASYNC)  # how an acknowledgement begins, for a quick look


def agent_id(text: str) -> str | None:
    """Return the `agentId:` that a spawning call's result ends with (2.0.28 and later), else None."""
    for part in (text[-1_500:], text[:500]):
        if "entId: " in part:  # nearly all have none; looking is quicker than matching, with rarer letters quickest
            found = _AGENT_ID.search(part)
            if found:
                return found.group(1)
    return None


def background_id(text: str) -> tuple[bool, str | None]:
    """Return whether a result only acknowledges a start in the background, and the task's id where it says one."""
    match = _BACKGROUND_ID.match(text)
    return text.startswith(_ASYNC), match.group(1) if match else None


WARM_UP = "Warmup"
SUGGESTION = "[SUGGESTION MODE:"
PERSISTED = "<persisted-output>"
SHORTEST_CUT = 9_900  # characters; an output is cut at 30,000 and keeps whole lines, a failed one at 10,000
_LINES_CUT = re.compile(r"\n\n\.\.\. \[\d{1,12} lines truncated\] \.\.\.\s{0,8}\Z")
_MIDDLE_CUT = re.compile(r"\n\n\.\.\. \[\d{1,12} characters truncated\] \.\.\.\n\n")
_ABOUT = 200  # characters about the middle of an output: it keeps as much of its beginning as of its end


def is_cut(text: str) -> bool:
    """Return whether the program says that a result is not all that there was: a preview of a file, lines left out at
    the end, or characters in the middle. What only quotes such a mark has it elsewhere, or is short."""
    if len(text) < SHORTEST_CUT:
        return text.startswith(PERSISTED)
    middle = len(text) // 2
    return (
        text.startswith(PERSISTED)
        or _LINES_CUT.search(text, len(text) - 60) is not None
        or _MIDDLE_CUT.search(text, middle - _ABOUT, middle + _ABOUT) is not None
    )
