"""How often the agent asked its user something, by a tool for that or at the end of a closing text."""

from waterglass import Evidence, Finding, Measured, MetricPlugin

ASKS = "AskUserQuestion"


def measure(session: Measured) -> Finding:
    """Count the calls that ask, and the exchanges whose last text ends with a question mark."""
    evidence = [Evidence(row_id=row["id"], why="asks") for row in session.rows if row["toolName"] == ASKS]
    closing = {}
    for reply in session.payload["replies"]:
        if reply["agentId"] is None and reply["text"]:
            closing[reply["exchange"]] = reply["id"]
    for reply_id in closing.values():
        if session.text_of(reply_id).rstrip().endswith("?"):
            evidence.append(Evidence(reply_id=reply_id, why="ends with a question"))
    if not closing:
        return Finding("na", None, "the agent said nothing")
    count = len(evidence)
    return Finding("ok", count, f"{count} question{'' if count == 1 else 's'}", evidence=evidence)


METRIC = MetricPlugin(
    label="Questions to the user",
    explanation="Calls of a tool that asks, and closing texts that end with a question mark. "
    "Neither many nor few is good.",
    unit="questions",
    measure=measure,
)
