"""Put the events of all files of a session together: copies out, results to calls, sub-agents under the calls that
started them."""

from __future__ import annotations

from waterglass.link.agents import Agent, link_agents
from waterglass.link.calls import Call, pair_calls
from waterglass.link.copies import ByUuid
from waterglass.link.index import EventIndex
from waterglass.link.linked import Linked, link
from waterglass.link.sources import Source

__all__ = ["Agent", "ByUuid", "Call", "EventIndex", "Linked", "Source", "link", "link_agents", "pair_calls"]
