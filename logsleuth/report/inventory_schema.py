"""The published schema of ``logsleuth inspect --format json``, stated as pydantic models.

Nothing of a normal run imports this module. ``python -m logsleuth.report.inventory_schema FILE`` writes it as JSON
Schema (``docs/inspect.schema.json``).
"""

import json
import sys
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from logsleuth.report.inventory_document import SCHEMA
from logsleuth.report.schema import Count, Instant, Problem, Ranks, Record, Span
from logsleuth.report.schema import Job as AnalysedJob

Places = Annotated[list[int], Field(min_length=2, max_length=2)]


class Writers(Record):
    """Whose lines a source holds; all empty where nothing tells it."""

    ranks: Ranks = Field(description="Global ranks, sorted.")
    local_ranks: Ranks = Field(description="Of those whose global rank is not known.")
    hosts: list[str]
    tasks: list[Count] = Field(description="Numbers that a launcher gave and that are not known to be ranks.")
    processes: list[Count] = Field(description="Process ids that lines tell.")


class Gap(Record):
    """A stretch in which somebody wrote no line that tells a time."""

    seconds: float
    after: str = Field(description="Time of the last line before it, as `span` tells times.")
    before: Instant = Field(description="Time of the first line after it; null where it lasts to the end of the job.")
    ranks: Ranks = Field(description="Whose; with `local_ranks` empty for one of the whole job, or of a source.")
    local_ranks: Ranks
    hosts: list[str] = Field(description="Of the local ranks.")
    lines: Places | None = Field(description="Of a gap of a source: the numbers of both lines in it.")


class Repeat(Record):
    """Lines that stand in two sources and are counted once."""

    source: str
    other: str
    lines: Count = Field(description="Of those that the rules know and that are kept.")


class Job(AnalysedJob):
    """A job that the logs speak of, as `logsleuth analyze` tells it, and who was silent in it."""

    gaps: list[Gap] = Field(description="Of the whole job, of ranks and of local ranks; the longest first.")
    more_gaps: Count = Field(description="How many shorter ones are not in `gaps`.")
    repeats: list[Repeat]


class Source(Record):
    """One log: a file, or the pieces of one."""

    source: str = Field(description="Its path as it was given or found; `-` is standard input.")
    pieces: list[str] = Field(description="The files that hold it; empty where it is one file.")
    format: str
    layout: str = Field(description="How records lie in its text; `lines` where they are lines.")
    encoding: str = Field(
        description="`ascii`, `utf-8`, `utf-8 with errors`, `utf-16-le`, `utf-16-be`; empty for none."
    )
    bytes: Count = Field(description="Bytes that were read, decompressed.")
    lines: Count
    events: Count = Field(description="Lines that the rules know.")
    framing: list[str] = Field(description="What stands around the messages, in words.")
    writers: Writers
    attempts: Ranks = Field(description="Attempts of which it tells something, from 0.")
    span: Span
    has_year: bool | None = Field(description="Whether stamps tell the year; null where there are none.")
    has_zone: bool | None
    jobs: list[str] = Field(description="`id`s of the `jobs` that it belongs to.")
    copy_of: str | None = Field(description="The source that it repeats as a whole; it is then not counted.")
    gaps: list[Gap] = Field(description="Between its stamped lines, whoever wrote them; the longest first.")
    problems: list[Problem]


class Unread(Problem):
    """Something that was named or found, and that is no source."""

    path: str


class Remark(Record):
    """What something that was found, or was not, means for an answer."""

    text: str
    sources: list[str] = Field(description="The sources that it is about; empty where it is about all.")


class Document(Record):
    """What `logsleuth inspect --format json` prints.

    Exit status 0: something was read; 2: nothing could be.
    """

    schema_: Literal["logsleuth-inspect/1"] = Field(alias="schema", description="Form of this document.")
    version: str = Field(description="Version of logsleuth.")
    jobs: list[Job] = Field(description="The newest first.")
    sources: list[Source]
    unread: list[Unread]
    remarks: list[Remark]
    shortest_gap: float = Field(description="Seconds; gaps that are shorter were not looked for.")
    notes: list[str]


def schema_text() -> str:
    """The JSON Schema (draft 2020-12) of the document, as it stands in ``docs/inspect.schema.json``."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **Document.model_json_schema()}
    return json.dumps(schema | {"title": SCHEMA}, indent=2) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(schema_text(), encoding="utf-8")
