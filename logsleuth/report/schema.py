"""The published schema of ``--format json``, stated as pydantic models.

Nothing of a normal run imports this module (pydantic costs more than a whole analysis of a small log). The tests
hold the documents against it, and ``python -m logsleuth.report.schema FILE`` writes it as JSON Schema
(``docs/schema.json``).
"""

import json
import sys
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from logsleuth.model.analysis import Confidence, Severity
from logsleuth.model.cause import CAUSES
from logsleuth.report.document import SCHEMA

Count = Annotated[int, Field(ge=0)]
Ranks = Annotated[list[Count], Field(description="Sorted, each once.")]
Instant = Annotated[
    str | None,
    Field(
        description="ISO 8601; without the year or the date where the log does not tell them "
        "(`--11-30T00:17:10.164`); null where unknown."
    ),
]


class Record(BaseModel):
    """What all records share: every key is there, and no other."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Evidence(Record):
    """One place in one log that a verdict rests on."""

    source: str = Field(description="The log, its path as it was given or found; `-` is standard input.")
    line: int = Field(ge=1, description="Number of the physical line, from 1.")
    offset: Count = Field(description="Bytes from the start of the (decompressed) source to the start of the line.")
    rank: int | None = Field(description="Global rank of the process that the line concerns.")
    host: str | None = Field(description="Its host.")
    time: Instant
    text: str = Field(description="The line without colours and control characters, cut at 2,000 characters.")


class Culprits(Record):
    """Who is to blame, as far as the logs prove it; all empty where they do not."""

    ranks: Ranks = Field(description="Global ranks, sorted.")
    local_ranks: Ranks = Field(description="Local ranks, only where no global rank can be known.")
    hosts: list[str]


class Since(Record):
    """When the trouble began: between two instants."""

    earliest: Instant
    latest: Instant
    basis: str = Field(description="What the instants rest on, in words.")


class Echo(Record):
    """A finding that a verdict explains away."""

    rule: str
    title: str
    occurrences: Count
    ranks: Ranks


class Reason(Record):
    """One condition of a rule, and what the logs say of it."""

    condition: str = Field(description="As it stands in the rule; `let NAME` for a set that the rule has named.")
    holds: Literal["yes", "open"] = Field(description="`open`: these logs do not decide it.")
    members: str = Field(description="Over whom it was decided: `3 of 4 ranks, 1 without a log`.")
    closes: str = Field(description="What would decide it; empty where nothing is open.")


class Verdict(Record):
    """One finding of the analysis."""

    id: str = Field(description="`v1` is the first of the ranking.")
    job: str = Field(description="`id` of one of `jobs`.")
    attempt: Count = Field(description="Attempt of the job in which it happened, from 0 as torchrun counts.")
    rule: str = Field(description="The rule that gave the verdict.")
    cause: str = Field(
        description="What a person would be told first: a word of the vocabulary, or one that a site's own rules add.",
        examples=list(CAUSES),
    )
    title: str = Field(description="What the rule finds, in a sentence.")
    severity: Severity = Field(description="`fatal`: the job ended by it; `error`: something failed.")
    role: Literal["root", "symptom"] = Field(description="`symptom`: the effect of something else.")
    status: Literal["firm", "open"] = Field(description="`open`: the logs end before the question is decided.")
    confidence: Confidence
    since: Since
    culprits: Culprits
    summary: str = Field(description="The verdict in a sentence.")
    chain: list[str] = Field(description="From the cause to what everybody saw.")
    evidence: list[Evidence] = Field(description="The decisive lines.")
    occurrences: Count = Field(description="How often it was seen, shown as evidence or not.")
    explains: list[Echo] = Field(description="What else in the logs this verdict explains.")
    alternatives: list[str] = Field(description="Other causes that the same logs allow, most likely first.")
    remedies: list[str] = Field(description="What to do, in the order in which to try it.")
    next_steps: list[str] = Field(description="What to look at or to collect next.")
    see: list[str] = Field(description="Addresses of further reading.")
    unknowns: list[str] = Field(description="What the logs could not tell about this verdict.")
    reasoning: list[Reason] = Field(description="The conditions of the rule one by one.")
    adjusted: bool = Field(description="Whether a rule file of the site has adjusted the rule.")


class Span(Record):
    """The first and the last time that the logs tell."""

    started: Instant
    ended: Instant


class Clock(Record):
    """A clock that wrote stamps, against the median of those that can be compared with it."""

    host: str | None
    source: str | None = Field(
        description="The log whose stamps are meant, where no host is known or logs of one host show different times."
    )
    offset: float = Field(description="Seconds by which it is ahead; 0 where nothing tells.")
    uncertainty: float | None = Field(
        description="Seconds by which the offset may be wrong; null where nothing tells the offset."
    )
    anchors: Count = Field(description="Moments that it shares with others and that tell the offset.")


class Job(Record):
    """A job that the logs speak of."""

    id: str
    size: Count = Field(description="Ranks that the job has; at least this many where `size_is_stated` is false.")
    size_is_stated: bool
    seen_ranks: Ranks = Field(description="Ranks that left a line.")
    silent_ranks: Ranks = Field(
        description="Ranks below `size` of which no line is known; empty where the logs name no ranks."
    )
    hosts: list[str]
    attempts: Count
    span: Span
    clocks: list[Clock] = Field(description="Clocks that wrote stamps, in the order of hosts and logs.")


class Problem(Record):
    """Something about an input that the reader should know."""

    text: str
    fatal: bool = Field(description="True where nothing of the source could be read.")


class Input(Record):
    """A log that was read, or that could not be."""

    source: str = Field(description="Its path as it was given or found; `-` is standard input.")
    format: str
    bytes: Count = Field(description="Bytes that were read, decompressed.")
    lines: Count
    events: Count = Field(description="Lines that the rules know.")
    problems: list[Problem]
    layout: str = Field(description="How records lie in its text; `lines` where they are lines.")


class Mention(Record):
    """A verdict in which a cause that was asked for stands already."""

    as_: Literal["answer", "told", "alternative"] = Field(alias="as", description="`told`: not as the first.")
    verdict: str = Field(description="`id` of one of `verdicts`.")


class NearRule(Record):
    """A rule that gives the cause and of which something was seen, in the scope in which it came nearest."""

    rule: str
    title: str
    where: str = Field(description="The scope in which it came nearest; empty where there is only one.")
    outcome: Literal["fired", "open", "no"]
    fate: str = Field(description="What became of it where it fired: which verdict tells of it, or explains it away.")
    there: list[str] = Field(description="Its conditions that hold.")
    missing: list[str] = Field(description="Those that do not, or that are not decided, and why.")
    collect: list[str] = Field(description="What would tell.")
    evidence: list[Evidence] = Field(description="The lines that come nearest to what is missing.")


class UnheardRule(Record):
    """A rule that gives the cause and of which no line speaks."""

    rule: str
    title: str
    events: list[str] = Field(description="What lines would have to tell.")


class WhyNot(Record):
    """Why a cause is not the answer, or that it is."""

    cause: str
    told: list[Mention]
    rules: list[NearRule] = Field(description="The nearest first.")
    unheard: list[UnheardRule]


class Document(Record):
    """What `logsleuth analyze --format json` prints.

    Exit status 0: no firm verdict of severity error or fatal; 1: there is one; 2: nothing could be read.
    """

    schema_: Literal["logsleuth/1"] = Field(alias="schema", description="Form of this document.")
    version: str = Field(description="Version of logsleuth.")
    verdicts: list[Verdict] = Field(
        description="Ranked: the first is the answer. Empty, or all of severity `info`: nothing wrong was found."
    )
    jobs: list[Job]
    inputs: list[Input]
    notes: list[str] = Field(description="About the analysis itself: rules that were skipped, limits reached.")
    why_not: list[WhyNot] = Field(
        default=[], description="Of each cause that `--why-not` names; the key is only there where there is one."
    )


def schema_text() -> str:
    """The JSON Schema (draft 2020-12) of the document, as it stands in ``docs/schema.json``."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **Document.model_json_schema()}
    return json.dumps(schema | {"title": SCHEMA}, indent=2) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(schema_text(), encoding="utf-8")
