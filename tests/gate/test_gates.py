"""Gates: what breaks them, and what a build server is told."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import pytest

from waterglass.errors import UsageError, WaterglassError
from waterglass.gate import Checked, Limit, baseline_limits, check_session, parse_limit, render


def metric(name: str, status: str, value: float | None, display: str = "said", **more: Any) -> dict[str, Any]:
    place = {"eventId": "main@10.0", "rowId": "c1", "replyId": None, "why": "the last edit", "line": 7}
    return {
        "id": name, "label": name.title(), "explanation": "What it means.", "status": status, "value": value,
        "unit": "times", "better": "lower", "display": display, "detail": {}, "notes": [], "evidence": [place], **more,
    }  # fmt: skip


def checked(
    *metrics: dict[str, Any], limits: list[Limit] | None = None, strict: bool = False, title: str = "T"
) -> Checked:
    session = {"id": "s-1", "title": title, "project": "/code/demo", "state": "idle"}
    return check_session({"session": session, "metrics": list(metrics)}, "/code/x/s 1.jsonl", limits, strict)


def broken(*metrics: dict[str, Any], limits: list[Limit] | None = None, strict: bool = False) -> list[str]:
    return [one.metric for one in checked(*metrics, limits=limits, strict=strict).broken]


def test_without_gates_an_alert_breaks_and_nothing_else() -> None:
    found = broken(metric("earlyVictory", "alert", 1), metric("loopDetection", "ok", 0), metric("overreach", "warn", 9))
    assert found == ["earlyVictory"]


def test_a_value_at_its_limit_holds_and_one_beyond_breaks() -> None:
    gates = [parse_limit("loopDetection=2")]
    assert broken(metric("loopDetection", "alert", 2), limits=gates) == []
    assert broken(metric("loopDetection", "alert", 3), limits=gates) == ["loopDetection"]


def test_an_alert_without_a_number_is_beyond_any_limit() -> None:
    assert broken(metric("verificationDensity", "alert", None), limits=[parse_limit("verificationdensity=50")])


@pytest.mark.parametrize("status", ["unknown", "na"])
def test_what_cannot_be_told_breaks_only_when_strict(status: str) -> None:
    gates = [parse_limit("earlyVictory=0")]
    assert broken(metric("earlyVictory", status, None), limits=gates) == []
    assert broken(metric("earlyVictory", status, None), limits=gates, strict=True) == ["earlyVictory"]


@pytest.mark.parametrize("text", ["earlyVictory", "earlyVictory=", "earlyVictory=nan", "nonsense=1", "=1", ""])
def test_a_gate_of_another_form_is_wrong_usage(text: str) -> None:
    with pytest.raises(UsageError):
        parse_limit(text)


def test_a_baseline_holds_the_worst_value_of_each_metric() -> None:
    earlier = [
        checked(metric("loopDetection", "alert", 2), metric("continuity", "warn", 0)),
        checked(metric("loopDetection", "ok", 0)),
    ]
    gates = baseline_limits(json.loads(render(earlier, "json")), "base.json")
    assert gates == [Limit("loopDetection", 2), Limit("continuity", 0, at_least=True)]
    assert broken(metric("loopDetection", "alert", 2), limits=gates) == []
    assert broken(metric("loopDetection", "alert", 3), limits=gates) == ["loopDetection"]


@pytest.mark.parametrize("document", [None, [], {}, {"sessions": 3}, "text"])
def test_a_file_that_is_no_baseline_is_said(document: object) -> None:
    with pytest.raises(WaterglassError, match="no baseline"):
        baseline_limits(document, "base.json")


def test_junit_has_a_case_for_each_metric_and_survives_control_characters() -> None:
    one = checked(
        metric("earlyVictory", "alert", 1, "bad \x1b[31m & <b>"), metric("continuity", "na", None), title="a\x00b"
    )
    suite = ElementTree.fromstring(render([one], "junit")).find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("2", "1", "1")
    failure = suite.find("testcase/failure")
    assert failure is not None and failure.get("message") == "bad \N{REPLACEMENT CHARACTER}[31m & <b>"


def test_sarif_names_the_rule_the_line_and_no_folder() -> None:
    log = json.loads(render([checked(metric("earlyVictory", "alert", 1))], "sarif"))
    (result,) = log["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert (result["ruleId"], place["artifactLocation"]["uri"], place["region"]["startLine"]) == (
        "earlyVictory",
        "s%201.jsonl",
        7,
    )
    assert [rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]] == ["earlyVictory"]
    assert "/code" not in json.dumps(log)


def test_an_annotation_is_one_line_whatever_the_texts_hold() -> None:
    one = checked(metric("earlyVictory", "alert", 1, "two\nlines::100%"), title="a,b:c\r\n::error::x")
    (line,) = render([one], "github").splitlines()
    assert line.startswith("::error title=Earlyvictory%3A a%2Cb%3Ac%0D%0A%3A%3Aerror%3A%3Ax::two%0Alines::100%25")


def test_the_text_names_each_broken_gate_with_its_evidence_and_counts() -> None:
    text = render(
        [
            checked(metric("earlyVictory", "alert", 1, "older than the last edit")),
            checked(metric("loopDetection", "ok", 0)),
        ],
        "text",
    )
    assert "✕ s-1" in text and "older than the last edit" in text and "main@10.0: the last edit" in text
    assert text.endswith("1 of 2 sessions broke a gate\n")
