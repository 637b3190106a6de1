"""The result of a check in the forms that people and machines read: text, JSON, JUnit, SARIF, GitHub annotations."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

from waterglass.gate.gates import UNTOLD, Broken, Checked
from waterglass.payload import encode
from waterglass.version import __version__

EVIDENCE = 5  # places that the text form names for each broken gate
# What XML 1.0 cannot hold, even escaped.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


def render(checked: Sequence[Checked], form: str) -> str:
    """Return the result in one of `FORMATS`, ending in a newline."""
    return FORMATS[form](checked)


def _text(checked: Sequence[Checked]) -> str:
    lines: list[str] = []
    for one in checked:
        told = sum(metric["status"] not in UNTOLD for metric in one.metrics)
        mark = "✕" if one.broken else "✓"
        lines.append(f"{mark} {one.id}  {one.title or '(no title)'}  ({told} of {len(one.metrics)} metrics could tell)")
        for broken in one.broken:
            lines.append(f"    {broken.label}: {broken.display}  ({broken.why})")
            lines += [
                f"      {place['eventId'] or place['rowId']}: {place['why']}" for place in broken.evidence[:EVIDENCE]
            ]
            if len(broken.evidence) > EVIDENCE:
                lines.append(f"      … {len(broken.evidence) - EVIDENCE} more")
    bad = sum(bool(one.broken) for one in checked)
    lines.append(f"{bad} of {len(checked)} session{'s' if len(checked) != 1 else ''} broke a gate")
    return "\n".join(lines) + "\n"


def _document(checked: Sequence[Checked]) -> dict[str, Any]:
    return {
        "version": 1,
        "passed": not any(one.broken for one in checked),
        "sessions": [
            {
                "id": one.id,
                "title": one.title,
                "project": one.project,
                "path": one.path,
                "state": one.state,
                "metrics": [
                    {name: metric[name] for name in ("id", "label", "status", "value", "unit", "display")}
                    for metric in one.metrics
                ],
                "broken": [_broken(broken) for broken in one.broken],
            }
            for one in checked
        ],
    }


def _broken(broken: Broken) -> dict[str, Any]:
    return {
        "metric": broken.metric,
        "value": broken.value,
        "limit": broken.limit.value if broken.limit is not None else None,
        "display": broken.display,
        "why": broken.why,
        "evidence": list(broken.evidence),
    }


def _json(checked: Sequence[Checked]) -> str:
    return encode(_document(checked)).decode("utf-8") + "\n"


def _junit(checked: Sequence[Checked]) -> str:
    root = ElementTree.Element("testsuites", name="waterglass check")
    for one in checked:
        failures = {broken.metric: broken for broken in one.broken}
        skipped = [m for m in one.metrics if m["status"] in UNTOLD and m["id"] not in failures]
        suite = ElementTree.SubElement(
            root, "testsuite", name=_xml(f"{one.title or one.id}"), id=_xml(one.id), tests=str(len(one.metrics)),
            failures=str(len(failures)), skipped=str(len(skipped)), errors="0",
        )  # fmt: skip
        for metric in one.metrics:
            case = ElementTree.SubElement(suite, "testcase", classname=_xml(one.id), name=_xml(metric["label"]))
            broken = failures.get(metric["id"])
            if broken is not None:
                told = ElementTree.SubElement(case, "failure", type=broken.metric, message=_xml(broken.display))
                places = [f"{place['eventId'] or place['rowId']}: {place['why']}" for place in broken.evidence]
                told.text = _xml("\n".join([broken.why, *places]))
            elif metric["status"] in UNTOLD:
                ElementTree.SubElement(case, "skipped", message=_xml(metric["display"]))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _xml(text: str) -> str:
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def _sarif(checked: Sequence[Checked]) -> str:
    metrics = {metric["id"]: metric for one in checked for metric in one.metrics}
    rules = [
        {"id": name, "name": metric["label"], "shortDescription": {"text": metric["explanation"]}}
        for name, metric in metrics.items()
    ]
    results = [_sarif_result(one, broken) for one in checked for broken in one.broken]
    driver = {"name": "Waterglass", "version": __version__, "rules": rules}
    log = {"$schema": _SARIF, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}
    return encode(log).decode("utf-8") + "\n"


def _sarif_result(one: Checked, broken: Broken) -> dict[str, Any]:
    # Only a path's last part: a result is uploaded, and the folders name a person.
    name = quote(one.path.replace("\\", "/").rsplit("/", 1)[-1], errors="replace")
    places = [place for place in broken.evidence if place.get("line")] or [{}]
    return {
        "ruleId": broken.metric,
        "level": "error",
        "message": {"text": f"{broken.label}: {broken.display} ({broken.why})"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": name},
                    "region": {"startLine": place.get("line") or 1},
                },
                "message": {"text": place.get("why") or broken.why},
            }
            for place in places
        ],
        "partialFingerprints": {"session/metric": f"{one.id}/{broken.metric}"},
    }


def _github(checked: Sequence[Checked]) -> str:
    lines = []
    for one in checked:
        for broken in one.broken:
            title = _property(f"{broken.label}: {one.title or one.id}")
            lines.append(f"::error title={title}::{_message(f'{broken.display} ({broken.why}), session {one.id}')}")
    if not lines:
        lines.append(f"::notice title=Waterglass::{len(checked)} checked, no gate broken")
    return "\n".join(lines) + "\n"


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")


FORMATS: dict[str, Callable[[Sequence[Checked]], str]] = {
    "text": _text,
    "json": _json,
    "junit": _junit,
    "sarif": _sarif,
    "github": _github,
}
