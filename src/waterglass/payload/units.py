"""What the shapes of the payload are made of: times, counts, words, usage."""

from __future__ import annotations

from typing import Annotated, TypeAlias, TypedDict

from msgspec import Meta

Ms: TypeAlias = Annotated[int, Meta(description="A time in Unix milliseconds.")]
Duration: TypeAlias = Annotated[int, Meta(description="A duration in milliseconds.")]
Count: TypeAlias = Annotated[int, Meta(ge=0)]
Tokens: TypeAlias = Annotated[int, Meta(ge=0, description="A number of tokens.")]
Percent: TypeAlias = Annotated[float, Meta(ge=0, le=100)]
EventId: TypeAlias = Annotated[str, Meta(description="File, byte offset and block, such as main@18342.0.")]


def one_of(words: str) -> Meta:
    """Return what says that a text is one of these words. The records behind the payload hold plain strings, so it is
    no Literal."""
    return Meta(extra_json_schema={"enum": words.split()})


Outcome: TypeAlias = Annotated[str, one_of("ok error rejected blocked interrupted no_result running")]
Bound: TypeAlias = Annotated[str, one_of("exact at_most")]


class Usage(TypedDict):
    """Tokens, each API call counted once."""

    apiCalls: Count
    input: Tokens
    cacheCreation: Tokens
    cacheCreation1h: Tokens
    cacheRead: Tokens
    output: Tokens
    outputIsLowerBound: bool
