"""How often the classifiers are right: held against the labelled lines that come with the program.

The labels were written before the classifiers were run over them. They are `tables/labelled_*.jsonl`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from waterglass.claims import claim
from waterglass.classify import classify
from waterglass.shell import judge_line
from waterglass.verdict import verify_ok

_TABLES = __file__.replace("\\", "/").rsplit("/", 1)[0] + "/tables/"
ACTS = ("verify", "search", "read", "edit", "other")
KINDS = ("test", "lint", "typecheck", "build", "syntax")
VERDICTS = ("pass", "fail")
CLAIMS = ("done", "partial", "none")


class Figures(msgspec.Struct, frozen=True, rename="camel"):
    """One class of a classifier. Precision and recall are None where nothing was said or labelled so."""

    name: str
    labelled: int
    said: int
    right: int
    precision: float | None
    recall: float | None


class Section(msgspec.Struct, frozen=True, rename="camel"):
    """One classifier: `abstained` lines got the answer `unknown` though their label is another."""

    name: str
    lines: int
    abstained: int
    abstention: float
    classes: list[Figures]


def card() -> list[Section]:
    """Return the figures of all four classifiers, worked out now."""
    commands, results, claims = (_labelled(name) for name in ("commands", "results", "claims"))
    told = [(line, classify("Bash", {"command": line["command"]}, None)) for line in commands]
    return [
        _section("acts", ACTS, [(set(line["acts"]), set(facts.acts)) for line, facts in told]),
        _section("verifyKinds", KINDS, [(set(line["verify_kinds"]), set(facts.verify_kinds)) for line, facts in told]),
        _section("verifyOk", VERDICTS, [({line["verify_ok"]}, {_verdict(line)}) for line in results]),
        _section("claims", CLAIMS, [({line["claim"]}, {claim(line["text"]).kind}) for line in claims]),
    ]


def _labelled(name: str) -> list[dict[str, Any]]:
    with open(f"{_TABLES}labelled_{name}.jsonl", "rb") as stream:
        return [msgspec.json.decode(line) for line in stream if line.strip()]


def _verdict(line: dict[str, Any]) -> str | None:
    facts = judge_line(line["command"], False)
    return verify_ok(facts, line["is_error"], line.get("exit_code"), line["output"], line["command"])


_Pairs = Sequence[tuple[set[Any], set[Any]]]  # what is labelled, what was said


def _section(name: str, classes: Iterable[str], pairs: _Pairs) -> Section:
    labelled = Counter(one for label, _ in pairs for one in label)
    said = Counter(one for _, answer in pairs for one in answer)
    right = Counter(one for label, answer in pairs for one in label & answer)
    abstained = sum("unknown" in answer and "unknown" not in label for label, answer in pairs)
    figures = [
        Figures(
            one, labelled[one], said[one], right[one], _share(right[one], said[one]), _share(right[one], labelled[one])
        )
        for one in classes
    ]
    return Section(name, len(pairs), abstained, abstained / len(pairs) if pairs else 0.0, figures)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def write_card(write: Callable[[str], object], sections: Iterable[Section]) -> None:
    """Write the figures as a table, a line at a time."""
    for section in sections:
        untold = f"unknown on {section.abstention:.1%} where the label is not"
        write(f"{section.name}: {section.lines:,} labelled lines, {untold}")
        write(f"  {'':<12} {'precision':>9} {'recall':>9} {'labelled':>9} {'said':>6} {'right':>6}")
        for one in section.classes:
            precision, recall = (_percent(one.precision), _percent(one.recall))
            write(f"  {one.name:<12} {precision:>9} {recall:>9} {one.labelled:>9,} {one.said:>6,} {one.right:>6,}")


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.3f}"
