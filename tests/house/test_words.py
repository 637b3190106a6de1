"""What may be written where."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path

from tests.house.source import CHECKOUT, layer_of, modules, texts

# Keys of raw records, blocks and results; without those that the payload and the events carry under the same name.
_RAW_KEYS = """
    isSidechain userType sessionId session_id gitBranch requestId costUSD isApiErrorMessage toolUseResult
    sourceToolAssistantUUID sourceToolUseID thinkingMetadata permissionMode isMeta isVisibleInTranscriptOnly
    isCompactSummary promptId promptSource mcpMeta planContent imagePasteIds interruptedMessageId toolDenialKind
    userFeedback logicalParentUuid compactMetadata microcompactMetadata leafUuid customTitle aiTitle agentName
    hookInfos hookErrors preventedContinuation parentToolUseID toolUseID forkedFrom attributionAgent attributionSkill
    attributionPlugin errorDetails apiErrorStatus isAbortedMidStream lastPrompt isSnapshotUpdate snapshotMessageId
    trackingPath retryInMs retryAttempt maxRetries bridgeSessionId prRepository remoteSessionId parentSessionId
    backgroundTaskId isAsync isFork tool_use_id stop_reason stop_sequence input_tokens
    output_tokens cache_creation_input_tokens cache_read_input_tokens ephemeral_1h_input_tokens
    structuredPatch oldTodos newTodos totalDurationMs
    totalTokens totalToolUseCount
"""
RAW_KEYS = frozenset(_RAW_KEYS.split())
# Spelt so that this file does not hold what it looks for.
UNFINISHED = re.compile(r"(#|//|/\*|<!--).*\b(TO" r"DO|FIX" r"ME|X" r"XX)\b")
REGISTRIES = re.compile(r"\b(py" r"pi\.org|pythonhos" r"ted\.org|npm" r"js\.(org|com)|deb\.deb" r"ian\.org)\b", re.I)


def test_raw_record_keys_are_written_in_schema_alone() -> None:
    found = [
        f"{module}:{node.lineno} {node.value!r}"
        for module, tree in modules().items()
        if layer_of(module) != "schema"
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in RAW_KEYS
    ]
    assert found == []


def test_no_file_names_a_place_on_this_machine() -> None:
    import pwd

    # Not the environment's home: the tests have one of their own.
    own = {str(CHECKOUT), str(Path(pwd.getpwuid(os.getuid()).pw_dir) / ".claude")}
    places = [place for place in own if place.count("/") > 1]
    assert [f"{name}: {place}" for name, text in texts() for place in places if place in text] == []


def test_no_file_names_the_host_of_a_package_registry() -> None:
    assert [f"{name}: {found[0]}" for name, text in texts() if (found := REGISTRIES.search(text))] == []


def test_nothing_is_marked_as_unfinished() -> None:
    found = [
        f"{name}:{number}"
        for name, text in texts()
        if name.endswith((".py", ".js", ".css", ".html", ".toml", "Makefile", "run"))
        for number, line in enumerate(text.split("\n"), 1)
        if UNFINISHED.search(line)
    ]
    assert found == []
