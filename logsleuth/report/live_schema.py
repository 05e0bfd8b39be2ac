"""The published schema of ``--format jsonl``, stated as pydantic models; see ``logsleuth.report.schema``.

``python -m logsleuth.report.live_schema FILE`` writes it as JSON Schema (``docs/live.schema.json``).
"""

import json
import sys
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from logsleuth.model.analysis import Confidence, Severity
from logsleuth.model.change import ChangeKind
from logsleuth.report.schema import Count, Culprits, Document, Problem, Ranks, Record, Since, Verdict

Moment = Annotated[str, Field(description="When it was found: ISO 8601 in UTC, by the clock of whoever follows.")]
Key = Annotated[
    str,
    Field(description="Names the verdict as long as the job is followed; `id` is its place in one analysis only."),
]


class Line(Record):
    """What all lines share."""

    format: Literal[1] = Field(description="Form of the lines. Keys and types may be added under the same number.")


class Standing(Record):
    """A verdict that was told before a restart and stands."""

    key: Key
    verdict: Verdict = Field(description="As it was told last.")


class Started(Line):
    """The first line: following begins."""

    type: Literal["started"]
    at: Moment
    version: str = Field(description="Version of logsleuth.")
    paths: list[str] = Field(description="What is followed, as it was given.")
    resumed: bool = Field(description="Whether a state file says what was read and told before.")
    standing: list[Standing] = Field(description="What was told before and stands; it is not told again.")


class Before(Record):
    """What a revised verdict said before, as far as it was something else."""

    cause: str | None = None
    severity: Severity | None = None
    role: Literal["root", "symptom"] | None = None
    confidence: Confidence | None = None
    since: Since | None = None
    culprits: Culprits | None = None
    summary: str | None = None


class Change(Line):
    """A verdict appeared, is another, or is gone."""

    type: Literal["verdict"]
    at: Moment
    change: ChangeKind = Field(
        description="`taken over`: it turned out to be an effect of the verdict `by`; `withdrawn`: what came since "
        "contradicts it, or it is undecided again (`verdict.status` is `open` then)."
    )
    number: int = Field(ge=1, description="Counts all changes, from 1; goes on after a restart with a state file.")
    key: Key
    verdict: Verdict = Field(description="As it is now; of one that is gone, as it was told last.")
    before: Before | None = Field(description="Of a revised verdict: what was otherwise; null of every other.")
    by: str | None = Field(description="Key of the verdict that took it over; null of every other.")


class Members(Record):
    """Members of a job that are in one state."""

    state: Literal["running", "silent", "blamed", "ended", "unseen"] = Field(
        description="`silent`: for longer than its own rhythm allows; `blamed`: by a firm verdict; `unseen`: no line."
    )
    ranks: Ranks
    others: list[str] = Field(description="Members of which no global rank is known, as they are called.")


class Read(Record):
    """How much was read so far."""

    sources: Count
    bytes: Count
    lines: Count
    events: Count = Field(description="Occurrences of events that rules speak of.")


class State(Line):
    """How a job is doing; told now and then, and only where something is otherwise."""

    type: Literal["state"]
    at: Moment
    job: str
    attempt: Count
    state: Literal["starting", "training", "silent", "failing", "ended"]
    step: int | None
    total: int | None = Field(description="Steps that it is to have.")
    speed: float | None = Field(description="Steps a second, of late.")
    loss: float | None = Field(description="Null where it is unknown, or no finite number.")
    memory: float | None = Field(description="Bytes of the member that uses most.")
    members: list[Members] = Field(description="One entry for each state that members are in.")
    read: Read = Field(description="Of all jobs together.")


class InputProblem(Line):
    """Something about a log that the reader should know; each is told once."""

    type: Literal["input"]
    at: Moment
    source: str
    problem: Problem


class Trouble(Line):
    """Something is wrong with the following itself; it goes on."""

    type: Literal["trouble"]
    at: Moment
    text: str


class Ended(Line):
    """The last line."""

    type: Literal["ended"]
    at: Moment
    exit_status: int = Field(description="That `logsleuth` ends with.")
    analysis: Document = Field(description="What `logsleuth analyze --format json` prints of the same logs.")


AnyLine = Annotated[
    Started | Change | State | InputProblem | Trouble | Ended,
    Field(discriminator="type", description="A line of `logsleuth analyze --follow --format jsonl`."),
]


def schema_text() -> str:
    """The JSON Schema (draft 2020-12) of a line, as it stands in ``docs/live.schema.json``."""
    schema = TypeAdapter[object](AnyLine).json_schema()
    return json.dumps(
        {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "logsleuth-live/1"}, indent=2
    ) + ("\n")


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(schema_text(), encoding="utf-8")
